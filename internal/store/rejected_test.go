package store_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
)

// Whose account was rejected has its names for 30 days, wherever processes die; a moderator frees them at once.
func TestRejectedApplicationsAreForgotten(t *testing.T) {
	x := newSite(t)
	mia := x.Moderator("mia")
	ann, bob, cyd, dan := x.apply("ann"), x.apply("bob"), x.apply("cyd"), x.apply("dan")
	x.clock.Advance(100 * 24 * time.Hour) // what counts is when they were rejected
	for _, id := range []forum.UserID{ann, bob, cyd} {
		_, _, err := x.Accounts.ResolveApplication(x.ctx, mia, id, false, because)
		wantOK(t, "reject", err)
	}
	purge := func(want int) {
		t.Helper()
		if n, err := x.Purge(x.ctx); n != want || err != nil {
			t.Errorf("Purge = %d, %v; want %d", n, err, want)
		}
	}
	wantOK(t, "ForgetApplication", x.Accounts.ForgetApplication(x.ctx, cyd))
	x.wantFree("cyd")
	wantCode(t, "ForgetApplication of one that waits", x.Accounts.ForgetApplication(x.ctx, dan), forum.CodeNotFound)
	wantCode(t, "ForgetApplication of a member", x.Accounts.ForgetApplication(x.ctx, mia.ID), forum.CodeNotFound)
	x.clock.Advance(forum.RejectedLife - time.Millisecond)
	purge(0)
	_, _, err := x.Accounts.ResolveApplication(x.ctx, mia, bob, true, because)
	wantOK(t, "approve", err)
	_, err = x.Accounts.Register(x.ctx, account("ann"))
	wantCode(t, "Register(ann) before the end", err, forum.CodeTaken)
	x.clock.Advance(time.Millisecond)
	for n, died := 1, true; died; n++ {
		died = x.dies(n, func(s *store.Store) { s.Purge(x.ctx) })
	}
	purge(0)
	x.wantClean()
	x.wantFree("ann")
	x.wantFree("ann@example.org")
	x.wantOwner("bob", bob)
	x.wantOwner("dan", dan)
	if f := x.hash(key.User(ann)); f["state"] != "DELETED" || f["email"] != "" || f["applicationText"] != "" {
		t.Errorf("what is left of ann is %v", f)
	}
	x.wantClean()
}
