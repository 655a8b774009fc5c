package change_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/rules"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// closedTo changes who sees a category of the thread.
func closedTo(w *storetest.Thread, s *store.Store, c forum.CategoryID, sees forum.Audience) error {
	w.Clock.Advance(time.Second)
	admin := &forum.Viewer{ID: w.Ann.ID, Role: forum.RoleAdmin}
	return s.Rules.UpdateAccess(w.Ctx, admin, rules.AccessChange{Category: c, Sees: &sees})
}

// wantPlaces checks that the front, the profile of the author and the counts have a topic, or not, and its category does.
func wantPlaces(w *storetest.Thread, topic forum.TopicID, c forum.CategoryID, public bool) {
	w.T.Helper()
	w.WantClean()
	created := must.Do(w.Engine.Client.Redis.HGet(w.Ctx, key.Topic(topic), "created").Int64())(w.T)
	member := record.Member(forum.Time(created), int64(topic))
	for in, want := range map[string]bool{key.FrontContainer.Order(key.OrderActive): public,
		key.Profile(w.Ann.ID): public, key.CategoryContainer(c).Order(key.OrderActive): true} {
		if got := w.Engine.Client.Redis.ZScore(w.Ctx, in, member).Err() == nil; got != want {
			w.T.Errorf("%s has topic %d: %t; want %t", in, topic, got, want)
		}
	}
}

// The lists and counts of the site follow who sees a category, and where its topics are.
func TestAudienceOfTopics(t *testing.T) {
	w := storetest.NewThread(t)
	sees := func(c forum.CategoryID, to forum.Audience) {
		storetest.WantOK(t, "UpdateAccess", closedTo(w, w.Store, c, to))
	}
	sees(w.A, forum.Members)
	wantPlaces(w, w.TopicID, w.A, false)
	posted := w.Topic(w.Ann, w.A)
	w.Comment(w.Bob, posted, 0)
	wantPlaces(w, posted, w.A, false)
	storetest.WantOK(t, "move to another room", storetest.Move(w.Store, w, w.A))
	sees(w.B, forum.Members)
	storetest.WantOK(t, "move to another room", storetest.Move(w.Store, w, w.B))
	wantPlaces(w, w.TopicID, w.B, false)
	sees(w.B, forum.Public)
	wantPlaces(w, w.TopicID, w.B, true)
	storetest.WantOK(t, "move into a room", storetest.Move(w.Store, w, w.A))
	wantPlaces(w, w.TopicID, w.A, false)
	storetest.WantOK(t, "move out of a room", storetest.Move(w.Store, w, w.EmptyID))
	wantPlaces(w, w.TopicID, w.EmptyID, true)
	sees(w.A, forum.Public)
	wantPlaces(w, posted, w.A, true)
}

// A process whose rules are out of date posts, comments and moves when a category has become a room, or is none any more.
func TestAudienceOfLateWriters(t *testing.T) {
	testlevel.Sequential(t)
	for _, tt := range []struct {
		name string
		do   func(w *storetest.Thread, s *store.Store) forum.TopicID // returns the topic that is in B
	}{
		{"create", func(w *storetest.Thread, s *store.Store) forum.TopicID {
			return must.Do(s.Posts.CreateTopic(w.Ctx, site.Discussion(w.Ann, w.B)))(t)
		}},
		{"move", func(w *storetest.Thread, s *store.Store) forum.TopicID {
			storetest.WantOK(t, "move", storetest.Move(s, w, w.B))
			return w.TopicID
		}},
	} {
		for _, to := range []forum.Audience{forum.Members, forum.Public} {
			w := storetest.NewThread(t)
			if to == forum.Public {
				storetest.WantOK(t, "UpdateAccess", closedTo(w, w.Store, w.B, forum.Members))
			}
			var topic forum.TopicID
			wake := w.Asleep("index", func(s *store.Store) { topic = tt.do(w, s) })
			storetest.WantOK(t, "UpdateAccess", closedTo(w, w.Store, w.B, to))
			wake()
			w.Clock.Advance(time.Minute)
			if wantPlaces(w, topic, w.B, to == forum.Public); t.Failed() {
				t.Fatalf("%s, while B becomes visible to %s", tt.name, to)
			}
		}
	}
}

// Whatever a process that changes who sees a category has left to do, others do.
func TestCrashOfAudience(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		w := storetest.NewThread(t)
		died = w.Dies(n, func(s *store.Store) { closedTo(w, s, w.A, forum.Members) })
		w.Clock.Advance(time.Minute)
		w.Settle()
		w.Clock.Advance(engine.FirstLease * time.Millisecond)
		if wantPlaces(w, w.TopicID, w.A, n == 1); t.Failed() {
			t.Fatalf("killed before step %d", n)
		}
	}
}

// A category with more topics than a pass of its task takes is followed to its end, and from the beginning again if it is
// changed meanwhile.
func TestAudienceOfManyTopics(t *testing.T) {
	w := storetest.NewThread(t)
	var topics []forum.TopicID
	for range 250 {
		w.Clock.Advance(time.Millisecond)
		topics = append(topics, w.Post(posts.NewTopic{Author: w.Ann.ID, Kind: forum.Discussion, Title: "t", Content: "c",
			Format: forum.Markdown, Category: w.B}))
	}
	storetest.WantOK(t, "UpdateAccess", closedTo(w, w.Store, w.B, forum.Members))
	last := topics[len(topics)-1]
	if got := w.Hash(key.Topic(last))["audience"]; got != string(forum.Public) {
		t.Fatalf("the last topic has the audience %s after the first pass; want PUBLIC", got)
	}
	storetest.WantOK(t, "UpdateAccess", closedTo(w, w.Store, w.B, forum.Public))
	storetest.WantOK(t, "UpdateAccess", closedTo(w, w.Store, w.B, forum.Members))
	wantPlaces(w, topics[0], w.B, false)
	wantPlaces(w, last, w.B, false)
}
