package httpserver

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"agora/internal/auth"
	"agora/internal/httpserver/live"
	"agora/internal/store"
	"agora/internal/turns"
)

// turnPatience is how long an operation waits to begin.
const turnPatience = 10 * time.Second

// begin waits for a turn of the caller's network, and returns it, which must be ended; or it answers that the network has
// too much waiting, and returns nil.
func (o Options) begin(w http.ResponseWriter, r *http.Request, caller auth.Caller) *turns.Turn {
	turn, err := o.Live.Turns.Begin(r.Context(), caller.Payer())
	if err != nil && r.Context().Err() == nil {
		o.refuseCaller(w, r, tooMuchWaiting())
	}
	return turn
}

// tooMuchWaiting refuses what a network asks for beside too much else.
func tooMuchWaiting() *refusal {
	why := &refusal{status: http.StatusServiceUnavailable, errors: live.Crowded()}
	return why.with("Retry-After", strconv.Itoa(store.RetryAfter))
}

// waiting is a request's body. The caller's turn is paused while it is read: the client may be slow.
type waiting struct {
	io.ReadCloser
	ctx context.Context
}

// Read implements io.Reader.
func (b waiting) Read(p []byte) (int, error) {
	if turn := turns.From(b.ctx); turn.Pause() {
		defer turn.Resume(b.ctx)
	}
	return b.ReadCloser.Read(p)
}
