package change_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/posts"
	"agora/internal/store/rules"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

func TestMoveX(t *testing.T) {
	w := storetest.NewThread(t)
	boss := &forum.Viewer{ID: w.Ann.ID, Role: forum.RoleAdmin}
	a, b := w.EmptyID, w.B
	sees := func(c forum.CategoryID, to forum.Audience) {
		w.Clock.Advance(time.Second)
		storetest.WantOK(t, "access", w.Rules.UpdateAccess(t.Context(), boss, rules.AccessChange{Category: c, Sees: &to}))
	}
	topic := w.Post(site.Discussion(w.Ann, a))
	move := func(c forum.CategoryID) {
		w.Clock.Advance(time.Second)
		storetest.WantOK(t, "move", w.Posts.UpdateTopic(t.Context(), w.Ann, topic, posts.TopicChange{Category: &c}))
	}
	sees(b, forum.Members)
	move(b)
	sees(a, forum.Members)
	sees(b, forum.Public)
	sees(b, forum.Members)
	w.WantClean()
	move(a)
	w.WantClean()
	t.Log(w.Hash(key.Topic(topic)))
	sees(a, forum.Public)
	w.WantClean()
	t.Log(w.Hash(key.Topic(topic)))
}
