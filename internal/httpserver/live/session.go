package live

import (
	"context"
	"errors"
	"net/http"
	"slices"
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
	conn *liveConn
	// caller is who calls; mu guards it, because a mutation may renew the token.
	mu     sync.Mutex
	caller auth.Caller
	// request is that of a socket; nil for a stream.
	request *http.Request
	// wake receives when the session may have changed; nil if signed out.
	wake <-chan struct{}
	stop func()
	// again fires when the session must be read again; nil if that is not needed.
	again *time.Timer
}

// watch begins to watch the users of a credential.
func (l *Connections) watch(h Host, c forum.Credential) (wake <-chan struct{}, stop func()) {
	if l.Watch != nil {
		return l.Watch(c.Users()...)
	}
	return h.Watch(c.Users()...)
}

// own determines the caller of a connection, a socket, from its connection_init or otherwise from its request; caller
// is used if there is neither, and signed out if the account may not be used. The owner must be released. Watching
// begins before the session is read, so that no change in between is missed.
func (l *Connections) own(ctx context.Context, h Host, conn *liveConn, caller auth.Caller, authorization string,
	r *http.Request) (*owner, *closeFrame) {
	w := &owner{host: h, live: l, conn: conn, caller: caller, request: r, stop: func() {}}
	c, given, err := w.identify(ctx, authorization)
	if !given || err != nil {
		return w, w.refused(ctx, err)
	}
	w.wake, w.stop = l.watch(h, c)
	viewer, err := w.read(ctx, c)
	if err != nil {
		return w, w.refused(ctx, err)
	}
	if viewer == nil {
		no := unauthorized()
		return w, &no
	}
	w.caller = h.As(w.caller, viewer)
	return w, nil
}

// refused returns how a socket ends whose user cannot be identified because of err; nil if there is no error, or the
// account may not be used.
func (w *owner) refused(ctx context.Context, err error) *closeFrame {
	if err == nil {
		return nil
	}
	if w.caller.Barred = w.host.Barred(err); w.caller.Barred != nil {
		return nil
	}
	return w.failed(ctx, err)
}

// who returns the caller.
func (w *owner) who() auth.Caller {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.caller
}

// renew replaces the caller's session by that of another token of the same user, and returns when it ends. Operations
// in progress go on.
func (w *owner) renew(ctx context.Context, token string) (forum.Time, error) {
	path := forum.Path("token")
	c, _, err := w.identify(ctx, "Bearer "+token)
	if err != nil {
		return 0, forum.Invalid(path, "The token is not accepted: %s", w.failed(ctx, err).reason)
	}
	viewer, err := w.read(ctx, c)
	was := w.who().Viewer
	switch {
	case err != nil && w.failed(ctx, err).code == closeUnauthorized:
		return 0, forum.Invalid(path, "The token is not accepted: %s", forum.CodeOf(err))
	case err != nil:
		return 0, err
	case viewer == nil:
		return 0, forum.Invalid(path, "The token is not accepted: it has ended.")
	case was == nil || viewer.ID != was.ID || viewer.Owner != was.Owner:
		return 0, forum.Invalid(path, "The token is another user's.")
	case !viewer.SameRights(was) || !slices.Equal(viewer.Scopes, was.Scopes):
		return 0, forum.Invalid(path, "The user's rights are others. Connect again.")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.caller.Viewer = viewer
	w.conn.bound(viewer)
	return viewer.SessionEnds, nil
}

// errNoToken is the error of what is no token.
var errNoToken = &forum.Error{Code: forum.CodeUnauthenticated, Message: "The token is malformed."}

// identify returns what the caller signs in with; given is false for nothing.
func (w *owner) identify(ctx context.Context, authorization string) (c forum.Credential, given bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	c, given, err = w.host.Credential(ctx, authorization, w.request, w.who())
	if err == nil && given && c.Owner == 0 {
		err = errNoToken
	}
	return c, given, err
}

// failed returns how a socket ends whose user cannot be identified.
func (w *owner) failed(ctx context.Context, err error) *closeFrame {
	if errors.Is(err, errNoToken) {
		no := unauthorized()
		return &no
	}
	why, ever := w.host.SessionFailed(ctx, err)
	if ever {
		return &closeFrame{closeUnauthorized, why}
	}
	return &closeFrame{CloseTryLater, "The session cannot be checked just now"}
}

// keep is own for a stream, whose session was just read.
func (l *Connections) keep(h Host, conn *liveConn, caller auth.Caller) *owner {
	w := &owner{host: h, live: l, conn: conn, caller: caller, stop: func() {}}
	if caller.Viewer != nil {
		w.wake, w.stop = l.watch(h, caller.Viewer.Credential())
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

// read reads the session or account of a credential; only a few are read at a time.
func (w *owner) read(ctx context.Context, c forum.Credential) (*forum.Viewer, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTime)
	defer cancel()
	select {
	case w.live.checks <- struct{}{}:
		defer func() { <-w.live.checks }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return w.host.Session(ctx, c)
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
	is, err := w.read(ctx, was.Credential())
	switch {
	case err != nil && forum.CodeOf(err) == "":
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
	w.conn.rightsEnd.Store(int64(is.RightsEnd()))
	return nil
}
