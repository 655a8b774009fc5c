package store_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// forgetLooks makes accounts those of a version that saw fewer logins as alike: some without claims on looks, some with
// others.
func forgetLooks(x *storetest.Site, logins map[string]*forum.Viewer) {
	x.T.Helper()
	ctx := x.T.Context()
	storetest.WantOK(x.T, "HDEL", x.Redis.HDel(ctx, key.Layout, "looks").Err())
	for login, v := range logins {
		account := key.Internal(key.User(v.ID))
		for _, claim := range record.LookClaims(login) {
			storetest.WantOK(x.T, "DEL", x.Redis.Del(ctx, claim).Err())
		}
		if v.ID%2 == 0 {
			storetest.WantOK(x.T, "HDEL", x.Redis.HDel(ctx, account, "lookClaims").Err())
			continue
		}
		old := key.LookClaim("before-" + login)
		value := key.Itoa(v.ID) + "/" + x.Redis.HGet(ctx, account, "nonce").Val()
		storetest.WantOK(x.T, "HSET", x.Redis.HSet(ctx, account, "lookClaims", old).Err())
		storetest.WantOK(x.T, "SET", x.Redis.Set(ctx, old, value, 0).Err())
	}
}

// wantLooks reports logins that lack claims on their looks, or have others.
func wantLooks(x *storetest.Site, logins map[string]*forum.Viewer) {
	x.T.Helper()
	for login, v := range logins {
		claims := record.LookClaims(login)
		if got := x.Redis.HGet(x.T.Context(), key.Internal(key.User(v.ID)),
			"lookClaims").Val(); got != strings.Join(claims, " ") {
			x.T.Errorf("%s has the claims %q; want %q", login, got, claims)
		}
		for _, claim := range claims {
			owner, _ := record.ParseClaim(x.Redis.Get(x.T.Context(), claim).Val())
			if owner != v.ID {
				x.T.Errorf("%s belongs to user %d; want %d", claim, owner, v.ID)
			}
		}
		if n := x.Redis.Exists(x.T.Context(), key.LookClaim("before-"+login)).Val(); n != 0 {
			x.T.Errorf("the former claim of %s was not released", login)
		}
	}
}

// An upgrade claims what logins look like. It may be killed before any step, run twice at once, and costs one read once it
// is done.
func TestUpgradeClaimsLooks(t *testing.T) {
	x := storetest.New(t)
	logins := map[string]*forum.Viewer{}
	for _, login := range []string{"ann", "bil1", "r0ot1", "c-d", "Eve"} {
		logins[login] = x.User(login)
	}
	x.Settle()
	run := func(s *store.Store) error { return s.Upgrade(t.Context(), func(int64) {}) }
	for n, killed := 1, true; killed; n++ {
		forgetLooks(x, logins)
		dying := must.Do(store.Open(t.Context(), store.Over(x.Redis), store.Layout{}, store.WithClock(x.Clock.Now),
			store.WithSteps(site.KillAt("", n))))(t)
		killed = site.Killed(func() { must.OK(t, run(dying)) })
		dying.Close()
		storetest.WantOK(t, "Upgrade", run(x.Store))
		x.Settle()
		wantLooks(x, logins)
		if t.Failed() {
			t.Fatalf("the upgrade was killed before step %d", n)
		}
	}
	forgetLooks(x, logins)
	ended := make(chan error)
	for range 2 {
		go func() { ended <- run(x.Store) }() // ends with the upgrade
	}
	for range 2 {
		storetest.WantOK(t, "Upgrade twice at once", <-ended)
	}
	x.Settle()
	wantLooks(x, logins)
	before := x.Keys()
	must.OK(t, run(x.Store))
	if after := x.Keys(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("an upgrade that is done changes keys")
	}
}

// Of a login that is changed, or an account that is deleted, while its looks are claimed, no claim is left.
func TestUpgradeWhileLoginsChange(t *testing.T) {
	for name, change := range map[string]func(x *storetest.Site, id forum.UserID) error{
		"a new login": func(x *storetest.Site, id forum.UserID) error {
			was := x.Redis.HGet(t.Context(), key.Internal(key.User(id)), "password").Val()
			return x.Accounts.ChangeLogin(t.Context(), id, was, "bob", "bob")
		},
		"deleted": func(x *storetest.Site, id forum.UserID) error {
			return x.Accounts.DeleteUser(t.Context(), id, false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			x := storetest.New(t)
			ann := x.User("r0ot1")
			x.Settle()
			forgetLooks(x, map[string]*forum.Viewer{"r0ot1": ann})
			interrupted := must.Do(store.Open(t.Context(), store.Over(x.Redis), store.Layout{},
				store.WithClock(x.Clock.Now), store.WithSteps(func(step string) {
					if step == "user_looks" {
						must.OK(t, change(x, ann.ID))
					}
				})))(t)
			defer interrupted.Close()
			storetest.WantOK(t, "Upgrade", interrupted.Upgrade(t.Context(), func(int64) {}))
			x.Settle()
			for _, claim := range record.LookClaims("r0ot1") {
				if value := x.Redis.Get(t.Context(), claim).Val(); value != "" {
					t.Errorf("%s is %q; want it free", claim, value)
				}
			}
		})
	}
}
