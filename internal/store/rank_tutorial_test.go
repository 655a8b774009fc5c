package store

import (
	"errors"
	"fmt"
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

// Rows X8, X13, X14, X26, X27, X29: the tutorials' orders and pages, and ours.

func TestPagesUnderABump(t *testing.T) {
	blocked := func(first, second []string) error {
		for _, m := range second {
			if slices.Contains(first, m) {
				return fmt.Errorf("page 2, %v, repeats %s of page 1, %v", second, m, first)
			}
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		for n := range 6 {
			x.rdb.ZAdd(x.ctx, "category", redis.Z{Score: float64(n), Member: fmt.Sprint(n)})
		}
		paging := func(number, count int64) []string {
			return x.rdb.ZRevRange(x.ctx, "category", (number-1)*count, number*count-1).Val()
		}
		first := paging(1, 3)
		x.rdb.ZAdd(x.ctx, "category", redis.Z{Score: 9, Member: "0"}) // a reply
		return blocked(first, paging(2, 3))
	}, func(x *site) error {
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
		return blocked(first, second)
	})
}

// judgeHot checks what an order of recommendations must do with topics.
func judgeHot(hot func(at time.Time, net int) float64) error {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var wrong []error
	if hot(now, -1000) >= hot(now, -1) {
		wrong = append(wrong, fmt.Errorf("at -1000 it is %v, at -1 %v", hot(now, -1000), hot(now, -1)))
	}
	if hot(now, -5) <= hot(now.Add(-time.Hour), -5) {
		wrong = append(wrong, errors.New("of two topics with most votes against, the newer is lower"))
	}
	if hot(now, 0) <= hot(now.Add(-240*time.Hour), 1) {
		wrong = append(wrong, fmt.Errorf("without votes it is %v, ten days ago with one %v", hot(now, 0),
			hot(now.Add(-240*time.Hour), 1)))
	}
	return errors.Join(wrong...)
}

// tutorialHot is A42.
func tutorialHot(at time.Time, net int) float64 {
	sign := 0.0
	if net != 0 {
		sign = math.Copysign(1, float64(net))
	}
	seconds := float64(at.Unix() - 1_134_028_003)
	return math.Round((math.Log10(math.Max(math.Abs(float64(net)), 1))+sign*seconds/45_000)*1e7) / 1e7
}

func TestHotOfTopicsWithMostVotesAgainst(t *testing.T) {
	// The figures of the row.
	for net, want := range map[int]float64{-1000: -6135.49, -1: -6138.49, 0: 0} {
		if got := tutorialHot(time.Unix(1_134_028_003+6138.49*45_000, 0), net); math.Abs(got-want) > 0.001 {
			t.Errorf("the tutorials' formula gives %v at %d; want %v", got, net, want)
		}
	}
	contrast(t, 3, func(*site) error { return judgeHot(tutorialHot) }, func(x *site) error {
		ann, room := x.user("ann"), x.category("go")
		store := func(at time.Time, net int) float64 { // the stored score, not the function's result
			in := discussion(ann, room)
			in.CreatedAt = forum.Time(at.UnixMilli())
			in.Upvotes, in.Downvotes = max(net, 0), max(-net, 0)
			id := x.post(in)
			return x.order(key.FrontContainer, key.OrderHot)[id]
		}
		return judgeHot(store)
	})
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
	same := func(there, here float64) error {
		if there != here {
			return fmt.Errorf("one instant is %.2f in Shanghai and %.2f in UTC, a factor of %.2f in votes", there, here,
				math.Pow(10, there-here))
		}
		return nil
	}
	shanghai, err := time.LoadLocation("Asia/Shanghai")
	wantOK(t, "LoadLocation", err)
	contrast(t, 1, func(x *site) error {
		local := func(zone *time.Location) float64 { // datetime.now() less an epoch in UTC
			_, offset := x.clock.Now().In(zone).Zone()
			return tutorialHot(x.clock.Now().Add(time.Duration(offset)*time.Second), 1)
		}
		return same(local(shanghai), local(time.UTC))
	}, func(x *site) error {
		there := newSiteIn(t, "Asia/Shanghai")
		hot := func(y *site) float64 {
			topic := y.post(link(y.user("ann")))
			return y.order(key.FrontContainer, key.OrderHot)[topic]
		}
		return same(hot(there), hot(x))
	})
}

func TestGroupCache(t *testing.T) {
	t.Run("expires between check and read", testCacheExpires)
	t.Run("is rebuilt by many", testCacheRebuilt)
	t.Run("without a name", func(t *testing.T) {
		contrast(t, 1, func(x *site) error {
			x.rdb.ZAdd(x.ctx, "score:", redis.Z{Score: 1, Member: "article:1"})
			if group := ""; x.rdb.Exists(x.ctx, "score:"+group).Val() == 1 {
				return fmt.Errorf("the group %q shows %v", group, x.rdb.ZRevRange(x.ctx, "score:"+group, 0, -1).Val())
			}
			return nil
		}, func(x *site) error {
			x.post(link(x.user("ann")))
			none := forum.Timeline{Kind: forum.TagTimeline, Order: forum.ByScore, Direction: forum.Descending}
			if got := x.timelineTopics(none, nil); none.Valid() || len(got) > 0 {
				return fmt.Errorf("a tag without a name is a timeline: %t, of %v", none.Valid(), got)
			}
			return nil
		})
	})
}

func testCacheExpires(t *testing.T) {
	shown := func(page int) error {
		if page != 1 {
			return fmt.Errorf("the page shows %d of the group's one article", page)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		x.rdb.ZAdd(x.ctx, "score:", redis.Z{Score: 1, Member: "article:1"})
		x.rdb.SAdd(x.ctx, "group:go", "article:1")
		build := &redis.ZStore{Keys: []string{"group:go", "score:"}, Aggregate: "MAX"}
		x.rdb.ZInterStore(x.ctx, "score:go", build)
		if x.rdb.Exists(x.ctx, "score:go").Val() == 0 {
			x.rdb.ZInterStore(x.ctx, "score:go", build)
		}
		x.rdb.PExpireAt(x.ctx, "score:go", time.UnixMilli(1000)) // its 60 s are over
		return shown(len(x.rdb.ZRevRange(x.ctx, "score:go", 0, 24).Val()))
	}, func(x *site) error {
		x.post(link(x.user("ann"), "go"))
		tl := forum.Timeline{Kind: forum.TagTimeline, Owner: int64(label("go")), Order: forum.ByTop,
			Direction: forum.Descending, Period: forum.PeriodAll}
		first := x.snapshot(tl, forum.Window{Count: 25})
		// A reader of a snapshot may read it for ten more minutes.
		x.clock.Advance(forum.SnapshotLife - time.Millisecond)
		later := x.readSnapshot(tl, int64(first.AsOf)/60_000, forum.Window{Count: 25})
		if later == nil {
			return shown(0)
		}
		return errors.Join(shown(len(first.Rows)), shown(len(later.Rows)))
	})
}

func testCacheRebuilt(t *testing.T) {
	once := func(builds int32) error {
		if builds != 1 {
			return fmt.Errorf("twenty readers built it %d times", builds)
		}
		return nil
	}
	const readers = 20
	contrast(t, 1, func(x *site) error {
		var builds atomic.Int32
		var checked, wg sync.WaitGroup
		checked.Add(readers)
		for range readers {
			wg.Go(func() {
				there := x.rdb.Exists(x.ctx, "score:go").Val() == 1
				checked.Done()
				checked.Wait() // all check concurrently
				if !there {
					x.rdb.ZInterStore(x.ctx, "score:go", &redis.ZStore{Keys: []string{"score:go"}})
					builds.Add(1)
				}
			})
		}
		wg.Wait()
		return once(builds.Load())
	}, func(x *site) error {
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
		for range readers {
			wg.Go(func() { s.TakeSnapshot(x.ctx, tl, n, nil) })
		}
		wg.Wait()
		return once(reads.Load() / 2) // of two orders
	})
}

func TestScoresBelowZeroInAGroup(t *testing.T) {
	keeps := func(score, want float64) error {
		if score != want {
			return fmt.Errorf("the group has %v; want %v", score, want)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		x.rdb.ZAdd(x.ctx, "score:", redis.Z{Score: -5, Member: "article:1"})
		x.rdb.SAdd(x.ctx, "group:go", "article:1")
		// MAX: members of a set count as 1.
		x.rdb.ZInterStore(x.ctx, "score:go", &redis.ZStore{Keys: []string{"group:go", "score:"}, Aggregate: "MAX"})
		return keeps(x.rdb.ZScore(x.ctx, "score:go", "article:1").Val(), -5)
	}, func(x *site) error {
		in := link(x.user("ann"), "go")
		in.CreatedAt, in.Downvotes = 1_000_000_000_000, 30 // in 2001, before the epoch of the formula
		id := x.post(in)
		want := forum.Hot(in.CreatedAt, -30)
		if want >= 0 {
			return fmt.Errorf("hot = %v; want it below zero", want)
		}
		tag := x.order(key.TagContainer(label("go")), key.OrderHot)
		return errors.Join(keeps(tag[id], want), keeps(tag[id], x.order(key.FrontContainer, key.OrderHot)[id]))
	})
}

func TestEqualScores(t *testing.T) {
	inOrder := func(ids []int64) error {
		if !slices.IsSorted(ids) {
			return fmt.Errorf("equal scores are ordered as %v", ids)
		}
		return nil
	}
	contrast(t, 1, func(x *site) error {
		for _, id := range []string{"2", "9", "10"} {
			x.rdb.ZAdd(x.ctx, "score:", redis.Z{Score: 5, Member: id})
		}
		var ids []int64
		x.rdb.ZRange(x.ctx, "score:", 0, -1).ScanSlice(&ids)
		return inOrder(ids)
	}, func(x *site) error {
		ann := x.user("ann")
		for range 5 { // ids 536 to 1560
			x.post(link(ann))
		}
		var wrong []error
		for _, order := range []forum.TopicOrderField{forum.ByCreated, forum.ByActive, forum.ByScore, forum.ByHot} {
			tl := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: forum.Ascending}
			var ids []int64
			for _, id := range x.timelineTopics(tl, nil) {
				ids = append(ids, int64(id))
			}
			wrong = append(wrong, inOrder(ids))
		}
		var ids []int64
		for _, r := range x.snapshot(ranking(forum.ByTop, forum.Ascending), forum.Window{Count: 9}).Rows {
			ids = append(ids, r.ID)
		}
		return errors.Join(append(wrong, inOrder(ids))...)
	})
}
