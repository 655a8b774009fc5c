package change_test

import (
	"testing"

	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// A tag leaves the list of tags with its last topic, also if the list is written when the topic no longer says what it
// has lost.
func TestLostTagLeavesTheList(t *testing.T) {
	tea := site.Tags("tea")
	tagged := func(w *storetest.Thread) { must.OK(w.T, w.Posts.TagTopic(w.Ctx, w.Ann, w.TopicID, tea, nil)) }
	// Each gives a topic the tag, and returns how it loses it.
	for what, give := range map[string]func(*storetest.Thread) (lose func()){
		"untagged": func(w *storetest.Thread) func() {
			tagged(w)
			return func() { must.OK(w.T, w.Posts.TagTopic(w.Ctx, w.Ann, w.TopicID, nil, tea)) }
		},
		"deleted": func(w *storetest.Thread) func() {
			tagged(w)
			return func() { must.OK(w.T, w.Posts.DeleteTopic(w.Ctx, w.Ann, w.TopicID)) }
		},
		"rejected": func(w *storetest.Thread) func() {
			in := site.Discussion(w.Ann, w.EmptyID)
			in.Tags = tea
			wake := w.Asleep("index", func(s *store.Store) { _, _ = s.Posts.CreateTopic(w.Ctx, in) })
			return func() {
				must.OK(w.T, w.Categories.DeleteCategory(w.Ctx, nil, w.EmptyID))
				wake()
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			w := storetest.NewThread(t)
			lose := give(w)
			must.OK(t, w.Engine.Drain(w.Ctx, true))
			if got := w.Names(key.TagNames, key.OrderCount); got != "tea -1" {
				t.Fatalf("the list of tags is %q; want tea with one topic", got)
			}
			lose()
			w.Engine.Cleaner.Flush()
			for _, k := range w.KeysLike("}:t:") {
				if left := w.Redis.HGet(w.Ctx, k, "leftTags").Val(); left != "" {
					t.Fatalf("%s has left %q; want that forgotten", k, left)
				}
			}
			w.Settle()
			if got := w.Names(key.TagNames, key.OrderCount); got != "" {
				t.Errorf("the list of tags is %q; want it empty", got)
			}
		})
	}
}
