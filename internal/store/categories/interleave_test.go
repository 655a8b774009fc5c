package categories_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// A topic enters a category that is being deleted: one of the two calls fails, and no topic is lost or left
// in a deleted category.
func TestDeleteCategoryAgainstArrival(t *testing.T) {
	testlevel.Sequential(t)
	arrivals := map[string]func(*store.Store, *storetest.Thread) error{
		"create": func(s *store.Store, w *storetest.Thread) error {
			_, err := s.Posts.CreateTopic(w.Ctx, site.Discussion(w.Bob, w.EmptyID))
			return err
		},
		"move": func(s *store.Store, w *storetest.Thread) error { return storetest.Move(s, w, w.EmptyID) },
	}
	for name, arrive := range arrivals {
		for _, step := range []string{"category_delete_begin", "index_close", "category_delete_finish"} {
			t.Run(name+", the deletion paused before "+step, func(t *testing.T) {
				w := storetest.NewThread(t)
				var deleted error
				wake := w.Asleep(step, func(s *store.Store) {
					deleted = s.Categories.DeleteCategory(t.Context(), nil,
						w.EmptyID)
				})
				arrived := arrive(w.Store, w)
				wake()
				wantOneWinner(w, deleted, arrived)
			})
		}
		for _, step := range []string{"topic_create", "topic_update", "index"} {
			if name == "create" && step == "topic_update" || name == "move" && step == "topic_create" {
				continue
			}
			t.Run(name+" paused before "+step, func(t *testing.T) {
				w := storetest.NewThread(t)
				var arrived error
				wake := w.Asleep(step, func(s *store.Store) { arrived = arrive(s, w) })
				deleted := w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID)
				wake()
				wantOneWinner(w, deleted, arrived)
			})
		}
	}
}

func wantOneWinner(w *storetest.Thread, deleted, arrived error) {
	w.T.Helper()
	if (deleted == nil) == (arrived == nil) {
		w.T.Errorf("DeleteCategory = %v, arrival = %v; want exactly one to fail", deleted, arrived)
	}
	if deleted != nil {
		storetest.WantCode(w.T, "DeleteCategory", deleted, forum.CodeNotEmpty)
	}
	if arrived != nil {
		storetest.WantCode(w.T, "arrival", arrived, forum.CodeNotFound)
	}
	w.WantClean()
	if got := w.OneTopic(w.TopicID).State; got != forum.TopicOpen {
		w.T.Errorf("ann's topic is %s; want it OPEN", got)
	}
}

// A deletion that is abandoned does not remove the mark of another deletion, which has closed the index and
// died.
func TestConcurrentDeletionsOfOneCategory(t *testing.T) {
	w := storetest.NewThread(t)
	wake := w.Asleep("category_delete_abort", func(s *store.Store) {
		storetest.WantCode(t, "DeleteCategory", s.Categories.DeleteCategory(t.Context(), nil, w.A), forum.CodeNotEmpty)
	})
	storetest.WantOK(t, "DeleteTopic", w.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID))
	w.Dies(3, func(s *store.Store) { s.Categories.DeleteCategory(t.Context(), nil, w.A) })
	wake()
	w.Clock.Advance(time.Minute)
	w.WantClean()
	if w.Exists(key.Category(w.A)) {
		t.Error("the category exists; want it deleted, since its index is closed")
	}
}

// A category that a topic is leaving cannot be deleted before the topic has arrived in the other, so that
// it can still return.
func TestDeleteCategoryAgainstDeparture(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"index", "leave"} {
		w := storetest.NewThread(t)
		wake := w.Asleep(step, func(s *store.Store) { storetest.WantOK(t, "UpdateTopic", storetest.Move(s, w, w.B)) })
		storetest.WantCode(t, "DeleteCategory of the one being left",
			w.Categories.DeleteCategory(t.Context(), nil, w.A),
			forum.CodeNotEmpty)
		wake()
		storetest.WantOK(t, "DeleteCategory after the move", w.Categories.DeleteCategory(t.Context(), nil, w.A))
		w.WantClean()
	}
}

// Both the category that a topic moves to and the one it came from are being deleted.
func TestMoveBetweenTwoCategoriesBeingDeleted(t *testing.T) {
	w := storetest.NewThread(t)
	var moved error
	wake := w.Asleep("index", func(s *store.Store) { moved = storetest.Move(s, w, w.EmptyID) })
	storetest.WantOK(t, "DeleteCategory of the new one", w.Categories.DeleteCategory(t.Context(), nil, w.EmptyID))
	storetest.WantCode(t, "DeleteCategory of the old one", w.Categories.DeleteCategory(t.Context(), nil, w.A),
		forum.CodeNotEmpty)
	wake()
	storetest.WantCode(t, "UpdateTopic", moved, forum.CodeNotFound)
	w.WantClean()
	if got := w.OneTopic(w.TopicID); got.CategoryID != w.A || got.State != forum.TopicOpen {
		t.Errorf("topic = %+v; want it OPEN and back in %d", got, w.A)
	}
}
