package follows_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

func wantCounted(w *storetest.Moderated, when string, count, there int) {
	w.T.Helper()
	if c, n := w.BookmarksCounted(w.Ann); c != count || n != there {
		w.T.Errorf("%s: %d of %d bookmarks count; want %d of %d", when, c, n, count, there)
	}
}

// A hidden topic is not counted among bookmarks, and is again once it is restored, in whatever order that is noted.
func TestHiddenBookmarksDoNotCount(t *testing.T) {
	w := storetest.NewModerated(t)
	other := w.Topic(w.Bob, w.A)
	topic := forum.Subject{Topic: w.TopicID}
	for _, id := range []forum.TopicID{w.TopicID, other} {
		w.Bookmark(w.Ann, id, true)
	}
	wantCounted(w, "at first", 2, 2)
	w.Moderate(w.Mod, topic, forum.ActHide)
	wantCounted(w, "hidden", 1, 2)
	w.WantClean()
	w.Moderate(w.Mod, topic, forum.ActRestore)
	wantCounted(w, "restored", 2, 2)
	w.WantClean()
	late := w.Redis.ZScore(w.Ctx, key.HiddenBookmarks(w.Ann.ID), key.Itoa(w.TopicID)).Val()
	b := w.Store.Engine.Client.Batch()
	follows.QueueHidden(w.Ctx, b, w.Ann.ID, w.TopicID, int64(-late)-1, true)
	storetest.WantOK(t, "a late note", b.Exec(w.Ctx))
	wantCounted(w, "noted late", 2, 2)
	w.Moderate(w.Mod, topic, forum.ActHide)
	wantCounted(w, "hidden again", 1, 2)
	w.Clock.Advance(91 * 24 * time.Hour)
	must.Do(w.Purge(w.Ctx))(t)
	w.Settle()
	wantCounted(w, "purged", 1, 1)
	if n := w.Redis.Exists(w.Ctx, key.HiddenBookmarks(w.Ann.ID)).Val(); n != 0 {
		t.Errorf("a topic that was purged is still noted")
	}
	w.WantSound()
}

// A topic that is hidden between the two steps of bookmarking it is noted by the second one.
func TestBookmarkOfATopicThatIsBeingHidden(t *testing.T) {
	w := storetest.NewModerated(t)
	wake := w.Asleep("edge_reverse", func(s *store.Store) { s.Follows.Bookmark(w.Ctx, w.Ann.ID, w.TopicID, true) })
	w.Moderate(w.Mod, forum.Subject{Topic: w.TopicID}, forum.ActHide)
	wake()
	w.Settle()
	wantCounted(w, "afterwards", 0, 1)
	w.WantSound()
}

// Those beyond the first pass are noted by the worker.
func TestManyBookmarksOfAHiddenTopic(t *testing.T) {
	testlevel.Sequential(t)
	w := storetest.NewModerated(t)
	others := make([]redis.Z, engine.TaskPass)
	for n := range others {
		others[n] = redis.Z{Score: float64(n), Member: key.Itoa(forum.UserID(9_999_872 + 256*n))}
	}
	for _, set := range []string{key.Bookmarkers(w.TopicID), key.Watchers(w.TopicID)} {
		storetest.WantOK(t, "ZADD", w.Redis.ZAdd(w.Ctx, set, others...).Err())
	}
	w.Bookmark(w.Ann, w.TopicID, true) // the latest of all
	carl := w.User("carl")
	w.Watch(carl, w.TopicID, true)
	w.Comment(w.Bob, w.TopicID, 0)
	w.Clock.Advance(record.TaskLease * time.Millisecond)
	w.Settle()
	w.Moderate(w.Mod, forum.Subject{Topic: w.TopicID}, forum.ActHide)
	wantCounted(w, "after the first pass", 1, 1)
	w.Settle()
	wantCounted(w, "after the task", 0, 1)
	if n := w.Redis.ZCard(w.Ctx, key.Unread(carl.ID)).Val(); n != 0 {
		t.Errorf("a watcher has %d unread notifications; want 0", n)
	}
	w.Moderate(w.Mod, forum.Subject{Topic: w.TopicID}, forum.ActRestore)
	w.Settle()
	wantCounted(w, "restored", 1, 1)
}
