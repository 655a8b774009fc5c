package live

import (
	"context"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
)

// sessionTime is how long reading a session may take.
const sessionTime = 5 * time.Second

func unauthorized() closeFrame { return closeFrame{closeUnauthorized, "Unauthorized"} }

// owner is on whose behalf a live connection runs. Its session is read once more
// whenever it may have changed.
type owner struct {
	host   Host
	live   *Connections
	caller auth.Caller
	// wake tells that the session may have changed; nil if nobody is signed in.
	wake <-chan struct{}
	stop func()
	// again is when the session is to be read once more; nil when that is not needed.
	again *time.Timer
}

// watchUser begins to watch a user.
func (l *Connections) watchUser(h Host, id forum.UserID) (wake <-chan struct{}, stop func()) {
	if l.Watch != nil {
		return l.Watch(id)
	}
	return h.Watch(id)
}

// own finds out on whose behalf a socket runs, from its connection_init or else the
// header with which it came; caller is who comes without either. The owner is to be
// released. Nobody is signed in twice, so watching comes before reading: what changes
// in between is not missed.
func (l *Connections) own(ctx context.Context, h Host, caller auth.Caller, header string) (*owner, *closeFrame) {
	w := &owner{host: h, live: l, caller: caller, stop: func() {}}
	if header == "" {
		return w, nil
	}
	no := unauthorized()
	token, ok := h.Token(header)
	if !ok {
		return w, &no
	}
	w.wake, w.stop = l.watchUser(h, token.User)
	viewer, err := w.read(ctx, token.User, token.Digest())
	if err != nil {
		h.SessionFailed(ctx, err)
		return w, &closeFrame{CloseTryLater, "The session cannot be checked just now"}
	}
	if viewer == nil {
		return w, &no
	}
	w.caller = h.As(w.caller, viewer)
	return w, nil
}

// keep is own for a stream, whose session was just read.
func (l *Connections) keep(h Host, caller auth.Caller) *owner {
	w := &owner{host: h, live: l, caller: caller, stop: func() {}}
	if caller.Viewer != nil {
		w.wake, w.stop = l.watchUser(h, caller.Viewer.ID)
	}
	return w
}

// release ends the watching.
func (w *owner) release() {
	w.stop()
	if w.again != nil {
		w.again.Stop()
	}
}

// read reads a session, few of all at a time.
func (w *owner) read(ctx context.Context, user forum.UserID, digest string) (*forum.Viewer, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	select {
	case w.live.checks <- struct{}{}:
		defer func() { <-w.live.checks }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return w.host.Session(ctx, user, digest)
}

// due tells when the session is to be read again after a failure.
func (w *owner) due() <-chan time.Time {
	if w.again == nil {
		return nil
	}
	return w.again.C
}

// check reads the session once more, and reports whether the connection has to end.
func (w *owner) check(ctx context.Context) *closeFrame {
	w.again = nil
	was := w.caller.Viewer
	if was == nil {
		return nil
	}
	is, err := w.read(ctx, was.ID, was.Session)
	switch {
	case err != nil:
		w.again = time.NewTimer(w.live.Times.Again)
		return nil
	case is == nil:
		no := unauthorized()
		return &no
	case is.Role != was.Role:
		return &closeFrame{closeRestart, "The user's role has changed"}
	}
	return nil
}
