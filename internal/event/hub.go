// Package event notifies subscribers of what happens. Redis pub/sub only wakes it up: events are
// read from logs in Redis, each from the last position read, so a lost message loses no event.
package event

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/listing"
)

// Hub connects the subscribers of this process to Redis. It has a single pub/sub connection and
// reads each log once for all its subscribers. It is safe for concurrent use.
type Hub struct {
	store *store.Store
	log   *slog.Logger

	mu       sync.Mutex
	channels map[string]*channel
	sources  map[listing.Log]*source
	dirty    map[*source]struct{} // must be read

	reconcile chan struct{} // channels were added or removed
	work      chan struct{} // sources are dirty
}

// channel is a pub/sub channel with the sources that it announces. It is removed only when it is
// unsubscribed from, so that a source added shortly before continues without a gap.
type channel struct {
	sources   map[string]map[*source]struct{} // by the objects of their logs
	asked     bool                            // Redis was asked to subscribe
	confirmed bool                            // its messages arrive; the sources were read or marked since then
}

const (
	// watchEvery is how often the expiry of watched streams is renewed.
	watchEvery = time.Hour
	// readAtOnce is the maximum number of logs that one pipeline reads.
	readAtOnce = 1000
)

// New returns a hub that receives nothing until Run.
func New(s *store.Store, log *slog.Logger) *Hub {
	return &Hub{
		store: s, log: log, channels: map[string]*channel{}, sources: map[listing.Log]*source{}, dirty: map[*source]struct{}{},
		reconcile: make(chan struct{}, 1), work: make(chan struct{}, 1),
	}
}

// Run receives from Redis until ctx is done.
func (h *Hub) Run(ctx context.Context) {
	listener := h.store.Listen(ctx)
	var all sync.WaitGroup
	all.Go(func() { h.consume(listener) }) // these end with ctx
	all.Go(func() { h.syncChannels(ctx, listener) })
	all.Go(func() { h.read(ctx) })
	all.Go(func() { h.renewStreams(ctx) })
	<-ctx.Done()
	listener.Close()
	all.Wait()
}

// consume marks the announced sources as dirty.
func (h *Hub) consume(listener *store.Listener) {
	for {
		a, ok := listener.Next()
		if !ok {
			return
		}
		h.mu.Lock()
		if c := h.channels[a.Channel]; c != nil && a.Confirmed {
			h.confirm(c)
		} else if c != nil {
			h.announce(c, a.Message)
		}
		h.mu.Unlock()
		signal(h.work)
	}
}

// confirm marks all sources of a channel, because messages may have been missed. It requires h.mu.
func (h *Hub) confirm(c *channel) {
	c.confirmed = true
	for _, sources := range c.sources {
		for s := range sources {
			s.confirm()
			h.dirty[s] = struct{}{}
		}
	}
}

// announce marks the sources that a message announces. It requires h.mu.
func (h *Hub) announce(c *channel, message string) {
	for s := range c.sources[""] { // of streams
		h.dirty[s] = struct{}{}
	}
	for object, change := range catalogue.ChangesIn(message) {
		for s := range c.sources[object] {
			if s.log.Announces(change) && !s.addAnnounced(change) {
				h.dirty[s] = struct{}{}
			}
		}
	}
}

// syncChannels subscribes to new channels and unsubscribes from unused ones, one change after the
// other.
func (h *Hub) syncChannels(ctx context.Context, listener *store.Listener) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.reconcile:
		}
		add, drop := h.changes()
		listener.Drop(drop)
		listener.Add(add)
	}
}

// changes returns the channels to subscribe to and to unsubscribe from.
func (h *Hub) changes() (add, drop []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, c := range h.channels {
		switch {
		case len(c.sources) == 0:
			if c.asked {
				drop = append(drop, name)
			}
			delete(h.channels, name)
		case !c.asked:
			c.asked = true
			add = append(add, name)
		}
	}
	return add, drop
}

// read reads the dirty sources, all of them together, until ctx is done.
func (h *Hub) read(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.work:
		}
		if err := h.readDirty(ctx); err != nil && ctx.Err() == nil {
			h.store.Engine.LogFailure(ctx, h.log, "reading events failed, will retry", "error", err)
			if h.store.Await(ctx) == nil {
				signal(h.work)
			}
		}
	}
}

// take returns some of the dirty sources. It drops those whose channel is not confirmed; its
// confirmation marks them again.
func (h *Hub) take() []*source {
	h.mu.Lock()
	defer h.mu.Unlock()
	var taken []*source
	for s := range h.dirty {
		if len(taken) == readAtOnce {
			signal(h.work)
			break
		}
		delete(h.dirty, s)
		if c := h.channels[s.log.Channel]; c != nil && c.confirmed && !h.postpone(s) {
			taken = append(taken, s)
		}
	}
	return taken
}

// postpone reports whether a source was read so recently that more changes are waited for. It is then marked in time.
// It requires h.mu.
func (h *Hub) postpone(s *source) bool {
	if !s.log.Latest() {
		return false
	}
	rest := forum.ChangesEvery - time.Since(s.readAt)
	if rest <= 0 {
		s.readAt = time.Now()
		return false
	}
	if !s.later {
		s.later = true
		time.AfterFunc(rest, func() {
			h.mu.Lock()
			s.later = false
			if h.sources[s.log] == s {
				h.dirty[s] = struct{}{}
			}
			h.mu.Unlock()
			signal(h.work)
		})
	}
	return true
}

// mark marks sources to be read again.
func (h *Hub) mark(sources ...*source) {
	h.mu.Lock()
	for _, s := range sources {
		h.dirty[s] = struct{}{}
	}
	h.mu.Unlock()
	signal(h.work)
}

// readDirty reads the dirty sources: the ends of new ones, the new entries of others. A source that
// fails is read later and does not block the others.
func (h *Hub) readDirty(ctx context.Context) error {
	taken := h.take()
	var fresh, known []*source
	for _, s := range taken {
		switch {
		case s.log.Signal():
			s.signalled()
		case s.isKnown():
			known = append(known, s)
		default:
			fresh = append(fresh, s)
		}
	}
	lost, err := h.readOn(ctx, known)
	return cmp.Or(err, h.findEnds(ctx, append(fresh, lost...)))
}

// readOn reads the new entries of sources. It returns the sources that have lost entries, and the
// first error.
func (h *Hub) readOn(ctx context.Context, sources []*source) (lost []*source, failed error) {
	if len(sources) == 0 {
		return nil, nil
	}
	r := h.store.Read(ctx)
	gets := make([]func() (listing.Part, error), len(sources))
	confirmed := make([]int, len(sources))
	for i, s := range sources {
		confirmed[i] = s.confirmations()
		gets[i] = r.Listing.Since(s.log, s.end(), forum.StreamLength)
	}
	_ = r.Exec() // each get returns its own error
	for i, s := range sources {
		part, err := gets[i]()
		switch {
		case err != nil:
			failed = cmp.Or(failed, err)
			h.mark(s)
		case part.Lost:
			lost = append(lost, s)
		default:
			if !part.Whole {
				h.mark(s)
			}
			s.append(part.Entries, confirmed[i])
		}
	}
	return lost, failed
}

// findEnds finds the ends of sources that are new or have lost entries. It returns the first error.
func (h *Hub) findEnds(ctx context.Context, sources []*source) (failed error) {
	if len(sources) == 0 {
		return nil
	}
	logs, confirmed := make([]listing.Log, len(sources)), make([]int, len(sources))
	for i, s := range sources {
		logs[i], confirmed[i] = s.log, s.confirmations()
	}
	ends, errs := h.store.Listing.Watch(ctx, logs)
	for i, s := range sources {
		if errs[i] != nil {
			failed = cmp.Or(failed, errs[i])
			h.mark(s)
			continue
		}
		s.begin(ends[i], confirmed[i])
	}
	return failed
}

// renewStreams renews the expiry of watched streams until ctx is done.
func (h *Hub) renewStreams(ctx context.Context) {
	t := time.NewTicker(watchEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		h.watchAll(ctx)
	}
}

// watchAll renews the expiry of watched streams, and checks whether entries were lost.
func (h *Hub) watchAll(ctx context.Context) {
	h.mu.Lock()
	var streams []*source
	for l, s := range h.sources {
		if !l.Signal() {
			streams = append(streams, s)
		}
	}
	h.mu.Unlock()
	for some := range slices.Chunk(streams, readAtOnce) {
		logs := make([]listing.Log, len(some))
		for i, s := range some {
			logs[i] = s.log
		}
		_, errs := h.store.Listing.Watch(ctx, logs)
		if err := cmp.Or(errs...); err != nil {
			h.store.Engine.LogFailure(ctx, h.log, "renewing streams failed, will retry", "error", err)
		}
		h.mark(some...)
	}
}

// WatchUsers wakes whenever sessions, API tokens or rights of one of the users may have changed, and after Redis was
// unreachable for a while. stop ends the subscription.
func (h *Hub) WatchUsers(ids ...forum.UserID) (wake <-chan struct{}, stop func()) {
	logs := make([]listing.Log, len(ids))
	for i, id := range ids {
		logs[i] = listing.SessionSignal(id)
	}
	sub := h.attach(Stream{Logs: logs})
	return sub.wake, sub.Close
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
