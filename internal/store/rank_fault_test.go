package store

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// Rows X8, X13, X14, X26, X27 and X29 of docs/behaviours.md: faults of orders and pages that Agora does not have.

func TestPagesUnderABump(t *testing.T) {
	x := newSite(t)
	ann, room := x.user("ann"), x.category("go")
	var topics []forum.TopicID
	for range 6 {
		topics = append(topics, x.topic(ann, room))
		x.clock.Advance(time.Second)
	}
	l := timeline(forum.CategoryTimeline, room, forum.ByActive)
	members := func(w forum.Window) (names []string, last *forum.Position) {
		for _, r := range x.page(l, w).Rows {
			names, last = append(names, r.Member), &r.Position
		}
		return names, last
	}
	first, last := members(forum.Window{Count: 3})
	x.comment(ann, topics[0], 0)
	second, _ := members(forum.Window{Count: 3, After: last})
	for _, m := range second {
		if slices.Contains(first, m) {
			t.Errorf("page 2, %v, repeats %s of page 1, %v", second, m, first)
		}
	}
	x.wantClean()
}

func TestHotOfTopicsWithMostVotesAgainst(t *testing.T) {
	x := newSite(t)
	ann, room := x.user("ann"), x.category("go")
	hot := func(at time.Time, net int) float64 { // the stored score, not the function's result
		in := discussion(ann, room)
		in.CreatedAt = forum.Time(at.UnixMilli())
		in.Upvotes, in.Downvotes = max(net, 0), max(-net, 0)
		id := x.post(in)
		return x.order(key.FrontContainer, key.OrderHot)[id]
	}
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name        string
		lower       time.Time
		lowerVotes  int
		higher      time.Time
		higherVotes int
	}{
		{"more votes against", now, -1000, now, -1},
		{"older, both with votes against", now.Add(-time.Hour), -5, now, -5},
		{"ten days older, with one vote", now.Add(-240 * time.Hour), 1, now, 0},
	} {
		if low, high := hot(tt.lower, tt.lowerVotes), hot(tt.higher, tt.higherVotes); low >= high {
			t.Errorf("%s: HOT is %v, and %v of the other topic; want less", tt.name, low, high)
		}
	}
	x.wantClean()
}

// The figures of HOT, with those of row X13 among them, and of CONTROVERSIAL.
func TestFiguresOfTheFormulas(t *testing.T) {
	const at forum.Time = 1_134_028_003_000 + 613_849*450_000 // 6138.49 times 12.5 hours after the epoch
	for net, want := range map[int]float64{-1000: 6135.49, -10: 6137.49, -1: 6138.49, 0: 6138.49, 1: 6138.49,
		10: 6139.49, 100: 6140.49} {
		if got := forum.Hot(at, net); math.Abs(got-want) > 1e-9 {
			t.Errorf("Hot(%d) = %v; want %v", net, got, want)
		}
	}
	for votes, want := range map[[2]int]float64{{0, 0}: 0, {1, 0}: 1, {5, 5}: 10, {5, 6}: 11, {7, 5}: 6, {0, 30}: 1,
		{20, 0}: 1} {
		if got := forum.Controversy(votes[0], votes[1]); got != want {
			t.Errorf("Controversy(%d, %d) = %v; want %v", votes[0], votes[1], got, want)
		}
	}
	if got := forum.Score(at, -3); got != float64(at)-3*432_000 {
		t.Errorf("Score at -3 = %v; want three times 432 s less than the time of posting", got)
	}
}

func TestHotInAnotherZone(t *testing.T) {
	x, there := newSite(t), newSiteIn(t, "Asia/Shanghai")
	hot := func(y *site) float64 {
		topic := y.post(link(y.user("ann")))
		return y.order(key.FrontContainer, key.OrderHot)[topic]
	}
	if got, want := hot(there), hot(x); got != want {
		t.Errorf("one instant is %.2f in Shanghai and %.2f in UTC", got, want)
	}
	x.wantClean()
}

func TestGroupCache(t *testing.T) {
	t.Run("expires between check and read", testCacheExpires)
	t.Run("is rebuilt by many", testCacheRebuilt)
	t.Run("without a name", func(t *testing.T) {
		x := newSite(t)
		x.post(link(x.user("ann")))
		none := forum.Timeline{Kind: forum.TagTimeline, Order: forum.ByScore, Direction: forum.Descending}
		if got := x.timelineTopics(none, nil); none.Valid() || len(got) > 0 {
			t.Errorf("a tag without a name is a timeline: %t, of %v", none.Valid(), got)
		}
		x.wantClean()
	})
}

func testCacheExpires(t *testing.T) {
	x := newSite(t)
	x.post(link(x.user("ann"), "go"))
	tl := forum.Timeline{Kind: forum.TagTimeline, Owner: int64(label("go")), Order: forum.ByTop,
		Direction: forum.Descending, Period: forum.PeriodAll}
	first := x.snapshot(tl, forum.Window{Count: 25})
	// A reader of a snapshot may read it for ten more minutes.
	x.clock.Advance(forum.SnapshotLife - time.Millisecond)
	later := x.readSnapshot(tl, int64(first.AsOf)/60_000, forum.Window{Count: 25})
	if later == nil || len(first.Rows) != 1 || len(later.Rows) != 1 {
		t.Errorf("the snapshot is %+v, and %+v later; want the one article in both", first, later)
	}
	x.wantClean()
}

func testCacheRebuilt(t *testing.T) {
	x := newSite(t)
	var reads atomic.Int32
	s := x.watched(func(cmd redis.Cmder) {
		if cmd.Name() == "zmscore" {
			reads.Add(1)
		}
	})
	x.post(link(x.user("ann"), "go"))
	tl := forum.Timeline{Kind: forum.TagTimeline, Owner: int64(label("go")), Order: forum.ByTop,
		Direction: forum.Descending, Period: forum.PeriodAll}
	n := x.SnapshotNow()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { s.TakeSnapshot(x.ctx, tl, n, nil) })
	}
	wg.Wait()
	if builds := reads.Load() / 2; builds != 1 { // of two orders
		t.Errorf("twenty readers built it %d times; want once", builds)
	}
	x.wantClean()
}

func TestScoresBelowZeroInAGroup(t *testing.T) {
	x := newSite(t)
	in := link(x.user("ann"), "go")
	in.CreatedAt, in.Downvotes = 1_000_000_000_000, 30 // in 2001, before the epoch of the formula
	id := x.post(in)
	want := forum.Hot(in.CreatedAt, -30)
	if want >= 0 {
		t.Fatalf("hot = %v; want it below zero", want)
	}
	for _, container := range []key.Container{key.TagContainer(label("go")), key.FrontContainer} {
		if got := x.order(container, key.OrderHot)[id]; got != want {
			t.Errorf("%s has %v; want %v", container, got, want)
		}
	}
	x.wantClean()
}

func TestEqualScores(t *testing.T) {
	x := newSite(t)
	ann := x.user("ann")
	for range 5 { // ids 536 to 1560
		x.post(link(ann))
	}
	wantSorted := func(order forum.TopicOrderField, ids []int64) {
		t.Helper()
		if !slices.IsSorted(ids) {
			t.Errorf("%s: equal scores are ordered as %v", order, ids)
		}
	}
	for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByScore, forum.ByHot} {
		tl := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: forum.Ascending}
		var ids []int64
		for _, id := range x.timelineTopics(tl, nil) {
			ids = append(ids, int64(id))
		}
		wantSorted(order, ids)
	}
	var ids []int64
	for _, r := range x.snapshot(ranking(forum.ByTop, forum.Ascending), forum.Window{Count: 9}).Rows {
		ids = append(ids, r.ID)
	}
	wantSorted(forum.ByTop, ids)
	x.wantClean()
}
