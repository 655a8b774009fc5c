package accounts_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
)

// says applies what a token that is issued now says of a login, and returns the change of login that follows.
func says(x *storetest.Site, id forum.UserID, login string) *accounts.ClaimedLogin {
	x.T.Helper()
	x.Clock.Advance(time.Minute)
	applied, err := x.Accounts.ApplyClaims(x.Ctx, id, accounts.Claims{External: storetest.SomeExternal,
		IssuedAt: x.Engine.Now(), Login: login})
	storetest.WantOK(x.T, "ApplyClaims", err)
	if !applied.Done {
		x.T.Errorf("the claims of user %d were not applied", id)
	}
	return applied.Login
}

// A change of login by a token that is late changes nothing: not after a newer token, and not after the member's own.
func TestFollowedLoginIsSuperseded(t *testing.T) {
	x := storetest.New(t)
	id, err := x.Accounts.Register(t.Context(), storetest.ExternalUser("guest"))
	storetest.WantOK(t, "Register", err)
	first, second := says(x, id, "first"), says(x, id, "second")
	storetest.WantOK(t, "FollowLogin of the older token", x.Accounts.FollowLogin(t.Context(), id, first, "first",
		"first"))
	wantOwner(x, "guest", id)
	storetest.WantOK(t, "FollowLogin of the newer token", x.Accounts.FollowLogin(t.Context(), id, second, "second",
		"second"))
	wantOwner(x, "second", id)
	if got := x.Hash(key.User(id))["name"]; got != "second" {
		t.Errorf("the name that was the login is %q; want second", got)
	}
	if says(x, id, "second") != nil {
		t.Error("the same login is to be changed again")
	}
	third := says(x, id, "third")
	storetest.WantOK(t, "the member's own change", x.Accounts.ChangeLogin(t.Context(), id, "", "Second", "second"))
	storetest.WantOK(t, "FollowLogin afterwards", x.Accounts.FollowLogin(t.Context(), id, third, "third", "third"))
	wantOwner(x, "second", id)
	if says(x, id, "fourth") != nil {
		t.Error("a token changes a login that was set here")
	}
	x.WantClean()
}

// Entries of earlier versions do not hold what tokens said of the login: the first one after an upgrade changes nothing,
// and the login of a user who was linked was set here.
func TestEntriesWithoutLogins(t *testing.T) {
	for _, tt := range []struct {
		name    string
		owned   string
		make    func(x *storetest.Site) (forum.UserID, error)
		changes bool
	}{
		{"registered by a token", "-",
			func(x *storetest.Site) (forum.UserID, error) {
				return x.Accounts.Register(x.Ctx, storetest.ExternalUser("guest"))
			}, true},
		{"linked", "name avatar role", func(x *storetest.Site) (forum.UserID, error) {
			ann := x.User("ann").ID
			_, err := x.Accounts.LinkExternal(x.Ctx, ann, storetest.SomeExternal, false)
			return ann, err
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := storetest.New(t)
			id, err := tt.make(x)
			storetest.WantOK(t, "the fixture", err)
			entry := "5 6 " + storetest.SomeExternal.Issuer + " " + storetest.SomeExternal.Subject
			storetest.WantOK(t, "HSET", x.Redis.HSet(x.Ctx, key.Externals(id), storetest.SomeExternal.Hash(),
				entry).Err())
			storetest.WantOK(t, "HSET", x.Redis.HSet(x.Ctx, key.Internal(key.User(id)), "owned", tt.owned).Err())
			x.WantClean()
			if says(x, id, "first") != nil {
				t.Error("the first login after the upgrade is a change")
			}
			if got := says(x, id, "second") != nil; got != tt.changes {
				t.Errorf("another login is a change: %t; want %t", got, tt.changes)
			}
			storetest.WantOK(t, "DisownValues", x.Accounts.DisownValues(t.Context(), id, []string{"login"}))
			if says(x, id, "second") == nil {
				t.Error("a login that was released is not changed by the next token")
			}
			x.WantClean()
		})
	}
}
