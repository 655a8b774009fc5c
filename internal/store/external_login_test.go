package store_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
)

// says applies what a token that is issued now says of a login, and returns the change of login that follows.
func (x *site) says(id forum.UserID, login string) *accounts.ClaimedLogin {
	x.t.Helper()
	x.clock.Advance(time.Minute)
	applied, err := x.Accounts.ApplyClaims(x.ctx, id, accounts.Claims{External: someExternal,
		IssuedAt: x.Engine.Now(), Login: login})
	wantOK(x.t, "ApplyClaims", err)
	if !applied.Done {
		x.t.Errorf("the claims of user %d were not applied", id)
	}
	return applied.Login
}

// A change of login by a token that is late changes nothing: not after a newer token, and not after the member's own.
func TestFollowedLoginIsSuperseded(t *testing.T) {
	x := newSite(t)
	id, err := x.Accounts.Register(t.Context(), externalUser("guest"))
	wantOK(t, "Register", err)
	first, second := x.says(id, "first"), x.says(id, "second")
	wantOK(t, "FollowLogin of the older token", x.Accounts.FollowLogin(t.Context(), id, first, "first", "first"))
	x.wantOwner("guest", id)
	wantOK(t, "FollowLogin of the newer token", x.Accounts.FollowLogin(t.Context(), id, second, "second", "second"))
	x.wantOwner("second", id)
	if got := x.hash(key.User(id))["name"]; got != "second" {
		t.Errorf("the name that was the login is %q; want second", got)
	}
	if x.says(id, "second") != nil {
		t.Error("the same login is to be changed again")
	}
	third := x.says(id, "third")
	wantOK(t, "the member's own change", x.Accounts.ChangeLogin(t.Context(), id, "", "Second", "second"))
	wantOK(t, "FollowLogin afterwards", x.Accounts.FollowLogin(t.Context(), id, third, "third", "third"))
	x.wantOwner("second", id)
	if x.says(id, "fourth") != nil {
		t.Error("a token changes a login that was set here")
	}
	x.wantClean()
}

// Entries of earlier versions do not hold what tokens said of the login: the first one after an upgrade changes nothing,
// and the login of a user who was linked was set here.
func TestEntriesWithoutLogins(t *testing.T) {
	for _, tt := range []struct {
		name    string
		owned   string
		make    func(x *site) (forum.UserID, error)
		changes bool
	}{
		{"registered by a token", "-",
			func(x *site) (forum.UserID, error) { return x.Accounts.Register(x.ctx, externalUser("guest")) }, true},
		{"linked", "name avatar role", func(x *site) (forum.UserID, error) {
			ann := x.User("ann").ID
			_, err := x.Accounts.LinkExternal(x.ctx, ann, someExternal, false)
			return ann, err
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			id, err := tt.make(x)
			wantOK(t, "the fixture", err)
			entry := "5 6 " + someExternal.Issuer + " " + someExternal.Subject
			wantOK(t, "HSET", x.rdb.HSet(x.ctx, key.Externals(id), someExternal.Hash(), entry).Err())
			wantOK(t, "HSET", x.rdb.HSet(x.ctx, key.Internal(key.User(id)), "owned", tt.owned).Err())
			x.wantClean()
			if x.says(id, "first") != nil {
				t.Error("the first login after the upgrade is a change")
			}
			if got := x.says(id, "second") != nil; got != tt.changes {
				t.Errorf("another login is a change: %t; want %t", got, tt.changes)
			}
			wantOK(t, "DisownValues", x.Accounts.DisownValues(t.Context(), id, []string{"login"}))
			if x.says(id, "second") == nil {
				t.Error("a login that was released is not changed by the next token")
			}
			x.wantClean()
		})
	}
}
