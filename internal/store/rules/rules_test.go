package rules

import (
	"context"
	"errors"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// What a process knows of the rules is not replaced by what was read before a change, when that arrives later.
func TestRulesStayAsTheyWereReadLast(t *testing.T) {
	rdb := redistest.New(t)
	c := NewCache(rdb, nil)
	must.OK(t, rdb.HSet(t.Context(), key.Rules, "newMemberLinks", "1").Err())
	pipe := rdb.Pipeline()
	learn := c.queue(t.Context(), pipe)
	must.Do(pipe.Exec(t.Context()))(t)
	must.OK(t, rdb.HSet(t.Context(), key.Rules, "newMemberLinks", "2").Err())
	must.OK(t, c.refresh(t.Context()))
	learn()
	if n := c.known.Load().rules.NewMemberLinks; n == nil || *n != 2 {
		t.Errorf("new members may post %v links; want the 2 that were read last", n)
	}
}

// While the rules cannot be read, those known a second ago admit nobody who is not signed in. In a cluster the copies
// are read instead, and a site is closed in all of them before that is acknowledged.
func TestGuestsWhileTheRulesAreAway(t *testing.T) {
	rdb := redistest.New(t)
	away := errors.New("away")
	copied := record.Fields{"access": "1"}
	copies := &Copies{Read: func(context.Context) (record.Fields, error) { return copied, away }}
	cache := NewCache(rdb, copies)
	s := &Store{cache: cache}
	must.OK(t, cache.refresh(t.Context()))
	admitted := func(what string, want forum.Code) {
		t.Helper()
		if got := forum.CodeOf(s.AdmitGuest(t.Context())); got != want {
			t.Errorf("%s: guests get %q; want %q", what, got, want)
		}
	}
	admitted("known", "")
	running := s.ForGuest(t.Context())
	rdb.Close()
	cache.known.Store(&knownRules{rules: record.ParseRules(nil)}) // known so long ago that they must be read again
	cache.failed = time.Time{}
	if err := s.AdmitGuest(t.Context()); !errors.Is(err, away) {
		t.Errorf("no rules, no copies: %v; want that they are away", err)
	}
	away, cache.failed = nil, time.Time{}
	admitted("a copy", forum.CodeUnauthenticated)
	<-running.Done() // or the test takes too long
	if s.ForGuest(t.Context()).Err() == nil {
		t.Error("something begins for a guest")
	}
}
