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
	// drainIdle is how long no connection must have changed its state before the remaining ones are closed.
	drainIdle = time.Second
	// drainPoll is how often the connections are checked.
	drainPoll = 10 * time.Millisecond
)

// Drain shuts a server down without failing a request. http.Server.Shutdown alone closes connections on which the
// next request may just be arriving, and leaves requests unanswered that it has already read. So clients are first
// asked, in the answer to their next request, to close their connections themselves. A nil Drain never drains.
type Drain struct {
	leaving  atomic.Bool
	draining atomic.Bool
	open     atomic.Int64 // connections
	changed  atomic.Int64 // when one of them last changed its state, Unix ns
}

// Leave makes /readyz report that the server is about to shut down. Everything else continues until Shutdown.
func (d *Drain) Leave() { d.leaving.Store(true) }

// Leaving reports whether Leave or Shutdown was called.
func (d *Drain) Leaving() bool { return d != nil && (d.leaving.Load() || d.draining.Load()) }

// Draining reports whether the server no longer accepts connections.
func (d *Drain) Draining() bool { return d != nil && d.draining.Load() }

// Watch makes d track the connections of s. It must be called before s serves.
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

// Shutdown shuts s down: it closes the listener and waits until all requests in progress are answered, and those that
// arrive on open connections, until no connection is left or none was used for drainIdle. If ctx is done first, it
// closes the remaining connections and returns ctx's error.
func (d *Drain) Shutdown(ctx context.Context, s *http.Server, l net.Listener) error {
	// Before any client is asked to close its connection, so that none opens a new one in vain.
	closed := l.Close()
	d.changed.Store(time.Now().UnixNano())
	d.draining.Store(true)
	d.wait(ctx)
	err := s.Shutdown(ctx)
	if errors.Is(err, net.ErrClosed) { // the listener, closed twice
		err = nil
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("requests were aborted: %w", err), s.Close())
	}
	return errors.Join(closed, err)
}

// wait returns when no connection is open or in use, or ctx is done.
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

// wrap asks clients, once d drains, to close their connections.
func (d *Drain) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.Draining() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
