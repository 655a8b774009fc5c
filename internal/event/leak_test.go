package event

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// Subscribers leave no goroutines running, even if Redis disappears while they come and go, and
// then the hub ends too.
func TestSubscribersLeakNoGoroutines(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { // after that of the site
		redistest.Close()
		goleak.VerifyNone(t, before)
	})
	s := newSite(t)
	var wire redistest.Wire
	rdb := s.server.ClientOver(t, &wire)
	data := must.Do(store.Open(
		t.Context(),
		store.Over(rdb),
		store.Layout{},
		store.WithClock(s.clock.Now),
		store.WithLog(slog.New(slog.DiscardHandler)),
	))(t)
	hub := New(data, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	both := Stream{Scope: "comments", Logs: []listing.Log{listing.CommentLog(s.topic), listing.TopicSignal(s.topic)}}
	var running, all sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	come := func(n int) {
		for range 20 {
			all.Go(func() {
				for range n {
					within, cancel := context.WithCancel(ctx)
					sub, err := hub.Subscribe(within, both, nil)
					if err == nil {
						all.Go(func() { sub.Next(within) })
						sub.Close()
					}
					cancel()
				}
			})
		}
		all.Wait()
	}
	come(100)
	wire.Refuse(func([]byte) bool { return true }) // Redis is unreachable
	wire.CutListeners()
	// The channel of the topic may still be subscribed to, so that of another partition is needed.
	other := Stream{Scope: "session", Logs: []listing.Log{listing.SessionSignal(s.ann.ID + 1)}}
	waiting := make(chan error, 20)
	for range cap(waiting) {
		go func() {
			within, cancel := context.WithTimeout(ctx, openTime/10)
			defer cancel()
			_, err := hub.Subscribe(within, other, nil)
			waiting <- err
		}()
	}
	for range cap(waiting) {
		if err := <-waiting; err == nil {
			t.Error("a subscription began without Redis")
		}
	}
	hub.mu.Lock()
	if n := len(hub.sources); n > 0 {
		t.Errorf("%d sources are left", n)
	}
	hub.mu.Unlock()
	stop()
	running.Wait()
	data.Close()
	rdb.Close()
}
