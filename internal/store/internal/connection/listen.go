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

// Listener receives the messages of the channels that were added to it, over one connection. It reconnects
// by itself, even if the connection is only silent; Redis then confirms every channel again, which
// indicates that messages may have been missed.
type Listener struct {
	rdb   redis.UniversalClient
	ctx   context.Context
	heard chan any
	// tick is when the connection is checked; silent is the number of consecutive ticks before which
	// nothing was heard. Both belong to the caller of Next.
	tick   *time.Ticker
	silent int
	all    sync.WaitGroup

	mu       sync.Mutex
	pubsub   *redis.PubSub
	channels map[string]struct{}
}

// Announcement is a message on a channel, or the confirmation that the channel is subscribed.
type Announcement struct {
	Channel, Message string
	Confirmed        bool
}

const (
	// listenPing is how long a silent connection is trusted, and then how long it may take to answer.
	listenPing = time.Second
	// listenAgain is the wait between consecutive failures.
	listenAgain = 100 * time.Millisecond
	// listenBuffer is how many announcements may wait for the caller of Next.
	listenBuffer = 4096
)

// Listen creates a listener without channels. Close ends it; ctx must be done before.
func Listen(ctx context.Context, rdb redis.UniversalClient) *Listener {
	l := &Listener{
		rdb: rdb, ctx: ctx, heard: make(chan any, listenBuffer), tick: time.NewTicker(listenPing),
		pubsub: rdb.Subscribe(ctx), channels: map[string]struct{}{},
	}
	l.receive(l.pubsub)
	return l
}

// receive forwards messages from a connection until the connection or the listener is closed.
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

// Add subscribes to channels. After an error they may or may not be subscribed, and must be added again.
func (l *Listener) Add(ctx context.Context, channels []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range channels {
		l.channels[name] = struct{}{}
	}
	return l.pubsub.Subscribe(ctx, channels...)
}

// Drop unsubscribes from channels.
func (l *Listener) Drop(ctx context.Context, channels []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range channels {
		delete(l.channels, name)
	}
	return l.pubsub.Unsubscribe(ctx, channels...)
}

// Next waits for an announcement; ok is false if there will be no more. It must be called by one goroutine
// at a time.
func (l *Listener) Next() (a Announcement, ok bool) {
	for {
		select {
		case <-l.ctx.Done():
			return Announcement{}, false
		case <-l.tick.C:
			l.checkConnection()
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

// checkConnection pings if nothing was heard since the last check, and reconnects if nothing was heard by
// the next.
func (l *Listener) checkConnection() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.silent++
	switch {
	case len(l.channels) == 0 || l.silent == 1:
	case l.silent == 2:
		// If this fails there is a new connection, or the next check opens one.
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

// Close closes the connection, and waits until the listener's goroutines have ended.
func (l *Listener) Close() error {
	l.tick.Stop()
	l.mu.Lock()
	err := l.pubsub.Close()
	l.mu.Unlock()
	l.all.Wait()
	return err
}
