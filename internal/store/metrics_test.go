package store_test

import (
	"context"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
)

func TestTasksAreCounted(t *testing.T) {
	w := storetest.NewThread(t)
	want := func(when string, want forum.Tasks) {
		t.Helper()
		var usage store.Usage
		got, err := w.Tasks(store.WithUsage(t.Context(), &usage))
		if err != nil || got != want || usage.RoundTrips.Load() != 1 {
			t.Errorf("%s: Tasks = %+v, %v in %d round trips; want %+v in 1", when, got, err, usage.RoundTrips.Load(),
				want)
		}
	}
	w.Engine.Cleaner.Flush()
	want("at rest", forum.Tasks{})
	w.Dies(3, func(s *store.Store) { s.Posts.DeleteTopic(t.Context(), w.Ann, w.TopicID) })
	want("within the lease of the request", forum.Tasks{Waiting: 1})
	w.Clock.Advance(engine.FirstLease*time.Millisecond - time.Millisecond)
	want("a millisecond before its end", forum.Tasks{Waiting: 1})
	w.Clock.Advance(time.Millisecond)
	want("at its end", forum.Tasks{Due: 1})
	p := w.TopicID.Partition()
	for range engine.MaxAttempts + 1 { // no process finishes it
		if _, _, err := w.Engine.ClaimTask(t.Context(), p, record.RetractTask(w.TopicID)); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(engine.MaxBackoff * time.Millisecond)
	}
	want("given up", forum.Tasks{Dead: 1})

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := w.Tasks(ctx); err == nil || got != (forum.Tasks{}) {
		t.Errorf("Tasks without Redis = %+v, %v; want an error", got, err)
	}
}

func TestPoolIsCounted(t *testing.T) {
	x := storetest.New(t)
	before := x.Engine.Client.Pool()
	must.OK(t, x.Store.Engine.Client.Redis.Ping(t.Context()).Err())
	after := x.Engine.Client.Pool()
	if after.Hits+after.Misses != before.Hits+before.Misses+1 || after.Total < 1 || after.Idle < 1 ||
		after.Idle > after.Total || after.Waiting != 0 {
		t.Errorf("pool before and after one call: %+v, %+v; want one hit or miss more, and an idle connection", before,
			after)
	}
}
