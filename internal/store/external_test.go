package store

import (
	"sync"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
)

var someExternal = forum.External{Issuer: "https://id.example.org", Subject: "a subject with spaces"}

// externalUser is an account for someExternal with a login.
func externalUser(login string) accounts.NewUser {
	return accounts.NewUser{Login: login, LoginFold: login, Name: login, External: someExternal}
}

// Of many first uses of an account at an issuer, with the logins that two servers chose, one makes the user, and all
// find it.
func TestFirstSightIsRaced(t *testing.T) {
	x := newSite(t)
	other := x.process()
	x.user("taken")
	const callers = 50
	ids, errs := make([]forum.UserID, callers), make([]error, callers)
	var wg sync.WaitGroup
	for n := range callers {
		wg.Go(func() {
			s, first := x.Store, "taken"
			if n%2 == 1 {
				s, first = other, "guest"
			}
			ids[n], errs[n] = s.Register(t.Context(), externalUser(first))
			if forum.CodeOf(errs[n]) == forum.CodeTaken {
				ids[n], errs[n] = s.Register(t.Context(), externalUser("guest"))
			}
		})
	}
	wg.Wait()
	for n := range callers {
		wantOK(t, "Register", errs[n])
		if ids[n] != ids[0] {
			t.Fatalf("call %d made user %d; want %d, as call 0", n, ids[n], ids[0])
		}
	}
	if got := x.hash(key.User(ids[0])); got["login"] != "guest" || got["external"] != someExternal.Hash() || got["owned"] != "-" {
		t.Errorf("the user is %v; want the login guest", got)
	}
	if got, want := x.hash(key.Externals(ids[0]))[someExternal.Hash()], "0 0 https://id.example.org a subject with spaces"; got != want {
		t.Errorf("its account at the issuer is %q; want %q", got, want)
	}
	if id, err := x.FindExternal(t.Context(), someExternal); err != nil || id != ids[0] {
		t.Errorf("FindExternal = %d, %v; want %d", id, err, ids[0])
	}
	x.wantClean()
}

// The first use of an account at an issuer may be killed before any step: the next one completes it, at once or after
// the sweeper has removed it.
func TestCrashOfFirstSight(t *testing.T) {
	for _, wait := range []time.Duration{0, forum.PendingLife} {
		for n, died := 1, true; died; n++ {
			x := newSite(t)
			died = x.killRegistering(n, externalUser("guest"))
			x.clock.Advance(wait)
			if wait > 0 {
				x.wantClean()
			}
			id, err := x.Register(t.Context(), externalUser("another"))
			wantOK(t, "Register", err)
			again, err := x.Register(t.Context(), externalUser("third"))
			wantOK(t, "Register again", err)
			if again != id {
				t.Errorf("killed before step %d: users %d and %d; want one", n, id, again)
			}
			x.wantClean()
			if n > 6 {
				t.Fatal("Register has too many steps")
			}
		}
	}
}

// An account at an issuer outlives its user, who may not come back as another one.
func TestExternalAccountOutlivesItsUser(t *testing.T) {
	x := newSite(t)
	id, err := x.Register(t.Context(), externalUser("guest"))
	wantOK(t, "Register", err)
	wantOK(t, "DeleteAccount", x.DeleteAccount(t.Context(), id, ""))
	x.wantClean()
	again, err := x.Register(t.Context(), externalUser("guest"))
	wantOK(t, "Register", err)
	if again != id {
		t.Errorf("Register after the deletion of user %d made %d", id, again)
	}
	read := x.Read(t.Context())
	account := read.External(id, someExternal.Hash(), 1, 2)
	wantOK(t, "Exec", read.Exec())
	a, err := account()
	wantOK(t, "External", err)
	wantCode(t, "sign-in of a deleted user", a.Refused, forum.CodeDeactivated)
	if x.hash(key.Externals(id)) == nil || len(x.hash(key.Externals(id))) > 0 {
		t.Errorf("a deleted user has %v; want nothing of the issuer", x.hash(key.Externals(id)))
	}
	x.wantClean()
}
