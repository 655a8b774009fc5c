package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/storetest"
)

// hold is a process whose reads wait until they are released.
type hold struct {
	*store.Store
	begun chan redis.Cmder // reads that were sent
	let   chan struct{}
}

func newHold(x *storetest.Site) *hold {
	h := &hold{begun: make(chan redis.Cmder, 100), let: make(chan struct{})}
	h.Store = x.Watched(func(cmd redis.Cmder) {
		if cmd.Name() == "hgetall" && strings.Contains(cmd.Args()[1].(string), ":t:") {
			h.begun <- cmd
			<-h.let
		}
	})
	return h
}

// ask reads topics in the background, as the execution of an event does, and returns a function that waits
// for them.
func (h *hold) ask(ctx context.Context, ids ...forum.TopicID) func() ([]*forum.Topic, error) {
	r := h.Read(store.Coalesced(ctx))
	get := r.Listing.Topics(ids)
	answered := make(chan error, 1)
	go func() { answered <- r.Exec() }()
	return func() ([]*forum.Topic, error) {
		if err := <-answered; err != nil {
			return nil, err
		}
		found, errs := get()
		return found, errors.Join(errs...)
	}
}

// waits returns once n batches of reads wait.
func (h *hold) waits(t *testing.T, n int) {
	t.Helper()
	for ctx := t.Context(); ; {
		have := h.Engine.Client.Waiting()
		if have == n {
			return
		}
		if ctx.Err() != nil {
			t.Fatalf("%d wait; want %d", have, n)
		}
	}
}

// While reads are in flight, others wait; then they are sent together, equal ones once.
func TestWaitingReadsAreSentTogether(t *testing.T) {
	x := storetest.New(t)
	ann, category := x.User("ann"), x.Category("Go")
	one, two := x.Topic(ann, category), x.Topic(ann, category)
	h := newHold(x)
	var first []func() ([]*forum.Topic, error)
	for range pipeline.MaxInFlight {
		first = append(first, h.ask(t.Context(), one))
		<-h.begun
	}
	usages := make([]store.Usage, 50)
	cancelled, leave := context.WithCancel(t.Context())
	var rest []func() ([]*forum.Topic, error)
	for i := range usages {
		rest = append(rest, h.ask(store.WithUsage(t.Context(), &usages[i]), one, two))
	}
	abandoned := h.ask(cancelled, two)
	h.waits(t, len(usages)+1)
	leave()
	if _, err := abandoned(); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that leaves gets %v", err)
	}
	h.waits(t, len(usages))
	close(h.let)
	for i, get := range append(first, rest...) {
		topics, err := get()
		if err != nil || topics[0] == nil || topics[0].ID != one {
			t.Fatalf("%d = %v, %v", i, topics, err)
		}
		if i >= pipeline.MaxInFlight && topics[1].ID != two {
			t.Fatalf("%d = %v", i, topics)
		}
	}
	for i := range usages {
		if usages[i].RoundTrips.Load() != 1 || usages[i].Commands.Load() != 2 {
			t.Errorf("usage %d is %d, %d; want 1, 2", i, usages[i].RoundTrips.Load(), usages[i].Commands.Load())
		}
	}
	if len(h.begun) != 2 {
		t.Errorf("the others were sent as %d commands; want 2", len(h.begun))
	}
}

// Reads in flight are waited for, even by callers that leave, because their results are about to be
// written.
func TestReadsInFlightAreWaitedFor(t *testing.T) {
	x := storetest.New(t)
	topic := x.Topic(x.User("ann"), x.Category("Go"))
	h := newHold(x)
	var first []func() ([]*forum.Topic, error)
	for range pipeline.MaxInFlight {
		first = append(first, h.ask(t.Context(), topic))
		<-h.begun
	}
	ctx, leave := context.WithCancel(t.Context())
	last := h.ask(ctx, topic)
	h.waits(t, 1)
	h.let <- struct{}{} // one completes, and the last is sent
	<-h.begun
	leave()
	close(h.let)
	for i, get := range append(first, last) {
		if topics, err := get(); err != nil || topics[0] == nil {
			t.Errorf("%d = %v, %v", i, topics, err)
		}
	}
}

// A failure of one caller does not fail the others.
func TestErrorsOfCoalescedReadsAreTheirOwn(t *testing.T) {
	x := storetest.New(t)
	topic := x.Topic(x.User("ann"), x.Category("Go"))
	bad := topic + 256 // in the same slot
	x.Redis.Set(x.Ctx, key.Topic(bad), "no hash", 0)
	h := newHold(x)
	close(h.let)
	var all sync.WaitGroup
	for i := range 40 {
		id := []forum.TopicID{topic, bad}[i%2]
		all.Go(func() {
			if topics, err := h.ask(t.Context(), id)(); (err != nil) != (id == bad) || err == nil && topics[0] == nil {
				t.Errorf("topic %d = %v, %v", id, topics, err)
			}
		})
	}
	all.Wait()
}
