package listing_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// Fifty readers in two processes request one snapshot concurrently: it is taken once.
func TestSnapshotIsTakenOnce(t *testing.T) {
	x := storetest.New(t)
	plant(x, key.FrontContainer, plants(x.Engine.Now(), 20)...)
	var taken atomic.Int32
	count := func(cmd redis.Cmder) {
		if cmd.Name() == "zmscore" {
			taken.Add(1)
		}
	}
	processes := []*store.Store{x.Watched(count), x.Watched(count)}
	tl, n := storetest.Ranking(forum.ByTop, forum.Descending), x.Listing.SnapshotNow()
	ready := make(chan struct{})
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			<-ready
			if err := processes[i%2].Listing.TakeSnapshot(x.Ctx, tl, n, nil); err != nil {
				t.Errorf("TakeSnapshot: %v", err)
			}
			if page := x.ReadSnapshot(tl, n, forum.Window{Count: 5}); page == nil || page.Total != 20 {
				t.Errorf("the snapshot after it was taken = %+v; want 20 topics", page)
			}
		})
	}
	close(ready)
	wg.Wait()
	if got := taken.Load(); got != 2 { // two orders, read once
		t.Errorf("votes were read %d times; want 2", got)
	}
	storetest.WantOK(t, "TakeSnapshot", processes[0].Listing.TakeSnapshot(x.Ctx, tl, n, nil))
	if got := taken.Load(); got != 2 || x.Exists(key.SnapshotLease(tl, n)) {
		t.Errorf("after another reader votes were read %d times, lease exists %t; want 2 and no lease", got,
			x.Exists(key.SnapshotLease(tl, n)))
	}
}

// A snapshot stays unchanged while votes are cast; readers who begin in the next minute see the new one,
// and others may continue with the old.
func TestSnapshotStaysUnchangedByVotes(t *testing.T) {
	e := storetest.NewVoting(t)
	tl := storetest.Ranking(forum.ByTop, forum.Descending)
	begin := (e.Engine.Now()/60_000 + 1) * 60_000
	e.At(begin)
	first := e.Snapshot(tl, forum.Window{Count: 10})
	before := standing(first)
	if first.AsOf != begin || len(before) != 2 || before[0].id != e.Article || before[0].up != 2 ||
		before[1].down != 1 {
		t.Fatalf("the first snapshot = %+v, as of %d; want the article with two votes, the topic with one against",
			before,
			first.AsOf)
	}
	e.Cast(e.Ann, e.TopicID, forum.VoteUp)
	e.Cast(e.Bob, e.TopicID, forum.VoteUp)
	e.Cast(e.Ann, e.Article, forum.VoteDown)
	e.At(begin + 59_999)
	if got := standing(e.Snapshot(tl, forum.Window{Count: 10})); !slices.Equal(got, before) {
		t.Errorf("at the end of the minute the snapshot = %+v; want %+v, as before", got, before)
	}
	e.At(begin + 60_000)
	second := e.Snapshot(tl, forum.Window{Count: 10})
	if got := standing(second); second.AsOf != begin+60_000 || got[0].id != e.TopicID || got[0].up != 2 ||
		got[1].up != 1 || got[1].down != 1 {
		t.Errorf("a minute later the snapshot = %+v, as of %d; want the current votes", got, second.AsOf)
	}
	w := forum.Window{Count: 10, After: &first.Rows[0].Position}
	if got := e.ReadSnapshot(tl, e.Listing.SnapshotNow()-1, w); got == nil || !slices.Equal(standing(got), before[1:]) {
		t.Errorf("the rest of the old snapshot = %+v; want %+v", got, before[1:])
	}
	e.At(begin + 600_000 - 1)
	if e.ReadSnapshot(tl, int64(begin)/60_000, w) == nil {
		t.Error("in the last millisecond of ten minutes the snapshot is missing; want it")
	}
	e.At(begin + 600_000)
	if got := e.ReadSnapshot(tl, int64(begin)/60_000, w); got != nil {
		t.Errorf("after ten minutes the snapshot is %+v; want none", got)
	}
	if life := e.Redis.PTTL(e.Ctx, key.Snapshot(tl, int64(begin)/60_000)).Val(); life <= 10*time.Minute ||
		life > 11*time.Minute {
		t.Errorf("Redis keeps the snapshot for %v; want more than ten minutes, and at most eleven", life)
	}
}

// The holder of the lease has died: waiting callers take over when the lease expires, and not before.
func TestSnapshotOfADeadProcess(t *testing.T) {
	x := storetest.New(t)
	plant(x, key.FrontContainer, plants(x.Engine.Now(), 5)...)
	tl, n := storetest.Ranking(forum.ByTop, forum.Descending), x.Listing.SnapshotNow()
	lease := key.SnapshotLease(tl, n)
	storetest.WantOK(t, "SET", x.Redis.Set(t.Context(), lease, "1", key.SnapshotLeaseLife).Err())
	var tried atomic.Int32
	waits := make(chan struct{})
	s := x.Watched(func(cmd redis.Cmder) {
		if cmd.Name() == "zmscore" {
			if tried.Load() < 3 {
				t.Error("the snapshot is taken while another process holds the lease")
			}
		}
		if args := cmd.Args(); len(args) > 1 && args[1] == lease && tried.Add(1) == 3 {
			close(waits)
		}
	})
	ended := make(chan error)
	go func() { ended <- s.Listing.TakeSnapshot(x.Ctx, tl, n, nil) }() // ends when the snapshot exists
	cancelled, cancel := context.WithCancel(t.Context())
	<-waits
	if x.Exists(key.Snapshot(tl, n)) {
		t.Error("the snapshot exists; want callers to wait for it")
	}
	cancel()
	if err := s.Listing.TakeSnapshot(cancelled, tl, n, nil); err == nil {
		t.Error("TakeSnapshot for a caller that left succeeded; want it abandoned")
	}
	storetest.WantOK(t, "PEXPIREAT", x.Redis.PExpireAt(t.Context(), lease, time.Unix(1, 0)).Err())
	storetest.WantOK(t, "TakeSnapshot after the lease", <-ended)
	if page := x.ReadSnapshot(tl, n, forum.Window{Count: 9}); page == nil || len(page.Rows) != 5 {
		t.Errorf("the snapshot = %+v; want five topics", page)
	}
}

// A process that takes a snapshot holds a lease of fifteen seconds; if it is paused for longer another
// takes over, and its late write changes nothing.
func TestSnapshotOfAPausedProcess(t *testing.T) {
	x := storetest.New(t)
	plant(x, key.FrontContainer, plants(x.Engine.Now(), 5)...)
	tl, n := storetest.Ranking(forum.ByTop, forum.Descending), x.Listing.SnapshotNow()
	asleep, woken := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := x.Watched(func(cmd redis.Cmder) {
		if args := cmd.Args(); cmd.Name() == "set" && args[1] == key.Snapshot(tl, n) {
			once.Do(func() { close(asleep); <-woken })
		}
	})
	ended := make(chan error)
	go func() { ended <- s.Listing.TakeSnapshot(x.Ctx, tl, n, nil) }() // ends when it was woken
	<-asleep
	if life := x.Redis.PTTL(t.Context(), key.SnapshotLease(tl, n)).Val(); life <= 0 || life > 15*time.Second {
		t.Errorf("the lease lasts %v; want at most 15 s", life)
	}
	storetest.WantOK(t, "PEXPIREAT", x.Redis.PExpireAt(t.Context(), key.SnapshotLease(tl, n), time.Unix(1, 0)).Err())
	plant(x, key.FrontContainer, planted{id: 99_999, created: x.Engine.Now(), up: 50})
	storetest.WantOK(t, "TakeSnapshot of the other process", x.Listing.TakeSnapshot(t.Context(), tl, n, nil))
	want := standing(x.ReadSnapshot(tl, n, forum.Window{Count: 9}))
	close(woken)
	storetest.WantOK(t, "TakeSnapshot of the paused process", <-ended)
	if got := standing(x.ReadSnapshot(tl, n, forum.Window{Count: 9})); !slices.Equal(got, want) || len(got) != 6 ||
		x.Exists(key.SnapshotLease(tl, n)) {
		t.Errorf("the snapshot after the paused process continued = %v; want %v, six topics, and no lease", got, want)
	}
}

// A caller that finds the snapshot leaves no lease behind.
func TestExistingSnapshotLeavesNoLease(t *testing.T) {
	x := storetest.New(t)
	tl, n := storetest.Ranking(forum.ByControversial, forum.Ascending), x.Listing.SnapshotNow()
	for range 2 {
		storetest.WantOK(t, "TakeSnapshot", x.Listing.TakeSnapshot(t.Context(), tl, n, nil))
		if got := x.KeysLike("snap:"); len(got) != 1 || got[0] != key.Snapshot(tl, n) {
			t.Errorf("keys = %v; want the snapshot only", got)
		}
	}
	if page := x.ReadSnapshot(tl, n, forum.Window{Count: 9}); page == nil || page.Total != 0 || len(page.Rows) != 0 ||
		page.AsOf != x.Engine.Now() {
		t.Errorf("an empty snapshot = %+v; want a page without topics", page)
	}
}
