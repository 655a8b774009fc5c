package connection

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Listener hears what is published on channels that it was given, over one connection. It
// connects again by itself, also when the connection is silent; Redis then confirms every
// channel once more, which tells that messages may have been missed.
type Listener struct {
	rdb   redis.UniversalClient
	ctx   context.Context
	heard chan any
	// tick is when the connection is looked after; quiet is how often in succession nothing
	// had been heard then. Both are of whoever calls Next.
	tick   *time.Ticker
	silent int
	all    sync.WaitGroup

	mu       sync.Mutex
	pubsub   *redis.PubSub
	channels map[string]struct{}
}

// Announcement is a message on a channel, or the confirmation that its messages come from
// now on.
type Announcement struct {
	Channel, Message string
	Confirmed        bool
}

const (
	// listenPing is how long a silent connection of a listener is trusted, and how long it
	// may take to answer then.
	listenPing = time.Second
	// listenAgain is how long a listener waits after a failure in succession.
	listenAgain = 100 * time.Millisecond
	// listenBuffer is how many announcements may wait for whoever hears them.
	listenBuffer = 4096
)

// Listen makes a listener without channels. Close ends it, and before that ctx must be done.
func Listen(ctx context.Context, rdb redis.UniversalClient) *Listener {
	l := &Listener{
		rdb: rdb, ctx: ctx, heard: make(chan any, listenBuffer), tick: time.NewTicker(listenPing),
		pubsub: rdb.Subscribe(ctx), channels: map[string]struct{}{},
	}
	l.receive(l.pubsub)
	return l
}

// receive hands on what comes over a connection, until that or the listener is closed.
func (l *Listener) receive(pubsub *redis.PubSub) {
	l.all.Go(func() {
		failed := false
		for {
			m, err := pubsub.Receive(l.ctx)
			switch {
			case errors.Is(err, redis.ErrClosed) || l.ctx.Err() != nil:
				return
			case err == nil:
				failed = false
				select {
				case l.heard <- m:
				case <-l.ctx.Done():
					return
				}
			case failed:
				select {
				case <-time.After(listenAgain):
				case <-l.ctx.Done():
					return
				}
			default:
				failed = true
			}
		}
	})
}

// Add has the listener hear channels. After an error it may hear them or not: they are to
// be added again.
func (l *Listener) Add(ctx context.Context, channels []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range channels {
		l.channels[name] = struct{}{}
	}
	return l.pubsub.Subscribe(ctx, channels...)
}

// Drop has the listener hear channels no more.
func (l *Listener) Drop(ctx context.Context, channels []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range channels {
		delete(l.channels, name)
	}
	return l.pubsub.Unsubscribe(ctx, channels...)
}

// Next waits for an announcement; ok is false when there will be no more. It is called by
// one goroutine at a time.
func (l *Listener) Next() (a Announcement, ok bool) {
	for {
		select {
		case <-l.ctx.Done():
			return Announcement{}, false
		case <-l.tick.C:
			l.lookAfter()
		case m := <-l.heard:
			l.silent = 0
			switch m := m.(type) {
			case *redis.Message:
				return Announcement{Channel: m.Channel, Message: m.Payload}, true
			case *redis.Subscription:
				if m.Kind == "subscribe" {
					return Announcement{Channel: m.Channel, Confirmed: true}, true
				}
			}
		}
	}
}

// lookAfter asks for a sign of life when nothing was heard since the last look, and makes
// another connection when none has come at the next.
func (l *Listener) lookAfter() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent++
	switch {
	case len(l.channels) == 0 || l.silent == 1:
	case l.silent == 2:
		// When this fails there is a new connection, or the next look makes one.
		_ = l.pubsub.Ping(l.ctx)
	default:
		_ = l.pubsub.Close()
		l.pubsub = l.rdb.Subscribe(l.ctx)
		l.receive(l.pubsub)
		if l.pubsub.Subscribe(l.ctx, slices.Collect(maps.Keys(l.channels))...) == nil {
			l.silent = 0
		}
	}
}

// Close ends the connection, and waits until nothing of the listener runs.
func (l *Listener) Close() error {
	l.tick.Stop()
	l.mu.Lock()
	err := l.pubsub.Close()
	l.mu.Unlock()
	l.all.Wait()
	return err
}
