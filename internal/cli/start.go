package cli

import (
	"context"
	"net"
	"time"

	"agora/internal/httpserver"
	"agora/internal/store"
)

// startAgain is the pause after an attempt to open the data that failed because a server of Redis is away.
const startAgain = 500 * time.Millisecond

// openToServe opens the data for the server. While masters of a cluster are away, it waits for as long as --wait says,
// and then opens what the others have. If that is not enough, because there is no copy of the layout or no master that
// answers, the server listens, is not ready and serves nothing until it is. Without replicas it is an error, because
// nothing would take the place of what is away.
func (p program) openToServe(ctx context.Context, c config, public, ops net.Listener) (*store.Connection, *store.Store,
	error) {
	until := time.Now().Add(c.Wait)
	conn, s, err := p.open(ctx, c)
	if store.Away(err) && c.Wait > 0 {
		p.log.Warn("waiting for Redis", "at_most", c.Wait, "error", err)
	}
	for store.Away(err) && time.Now().Before(until) && pause(ctx, startAgain) == nil {
		conn, s, err = p.open(ctx, c)
	}
	if !store.Away(err) || !c.replicated() || ctx.Err() != nil {
		return conn, s, err
	}
	c.partly = true
	if conn, s, err = p.open(ctx, c); !store.Away(err) {
		return conn, s, err
	}
	p.log.Warn("nothing is served until Redis answers", "trouble", store.TroubleAway, "error", err)
	defer serveNothing(public, ops)()
	for store.Away(err) && pause(ctx, startAgain) == nil {
		conn, s, err = p.open(ctx, c)
	}
	return conn, s, err
}

// serveNothing refuses all requests until stop is called; then the listeners can be used again. ops may be nil.
func serveNothing(public, ops net.Listener) (stop func()) {
	var stops []func()
	for _, l := range []net.Listener{public, ops} {
		tcp, is := l.(*net.TCPListener)
		if !is {
			continue
		}
		server, ended := httpserver.Server(httpserver.Away()), make(chan struct{})
		go func() { // ends with server.Close
			defer close(ended)
			server.Serve(lent{tcp})
		}()
		stops = append(stops, func() {
			server.Close()
			<-ended
			tcp.SetDeadline(time.Time{})
		})
	}
	return func() {
		for _, stop := range stops {
			stop()
		}
	}
}

// lent is a listener whose Close only ends Accept.
type lent struct{ *net.TCPListener }

// Close implements net.Listener.
func (l lent) Close() error { return l.SetDeadline(time.Now()) }

// pause waits, or returns an error if ctx is done first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
