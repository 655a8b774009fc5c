package connection

import (
	"context"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"
)

// line is a listener's connection to one server. It is given up at its first failure: go-redis would
// subscribe to all of its channels again in one command, which a cluster refuses.
type line struct {
	server  string
	pubsub  pubsub
	ctx     context.Context
	end     context.CancelFunc
	changed chan struct{} // there is something to send

	// The following fields are guarded by the listener's mu.
	names map[string]bool // its channels, and whether they are confirmed
	wish  map[string]bool // to subscribe to or to unsubscribe from
	ping  bool
	// silent is the number of consecutive checks before which nothing was heard.
	silent int
}

// pubsub is a redis.PubSub; see pipeline.Client.
type pubsub interface {
	Subscribe(ctx context.Context, channels ...string) error
	Unsubscribe(ctx context.Context, channels ...string) error
	SSubscribe(ctx context.Context, channels ...string) error
	SUnsubscribe(ctx context.Context, channels ...string) error
	Ping(ctx context.Context, payload ...string) error
	Receive(ctx context.Context) (any, error)
	Close() error
}

// heard is what a connection has received.
type heard struct {
	from *line
	what any
}

// newLine returns a connection to a server, which is opened in the background.
func (l *Listener) newLine(server string, open func(context.Context) pubsub) *line {
	ln := &line{server: server, changed: make(chan struct{}, 1), names: map[string]bool{}, wish: map[string]bool{}}
	ln.ctx, ln.end = context.WithCancel(l.ctx)
	ln.pubsub = open(ln.ctx)
	l.all.Go(func() { l.send(ln) }) // these end with the line's context
	l.all.Go(func() { l.receive(ln) })
	return ln
}

// ask has a channel subscribed to, or unsubscribed from. It requires the listener's mu.
func (ln *line) ask(name string, subscribe bool) {
	ln.wish[name] = subscribe
	signal(ln.changed)
}

// receive forwards messages from a connection until it fails.
func (l *Listener) receive(ln *line) {
	for {
		m, err := ln.pubsub.Receive(ln.ctx)
		switch {
		case redis.HasErrorPrefix(err, "MOVED"):
			l.refused(ln)
		case err != nil:
			l.mu.Lock()
			defer l.mu.Unlock()
			l.lose(ln)
			return
		default:
			select {
			case l.heard <- heard{ln, m}:
			case <-ln.ctx.Done():
				return
			}
		}
	}
}

// refused notes that a server has refused a channel, which it does not name, because it does not serve it.
func (l *Listener) refused(ln *line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, confirmed := range ln.names {
		if !confirmed {
			delete(ln.names, name)
			l.evict(name)
		}
	}
	l.noteLoss()
}

// send sends what is to be sent on a connection until it fails, and closes it.
func (l *Listener) send(ln *line) {
	defer func() { _ = ln.pubsub.Close() }() // it is of no more use
	for {
		select {
		case <-ln.ctx.Done():
			return
		case <-ln.changed:
		}
		if err := l.sendWishes(ln); err != nil {
			l.mu.Lock()
			l.lose(ln)
			l.mu.Unlock()
		}
	}
}

// sendWishes sends what is to be sent.
func (l *Listener) sendWishes(ln *line) error {
	l.mu.Lock()
	var join, leave []string
	for name, subscribe := range ln.wish {
		if subscribe {
			join = append(join, name)
		} else {
			leave = append(leave, name)
		}
	}
	clear(ln.wish)
	ping := ln.ping
	ln.ping = false
	l.mu.Unlock()

	subscribe, unsubscribe := ln.pubsub.Subscribe, ln.pubsub.Unsubscribe
	if l.sharded {
		subscribe, unsubscribe = ln.pubsub.SSubscribe, ln.pubsub.SUnsubscribe
	}
	err := errors.Join(l.each(ln.ctx, leave, unsubscribe), l.each(ln.ctx, join, subscribe))
	if ping {
		err = errors.Join(err, ln.pubsub.Ping(ln.ctx))
	}
	return err
}

// each calls do with channels, if there are any: in a cluster with those of each slot, because a command may
// not name channels of two.
func (l *Listener) each(ctx context.Context, names []string, do func(context.Context, ...string) error) error {
	bySlot := map[string][]string{}
	for _, name := range names {
		tag := only
		if l.sharded {
			tag = hashTag(name)
		}
		bySlot[tag] = append(bySlot[tag], name)
	}
	for _, some := range bySlot {
		if err := do(ctx, some...); err != nil {
			return err
		}
	}
	return nil
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
