package httpserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	// drainIdle is how long no connection must have changed its state before
	// those that are left are closed.
	drainIdle = time.Second
	// drainPoll is how often that is looked at.
	drainPoll = 10 * time.Millisecond
)

// Drain ends a server without failing a request. http.Server.Shutdown alone
// closes connections on which the next request may just be on its way, and
// leaves requests unanswered that it has read already; so clients are first told,
// in the answer to their next request, to close their connections themselves.
// A nil Drain never drains.
type Drain struct {
	leaving  atomic.Bool
	draining atomic.Bool
	open     atomic.Int64 // connections
	changed  atomic.Int64 // when one of them last changed its state, Unix ns
}

// Leave has /readyz say that the server is about to end. All else goes on until Shutdown.
func (d *Drain) Leave() { d.leaving.Store(true) }

// Leaving reports whether Leave or Shutdown was called.
func (d *Drain) Leaving() bool { return d != nil && (d.leaving.Load() || d.draining.Load()) }

// Draining reports whether the server takes no new connections any more.
func (d *Drain) Draining() bool { return d != nil && d.draining.Load() }

// Watch has d know the connections of s. It must be called before s serves.
func (d *Drain) Watch(s *http.Server) {
	s.ConnState = func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			d.open.Add(1)
		case http.StateClosed, http.StateHijacked:
			d.open.Add(-1)
		}
		d.changed.Store(time.Now().UnixNano())
	}
}

// Shutdown ends s: it closes the listener, has all requests under way answered,
// and those that come on the connections which are open, until there are no more
// of these or none was used for drainIdle. When ctx is done first, it breaks off
// what is left and returns ctx's error.
func (d *Drain) Shutdown(ctx context.Context, s *http.Server, l net.Listener) error {
	// Before any client is told to close its connection, so that none opens a new one in vain.
	closed := l.Close()
	d.changed.Store(time.Now().UnixNano())
	d.draining.Store(true)
	d.wait(ctx)
	err := s.Shutdown(ctx)
	if errors.Is(err, net.ErrClosed) { // the listener, once more
		err = nil
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("requests were broken off: %w", err), s.Close())
	}
	return errors.Join(closed, err)
}

// wait returns when no connection is open or in use any more, or ctx is done.
func (d *Drain) wait(ctx context.Context) {
	t := time.NewTicker(drainPoll)
	defer t.Stop()
	for d.open.Load() > 0 && time.Since(time.Unix(0, d.changed.Load())) < drainIdle {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// wrap tells clients, once d drains, to close their connections.
func (d *Drain) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.Draining() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
