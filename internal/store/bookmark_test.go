package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/listing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
)

// bookmark makes a user bookmark a topic, or not, and reports whether anything changed.
func (x *site) bookmark(by *forum.Viewer, id forum.TopicID, want bool) bool {
	x.t.Helper()
	return must.Do(x.Follows.Bookmark(x.ctx, by.ID, id, want))(x.t)
}

// bookmarks returns the topics in a user's bookmarks, as in the timeline.
func (x *site) bookmarks(by *forum.Viewer) []forum.TopicID {
	x.t.Helper()
	t := forum.Timeline{Kind: forum.BookmarksTimeline, Owner: int64(by.ID), Direction: forum.Descending}
	return ids[forum.TopicID](x, listing.TimelineLists(t, nil)[0])
}

func (x *site) wantBookmarks(when string, by *forum.Viewer, want ...forum.TopicID) {
	x.t.Helper()
	if got := x.bookmarks(by); !slices.Equal(got, want) {
		x.t.Errorf("%s: the bookmarks of user %d = %v; want %v", when, by.ID, got, want)
	}
}

// wantBookmarkers compares the reverse side.
func (x *site) wantBookmarkers(when string, id forum.TopicID, want ...*forum.Viewer) {
	x.t.Helper()
	got := must.Do(x.rdb.ZRange(x.ctx, key.Bookmarkers(id), 0, -1).Result())(x.t)
	var names []string
	for _, v := range want {
		names = append(names, key.Itoa(v.ID))
	}
	if !slices.Equal(got, names) {
		x.t.Errorf("%s: topic %d is bookmarked by %v; want %v", when, id, got, names)
	}
}

// The cap is checked before anything is written.
func TestBookmarkCap(t *testing.T) {
	x := newSite(t)
	x.Store = x.process(store.WithCaps(engine.Caps{Bookmarks: 2, Marks: 2, Notes: forum.MaxNotifications}))
	ann, room := x.User("ann"), x.Category("go")
	topics := []forum.TopicID{x.Topic(ann, room), x.Topic(ann, room), x.Topic(ann, room)}
	x.bookmark(ann, topics[0], true)
	x.bookmark(ann, topics[1], true)
	before := x.hash(key.User(ann.ID))
	_, err := x.Follows.Bookmark(t.Context(), ann.ID, topics[2], true)
	wantCode(t, "one too many", err, forum.CodeTooLong)
	if after := x.hash(key.User(ann.ID)); after["etime"] != before["etime"] || after["armed"] != before["armed"] {
		t.Errorf("a refused bookmark left %v; want %v", after, before)
	}
	x.bookmark(ann, topics[0], true) // not an additional one
	x.bookmark(ann, topics[0], false)
	x.bookmark(ann, topics[2], true)
	x.wantBookmarks("at the cap", ann, topics[2], topics[1])
	x.wantClean()
}

// Bookmarks beyond the first pass are ended by the worker.
func TestManyBookmarksOfADeletedTopic(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	id := x.Topic(ann, x.Category("go"))
	others := make([]redis.Z, engine.TaskPass)
	for n := range others {
		others[n] = redis.Z{Score: float64(n), Member: key.Itoa(forum.UserID(9_999_872 + 256*n))}
	}
	wantOK(t, "ZADD", x.rdb.ZAdd(t.Context(), key.Bookmarkers(id), others...).Err())
	x.bookmark(ann, id, true) // the latest of all
	wantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), ann, id))
	x.wantBookmarkers("after the first pass", id, ann)
	x.wantBookmarks("after the first pass", ann, id)
	x.settle()
	x.wantBookmarkers("after the task", id)
	x.wantBookmarks("after the task", ann)
	x.wantClean()
}

// A topic that is rejected with its category is removed from bookmarks, even if it has no comments.
func TestRejectedTopicLeavesBookmarks(t *testing.T) {
	x := newSite(t)
	ann, bob, room := x.User("ann"), x.User("bob"), x.Category("go")
	var id forum.TopicID
	x.dies(2, func(s *store.Store) {
		id, _ = s.Posts.CreateTopic(t.Context(), discussion(ann,
			room))
	}) // not in any index
	for _, name := range x.keysLike(":t:") {
		_, number, _ := strings.Cut(name, ":t:")
		if n, err := forum.ParseID[forum.TopicID](number); err == nil {
			id = n
		}
	}
	x.bookmark(bob, id, true)
	wantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, room))
	x.settle()
	x.clock.Advance(3 * time.Second)
	x.settle()
	x.wantBookmarks("rejected", bob)
	x.wantBookmarkers("rejected", id)
	x.wantClean()
}
