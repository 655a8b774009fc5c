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

// owner is the caller of a live connection. Its session is read again whenever it may have changed.
type owner struct {
	host   Host
	live   *Connections
	caller auth.Caller
	// wake receives when the session may have changed; nil if signed out.
	wake <-chan struct{}
	stop func()
	// again fires when the session must be read again; nil if that is not needed.
	again *time.Timer
}

// watchUser begins to watch a user.
func (l *Connections) watchUser(h Host, id forum.UserID) (wake <-chan struct{}, stop func()) {
	if l.Watch != nil {
		return l.Watch(id)
	}
	return h.Watch(id)
}

// own determines the caller of a socket, from its connection_init or otherwise the header of the upgrade request;
// caller is used if there is neither. The owner must be released. Watching begins before the session is read, so that
// no change in between is missed.
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

// release stops watching.
func (w *owner) release() {
	w.stop()
	if w.again != nil {
		w.again.Stop()
	}
}

// read reads a session; only a few are read at a time.
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

// due returns when to read the session again after a failure.
func (w *owner) due() <-chan time.Time {
	if w.again == nil {
		return nil
	}
	return w.again.C
}

// check reads the session again, and returns why the connection must end, or nil.
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
	case !is.SameRights(was):
		return &closeFrame{closeRestart, "The user's rights have changed"}
	}
	return nil
}
