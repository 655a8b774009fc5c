package accounts_test

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
)

// rested returns a site that reserves the logins of deleted accounts for as long as outside of tests.
func rested(t *testing.T) *storetest.Site {
	x := storetest.New(t)
	x.Store.Engine.LoginRest = forum.LoginRest
	return x
}

func TestLookAlikesAreTaken(t *testing.T) {
	x := storetest.New(t)
	x.User("alice")
	for _, login := range []string{"alıce", "aIice", "AlICE"} {
		_, err := x.Accounts.Register(t.Context(), site.Account(login))
		storetest.WantCode(t, "Register "+login, err, forum.CodeTaken)
	}
	if _, err := x.Accounts.Register(t.Context(), site.Account("alina")); err != nil {
		t.Errorf("Register alina = %v; want nil", err)
	}
	x.WantClean()
}

// The login of a deleted account, and what looks like it, is free after LoginRest.
func TestFreedLoginRests(t *testing.T) {
	x := rested(t)
	id := x.User("alice").ID
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), id, "hash of alice"))
	x.WantClean()
	ends := x.Engine.Now() + forum.Time(forum.LoginRest.Milliseconds())
	for _, login := range []string{"alice", "aIice"} {
		_, err := x.Accounts.Register(t.Context(), site.Account(login))
		storetest.WantCode(t, "Register "+login, err, forum.CodeTaken)
	}
	if got := x.Redis.Get(x.Ctx, key.LoginClaim("alice")).Val(); got != record.RestOf(0, ends) {
		t.Errorf("claim = %q; want %q", got, record.RestOf(0, ends))
	}
	if left := x.Redis.ExpireTime(x.Ctx,
		key.LoginClaim("alice")).Val(); left != time.Duration(int64(ends)/1000)*time.Second+forum.ExpiryGrace {
		t.Errorf("the claim expires at %v; want an hour after the rest", left)
	}
	x.Clock.Advance(forum.LoginRest - time.Millisecond)
	_, err := x.Accounts.Register(t.Context(), site.Account("alice"))
	storetest.WantCode(t, "Register a moment before the end", err, forum.CodeTaken)
	x.Clock.Advance(time.Millisecond)
	if _, err := x.Accounts.Register(t.Context(), site.Account("alice")); err != nil {
		t.Errorf("Register after the rest = %v; want nil", err)
	}
	x.WantClean()
}

// The login of a staff account is never available again.
func TestLoginsOfStaffAreReservedForever(t *testing.T) {
	x := rested(t)
	id := x.User("alice").ID
	storetest.WantOK(t, "SetRole", x.Accounts.SetRole(t.Context(), id, forum.RoleModerator))
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), id, "hash of alice"))
	x.WantClean()
	x.Clock.Advance(100 * forum.LoginRest)
	_, err := x.Accounts.Register(t.Context(), site.Account("alice"))
	storetest.WantCode(t, "Register", err, forum.CodeTaken)
	if ttl := x.Redis.TTL(x.Ctx, key.LoginClaim("alice")).Val(); ttl != -1 {
		t.Errorf("the claim has %v left; want it to stay", ttl)
	}
}
