package follows_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// bookmarks returns the topics in a user's bookmarks, as in the timeline.
func bookmarks(x *storetest.Site, by *forum.Viewer) []forum.TopicID {
	x.T.Helper()
	t := forum.Timeline{Kind: forum.BookmarksTimeline, Owner: int64(by.ID), Direction: forum.Descending}
	return storetest.IDs[forum.TopicID](x, listing.TimelineLists(t, nil)[0])
}

func wantBookmarks(x *storetest.Site, when string, by *forum.Viewer, want ...forum.TopicID) {
	x.T.Helper()
	if got := bookmarks(x, by); !slices.Equal(got, want) {
		x.T.Errorf("%s: the bookmarks of user %d = %v; want %v", when, by.ID, got, want)
	}
}

// wantBookmarkers compares the reverse side.
func wantBookmarkers(x *storetest.Site, when string, id forum.TopicID, want ...*forum.Viewer) {
	x.T.Helper()
	got := must.Do(x.Redis.ZRange(x.Ctx, key.Bookmarkers(id), 0, -1).Result())(x.T)
	var names []string
	for _, v := range want {
		names = append(names, key.Itoa(v.ID))
	}
	if !slices.Equal(got, names) {
		x.T.Errorf("%s: topic %d is bookmarked by %v; want %v", when, id, got, names)
	}
}

// The cap is checked before anything is written.
func TestBookmarkCap(t *testing.T) {
	x := storetest.New(t)
	limits := forum.DefaultLimits
	limits.Bookmarks, limits.ReadMarks = 2, 2
	x.Store = x.Process(store.WithLimits(limits))
	ann, room := x.User("ann"), x.Category("go")
	topics := []forum.TopicID{x.Topic(ann, room), x.Topic(ann, room), x.Topic(ann, room)}
	x.Bookmark(ann, topics[0], true)
	x.Bookmark(ann, topics[1], true)
	before := x.Hash(key.User(ann.ID))
	_, err := x.Follows.Bookmark(t.Context(), ann.ID, topics[2], true)
	storetest.WantCode(t, "one too many", err, forum.CodeTooLong)
	if after := x.Hash(key.User(ann.ID)); after["etime"] != before["etime"] || after["armed"] != before["armed"] {
		t.Errorf("a refused bookmark left %v; want %v", after, before)
	}
	x.Bookmark(ann, topics[0], true) // not an additional one
	x.Bookmark(ann, topics[0], false)
	x.Bookmark(ann, topics[2], true)
	wantBookmarks(x, "at the cap", ann, topics[2], topics[1])
	x.WantClean()
}

// Bookmarks beyond the first pass are ended by the worker.
func TestManyBookmarksOfADeletedTopic(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	id := x.Topic(ann, x.Category("go"))
	others := make([]redis.Z, engine.TaskPass)
	for n := range others {
		others[n] = redis.Z{Score: float64(n), Member: key.Itoa(forum.UserID(9_999_872 + 256*n))}
	}
	storetest.WantOK(t, "ZADD", x.Redis.ZAdd(t.Context(), key.Bookmarkers(id), others...).Err())
	x.Bookmark(ann, id, true) // the latest of all
	storetest.WantOK(t, "DeleteTopic", x.Posts.DeleteTopic(t.Context(), ann, id))
	wantBookmarkers(x, "after the first pass", id, ann)
	wantBookmarks(x, "after the first pass", ann, id)
	x.Settle()
	wantBookmarkers(x, "after the task", id)
	wantBookmarks(x, "after the task", ann)
	x.WantClean()
}

// A topic that is rejected with its category is removed from bookmarks, even if it has no comments.
func TestRejectedTopicLeavesBookmarks(t *testing.T) {
	x := storetest.New(t)
	ann, bob, room := x.User("ann"), x.User("bob"), x.Category("go")
	var id forum.TopicID
	x.Dies(2, func(s *store.Store) {
		id, _ = s.Posts.CreateTopic(t.Context(), site.Discussion(ann,
			room))
	}) // not in any index
	for _, name := range x.KeysLike(":t:") {
		_, number, _ := strings.Cut(name, ":t:")
		if n, err := forum.ParseID[forum.TopicID](number); err == nil {
			id = n
		}
	}
	x.Bookmark(bob, id, true)
	storetest.WantOK(t, "DeleteCategory", x.Categories.DeleteCategory(t.Context(), nil, room))
	x.Settle()
	x.Clock.Advance(3 * time.Second)
	x.Settle()
	wantBookmarks(x, "rejected", bob)
	wantBookmarkers(x, "rejected", id)
	x.WantClean()
}
