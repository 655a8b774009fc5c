package store_test

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
	"agora/internal/store/listing"
	"agora/internal/store/posts"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// counted returns how many bookmarks of a user count, and how many are there.
func (w *moderatedSite) counted(by *forum.Viewer) (count, there int) {
	w.t.Helper()
	r := w.Read(w.ctx)
	t := forum.Timeline{Kind: forum.BookmarksTimeline, Owner: int64(by.ID), Direction: forum.Descending}
	list := listing.TimelineLists(t, nil)[0]
	page := r.Listing.Page(list, forum.Window{Count: 10})
	later := r.Posts.UnreadTopics([]posts.Unread{{List: list, Kind: t.Kind}})
	wantOK(w.t, "Exec", r.Exec())
	p := must.Do(page())(w.t)
	unread := must.Do(later())(w.t)
	if unread[0] != p.Total-p.Hidden {
		w.t.Errorf("%d bookmarks are unread; want %d less %d", unread[0], p.Total, p.Hidden)
	}
	return p.Total - p.Hidden, p.Total
}

func (w *moderatedSite) wantCounted(when string, count, there int) {
	w.t.Helper()
	if c, n := w.counted(w.ann); c != count || n != there {
		w.t.Errorf("%s: %d of %d bookmarks count; want %d of %d", when, c, n, count, there)
	}
}

// A hidden topic is not counted among bookmarks, and is again once it is restored, in whatever order that is noted.
func TestHiddenBookmarksDoNotCount(t *testing.T) {
	w := newModeratedSite(t)
	other := w.Topic(w.bob, w.a)
	topic := forum.Subject{Topic: w.topic}
	for _, id := range []forum.TopicID{w.topic, other} {
		w.bookmark(w.ann, id, true)
	}
	w.wantCounted("at first", 2, 2)
	w.moderate(w.mod, topic, forum.ActHide)
	w.wantCounted("hidden", 1, 2)
	w.wantClean()
	w.moderate(w.mod, topic, forum.ActRestore)
	w.wantCounted("restored", 2, 2)
	w.wantClean()
	late := w.rdb.ZScore(w.ctx, key.HiddenBookmarks(w.ann.ID), key.Itoa(w.topic)).Val()
	b := w.Store.Engine.Client.Batch()
	follows.QueueHidden(w.ctx, b, w.ann.ID, w.topic, int64(-late)-1, true)
	wantOK(t, "a late note", b.Exec(w.ctx))
	w.wantCounted("noted late", 2, 2)
	w.moderate(w.mod, topic, forum.ActHide)
	w.wantCounted("hidden again", 1, 2)
	w.clock.Advance(91 * 24 * time.Hour)
	must.Do(w.Purge(w.ctx))(t)
	w.settle()
	w.wantCounted("purged", 1, 1)
	if n := w.rdb.Exists(w.ctx, key.HiddenBookmarks(w.ann.ID)).Val(); n != 0 {
		t.Errorf("a topic that was purged is still noted")
	}
	w.wantSound()
}

// A topic that is hidden between the two steps of bookmarking it is noted by the second one.
func TestBookmarkOfATopicThatIsBeingHidden(t *testing.T) {
	w := newModeratedSite(t)
	wake := w.asleep("edge_reverse", func(s *store.Store) { s.Follows.Bookmark(w.ctx, w.ann.ID, w.topic, true) })
	w.moderate(w.mod, forum.Subject{Topic: w.topic}, forum.ActHide)
	wake()
	w.settle()
	w.wantCounted("afterwards", 0, 1)
	w.wantSound()
}

// Those beyond the first pass are noted by the worker.
func TestManyBookmarksOfAHiddenTopic(t *testing.T) {
	testlevel.Sequential(t)
	w := newModeratedSite(t)
	others := make([]redis.Z, engine.TaskPass)
	for n := range others {
		others[n] = redis.Z{Score: float64(n), Member: key.Itoa(forum.UserID(9_999_872 + 256*n))}
	}
	for _, set := range []string{key.Bookmarkers(w.topic), key.Watchers(w.topic)} {
		wantOK(t, "ZADD", w.rdb.ZAdd(w.ctx, set, others...).Err())
	}
	w.bookmark(w.ann, w.topic, true) // the latest of all
	carl := w.User("carl")
	w.watch(carl, w.topic, true)
	w.Comment(w.bob, w.topic, 0)
	w.clock.Advance(record.TaskLease * time.Millisecond)
	w.settle()
	w.moderate(w.mod, forum.Subject{Topic: w.topic}, forum.ActHide)
	w.wantCounted("after the first pass", 1, 1)
	w.settle()
	w.wantCounted("after the task", 0, 1)
	if n := w.rdb.ZCard(w.ctx, key.Unread(carl.ID)).Val(); n != 0 {
		t.Errorf("a watcher has %d unread notifications; want 0", n)
	}
	w.moderate(w.mod, forum.Subject{Topic: w.topic}, forum.ActRestore)
	w.settle()
	w.wantCounted("restored", 1, 1)
}
