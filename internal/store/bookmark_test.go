package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/store/engine"
	"agora/internal/store/listing"
	"agora/internal/test/testlevel"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// bookmark makes a user bookmark a topic, or not, and reports whether anything changed.
func (x *site) bookmark(by *forum.Viewer, id forum.TopicID, want bool) bool {
	x.t.Helper()
	changed, err := x.Bookmark(x.ctx, by.ID, id, want)
	wantOK(x.t, "Bookmark", err)
	return changed
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

// wantBookmarkers compares the far side.
func (x *site) wantBookmarkers(when string, id forum.TopicID, want ...*forum.Viewer) {
	x.t.Helper()
	got, err := x.rdb.ZRange(x.ctx, key.Bookmarkers(id), 0, -1).Result()
	wantOK(x.t, "ZRANGE", err)
	var names []string
	for _, v := range want {
		names = append(names, key.Itoa(v.ID))
	}
	if !slices.Equal(got, names) {
		x.t.Errorf("%s: topic %d is bookmarked by %v; want %v", when, id, got, names)
	}
}

func TestBookmark(t *testing.T) {
	x := newSite(t)
	ann, bob := x.user("ann"), x.user("bob")
	room := x.category("go")
	one, two := x.topic(bob, room), x.topic(ann, room)
	epoch := x.hash(key.User(ann.ID))["homeEpoch"]
	steps := []struct {
		name          string
		topic         forum.TopicID
		want, changed bool
		kept          []forum.TopicID
	}{
		{"nothing to remove", one, false, false, nil},
		{"the first", one, true, true, []forum.TopicID{one}},
		{"once more", one, true, false, []forum.TopicID{one}},
		{"the latest first, even at the same time", two, true, true, []forum.TopicID{two, one}},
		{"one removed", one, false, true, []forum.TopicID{two}},
		{"removed again", one, false, false, []forum.TopicID{two}},
		{"added again", one, true, true, []forum.TopicID{one, two}},
	}
	for _, tt := range steps {
		if changed := x.bookmark(ann, tt.topic, tt.want); changed != tt.changed {
			t.Errorf("%s: Bookmark(%d, %t) changed anything: %t; want %t", tt.name, tt.topic, tt.want, changed, tt.changed)
		}
		x.wantBookmarks(tt.name, ann, tt.kept...)
	}
	x.wantBookmarkers("at last", one, ann)
	r := x.Read(t.Context())
	has := r.Bookmarked(ann.ID, []forum.TopicID{two, 77_777, one})
	wantOK(t, "Exec", r.Exec())
	if is, err := has(); err != nil || !slices.Equal(is, []bool{true, false, true}) {
		t.Errorf("Bookmarked = %v, %v; want true, false, true", is, err)
	}
	if got := x.hash(key.User(ann.ID))["homeEpoch"]; got != epoch {
		t.Errorf("the home's epoch changed from %q to %q; want bookmarks to leave it unchanged", epoch, got)
	}
	x.wantClean()
}

func TestBookmarkOfMissingTopic(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	deleted := x.topic(ann, x.category("go"))
	x.bookmark(ann, deleted, true)
	wantOK(t, "DeleteTopic", x.DeleteTopic(t.Context(), ann, deleted))
	for _, want := range []bool{true, false} {
		for _, id := range []forum.TopicID{deleted, 77_777} {
			_, err := x.Bookmark(t.Context(), ann.ID, id, want)
			wantCode(t, "Bookmark", err, forum.CodeNotFound)
		}
	}
	x.wantBookmarks("after the deletion", ann)
	x.wantClean()
}

// The cap is checked before anything is written.
func TestBookmarkCap(t *testing.T) {
	x := newSite(t)
	x.Store = x.process(WithCaps(engine.Caps{Bookmarks: 2, Marks: 2, Notes: forum.MaxNotifications}))
	ann, room := x.user("ann"), x.category("go")
	topics := []forum.TopicID{x.topic(ann, room), x.topic(ann, room), x.topic(ann, room)}
	x.bookmark(ann, topics[0], true)
	x.bookmark(ann, topics[1], true)
	before := x.hash(key.User(ann.ID))
	_, err := x.Bookmark(t.Context(), ann.ID, topics[2], true)
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

// A deleted topic is removed from all bookmarks before deleteTopic returns, if one pass suffices. Deleting
// its author's account removes the author's bookmarks.
func TestDeletedTopicLeavesBookmarks(t *testing.T) {
	x := newSite(t)
	ann, bob, mod := x.user("ann"), x.user("bob"), x.moderator("mod")
	room := x.category("go")
	one, two := x.topic(ann, room), x.topic(ann, room)
	x.comment(bob, one, 0)
	for _, by := range []*forum.Viewer{ann, bob, mod} {
		x.bookmark(by, one, true)
		x.bookmark(by, two, true)
	}
	wantOK(t, "DeleteTopic", x.DeleteTopic(t.Context(), ann, one))
	for _, by := range []*forum.Viewer{ann, bob, mod} {
		x.wantBookmarks("one topic deleted", by, two)
	}
	x.wantBookmarkers("one topic deleted", one)
	x.wantClean()
	wantOK(t, "DeleteAccount", x.DeleteAccount(t.Context(), bob.ID, "hash of bob"))
	x.settle()
	x.wantBookmarkers("bob gone", two, ann, mod)
	x.wantClean()
}

// Bookmarks beyond the first pass are ended by the worker.
func TestManyBookmarksOfADeletedTopic(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	id := x.topic(ann, x.category("go"))
	crowd := make([]redis.Z, engine.TaskPass)
	for n := range crowd {
		crowd[n] = redis.Z{Score: float64(n), Member: key.Itoa(forum.UserID(9_999_872 + 256*n))}
	}
	wantOK(t, "ZADD", x.rdb.ZAdd(t.Context(), key.Bookmarkers(id), crowd...).Err())
	x.bookmark(ann, id, true) // the latest of all
	wantOK(t, "DeleteTopic", x.DeleteTopic(t.Context(), ann, id))
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
	ann, bob, room := x.user("ann"), x.user("bob"), x.category("go")
	var id forum.TopicID
	x.dies(2, func(s *Store) { id, _ = s.CreateTopic(t.Context(), discussion(ann, room)) }) // not in any index
	for _, name := range x.keysLike(":t:") {
		_, number, _ := strings.Cut(name, ":t:")
		if n, err := forum.ParseID[forum.TopicID](number); err == nil {
			id = n
		}
	}
	x.bookmark(bob, id, true)
	wantOK(t, "DeleteCategory", x.DeleteCategory(t.Context(), nil, room))
	x.settle()
	x.clock.Advance(3 * time.Second)
	x.settle()
	x.wantBookmarks("rejected", bob)
	x.wantBookmarkers("rejected", id)
	x.wantClean()
}

// A bookmark and the deletion of its topic may be interrupted before any step; acknowledged results
// persist, and the worker does the rest.
func TestBookmarkCrashes(t *testing.T) {
	testlevel.Sequential(t)
	acts := []struct {
		name string
		run  func(*Store, *site, *forum.Viewer, forum.TopicID) error
	}{
		{"bookmark", func(s *Store, x *site, by *forum.Viewer, id forum.TopicID) error {
			_, err := s.Bookmark(x.ctx, by.ID, id, true)
			return err
		}},
		{"take away", func(s *Store, x *site, by *forum.Viewer, id forum.TopicID) error {
			_, err := s.Bookmark(x.ctx, by.ID, id, false)
			return err
		}},
		{"delete", func(s *Store, x *site, by *forum.Viewer, id forum.TopicID) error {
			return s.DeleteTopic(x.ctx, &forum.Viewer{ID: by.ID, Role: forum.RoleModerator}, id)
		}},
		{"end the account", func(s *Store, x *site, by *forum.Viewer, _ forum.TopicID) error {
			return s.DeleteAccount(x.ctx, by.ID, "hash of bob")
		}},
	}
	for _, act := range acts {
		t.Run(act.name, func(t *testing.T) {
			for n := 1; ; n++ {
				x := newSite(t)
				ann, bob, room := x.user("ann"), x.user("bob"), x.category("go")
				id := x.topic(ann, room)
				x.comment(bob, id, 0)
				x.bookmark(ann, id, true)
				if act.name != "bookmark" {
					x.bookmark(bob, id, true)
				}
				died := x.dies(n, func(s *Store) { act.run(s, x, bob, id) })
				x.clock.Advance(time.Minute)
				x.settle()
				x.settle()
				if found := x.findings(); len(found) > 0 {
					t.Errorf("cut off before step %d: Check found %v; want nothing", n, found)
				}
				if !died {
					return
				}
			}
		})
	}
}
