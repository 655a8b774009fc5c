package accounts_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// Whose account was rejected has its names for 30 days, wherever processes die; a moderator frees them at once.
func TestRejectedApplicationsAreForgotten(t *testing.T) {
	x := storetest.New(t)
	mia := x.Moderator("mia")
	ann, bob, cyd, dan := apply(x, "ann"), apply(x, "bob"), apply(x, "cyd"), apply(x, "dan")
	x.Clock.Advance(100 * 24 * time.Hour) // what counts is when they were rejected
	for _, id := range []forum.UserID{ann, bob, cyd} {
		_, _, err := x.Accounts.ResolveApplication(x.Ctx, mia, id, false, storetest.Because)
		storetest.WantOK(t, "reject", err)
	}
	purge := func(want int) {
		t.Helper()
		if n, err := x.Purge(x.Ctx); n != want || err != nil {
			t.Errorf("Purge = %d, %v; want %d", n, err, want)
		}
	}
	storetest.WantOK(t, "ForgetApplication", x.Accounts.ForgetApplication(x.Ctx, cyd))
	wantFree(x, "cyd")
	storetest.WantCode(t, "ForgetApplication of one that waits", x.Accounts.ForgetApplication(x.Ctx, dan),
		forum.CodeNotFound)
	storetest.WantCode(t, "ForgetApplication of a member", x.Accounts.ForgetApplication(x.Ctx, mia.ID),
		forum.CodeNotFound)
	x.Clock.Advance(forum.RejectedLife - time.Millisecond)
	purge(0)
	_, _, err := x.Accounts.ResolveApplication(x.Ctx, mia, bob, true, storetest.Because)
	storetest.WantOK(t, "approve", err)
	_, err = x.Accounts.Register(x.Ctx, site.Account("ann"))
	storetest.WantCode(t, "Register(ann) before the end", err, forum.CodeTaken)
	x.Clock.Advance(time.Millisecond)
	for n, died := 1, true; died; n++ {
		died = x.Dies(n, func(s *store.Store) { s.Purge(x.Ctx) })
	}
	purge(0)
	x.WantClean()
	wantFree(x, "ann")
	wantFree(x, "ann@example.org")
	wantOwner(x, "bob", bob)
	wantOwner(x, "dan", dan)
	if f := x.Hash(key.User(ann)); f["state"] != "DELETED" || f["email"] != "" || f["applicationText"] != "" {
		t.Errorf("what is left of ann is %v", f)
	}
	x.WantClean()
}
