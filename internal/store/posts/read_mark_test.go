package posts_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// readTopic marks a topic as read.
func readTopic(x *storetest.Site, by *forum.Viewer, id forum.TopicID) {
	x.T.Helper()
	storetest.WantOK(x.T, "MarkTopicRead", x.Posts.MarkTopicRead(x.Ctx, by, id))
}

// unreadIn returns how many comments of a topic a user has not read; -1 if it is not marked.
func unreadIn(x *storetest.Site, by *forum.Viewer, id forum.TopicID) int {
	x.T.Helper()
	r := x.Read(x.Ctx)
	numbers := site.Sent(x.T, r, r.Posts.ReadMarks(by.ID, []listing.ReadMark{listing.TopicMark(id)}))
	if numbers[0] == nil {
		return -1
	}
	r = x.Read(x.Ctx)
	return site.Sent(x.T, r, r.Posts.UnreadComments(by.ID, []listing.MarkedTopic{{ID: id, Number: *numbers[0]}}))[0]
}

// A late mark does not lower the position, and the oldest marks are forgotten.
func TestReadMarks(t *testing.T) {
	x := storetest.New(t)
	limits := forum.DefaultLimits
	limits.Bookmarks, limits.ReadMarks = 2, 2
	x.Store = x.Process(store.WithLimits(limits))
	ann, room := x.User("ann"), x.Category("go")
	id := x.Topic(ann, room)
	for n, upTo := range []int64{3, 7, 5} {
		x.Clock.Advance(time.Second)
		storetest.WantOK(t, "markRead", x.Posts.MarkRead(t.Context(), ann.ID, listing.TopicMark(id), upTo,
			forum.Subject{}))
		if got, want := x.Hash(key.Marks(ann.ID))[string(listing.TopicMark(id))], []string{"3", "7",
			"7"}[n]; got != want {
			t.Errorf("after number %d the mark = %s; want %s", upTo, got, want)
		}
	}
	for _, kind := range []forum.TopicOrderField{forum.ByHot, forum.ByActive} {
		x.Clock.Advance(time.Second)
		storetest.WantOK(t, "MarkTimelineRead", x.Posts.MarkTimelineRead(t.Context(), ann.ID,
			forum.Timeline{Kind: forum.FrontTimeline, Order: kind, Direction: forum.Descending}))
	}
	want := map[string]string{
		"lfront:0:hot:desc":    fmt.Sprint(int64(x.Engine.Now()) - 1000),
		"lfront:0:active:desc": fmt.Sprint(int64(x.Engine.Now())),
	}
	if got := x.Hash(key.Marks(ann.ID)); len(got) != 2 || got["lfront:0:hot:desc"] != want["lfront:0:hot:desc"] ||
		got["lfront:0:active:desc"] != want["lfront:0:active:desc"] {
		t.Errorf("marks = %v; want the latest two, %v", got, want)
	}
	if n := x.Redis.ZCard(t.Context(), key.Marked(ann.ID)).Val(); n != 2 {
		t.Errorf("%d marks have times; want 2", n)
	}
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), ann.ID, "hash of ann"))
	if n := x.Redis.Exists(t.Context(), key.Marks(ann.ID), key.Marked(ann.ID)).Val(); n != 0 {
		t.Errorf("%d keys of marks outlive the account; want none", n)
	}
	storetest.WantCode(t, "mark", x.Posts.MarkTopicRead(t.Context(), ann, id), forum.CodeUnauthenticated)
}

// Unread counts equal counting all comments one by one, whatever is posted, deleted and marked.
func TestUnreadAgreesWithCounting(t *testing.T) {
	type said struct {
		id      forum.CommentID
		by      *forum.Viewer
		number  int
		deleted bool
	}
	storetest.Share(t, "rapid.checks", 1, 10)
	x := storetest.New(t)
	people := []*forum.Viewer{x.User("ann"), x.User("bob"), x.User("carl")}
	room := x.Category("go")
	rapid.Check(t, func(rt *rapid.T) {
		topic := x.Topic(people[0], room)
		var all []*said
		read := map[*forum.Viewer]int{}
		who := rapid.SampledFrom(people)
		rt.Repeat(map[string]func(*rapid.T){
			"": func(rt *rapid.T) {
				for _, p := range people {
					want := -1
					if mark, ok := read[p]; ok {
						want = 0
						for _, c := range all {
							want += paging.OneIf(c.number > mark && c.by != p && !c.deleted)
						}
					}
					if got := unreadIn(x, p, topic); got != want {
						rt.Fatalf("unread by user %d = %d; want %d of %+v", p.ID, got, want, all)
					}
				}
			},
			"say": func(rt *rapid.T) {
				by, parent := who.Draw(rt, "by"), forum.CommentID(0)
				if len(all) > 0 && rapid.Bool().Draw(rt, "reply") {
					if to := rapid.SampledFrom(all).Draw(rt, "to"); !to.deleted {
						parent = to.id
					}
				}
				all = append(all, &said{x.Comment(by, topic, parent), by, len(all) + 1, false})
			},
			"delete": func(rt *rapid.T) {
				if len(all) == 0 {
					return
				}
				c := rapid.SampledFrom(all).Draw(rt, "which")
				c.deleted = true
				storetest.WantOK(t, "DeleteComment", x.Posts.DeleteComment(t.Context(), c.by, c.id))
			},
			"mark": func(rt *rapid.T) {
				by := who.Draw(rt, "by")
				read[by] = len(all)
				readTopic(x, by, topic)
			},
		})
	})
	x.WantClean()
}

// Topics below the watermark of a home are counted from its sources; a home that is not kept is filled
// again.
func TestUnreadBelowTheWatermarkOfAHome(t *testing.T) {
	x := storetest.New(t, store.WithLimits(storetest.SmallHomes(5, 4, 3)))
	ann, bob := x.User("ann"), x.User("bob")
	room := x.Category("go")
	x.Turn(ann, forum.Target{User: bob.ID}, true)
	since := x.Engine.Now()
	for range 8 {
		x.Clock.Advance(time.Second)
		x.Topic(bob, room)
	}
	x.Settle()
	below := func(when string, watermark bool, want int) {
		t.Helper()
		r := x.Read(t.Context())
		get := r.Posts.HomeWatermarks([]forum.UserID{ann.ID})
		storetest.WantOK(t, "Exec", r.Exec())
		watermarks, err := get()
		if err != nil || (watermarks[0] != nil && *watermarks[0] > since) != watermark {
			t.Errorf("%s: HomeWatermarks = %v, %v; want one above the mark: %t", when, watermarks, err, watermark)
		}
		if n, err := x.Posts.UnreadBelow(t.Context(), ann.ID, since); err != nil || n != want {
			t.Errorf("%s: UnreadBelow = %d, %v; want %d", when, n, err, want)
		}
	}
	below("trimmed", true, 8)
	x.Redis.HSet(t.Context(), key.Internal(key.User(ann.ID)), "homeFloor", record.HomeNotKept)
	x.Redis.Del(t.Context(), key.Home(ann.ID))
	below("not kept", true, 8)
	x.Settle()
	if n := x.Redis.ZCard(t.Context(), key.Home(ann.ID)).Val(); n == 0 {
		t.Error("the home is empty; want it filled again")
	}
	since = x.Engine.Now() - 2000
	below("of late", false, 2)
}
