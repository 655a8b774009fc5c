package live

import (
	"context"
	"sync"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
)

// sessionTime is how long reading a session may take.
const sessionTime = 5 * time.Second

func unauthorized() closeFrame { return closeFrame{closeUnauthorized, "Unauthorized"} }

// owner is the caller of a live connection. Its session is read again whenever it may have changed.
type owner struct {
	host Host
	live *Connections
	// caller is who calls; mu guards it, because a mutation may renew the token.
	mu     sync.Mutex
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
	claimed, why := w.identify(ctx, header)
	if why != nil {
		return w, why
	}
	w.wake, w.stop = l.watchUser(h, claimed.ID)
	viewer, err := w.read(ctx, claimed)
	if err != nil {
		return w, w.failed(ctx, err)
	}
	if viewer == nil {
		no := unauthorized()
		return w, &no
	}
	w.caller = h.As(w.caller, viewer)
	return w, nil
}

// who returns the caller.
func (w *owner) who() auth.Caller {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.caller
}

// renew replaces the caller's session by that of another token of the same user, and returns when it ends. Operations in
// progress go on.
func (w *owner) renew(ctx context.Context, token string) (forum.Time, error) {
	path := forum.Input("token")
	claimed, why := w.identify(ctx, "Bearer "+token)
	if why != nil {
		return 0, forum.Invalid(path, "The token is not accepted: %s", why.reason)
	}
	was := w.who().Viewer
	if was == nil || claimed.ID != was.ID {
		return 0, forum.Invalid(path, "The token is another user's.")
	}
	viewer, err := w.read(ctx, claimed)
	switch {
	case err != nil:
		return 0, err
	case viewer == nil:
		return 0, forum.Invalid(path, "The token is not accepted: it has ended.")
	case !viewer.SameRights(was):
		return 0, forum.Invalid(path, "The user's rights have changed. Connect again.")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.caller.Viewer = viewer
	return viewer.SessionEnds, nil
}

// identify returns the user of an Authorization header, whose session has perhaps not been read.
func (w *owner) identify(ctx context.Context, header string) (*forum.Viewer, *closeFrame) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	claimed, err := w.host.Identify(ctx, header, w.who())
	if err != nil {
		return nil, w.failed(ctx, err)
	}
	if claimed == nil {
		no := unauthorized()
		return nil, &no
	}
	return claimed, nil
}

// failed returns how a socket ends whose user cannot be identified.
func (w *owner) failed(ctx context.Context, err error) *closeFrame {
	why, ever := w.host.SessionFailed(ctx, err)
	if ever {
		return &closeFrame{closeUnauthorized, why}
	}
	return &closeFrame{CloseTryLater, "The session cannot be checked just now"}
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

// read reads the session or account of a viewer again; only a few are read at a time.
func (w *owner) read(ctx context.Context, was *forum.Viewer) (*forum.Viewer, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	select {
	case w.live.checks <- struct{}{}:
		defer func() { <-w.live.checks }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return w.host.Session(ctx, was)
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
	was := w.who().Viewer
	if was == nil {
		return nil
	}
	is, err := w.read(ctx, was)
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
