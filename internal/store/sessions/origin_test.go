package sessions_test

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
	"agora/internal/store/internal/key"
	"agora/internal/store/sessions"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
	_ "agora/internal/test/testseed"
)

// otherExternal is another account at the issuer.
var otherExternal = forum.External{Issuer: storetest.SomeExternal.Issuer, Subject: "other"}

// begin begins a session that came from an account at an issuer, "" for none.
func begin(x *storetest.Site, id forum.UserID, digest, origin string, issued forum.Time) error {
	return x.Sessions.StartSession(x.Ctx, sessions.NewSession{User: id, Digest: digest, Origin: origin, Issued: issued,
		Ends: x.Engine.Now() + forum.Time(forum.SessionMost.Milliseconds())})
}

// signedInFrom makes a session and an API token from each origin, by their order, and returns the user.
func signedInFrom(x *storetest.Site, origins ...string) forum.UserID {
	x.T.Helper()
	id := x.User("ann").ID
	for _, of := range []forum.External{storetest.SomeExternal, otherExternal} {
		_, err := x.Accounts.LinkExternal(x.Ctx, id, of, false)
		storetest.WantOK(x.T, "LinkExternal", err)
	}
	for n, origin := range origins {
		storetest.WantOK(x.T, "StartSession", begin(x, id, fmt.Sprintf("%064x", n), origin, x.Engine.Now()))
		by := &forum.Viewer{ID: id, Origin: origin, Session: fmt.Sprintf("%064x", n)}
		_, err := x.Sessions.CreateToken(x.Ctx, by, forum.APIToken{Digest: fmt.Sprintf("%064x", 100+n),
			Name: "a :b: c", Scopes: forum.Scopes})
		storetest.WantOK(x.T, "CreateToken", err)
	}
	return id
}

// left returns which of the sessions and tokens of signedInFrom sign in.
func left(x *storetest.Site, id forum.UserID) (left []int) {
	for n := range 3 {
		session := x.SignedIn(id, fmt.Sprintf("%064x", n)) != nil
		if token := signsIn(x, id, fmt.Sprintf("%064x", 100+n)); session != token {
			x.T.Errorf("origin %d: the session signs in: %t, the token: %t", n, session, token)
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
		end  func(x *storetest.Site, ann, bob forum.UserID) error
		left []int
	}{
		"unlinked": {func(x *storetest.Site, ann, _ forum.UserID) error {
			return x.Accounts.UnlinkExternal(x.Ctx, ann,
				storetest.SomeExternal)
		}, []int{0, 2}},
		"taken": {func(x *storetest.Site, _, bob forum.UserID) error {
			_, err := x.Accounts.LinkExternal(x.Ctx, bob, storetest.SomeExternal, true)
			return err
		}, []int{0, 2}},
		"signed out at the issuer": {func(x *storetest.Site, ann, _ forum.UserID) error {
			_, err := x.Sessions.LogOut(x.Ctx, ann, storetest.SomeExternal, x.Engine.Now())
			return err
		}, []int{0, 2}},
		"deactivated": {func(x *storetest.Site, ann, _ forum.UserID) error {
			if err := x.Accounts.SetDeactivated(x.Ctx, ann, true); err != nil {
				return err
			}
			return x.Accounts.SetDeactivated(x.Ctx, ann, false)
		}, nil},
		"all ended": {func(x *storetest.Site, ann, _ forum.UserID) error {
			return x.Sessions.EndSessions(x.Ctx, ann)
		}, nil},
	} {
		x := storetest.New(t)
		bob := x.User("bob").ID
		ann := signedInFrom(x, "", storetest.SomeExternal.Hash(), otherExternal.Hash())
		x.Clock.Advance(2 * time.Hour)
		_, err := x.Sessions.TouchSession(x.Ctx, ann, fmt.Sprintf("%064x", 1))
		storetest.WantOK(t, "TouchSession", err)
		storetest.WantOK(t, "TouchToken", x.Sessions.TouchToken(x.Ctx, ann, fmt.Sprintf("%064x", 101)))
		x.WantClean()
		storetest.WantOK(t, name, tt.end(x, ann, bob))
		if left := left(x, ann); !slices.Equal(left, tt.left) {
			t.Errorf("%s: %v are left; want %v", name, left, tt.left)
		}
		x.WantClean()
	}
}

// Sessions and tokens of earlier versions may have come from anywhere.
func TestSessionsOfEarlierVersionsEnd(t *testing.T) {
	x := storetest.New(t)
	ann := signedInFrom(x, "", storetest.SomeExternal.Hash(), otherExternal.Hash())
	for _, k := range []string{key.Sessions(ann), key.Tokens(ann)} {
		for digest, value := range x.Hash(k) {
			words := strings.SplitN(value, " ", 5)
			for i := range words[:4] {
				words[i], _, _ = strings.Cut(words[i], ":")
			}
			x.Redis.HSet(x.Ctx, k, digest, strings.Join(words, " "))
		}
	}
	if left := left(x, ann); len(left) != 3 {
		t.Fatalf("of an earlier version, %v sign in; want all", left)
	}
	x.WantClean()
	storetest.WantOK(t, "UnlinkExternal", x.Accounts.UnlinkExternal(x.Ctx, ann, storetest.SomeExternal))
	if left := left(x, ann); left != nil {
		t.Errorf("%v are left; want none", left)
	}
}

// A token of an issuer makes nothing once it is refused: neither a session nor an API token.
func TestRefusedTokensMakeNothing(t *testing.T) {
	for name, end := range map[string]func(x *storetest.Site, id forum.UserID) error{
		"unlinked": func(x *storetest.Site, id forum.UserID) error {
			return x.Accounts.UnlinkExternal(x.Ctx, id, storetest.SomeExternal)
		},
		"signed out": func(x *storetest.Site, id forum.UserID) error {
			_, err := x.Sessions.LogOut(x.Ctx, id, storetest.SomeExternal, x.Engine.Now())
			return err
		},
		"all ended": func(x *storetest.Site, id forum.UserID) error { return x.Sessions.EndSessions(x.Ctx, id) },
	} {
		x := storetest.New(t)
		id, issued := signedInFrom(x, storetest.SomeExternal.Hash()), x.Engine.Now()
		x.Clock.Advance(time.Second)
		storetest.WantOK(t, name, end(x, id))
		storetest.WantCode(t, name+": StartSession", begin(x, id, storetest.DigestA, storetest.SomeExternal.Hash(),
			issued), forum.CodeUnauthenticated)
		_, err := x.Sessions.CreateToken(x.Ctx, &forum.Viewer{ID: id, Origin: storetest.SomeExternal.Hash(),
			Issued: issued},
			forum.APIToken{Digest: storetest.DigestB, Name: "n", Scopes: forum.Scopes})
		storetest.WantCode(t, name+": CreateToken", err, forum.CodeUnauthenticated)
		if name != "unlinked" {
			storetest.WantOK(t, name+": StartSession by a newer token",
				begin(x, id, storetest.DigestA, storetest.SomeExternal.Hash(),
					x.Engine.Now()+1))
		}
		x.WantClean()
	}
}

// A sign-out that is repeated, or comes after a later one, ends nothing that began since.
func TestLogOutsAreNotReplayed(t *testing.T) {
	testlevel.Sequential(t)
	x := storetest.New(t)
	rapid.Check(t, func(rt *rapid.T) {
		x.Clear()
		id, hash := signedInFrom(x), storetest.SomeExternal.Hash()
		latest, open := forum.Time(0), map[string]bool{}
		for n := range rapid.IntRange(1, 8).Draw(rt, "events") {
			x.Clock.Advance(time.Duration(rapid.IntRange(0, 3).Draw(rt, "pause")) * time.Second)
			at := x.Engine.Now() - forum.Time(rapid.IntRange(0, 5).Draw(rt, "age"))*1000
			if rapid.Bool().Draw(rt, "out") {
				done, err := x.Sessions.LogOut(x.Ctx, id, storetest.SomeExternal, at)
				storetest.WantOK(t, "LogOut", err)
				if done != (at > latest) {
					rt.Fatalf("LogOut at %d after %d = %t", at, latest, done)
				}
				if done {
					latest = at
					clear(open)
				}
			} else if digest := fmt.Sprintf("%064x", n); begin(x, id, digest, hash, at) == nil {
				if at <= latest {
					rt.Fatalf("a token of %d signs in after a sign-out at %d", at, latest)
				}
				open[digest] = true
			} else if at > latest {
				rt.Fatalf("a token of %d is refused after a sign-out at %d", at, latest)
			}
			var left []string
			for digest := range x.Hash(key.Sessions(id)) {
				left = append(left, digest)
			}
			if slices.Sort(left); !slices.Equal(left, slices.Sorted(maps.Keys(open))) {
				rt.Fatalf("the sessions %v are left; want %v", left, open)
			}
		}
		x.WantClean()
	})
}

// An unlink that is killed before any step leaves no session of the account once it is done again.
func TestCrashOfEndingSessions(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		bob := x.User("bob").ID
		ann := signedInFrom(x, "", storetest.SomeExternal.Hash(), otherExternal.Hash())
		died = x.Dies(n, func(s *store.Store) { s.Accounts.LinkExternal(x.Ctx, bob, storetest.SomeExternal, true) })
		if left := left(x, ann); slices.Contains(left,
			1) == (x.Hash(key.Externals(ann))[storetest.SomeExternal.Hash()] == "") {
			t.Errorf("killed before step %d: the sessions of %v are left, the accounts %v", n, left,
				x.Hash(key.Externals(ann)))
		}
		_, err := x.Accounts.LinkExternal(x.Ctx, bob, storetest.SomeExternal, true)
		storetest.WantOK(t, "LinkExternal again", err)
		if left := left(x, ann); !slices.Equal(left, []int{0, 2}) {
			t.Errorf("killed before step %d: %v are left; want 0 and 2", n, left)
		}
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		if n > 8 {
			t.Fatal("LinkExternal has too many steps")
		}
	}
}
