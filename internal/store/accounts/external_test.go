package accounts_test

import (
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

// The first use of an account at an issuer may be killed before any step: the next one completes it, at once or after
// the sweeper has removed it.
func TestCrashOfFirstSight(t *testing.T) {
	testlevel.Sequential(t)
	for _, wait := range []time.Duration{0, forum.PendingLife} {
		for n, died := 1, true; died; n++ {
			x := storetest.New(t)
			died = killRegistering(x, n, storetest.ExternalUser("guest"))
			x.Clock.Advance(wait)
			if wait > 0 {
				x.WantClean()
			}
			id, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("another"))
			storetest.WantOK(t, "Register", err)
			again, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("third"))
			storetest.WantOK(t, "Register again", err)
			if again != id {
				t.Errorf("killed before step %d: users %d and %d; want one", n, id, again)
			}
			x.WantClean()
			if n > 6 {
				t.Fatal("Register has too many steps")
			}
		}
	}
}

// An account at an issuer outlives its user, who may not come back as another one.
func TestExternalAccountOutlivesItsUser(t *testing.T) {
	x := storetest.New(t)
	id, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("guest"))
	storetest.WantOK(t, "Register", err)
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), id, ""))
	x.WantClean()
	again, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("guest"))
	storetest.WantOK(t, "Register", err)
	if again != id {
		t.Errorf("Register after the deletion of user %d made %d", id, again)
	}
	read := x.Read(t.Context())
	account := read.Sessions.External(id, sessions.SignInToken{Hash: storetest.SomeExternal.Hash(), IssuedAt: 1,
		Ends: 2})
	storetest.WantOK(t, "Exec", read.Exec())
	a, err := account()
	storetest.WantOK(t, "External", err)
	storetest.WantCode(t, "sign-in of a deleted user", a.Refused, forum.CodeDeactivated)
	if x.Hash(key.Externals(id)) == nil || len(x.Hash(key.Externals(id))) > 0 {
		t.Errorf("a deleted user has %v; want nothing of the issuer", x.Hash(key.Externals(id)))
	}
	x.WantClean()
}

// wantExternal checks which user has storetest.SomeExternal, and that it is the only one.
func wantExternal(x *storetest.Site, t *testing.T, what string, want forum.UserID) {
	t.Helper()
	id, err := x.Accounts.FindExternal(t.Context(), storetest.SomeExternal)
	storetest.WantOK(t, "FindExternal", err)
	if id != want {
		t.Errorf("%s: the account leads to user %d; want %d", what, id, want)
	}
	for _, k := range x.KeysLike(":external") {
		if has := x.Hash(k)[storetest.SomeExternal.Hash()] != ""; has != (k == key.Externals(want)) {
			t.Errorf("%s: %s has the account: %t", what, k, has)
		}
	}
}

func TestLinkExternal(t *testing.T) {
	x := storetest.New(t)
	ann, bob := x.User("ann").ID, x.UserElsewhere(x.User("cid").ID.Partition()).ID
	link := func(id forum.UserID, take bool) (bool, error) {
		return x.Accounts.LinkExternal(t.Context(), id, storetest.SomeExternal, take)
	}
	_, err := link(512, false)
	storetest.WantCode(t, "link nobody", err, forum.CodeNotFound)
	for _, want := range []bool{true, false} {
		changed, err := link(ann, false)
		storetest.WantOK(t, "link", err)
		if changed != want {
			t.Errorf("linked: %t; want %t", changed, want)
		}
	}
	wantExternal(x, t, "linked", ann)
	if got := x.Hash(key.User(ann))["owned"]; got != "login name avatar role" {
		t.Errorf("of a user who was here before, the site owns %q; want all", got)
	}
	again, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("guest"))
	if err != nil || again != ann {
		t.Errorf("the first sign-in is of user %d, %v; want %d", again, err, ann)
	}
	_, err = link(bob, false)
	storetest.WantCode(t, "link what another user has", err, forum.CodeTaken)
	_, err = link(bob, true)
	storetest.WantOK(t, "take", err)
	wantExternal(x, t, "taken", bob)
	storetest.WantCode(t, "unlink what one does not have", x.Accounts.UnlinkExternal(t.Context(), ann,
		storetest.SomeExternal),
		forum.CodeNotFound)
	storetest.WantOK(t, "unlink", x.Accounts.UnlinkExternal(t.Context(), bob, storetest.SomeExternal))
	wantExternal(x, t, "unlinked", 0)

	guest, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("guest"))
	storetest.WantOK(t, "Register", err)
	storetest.WantOK(t, "unlink the first account", x.Accounts.UnlinkExternal(t.Context(), guest,
		storetest.SomeExternal))
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), guest, ""))
	x.WantClean()
	_, err = link(ann, false)
	storetest.WantOK(t, "link after its first user was deleted", err)
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteUser(t.Context(), ann, false))
	_, err = link(bob, true)
	storetest.WantCode(t, "link what a deleted user has", err, forum.CodeDeactivated)
	for n := range forum.MaxExternals {
		of := forum.External{Issuer: storetest.SomeExternal.Issuer, Subject: string(rune('a' + n))}
		_, err := x.Accounts.LinkExternal(t.Context(), bob, of, false)
		storetest.WantOK(t, "link", err)
	}
	_, err = x.Accounts.LinkExternal(t.Context(), bob, forum.External{Issuer: storetest.SomeExternal.Issuer,
		Subject: "more"},
		false)
	storetest.WantCode(t, "link one more", err, forum.CodeTooLong)
	x.WantClean()
}

// A link that takes an account from another user may be killed before any step: afterwards one of the two has it, or
// nobody, and it can be done again.
func TestCrashOfLink(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		ann, bob := x.User("ann").ID, x.UserElsewhere(x.User("cid").ID.Partition()).ID
		_, err := x.Accounts.LinkExternal(t.Context(), ann, storetest.SomeExternal, false)
		storetest.WantOK(t, "LinkExternal", err)
		died = x.Dies(n, func(s *store.Store) { s.Accounts.LinkExternal(x.Ctx, bob, storetest.SomeExternal, true) })
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		_, err = x.Accounts.LinkExternal(t.Context(), bob, storetest.SomeExternal, true)
		storetest.WantOK(t, "LinkExternal again", err)
		wantExternal(x, t, "linked", bob)
		x.WantClean()
		if n > 8 {
			t.Fatal("LinkExternal has too many steps")
		}
	}
}

// An unlink may be killed before any step: the account can be linked to the same user again at once, and nothing that
// was left to release takes it away later.
func TestCrashOfUnlink(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		ann := x.User("ann").ID
		_, err := x.Accounts.LinkExternal(t.Context(), ann, storetest.SomeExternal, false)
		storetest.WantOK(t, "LinkExternal", err)
		died = x.Dies(n, func(s *store.Store) { s.Accounts.UnlinkExternal(x.Ctx, ann, storetest.SomeExternal) })
		x.Clock.Advance(time.Millisecond)
		_, err = x.Accounts.LinkExternal(t.Context(), ann, storetest.SomeExternal, false)
		storetest.WantOK(t, "LinkExternal again", err)
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		wantExternal(x, t, "linked again", ann)
		if n > 4 {
			t.Fatal("UnlinkExternal has too many steps")
		}
	}
}

// Of many users who are linked to one account at the same time, one gets it.
func TestLinksAreRaced(t *testing.T) {
	x := storetest.New(t)
	var ids []forum.UserID
	for _, login := range []string{"ann", "bob", "cid", "dan", "eve"} {
		ids = append(ids, x.User(login).ID)
	}
	errs := make([]error, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() { _, errs[i] = x.Accounts.LinkExternal(t.Context(), id, storetest.SomeExternal, false) })
	}
	wg.Wait()
	won := forum.UserID(0)
	for i, err := range errs {
		if err == nil && won != 0 {
			t.Errorf("users %d and %d were both linked", won, ids[i])
		} else if err == nil {
			won = ids[i]
		} else {
			storetest.WantCode(t, "LinkExternal", err, forum.CodeTaken)
		}
	}
	wantExternal(x, t, "raced", won)
	x.WantClean()
}
