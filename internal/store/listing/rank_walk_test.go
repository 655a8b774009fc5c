package listing_test

import (
	"fmt"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// walkSite are changes to a site's lists while a reader walks through them.
type walkSite struct {
	*storetest.Site
	users  []*forum.Viewer
	rooms  []forum.CategoryID
	moving []forum.TopicID // votes and comments move these
	still  []forum.TopicID

	mu      sync.Mutex
	touched map[forum.TopicID]bool // may have moved
}

func newWalkSite(t testing.TB) *walkSite {
	t.Helper()
	x := &walkSite{Site: storetest.New(t)}
	x.users, x.rooms = x.Voters("ann", "bob", "cyd"), []forum.CategoryID{x.Category("a"), x.Category("b")}
	bulk := site.On(t, x.Bulk())
	for i := range 90 {
		by := x.users[i%3]
		in := site.Discussion(by, x.rooms[i%2])
		in.Tags, in.CreatedAt = site.Tags("go"), x.Engine.Now()-forum.Time(i/3)*60_000 // three of each instant
		id := bulk.Post(in)
		if i%4 == 0 {
			x.moving = append(x.moving, id)
		} else {
			x.still = append(x.still, id)
		}
	}
	x.Settle()
	return x
}

// changeUntil changes one topic after another until the walk is done.
func (x *walkSite) changeUntil(by *forum.Viewer, n int, done <-chan struct{}) {
	for i := n; ; i++ {
		select {
		case <-done:
			return
		default:
			x.change(by, i)
		}
	}
}

// change votes or comments on one of the moving topics.
func (x *walkSite) change(by *forum.Viewer, i int) {
	id := x.moving[i*7%len(x.moving)]
	x.mu.Lock()
	x.touched[id] = true
	x.mu.Unlock()
	x.Clock.Advance(1)
	if i%3 == 0 {
		x.Comment(by, id, 0)
	} else {
		x.Cast(by, id, []forum.VoteDirection{forum.VoteUp, forum.VoteDown, forum.VoteNone}[(i/3)%3])
	}
}

// walk reads a timeline page by page and counts how often it sees each topic.
func (x *walkSite) walk(tl forum.Timeline, backward bool) map[forum.TopicID]int {
	met := map[forum.TopicID]int{}
	w := forum.Window{Count: 7, Backward: backward}
	for n := range 200 {
		lists := listing.TimelineLists(tl, x.rooms)
		page, _ := storetest.Merged(lists, w, func(r listing.ListRead) forum.Page { return x.Page(r.List, r.Window) })
		for _, r := range page.Rows {
			met[forum.TopicID(r.ID)]++
		}
		x.change(x.users[0], 2*n) // however far the writers get
		more := page.HasNext()
		if backward {
			more = page.HasPrevious()
		}
		if !more || len(page.Rows) == 0 {
			return met
		}
		if backward {
			w.Before = &page.Rows[0].Position
		} else {
			w.After = &page.Rows[len(page.Rows)-1].Position
		}
	}
	x.T.Fatalf("the walk of %s does not end", tl.Name())
	return nil
}

// Behaviour X8, and the rule for live orders: walking by cursors while topics are voted on and commented on
// shows each topic that did not move exactly once. Nothing moves in the order of posting.
func TestLiveWalksWhileWritersRun(t *testing.T) {
	testlevel.Usual(t)
	x := newWalkSite(t)
	owners := []forum.Timeline{
		{Kind: forum.FrontTimeline},
		{Kind: forum.TabTimeline, Owner: 1},
		{Kind: forum.TagTimeline, Owner: int64(storetest.Label("go"))},
	}
	for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByScore, forum.ByHot} {
		for _, direction := range []forum.OrderDirection{forum.Ascending, forum.Descending} {
			tl := owners[len(order)%len(owners)]
			tl.Order, tl.Direction = order, direction
			for _, backward := range []bool{false, true} {
				x.walkWhileChanged(fmt.Sprintf("%s, from the end %t", tl.Name(), backward), tl, backward)
			}
		}
	}
	x.WantClean()
}

func (x *walkSite) walkWhileChanged(name string, tl forum.Timeline, backward bool) {
	x.T.Helper()
	x.touched = map[forum.TopicID]bool{}
	done := make(chan struct{})
	var writers sync.WaitGroup
	for n, by := range x.users {
		writers.Go(func() { x.changeUntil(by, 5*n, done) })
	}
	met := x.walk(tl, backward)
	close(done)
	writers.Wait()
	for _, id := range x.still {
		if met[id] != 1 {
			x.T.Errorf("%s: topic %d, which did not move, appeared %d times; want 1", name, id, met[id])
		}
	}
	for id, times := range met {
		moved := x.touched[id] && tl.Order != forum.ByCreated
		if times > 1 && !moved {
			x.T.Errorf("%s: topic %d appeared %d times and did not move", name, id, times)
		}
	}
	if tl.Order == forum.ByCreated && len(met) != len(x.still)+len(x.moving) {
		x.T.Errorf("%s shows %d topics; want all %d", name, len(met), len(x.still)+len(x.moving))
	}
}
