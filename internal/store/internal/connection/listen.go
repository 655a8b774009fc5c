package connection

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
)

// Listener receives the messages of the channels that were added to it, over one connection to each server
// that publishes them: in a cluster, the master of a channel's slot. It reconnects by itself, even if a
// connection is only silent, and follows slots that move. Redis then confirms the channels again, which
// indicates that messages may have been missed. A server that does not answer delays only its own channels.
type Listener struct {
	rdb     redis.Cmdable
	sharded bool
	ctx     context.Context
	heard   chan heard
	added   chan struct{} // channels are new
	lost    chan struct{} // channels have lost their server
	all     sync.WaitGroup

	mu       sync.Mutex
	channels map[string]*line    // nil for those that have no connection
	homeless map[string]struct{} // the channels that have none
	lines    map[string]*line    // by server
}

// Announcement is a message on a channel, or the confirmation that the channel is subscribed.
type Announcement struct {
	Channel, Message string
	Confirmed        bool
}

const (
	// listenPing is how long a silent connection is trusted, and then how long it may take to answer.
	listenPing = time.Second
	// listenAgain is the pause before channels that have lost their server are subscribed to again.
	listenAgain = 100 * time.Millisecond
	// listenBuffer is how many announcements may wait for the caller of Next.
	listenBuffer = 4096
	// only is the name of the server outside of a cluster.
	only = "redis"
)

// Listen creates a listener without channels. It ends with ctx; Close waits for that.
func (c *Connection) Listen(ctx context.Context) *Listener {
	l := &Listener{
		rdb: c.Redis, sharded: c.Cluster(), ctx: ctx, heard: make(chan heard, listenBuffer),
		added: make(chan struct{}, 1), lost: make(chan struct{}, 1),
		channels: map[string]*line{}, homeless: map[string]struct{}{}, lines: map[string]*line{},
	}
	l.all.Go(l.keep) // ends with ctx
	return l
}

// Add subscribes to channels, as soon as their servers answer.
func (l *Listener) Add(channels []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range channels {
		if _, has := l.channels[name]; !has {
			l.evict(name)
		}
	}
	signal(l.added)
}

// Drop unsubscribes from channels.
func (l *Listener) Drop(channels []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range channels {
		if ln := l.channels[name]; ln != nil {
			delete(ln.names, name)
			ln.ask(name, false)
		}
		delete(l.channels, name)
		delete(l.homeless, name)
	}
}

// evict makes a channel wait for a server. It requires l.mu.
func (l *Listener) evict(name string) {
	l.channels[name] = nil
	l.homeless[name] = struct{}{}
}

// Next waits for an announcement; ok is false if there will be no more. It must be called by one goroutine
// at a time.
func (l *Listener) Next() (a Announcement, ok bool) {
	for {
		select {
		case <-l.ctx.Done():
			return Announcement{}, false
		case h := <-l.heard:
			if a, ok := l.hear(h); ok {
				return a, true
			}
		}
	}
}

// hear returns the announcement that a connection has received, if it is one.
func (l *Listener) hear(h heard) (a Announcement, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h.from.silent = 0
	switch m := h.what.(type) {
	case *redis.Message:
		return Announcement{Channel: m.Channel, Message: m.Payload}, true
	case *redis.Subscription:
		confirmed, current := h.from.names[m.Channel]
		switch m.Kind {
		case "subscribe", "ssubscribe":
			if current {
				h.from.names[m.Channel] = true
				return Announcement{Channel: m.Channel, Confirmed: true}, true
			}
		case "sunsubscribe": // if it was not dropped, its slot has moved
			if confirmed {
				delete(h.from.names, m.Channel)
				l.evict(m.Channel)
				l.noteLoss()
			}
		}
	}
	return Announcement{}, false
}

// noteLoss has the channels without a server subscribed to again, after a pause.
func (l *Listener) noteLoss() {
	if cluster, ok := l.rdb.(*redis.ClusterClient); ok {
		cluster.ReloadState(l.ctx) // starts it
	}
	signal(l.lost)
}

// keep gives channels to their servers, and checks connections, until the listener's context is done.
func (l *Listener) keep() {
	tick := time.NewTicker(listenPing)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return
		case <-tick.C:
			l.check()
		case <-l.lost:
			pauseFor(l.ctx, listenAgain)
			l.assign()
		case <-l.added:
			l.assign()
		}
	}
}

// assign gives the channels without a server to their servers.
func (l *Listener) assign() {
	l.mu.Lock()
	names := make([]string, 0, len(l.homeless))
	for name := range l.homeless {
		names = append(names, name)
	}
	l.mu.Unlock()
	for _, name := range names {
		server, open, err := l.route(name)
		if err != nil {
			l.noteLoss()
			return
		}
		l.give(name, server, open)
	}
}

// route returns the server of a channel, and a function that prepares a connection to it.
func (l *Listener) route(channel string) (server string, open func(context.Context) pubsub, err error) {
	cluster, ok := l.rdb.(*redis.ClusterClient)
	if !ok || !l.sharded {
		return only, func(ctx context.Context) pubsub { return pipeline.Universal(l.rdb).Subscribe(ctx) }, nil
	}
	node, err := cluster.MasterForKey(l.ctx, channel)
	if err != nil {
		return "", nil, err
	}
	return node.Options().Addr, func(ctx context.Context) pubsub { return node.SSubscribe(ctx) }, nil
}

// give gives a channel to a server, unless it was dropped in the meantime.
func (l *Listener) give(name, server string, open func(context.Context) pubsub) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, waits := l.homeless[name]; !waits {
		return
	}
	ln := l.lines[server]
	if ln == nil {
		ln = l.newLine(server, open)
		l.lines[server] = ln
	}
	delete(l.homeless, name)
	l.channels[name], ln.names[name] = ln, false
	ln.ask(name, true)
}

// check pings the servers of which nothing was heard since the last check, and gives up the connections to
// those of which nothing was heard by the next, and those without channels.
func (l *Listener) check() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, ln := range l.lines {
		ln.silent++
		switch {
		case len(ln.names) == 0 || ln.silent > 2:
			l.lose(ln)
		case ln.silent == 2:
			ln.ping = true
			signal(ln.changed)
		}
	}
}

// lose gives up a connection. It requires l.mu.
func (l *Listener) lose(ln *line) {
	ln.end()
	if l.lines[ln.server] != ln {
		return
	}
	delete(l.lines, ln.server)
	if len(ln.names) == 0 {
		return
	}
	for name := range ln.names {
		l.evict(name)
	}
	clear(ln.names)
	l.noteLoss()
}

// Close waits until the listener's goroutines and connections have ended. The listener's context must be
// done.
func (l *Listener) Close() { l.all.Wait() }
