package rules

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"agora/internal/forum"
)

// guests are the callers who are not signed in, as far as this process knows that they may use the site.
type guests struct {
	mu  sync.Mutex
	ctx context.Context // of what runs for guests; nil while they may not use the site
	end context.CancelFunc
}

// follow notes whether guests may use the site by the rules as they are known. What runs for them ends once they may
// not.
func (g *guests) follow(known *atomic.Pointer[knownRules]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch admitted := known.Load().rules.Access == forum.AccessEverybody; {
	case admitted && g.ctx == nil:
		g.ctx, g.end = context.WithCancel(context.Background())
	case !admitted && g.ctx != nil:
		g.end()
		g.ctx = nil
	}
}

// AdmitGuest returns an error if who is not signed in may not use the site: UNAUTHENTICATED if it is closed, and why
// that cannot be read if it was not known a second ago. A failed attempt of others does not count: Redis may be back.
func (s *Store) AdmitGuest(ctx context.Context) error {
	known, fresh := s.knownRules(ctx)
	var failed error
	if !fresh {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		failed = s.cache.refresh(ctx)
		known = s.cache.known.Load()
	}
	if known.rules.Access != forum.AccessEverybody {
		return forum.MembersOnly()
	}
	return failed
}

// ForGuest returns a context that ends with ctx, and within about a second after the site was closed to guests.
func (s *Store) ForGuest(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	g := &s.cache.guests
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ctx == nil {
		cancel()
		return ctx
	}
	forget := context.AfterFunc(g.ctx, cancel)
	context.AfterFunc(ctx, func() { forget() })
	return ctx
}
