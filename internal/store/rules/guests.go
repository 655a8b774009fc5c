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
	known, failed := s.freshRules(ctx)
	if known.rules.Access != forum.AccessEverybody {
		return forum.MembersOnly()
	}
	return failed
}

// freshRules returns the rules as they are known, and an error unless they were that a second ago.
func (s *Store) freshRules(ctx context.Context) (*knownRules, error) {
	known, fresh := s.knownRules(ctx)
	if fresh {
		return known, nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err := s.cache.refresh(ctx)
	return s.cache.known.Load(), err
}

// Rooms returns the rules of the site, and UNAVAILABLE if there are rooms and it was not known a second ago who sees
// them.
func (s *Store) Rooms(ctx context.Context) (forum.Rules, error) {
	known, err := s.freshRules(ctx)
	if err == nil || !known.rules.HaveRooms() {
		return known.rules, nil
	}
	s.engine.LogFailure(ctx, s.engine.Log, "who sees which categories is unknown", "error", err)
	return known.rules, &forum.Error{Code: forum.CodeUnavailable,
		Message: "Who may see what is unknown at the moment. Try again."}
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
