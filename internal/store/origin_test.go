package store_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/test/testlevel"
)

// otherExternal is another account at the issuer.
var otherExternal = forum.External{Issuer: someExternal.Issuer, Subject: "other"}

// begin begins a session that came from an account at an issuer, "" for none.
func (x *site) begin(id forum.UserID, digest, origin string, issued forum.Time) error {
	return x.Accounts.StartSession(x.ctx, accounts.NewSession{User: id, Digest: digest, Origin: origin, Issued: issued,
		Ends: x.Engine.Now() + forum.Time(forum.SessionMost.Milliseconds())})
}

// signedInFrom makes a session and an API token from each origin, by their order, and returns the user.
func (x *site) signedInFrom(origins ...string) forum.UserID {
	x.t.Helper()
	id := x.User("ann").ID
	for _, of := range []forum.External{someExternal, otherExternal} {
		_, err := x.Accounts.LinkExternal(x.ctx, id, of, false)
		wantOK(x.t, "LinkExternal", err)
	}
	for n, origin := range origins {
		wantOK(x.t, "StartSession", x.begin(id, fmt.Sprintf("%064x", n), origin, x.Engine.Now()))
		by := &forum.Viewer{ID: id, Origin: origin, Session: fmt.Sprintf("%064x", n)}
		_, err := x.Accounts.CreateToken(x.ctx, by, forum.APIToken{Digest: fmt.Sprintf("%064x", 100+n),
			Name: "a :b: c", Scopes: forum.Scopes})
		wantOK(x.t, "CreateToken", err)
	}
	return id
}

// left returns which of the sessions and tokens of signedInFrom sign in.
func (x *site) left(id forum.UserID) (left []int) {
	for n := range 3 {
		session := x.session(id, fmt.Sprintf("%064x", n)) != nil
		if token := x.signsIn(id, fmt.Sprintf("%064x", 100+n)); session != token {
			x.t.Errorf("origin %d: the session signs in: %t, the token: %t", n, session, token)
		}
		if session {
			left = append(left, n)
		}
	}
	return left
}

// What came from an account at an issuer ends with it, wherever it is kept; other sessions and tokens stay.
func TestSessionsEndWithTheirOrigin(t *testing.T) {
	testlevel.Sequential(t)
	for name, tt := range map[string]struct {
		end  func(x *site, ann, bob forum.UserID) error
		left []int
	}{
		"unlinked": {func(x *site, ann, _ forum.UserID) error {
			return x.Accounts.UnlinkExternal(x.ctx, ann,
				someExternal)
		}, []int{0, 2}},
		"taken": {func(x *site, _, bob forum.UserID) error {
			_, err := x.Accounts.LinkExternal(x.ctx, bob, someExternal, true)
			return err
		}, []int{0, 2}},
		"signed out at the issuer": {func(x *site, ann, _ forum.UserID) error {
			_, err := x.Accounts.LogOut(x.ctx, ann, someExternal, x.Engine.Now())
			return err
		}, []int{0, 2}},
		"deactivated": {func(x *site, ann, _ forum.UserID) error {
			if err := x.Accounts.SetDeactivated(x.ctx, ann, true); err != nil {
				return err
			}
			return x.Accounts.SetDeactivated(x.ctx, ann, false)
		}, nil},
		"all ended": {func(x *site, ann, _ forum.UserID) error { return x.Accounts.EndSessions(x.ctx, ann) }, nil},
	} {
		x := newSite(t)
		bob := x.User("bob").ID
		ann := x.signedInFrom("", someExternal.Hash(), otherExternal.Hash())
		x.clock.Advance(2 * time.Hour)
		_, err := x.Accounts.TouchSession(x.ctx, ann, fmt.Sprintf("%064x", 1))
		wantOK(t, "TouchSession", err)
		wantOK(t, "TouchToken", x.Accounts.TouchToken(x.ctx, ann, fmt.Sprintf("%064x", 101)))
		x.wantClean()
		wantOK(t, name, tt.end(x, ann, bob))
		if left := x.left(ann); !slices.Equal(left, tt.left) {
			t.Errorf("%s: %v are left; want %v", name, left, tt.left)
		}
		x.wantClean()
	}
}

// Sessions and tokens of earlier versions may have come from anywhere.
func TestSessionsOfEarlierVersionsEnd(t *testing.T) {
	x := newSite(t)
	ann := x.signedInFrom("", someExternal.Hash(), otherExternal.Hash())
	for _, k := range []string{key.Sessions(ann), key.Tokens(ann)} {
		for digest, value := range x.hash(k) {
			words := strings.SplitN(value, " ", 5)
			for i := range words[:4] {
				words[i], _, _ = strings.Cut(words[i], ":")
			}
			x.rdb.HSet(x.ctx, k, digest, strings.Join(words, " "))
		}
	}
	if left := x.left(ann); len(left) != 3 {
		t.Fatalf("of an earlier version, %v sign in; want all", left)
	}
	x.wantClean()
	wantOK(t, "UnlinkExternal", x.Accounts.UnlinkExternal(x.ctx, ann, someExternal))
	if left := x.left(ann); left != nil {
		t.Errorf("%v are left; want none", left)
	}
}

// A token of an issuer makes nothing once it is refused: neither a session nor an API token.
func TestRefusedTokensMakeNothing(t *testing.T) {
	for name, end := range map[string]func(x *site, id forum.UserID) error{
		"unlinked": func(x *site, id forum.UserID) error { return x.Accounts.UnlinkExternal(x.ctx, id, someExternal) },
		"signed out": func(x *site, id forum.UserID) error {
			_, err := x.Accounts.LogOut(x.ctx, id, someExternal, x.Engine.Now())
			return err
		},
		"all ended": func(x *site, id forum.UserID) error { return x.Accounts.EndSessions(x.ctx, id) },
	} {
		x := newSite(t)
		id, issued := x.signedInFrom(someExternal.Hash()), x.Engine.Now()
		x.clock.Advance(time.Second)
		wantOK(t, name, end(x, id))
		wantCode(t, name+": StartSession", x.begin(id, digestA, someExternal.Hash(), issued), forum.CodeUnauthenticated)
		_, err := x.Accounts.CreateToken(x.ctx, &forum.Viewer{ID: id, Origin: someExternal.Hash(), Issued: issued},
			forum.APIToken{Digest: digestB, Name: "n", Scopes: forum.Scopes})
		wantCode(t, name+": CreateToken", err, forum.CodeUnauthenticated)
		if name != "unlinked" {
			wantOK(t, name+": StartSession by a newer token", x.begin(id, digestA, someExternal.Hash(),
				x.Engine.Now()+1))
		}
		x.wantClean()
	}
}

// A sign-out that is repeated, or comes after a later one, ends nothing that began since.
func TestLogOutsAreNotReplayed(t *testing.T) {
	testlevel.Sequential(t)
	x := newSite(t)
	rapid.Check(t, func(rt *rapid.T) {
		x.empty()
		id, hash := x.signedInFrom(), someExternal.Hash()
		latest, open := forum.Time(0), map[string]bool{}
		for n := range rapid.IntRange(1, 8).Draw(rt, "events") {
			x.clock.Advance(time.Duration(rapid.IntRange(0, 3).Draw(rt, "pause")) * time.Second)
			at := x.Engine.Now() - forum.Time(rapid.IntRange(0, 5).Draw(rt, "age"))*1000
			if rapid.Bool().Draw(rt, "out") {
				done, err := x.Accounts.LogOut(x.ctx, id, someExternal, at)
				wantOK(t, "LogOut", err)
				if done != (at > latest) {
					rt.Fatalf("LogOut at %d after %d = %t", at, latest, done)
				}
				if done {
					latest = at
					clear(open)
				}
			} else if digest := fmt.Sprintf("%064x", n); x.begin(id, digest, hash, at) == nil {
				if at <= latest {
					rt.Fatalf("a token of %d signs in after a sign-out at %d", at, latest)
				}
				open[digest] = true
			} else if at > latest {
				rt.Fatalf("a token of %d is refused after a sign-out at %d", at, latest)
			}
			var left []string
			for digest := range x.hash(key.Sessions(id)) {
				left = append(left, digest)
			}
			if slices.Sort(left); !slices.Equal(left, slices.Sorted(maps.Keys(open))) {
				rt.Fatalf("the sessions %v are left; want %v", left, open)
			}
		}
		x.wantClean()
	})
}

// An unlink that is killed before any step leaves no session of the account once it is done again.
func TestCrashOfEndingSessions(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := newSite(t)
		bob := x.User("bob").ID
		ann := x.signedInFrom("", someExternal.Hash(), otherExternal.Hash())
		died = x.dies(n, func(s *store.Store) { s.Accounts.LinkExternal(x.ctx, bob, someExternal, true) })
		if left := x.left(ann); slices.Contains(left, 1) == (x.hash(key.Externals(ann))[someExternal.Hash()] == "") {
			t.Errorf("killed before step %d: the sessions of %v are left, the accounts %v", n, left, x.hash(key.Externals(ann)))
		}
		_, err := x.Accounts.LinkExternal(x.ctx, bob, someExternal, true)
		wantOK(t, "LinkExternal again", err)
		if left := x.left(ann); !slices.Equal(left, []int{0, 2}) {
			t.Errorf("killed before step %d: %v are left; want 0 and 2", n, left)
		}
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
		if n > 8 {
			t.Fatal("LinkExternal has too many steps")
		}
	}
}
