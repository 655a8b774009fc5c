package store_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	built "agora/internal/test/site"
)

// forgetLooks makes accounts those of a version that saw fewer logins as alike: some without claims on looks, some with
// others.
func forgetLooks(x *site, logins map[string]*forum.Viewer) {
	x.t.Helper()
	ctx := x.t.Context()
	wantOK(x.t, "HDEL", x.rdb.HDel(ctx, key.Layout, "looks").Err())
	for login, v := range logins {
		account := key.Internal(key.User(v.ID))
		for _, claim := range record.LookClaims(login) {
			wantOK(x.t, "DEL", x.rdb.Del(ctx, claim).Err())
		}
		if v.ID%2 == 0 {
			wantOK(x.t, "HDEL", x.rdb.HDel(ctx, account, "lookClaims").Err())
			continue
		}
		old := key.LookClaim("before-" + login)
		value := key.Itoa(v.ID) + "/" + x.rdb.HGet(ctx, account, "nonce").Val()
		wantOK(x.t, "HSET", x.rdb.HSet(ctx, account, "lookClaims", old).Err())
		wantOK(x.t, "SET", x.rdb.Set(ctx, old, value, 0).Err())
	}
}

// wantLooks reports logins that lack claims on their looks, or have others.
func wantLooks(x *site, logins map[string]*forum.Viewer) {
	x.t.Helper()
	for login, v := range logins {
		claims := record.LookClaims(login)
		if got := x.rdb.HGet(x.t.Context(), key.Internal(key.User(v.ID)), "lookClaims").Val(); got != strings.Join(claims, " ") {
			x.t.Errorf("%s has the claims %q; want %q", login, got, claims)
		}
		for _, claim := range claims {
			owner, _ := record.ParseClaim(x.rdb.Get(x.t.Context(), claim).Val())
			if owner != v.ID {
				x.t.Errorf("%s belongs to user %d; want %d", claim, owner, v.ID)
			}
		}
		if n := x.rdb.Exists(x.t.Context(), key.LookClaim("before-"+login)).Val(); n != 0 {
			x.t.Errorf("the former claim of %s was not released", login)
		}
	}
}

// An upgrade claims what logins look like. It may be killed before any step, run twice at once, and costs one read once it
// is done.
func TestUpgradeClaimsLooks(t *testing.T) {
	x := newSite(t)
	logins := map[string]*forum.Viewer{}
	for _, login := range []string{"ann", "bil1", "r0ot1", "c-d", "Eve"} {
		logins[login] = x.User(login)
	}
	x.settle()
	run := func(s *store.Store) error { return s.Upgrade(t.Context(), func(int64) {}) }
	for n, killed := 1, true; killed; n++ {
		forgetLooks(x, logins)
		dying := must.Do(store.Open(t.Context(), store.Over(x.rdb), store.Layout{}, store.WithClock(x.clock.Now),
			store.WithSteps(built.KillAt("", n))))(t)
		killed = built.Killed(func() { must.OK(t, run(dying)) })
		dying.Close()
		wantOK(t, "Upgrade", run(x.Store))
		x.settle()
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
		wantOK(t, "Upgrade twice at once", <-ended)
	}
	x.settle()
	wantLooks(x, logins)
	before := x.keys()
	must.OK(t, run(x.Store))
	if after := x.keys(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("an upgrade that is done changes keys")
	}
}

// Of a login that is changed, or an account that is deleted, while its looks are claimed, no claim is left.
func TestUpgradeWhileLoginsChange(t *testing.T) {
	for name, change := range map[string]func(x *site, id forum.UserID) error{
		"a new login": func(x *site, id forum.UserID) error {
			was := x.rdb.HGet(t.Context(), key.Internal(key.User(id)), "password").Val()
			return x.Accounts.ChangeLogin(t.Context(), id, was, "bob", "bob")
		},
		"deleted": func(x *site, id forum.UserID) error { return x.Accounts.DeleteUser(t.Context(), id, false) },
	} {
		t.Run(name, func(t *testing.T) {
			x := newSite(t)
			ann := x.User("r0ot1")
			x.settle()
			forgetLooks(x, map[string]*forum.Viewer{"r0ot1": ann})
			interrupted := must.Do(store.Open(t.Context(), store.Over(x.rdb), store.Layout{},
				store.WithClock(x.clock.Now), store.WithSteps(func(step string) {
					if step == "user_looks" {
						must.OK(t, change(x, ann.ID))
					}
				})))(t)
			defer interrupted.Close()
			wantOK(t, "Upgrade", interrupted.Upgrade(t.Context(), func(int64) {}))
			x.settle()
			for _, claim := range record.LookClaims("r0ot1") {
				if value := x.rdb.Get(t.Context(), claim).Val(); value != "" {
					t.Errorf("%s is %q; want it free", claim, value)
				}
			}
		})
	}
}
