// Package event tells subscribers what happens. Redis's pub/sub only wakes it up: what
// happened is read from logs that Redis keeps, each from where it was read last, so that a
// lost message loses nothing.
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
)

// Hub stands between Redis and the subscribers of this process: it has one pub/sub
// connection, whatever their number, and reads each log once for all who want it. It is
// safe for concurrent use.
type Hub struct {
	store *store.Store
	log   *slog.Logger

	mu       sync.Mutex
	channels map[string]*channel
	sources  map[store.Log]*source
	dirty    map[*source]struct{} // to be read

	reconcile chan struct{} // channels have come or gone
	work      chan struct{} // sources are dirty
}

// channel is one of pub/sub, with the sources that it announces. It is forgotten when
// Redis is told, so that one that is wanted again at once goes on without a gap.
type channel struct {
	sources   map[*source]struct{}
	asked     bool // Redis was told
	confirmed bool // its messages come, since the sources were read last
}

const (
	// watchEvery is how often streams that are watched are kept on.
	watchEvery = time.Hour
	// readAtOnce is how many logs one pipeline reads.
	readAtOnce = 1000
)

// New makes a hub that hears nothing until Run.
func New(s *store.Store, log *slog.Logger) *Hub {
	return &Hub{
		store: s, log: log, channels: map[string]*channel{}, sources: map[store.Log]*source{}, dirty: map[*source]struct{}{},
		reconcile: make(chan struct{}, 1), work: make(chan struct{}, 1),
	}
}

// Run listens to Redis until ctx is done.
func (h *Hub) Run(ctx context.Context) {
	listener := h.store.Listen(ctx)
	var all sync.WaitGroup
	all.Go(func() { h.consume(listener) }) // these end with ctx
	all.Go(func() { h.syncChannels(ctx, listener) })
	all.Go(func() { h.read(ctx) })
	all.Go(func() { h.renewStreams(ctx) })
	<-ctx.Done()
	if err := listener.Close(); err != nil {
		h.log.Warn("pub/sub connection is not closed well", "error", err)
	}
	all.Wait()
}

// hear marks what is announced as to be read.
func (h *Hub) consume(listener *store.Listener) {
	for {
		a, ok := listener.Next()
		if !ok {
			return
		}
		h.mu.Lock()
		if c := h.channels[a.Channel]; c != nil {
			if a.Confirmed {
				c.confirmed = true
			}
			for s := range c.sources {
				if a.Confirmed || s.log.Announces(a.Message) && !s.addAnnounced(a.Message) {
					h.dirty[s] = struct{}{}
				}
			}
		}
		h.mu.Unlock()
		signal(h.work)
	}
}

// ask tells Redis which channels are wanted, one change after the other.
func (h *Hub) syncChannels(ctx context.Context, listener *store.Listener) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.reconcile:
		}
		add, drop := h.changes()
		if len(drop) > 0 {
			if err := listener.Drop(ctx, drop); err != nil {
				h.log.Debug("channels are not dropped", "error", err)
			}
		}
		if len(add) > 0 {
			if err := listener.Add(ctx, add); err != nil {
				h.log.Debug("channels are asked for again", "error", err)
				h.askAgain(ctx, add)
			}
		}
	}
}

// askAgain has channels asked for once more: a new connection may lack them.
func (h *Hub) askAgain(ctx context.Context, channels []string) {
	h.mu.Lock()
	for _, name := range channels {
		if c := h.channels[name]; c != nil {
			c.asked = false
		}
	}
	h.mu.Unlock()
	if h.store.Await(ctx) == nil {
		signal(h.reconcile)
	}
}

// changes are the channels that Redis is to be told of.
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

// read reads what is dirty, all of it together, until ctx is done.
func (h *Hub) read(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.work:
		}
		if err := h.readDirty(ctx); err != nil && ctx.Err() == nil {
			h.store.LogFailure(ctx, h.log, "events are read later", "error", err)
			if h.store.Await(ctx) == nil {
				signal(h.work)
			}
		}
	}
}

// take takes some of the dirty sources; those whose channel is not confirmed wait.
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
		if c := h.channels[s.log.Channel]; c != nil && c.confirmed {
			taken = append(taken, s)
		}
	}
	return taken
}

// mark has sources read once more.
func (h *Hub) mark(sources ...*source) {
	h.mu.Lock()
	for _, s := range sources {
		h.dirty[s] = struct{}{}
	}
	h.mu.Unlock()
	signal(h.work)
}

// readDirty reads the dirty sources: where those end that are new, what has come to the
// others. What cannot be read is read later, and keeps nothing else from being read.
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

// readOn reads what has come to sources. It returns those of which it is not known, and
// the first error.
func (h *Hub) readOn(ctx context.Context, sources []*source) (lost []*source, failed error) {
	if len(sources) == 0 {
		return nil, nil
	}
	r := h.store.Read(ctx)
	gets := make([]func() (store.Part, error), len(sources))
	for i, s := range sources {
		gets[i] = r.Since(s.log, s.end(), forum.StreamLength)
	}
	_ = r.Exec() // each tells its own error
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
			s.append(part.Entries)
		}
	}
	return lost, failed
}

// findEnds finds where sources end that are new, or whose entries were lost. It returns the
// first error.
func (h *Hub) findEnds(ctx context.Context, sources []*source) (failed error) {
	if len(sources) == 0 {
		return nil
	}
	logs := make([]store.Log, len(sources))
	for i, s := range sources {
		logs[i] = s.log
	}
	ends, errs := h.store.Watch(ctx, logs)
	for i, s := range sources {
		if errs[i] != nil {
			failed = cmp.Or(failed, errs[i])
			h.mark(s)
			continue
		}
		s.begin(ends[i])
	}
	return failed
}

// renewStreams has the streams that are watched kept on.
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

// watchAll has the streams that are watched kept on, and looks whether some were lost.
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
		logs := make([]store.Log, len(some))
		for i, s := range some {
			logs[i] = s.log
		}
		_, errs := h.store.Watch(ctx, logs)
		if err := cmp.Or(errs...); err != nil {
			h.store.LogFailure(ctx, h.log, "streams are kept on later", "error", err)
		}
		h.mark(some...)
	}
}

// WatchUser wakes whenever the user's sessions, or the rights that come with them, may have
// changed, also after Redis was out of reach for a while. stop ends that.
func (h *Hub) WatchUser(id forum.UserID) (wake <-chan struct{}, stop func()) {
	sub := h.attach([]store.Log{store.SessionSignal(id)})
	return sub.wake, sub.Close
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
