package httpserver

import (
	"context"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
)

// sessionTime is how long reading a session may take.
const sessionTime = 5 * time.Second

func unauthorized() farewell { return farewell{closeUnauthorized, "Unauthorized"} }

// owner is on whose behalf a live connection runs. Its session is read once more
// whenever it may have changed.
type owner struct {
	site   Options
	live   *Live
	caller auth.Caller
	// wake tells that the session may have changed; nil if nobody is signed in.
	wake <-chan struct{}
	stop func()
	// again is when the session is to be read once more; nil when that is not needed.
	again *time.Timer
}

// watch begins to watch a user.
func (t *endpoint) watch(id forum.UserID) (wake <-chan struct{}, stop func()) {
	switch {
	case t.live.watch != nil:
		return t.live.watch(id)
	case t.site.Resolver.Events != nil:
		return t.site.Resolver.Events.WatchUser(id)
	}
	return nil, func() {}
}

// own finds out on whose behalf a socket runs, from its connection_init or else the
// header with which it came; caller is who comes without either. The owner is to be
// released. Nobody is signed in twice, so watching comes before reading: what changes
// in between is not missed.
func (t *endpoint) own(ctx context.Context, caller auth.Caller, header string) (*owner, *farewell) {
	w := &owner{site: t.site, live: t.live, caller: caller, stop: func() {}}
	if header == "" {
		return w, nil
	}
	no := unauthorized()
	token, ok := bearer(header)
	if !ok {
		return w, &no
	}
	w.wake, w.stop = t.watch(token.User)
	viewer, err := w.read(ctx, token.User, token.Digest())
	if err != nil {
		t.site.Resolver.Store.LogFailure(ctx, t.site.Log, "session cannot be read", "error", err)
		return w, &farewell{closeTryLater, "The session cannot be checked just now"}
	}
	if viewer == nil {
		return w, &no
	}
	w.caller.Viewer, w.caller.Visitor = viewer, visitorOf(viewer)
	return w, nil
}

// keep is own for a stream, whose session was just read.
func (t *endpoint) keep(caller auth.Caller) *owner {
	w := &owner{site: t.site, live: t.live, caller: caller, stop: func() {}}
	if caller.Viewer != nil {
		w.wake, w.stop = t.watch(caller.Viewer.ID)
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
	return w.site.signedIn(ctx, user, digest)
}

// due tells when the session is to be read again after a failure.
func (w *owner) due() <-chan time.Time {
	if w.again == nil {
		return nil
	}
	return w.again.C
}

// check reads the session once more, and tells whether the connection has to end.
func (w *owner) check(ctx context.Context) *farewell {
	w.again = nil
	was := w.caller.Viewer
	if was == nil {
		return nil
	}
	is, err := w.read(ctx, was.ID, was.Session)
	switch {
	case err != nil:
		w.again = time.NewTimer(w.live.times.again)
		return nil
	case is == nil:
		no := unauthorized()
		return &no
	case is.Role != was.Role:
		return &farewell{closeRestart, "The user's role has changed"}
	}
	return nil
}
