package accounts_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/count"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// prepare makes an account for the member of a subject, who has not come yet.
func prepare(x *storetest.Site, login string) forum.UserID {
	x.T.Helper()
	return must.Do(x.Accounts.Register(x.Ctx, comer(login, true)))(x.T)
}

// comer is an account for the member of an issuer whose subject is the login.
func comer(login string, prepared bool) accounts.NewUser {
	return accounts.NewUser{Login: login, LoginFold: login, Name: login, Prepared: prepared,
		External: forum.External{Issuer: storetest.SomeExternal.Issuer, Subject: login}}
}

// counted returns how many users the partitions count.
func counted(x *storetest.Site) (n int) {
	x.T.Helper()
	return must.Do(count.Site(x.Ctx, x.Engine.Client))(x.T).Users
}

func TestPreparedAccountsAreListedWhenTheirMembersCome(t *testing.T) {
	x := storetest.New(t)
	id := prepare(x, "ann")
	x.WantClean()
	wantListed(x, "a prepared account")
	if counted(x) != 0 || x.Hash(key.User(id))["prepared"] != "1" ||
		x.Redis.Exists(x.Ctx, key.UserNames.Revisions()).Val() != 0 {
		t.Errorf("%d users are counted, the account is %v; want none, and a prepared account without a revision in the list",
			counted(x), x.Hash(key.User(id)))
	}
	for range 2 { // the second time changes nothing
		storetest.WantOK(t, "Arrive", x.Accounts.Arrive(x.Ctx, id))
		x.WantClean()
		wantListed(x, "a member who has come", "ann")
		if u := x.Hash(key.User(id)); counted(x) != 1 || u["prepared"] != "" || u["unlisted"] != "" || u["rev"] != "2" {
			t.Errorf("%d users are counted, the account is %v; want one, at revision 2", counted(x), u)
		}
	}
	gone := prepare(x, "bob")
	storetest.WantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, gone, false))
	x.WantClean()
	storetest.WantOK(t, "Arrive", x.Accounts.Arrive(x.Ctx, gone))
	x.WantClean()
	wantListed(x, "a prepared account was deleted", "ann")
	if counted(x) != 1 {
		t.Errorf("%d users are counted after the deletion of a prepared account; want 1", counted(x))
	}
}

// A process may be killed before any step of a member's coming: either the member has not come, or is listed and
// counted once the sweeper has run.
func TestCrashOfAnArrival(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := storetest.New(t)
		id := prepare(x, "ann")
		x.Settle()
		died = x.Dies(n, func(s *store.Store) { s.Accounts.Arrive(x.Ctx, id) })
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		if n > 1 {
			wantListed(x, fmt.Sprintf("killed before step %d", n), "ann")
		} else {
			wantListed(x, "killed before the first step")
		}
		if n > 4 {
			t.Fatal("Arrive has too many steps")
		}
	}
}

// A member comes while the account is being prepared, whichever is faster.
func TestArrivalDuringPreparation(t *testing.T) {
	for _, step := range []string{"user_create", "claim_set", "user_activate"} {
		for _, prepares := range []bool{true, false} {
			x := storetest.New(t)
			wake := x.Asleep(step, func(s *store.Store) { s.Accounts.Register(x.Ctx, comer("ann", prepares)) })
			id := must.Do(x.Accounts.Register(x.Ctx, comer("ann", !prepares)))(t)
			wake()
			storetest.WantOK(t, "Arrive", x.Accounts.Arrive(x.Ctx, id)) // as after each sign-in with a prepared account
			x.WantClean()
			wantListed(x, "after both", "ann")
		}
	}
}

// Whatever order accounts are prepared, come, change their logins and are deleted in, those are listed and counted who
// have come and are not deleted.
func TestListedMembersAreThoseWhoCame(t *testing.T) {
	testlevel.Sequential(t)
	x := storetest.New(t)
	rapid.Check(t, func(r *rapid.T) {
		x.Clear()
		ids, logins, came := map[string]forum.UserID{}, map[string]string{}, map[string]bool{}
		act := func(draw func(string)) func(*rapid.T) {
			return func(r *rapid.T) { draw(rapid.SampledFrom([]string{"ann", "bob", "carl"}).Draw(r, "who")) }
		}
		register := func(who string, prepared bool) {
			id, err := x.Accounts.Register(x.Ctx, comer(who, prepared))
			storetest.WantOK(t, "Register", err)
			if _, known := logins[who]; !known {
				ids[who], logins[who] = id, who
			}
			if !prepared && logins[who] != "" {
				storetest.WantOK(t, "Arrive", x.Accounts.Arrive(x.Ctx, id))
				came[who] = true
			}
		}
		r.Repeat(map[string]func(*rapid.T){
			"prepare": act(func(who string) { register(who, true) }),
			"come":    act(func(who string) { register(who, false) }),
			"rename": act(func(who string) {
				if logins[who] == "" {
					return
				}
				logins[who] += "x"
				storetest.WantOK(t, "ChangeLogin", x.Accounts.ChangeLogin(x.Ctx, ids[who], "", logins[who],
					logins[who]))
				x.Clock.Advance(forum.LoginRest)
			}),
			"delete": act(func(who string) {
				if logins[who] != "" {
					storetest.WantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, ids[who], false))
					logins[who] = ""
				}
			}),
			"": func(*rapid.T) {
				var want []string
				for who, login := range logins {
					if login != "" && came[who] {
						want = append(want, login)
					}
				}
				slices.Sort(want)
				x.Settle()
				wantListed(x, "after a step", want...)
				if counted(x) != len(want) {
					t.Errorf("%d users are counted; want %d", counted(x), len(want))
				}
			},
		})
		x.WantClean()
	})
}
