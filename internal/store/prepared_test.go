package store_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// prepare makes an account for the member of a subject, who has not come yet.
func (x *site) prepare(login string) forum.UserID {
	x.t.Helper()
	return must.Do(x.Accounts.Register(x.ctx, comer(login, true)))(x.t)
}

// comer is an account for the member of an issuer whose subject is the login.
func comer(login string, prepared bool) accounts.NewUser {
	return accounts.NewUser{Login: login, LoginFold: login, Name: login, Prepared: prepared,
		External: forum.External{Issuer: someExternal.Issuer, Subject: login}}
}

// counted returns how many users the partitions count.
func (x *site) counted() (n int) {
	x.t.Helper()
	for p := range forum.Partitions {
		users, _ := x.rdb.HGet(x.ctx, key.Stats(forum.Partition(p)), "users").Int()
		n += users
	}
	return n
}

func TestPreparedAccountsAreListedWhenTheirMembersCome(t *testing.T) {
	x := newSite(t)
	id := x.prepare("ann")
	x.wantClean()
	x.wantListed("a prepared account")
	if x.counted() != 0 || x.hash(key.User(id))["prepared"] != "1" ||
		x.rdb.Exists(x.ctx, key.UserNames.Revisions()).Val() != 0 {
		t.Errorf("%d users are counted, the account is %v; want none, and a prepared account without a revision in the list",
			x.counted(), x.hash(key.User(id)))
	}
	for range 2 { // the second time changes nothing
		wantOK(t, "Arrive", x.Accounts.Arrive(x.ctx, id))
		x.wantClean()
		x.wantListed("a member who has come", "ann")
		if u := x.hash(key.User(id)); x.counted() != 1 || u["prepared"] != "" || u["unlisted"] != "" || u["rev"] != "2" {
			t.Errorf("%d users are counted, the account is %v; want one, at revision 2", x.counted(), u)
		}
	}
	gone := x.prepare("bob")
	wantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.ctx, gone, false))
	x.wantClean()
	wantOK(t, "Arrive", x.Accounts.Arrive(x.ctx, gone))
	x.wantClean()
	x.wantListed("a prepared account was deleted", "ann")
	if x.counted() != 1 {
		t.Errorf("%d users are counted after the deletion of a prepared account; want 1", x.counted())
	}
}

// A process may be killed before any step of a member's coming: either the member has not come, or is listed and
// counted once the sweeper has run.
func TestCrashOfAnArrival(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		x := newSite(t)
		id := x.prepare("ann")
		x.settle()
		died = x.dies(n, func(s *store.Store) { s.Accounts.Arrive(x.ctx, id) })
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
		if n > 1 {
			x.wantListed(fmt.Sprintf("killed before step %d", n), "ann")
		} else {
			x.wantListed("killed before the first step")
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
			x := newSite(t)
			wake := x.asleep(step, func(s *store.Store) { s.Accounts.Register(x.ctx, comer("ann", prepares)) })
			id := must.Do(x.Accounts.Register(x.ctx, comer("ann", !prepares)))(t)
			wake()
			wantOK(t, "Arrive", x.Accounts.Arrive(x.ctx, id)) // as after each sign-in with a prepared account
			x.wantClean()
			x.wantListed("after both", "ann")
		}
	}
}

// Whatever order accounts are prepared, come, change their logins and are deleted in, those are listed and counted who
// have come and are not deleted.
func TestListedMembersAreThoseWhoCame(t *testing.T) {
	testlevel.Usual(t)
	x := newSite(t)
	rapid.Check(t, func(r *rapid.T) {
		x.empty()
		ids, logins, came := map[string]forum.UserID{}, map[string]string{}, map[string]bool{}
		act := func(draw func(string)) func(*rapid.T) {
			return func(r *rapid.T) { draw(rapid.SampledFrom([]string{"ann", "bob", "carl"}).Draw(r, "who")) }
		}
		register := func(who string, prepared bool) {
			id, err := x.Accounts.Register(x.ctx, comer(who, prepared))
			wantOK(t, "Register", err)
			if _, known := logins[who]; !known {
				ids[who], logins[who] = id, who
			}
			if !prepared && logins[who] != "" {
				wantOK(t, "Arrive", x.Accounts.Arrive(x.ctx, id))
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
				wantOK(t, "ChangeLogin", x.Accounts.ChangeLogin(x.ctx, ids[who], "", logins[who], logins[who]))
				x.clock.Advance(forum.LoginRest)
			}),
			"delete": act(func(who string) {
				if logins[who] != "" {
					wantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.ctx, ids[who], false))
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
				x.settle()
				x.wantListed("after a step", want...)
				if x.counted() != len(want) {
					t.Errorf("%d users are counted; want %d", x.counted(), len(want))
				}
			},
		})
		x.wantClean()
	})
}
