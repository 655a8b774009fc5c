package connection

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Listener receives the messages of the channels that were added to it, over one connection to each server
// that publishes them: in a cluster, the master of a channel's slot. It reconnects by itself, even if a
// connection is only silent, and follows slots that move. Redis then confirms the channels again, which
// indicates that messages may have been missed.
type Listener struct {
	rdb     redis.UniversalClient
	sharded bool
	ctx     context.Context
	heard   chan heard
	tick    *time.Ticker // when connections are checked
	all     sync.WaitGroup

	mu       sync.Mutex
	channels map[string]string // the server of each, "" if unknown
	lines    map[string]*line  // by server
}

// line is the connection to one server.
type line struct {
	pubsub *redis.PubSub
	// silent is the number of consecutive ticks before which nothing was heard.
	silent int
}

// heard is what a connection has received.
type heard struct {
	from *line
	what any
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
	// only is the name of the server outside of a cluster.
	only = "redis"
)

// Listen creates a listener without channels. Close ends it; ctx must be done before.
func (c *Connection) Listen(ctx context.Context) *Listener {
	return &Listener{
		rdb: c.Redis, sharded: c.Cluster(), ctx: ctx, heard: make(chan heard, listenBuffer), tick: time.NewTicker(listenPing),
		channels: map[string]string{}, lines: map[string]*line{},
	}
}

// receive forwards messages from a connection until the connection or the listener is closed.
func (l *Listener) receive(ln *line, pubsub *redis.PubSub) {
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
				case l.heard <- heard{ln, m}:
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
		l.channels[name] = ""
	}
	return l.subscribe(ctx, channels)
}

// Drop unsubscribes from channels.
func (l *Listener) Drop(ctx context.Context, channels []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	on := map[string][]string{}
	for _, name := range channels {
		on[l.channels[name]] = append(on[l.channels[name]], name)
		delete(l.channels, name)
	}
	return l.unsubscribe(ctx, on)
}

// subscribe subscribes to channels on their servers, which it records.
func (l *Listener) subscribe(ctx context.Context, channels []string) error {
	on := map[string][]string{}
	open := map[string]func() *redis.PubSub{}
	for _, name := range channels {
		server, dial, err := l.route(ctx, name)
		if err != nil {
			return err
		}
		on[server], open[server] = append(on[server], name), dial
	}
	var failed error
	for server, names := range on {
		ln := l.lines[server]
		if ln == nil {
			ln = &line{pubsub: open[server]()}
			l.lines[server] = ln
			l.receive(ln, ln.pubsub)
		}
		for _, name := range names {
			l.channels[name] = server
		}
		failed = errors.Join(failed, l.subscribeOn(ctx, ln.pubsub, names))
	}
	return failed
}

// route returns the server of a channel, and a function that opens a connection to it.
func (l *Listener) route(ctx context.Context, channel string) (server string, open func() *redis.PubSub, err error) {
	cluster, ok := l.rdb.(*redis.ClusterClient)
	if !ok || !l.sharded {
		return only, func() *redis.PubSub { return l.rdb.Subscribe(l.ctx) }, nil
	}
	node, err := cluster.MasterForKey(ctx, channel)
	if err != nil {
		return "", nil, err
	}
	return node.Options().Addr, func() *redis.PubSub { return node.SSubscribe(l.ctx) }, nil
}

func (l *Listener) subscribeOn(ctx context.Context, pubsub *redis.PubSub, names []string) error {
	if !l.sharded {
		return pubsub.Subscribe(ctx, names...)
	}
	return eachSlot(names, func(some []string) error { return pubsub.SSubscribe(ctx, some...) })
}

// unsubscribe unsubscribes from channels by server, and closes connections without channels.
func (l *Listener) unsubscribe(ctx context.Context, on map[string][]string) error {
	var failed error
	used := map[string]bool{}
	for _, server := range l.channels {
		used[server] = true
	}
	for server, names := range on {
		ln := l.lines[server]
		switch {
		case ln == nil:
		case l.sharded && !used[server]:
			failed = errors.Join(failed, ln.pubsub.Close())
			delete(l.lines, server)
		case l.sharded:
			failed = errors.Join(failed, eachSlot(names, func(some []string) error {
				return ln.pubsub.SUnsubscribe(ctx, some...)
			}))
		default:
			failed = errors.Join(failed, ln.pubsub.Unsubscribe(ctx, names...))
		}
	}
	return failed
}

// eachSlot calls do with the channels of each slot: a command may not name channels of two.
func eachSlot(names []string, do func([]string) error) error {
	bySlot := map[string][]string{}
	for _, name := range names {
		tag := hashTag(name)
		bySlot[tag] = append(bySlot[tag], name)
	}
	var failed error
	for _, some := range bySlot {
		failed = errors.Join(failed, do(some))
	}
	return failed
}

// hashTag returns the part of a key that determines its slot in a cluster: keys with equal tags share one.
func hashTag(key string) string {
	_, rest, open := strings.Cut(key, "{")
	tag, _, closed := strings.Cut(rest, "}")
	if !open || !closed || tag == "" {
		return key
	}
	return tag
}

// Next waits for an announcement; ok is false if there will be no more. It must be called by one goroutine
// at a time.
func (l *Listener) Next() (a Announcement, ok bool) {
	for {
		select {
		case <-l.ctx.Done():
			return Announcement{}, false
		case <-l.tick.C:
			l.checkLines()
		case h := <-l.heard:
			l.mu.Lock()
			h.from.silent = 0
			l.mu.Unlock()
			switch m := h.what.(type) {
			case *redis.Message:
				return Announcement{Channel: m.Channel, Message: m.Payload}, true
			case *redis.Subscription:
				switch m.Kind {
				case "subscribe", "ssubscribe":
					return Announcement{Channel: m.Channel, Confirmed: true}, true
				case "sunsubscribe":
					l.moved(m.Channel, h.from)
				}
			}
		}
	}
}

// moved notes that a server no longer serves a channel that was not dropped: its slot has moved.
func (l *Listener) moved(channel string, from *line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if server, wanted := l.channels[channel]; wanted && l.lines[server] == from {
		l.channels[channel] = ""
	}
}

// checkLines pings the servers of which nothing was heard since the last check, and reconnects to those of
// which nothing was heard by the next. It follows channels whose server has changed.
func (l *Listener) checkLines() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.follow()
	for server, ln := range l.lines {
		names := l.namesOn(server)
		ln.silent++
		switch {
		case len(names) == 0 || ln.silent == 1:
		case ln.silent == 2:
			// If this fails there is a new connection, or the next check opens one.
			_ = ln.pubsub.Ping(l.ctx)
		default:
			_ = ln.pubsub.Close()
			_, open, err := l.route(l.ctx, names[0])
			if err != nil {
				continue
			}
			ln.pubsub = open()
			l.receive(ln, ln.pubsub)
			if l.subscribeOn(l.ctx, ln.pubsub, names) == nil {
				ln.silent = 0
			}
		}
	}
}

// follow subscribes to channels on their present servers, if these have changed.
func (l *Listener) follow() {
	if !l.sharded {
		return
	}
	leave, join := map[string][]string{}, []string{}
	for name, server := range l.channels {
		now, _, err := l.route(l.ctx, name)
		if err == nil && now != server {
			leave[server], join = append(leave[server], name), append(join, name)
		}
	}
	if len(join) == 0 {
		return
	}
	if err := l.subscribe(l.ctx, join); err == nil {
		_ = l.unsubscribe(l.ctx, leave) // a server that has gone refuses it
		return
	}
	for _, name := range join {
		l.channels[name] = "" // the next check tries again
	}
}

func (l *Listener) namesOn(server string) []string {
	var names []string
	for name, on := range l.channels {
		if on == server {
			names = append(names, name)
		}
	}
	return names
}

// Close closes the connections, and waits until the listener's goroutines have ended.
func (l *Listener) Close() error {
	l.tick.Stop()
	l.mu.Lock()
	var failed error
	for _, ln := range slices.Collect(maps.Values(l.lines)) {
		failed = errors.Join(failed, ln.pubsub.Close())
	}
	l.mu.Unlock()
	l.all.Wait()
	return failed
}
