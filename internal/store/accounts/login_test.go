package accounts_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// rests makes former logins of the site's processes rest, which those of tests do not by default.
func rests(x *storetest.Site) { x.Store.Engine.LoginRest = forum.LoginRest }

func TestChangeLogin(t *testing.T) {
	x := storetest.New(t)
	rests(x)
	ann, bob := x.User("ann"), x.User("bob")
	of := map[forum.UserID]string{ann.ID: "hash of ann", bob.ID: "hash of bob"}
	rename := func(by *forum.Viewer, login string) error {
		return x.Accounts.ChangeLogin(x.Ctx, by.ID, of[by.ID], login, login)
	}
	storetest.WantCode(t, "after the password was changed", x.Accounts.ChangeLogin(x.Ctx, ann.ID, "another hash",
		"anna", "anna"),
		forum.CodeWrongCredentials)
	wantOwner(x, "anna", 0)
	storetest.WantCode(t, "another's", rename(ann, "bob"), forum.CodeTaken)
	storetest.WantCode(t, "one that looks like another's", rename(ann, "b0b"), forum.CodeTaken)
	storetest.WantOK(t, "a free one", rename(ann, "a.n.nx"))
	x.Settle()
	wantOwner(x, "a.n.nx", ann.ID)
	wantOwner(x, "ann", 0)
	if got := x.Names(key.UserNames, key.OrderName); got != "a.n.nx 0, bob 0" {
		t.Errorf("the list of users is %q", got)
	}
	storetest.WantCode(t, "her former one by another", rename(bob, "ann"), forum.CodeTaken)
	_, err := x.Accounts.Register(x.Ctx, site.Account("ann"))
	storetest.WantCode(t, "her former one by a newcomer", err, forum.CodeTaken)
	storetest.WantCode(t, "again at once", rename(ann, "anna"), forum.CodeRateLimited)
	x.Clock.Advance(forum.LoginKept - time.Millisecond)
	storetest.WantCode(t, "a moment before the end", rename(ann, "anna"), forum.CodeRateLimited)
	x.Clock.Advance(time.Millisecond)
	storetest.WantOK(t, "back to her former one", rename(ann, "ann"))
	x.Settle()
	wantOwner(x, "ann", ann.ID)
	wantOwner(x, "a.n.nx", 0)
	x.Clock.Advance(forum.LoginRest)
	storetest.WantOK(t, "one that does not rest any more", rename(bob, "a.n.nx"))
	x.Settle()
	wantOwner(x, "a.n.nx", bob.ID)
	x.WantSound()
	x.WantClean()
	storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, bob.ID, "hash of bob"))
	x.WantClean()
}

// A process is paused at each step of a change of login until that is overdue: there is no second owner, and no claim
// without an owner.
func TestPausedChangeOfLogin(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"user_login_intend", "claim_set", "user_login_commit", "claim_release"} {
		for name, happen := range map[string]func(x *storetest.Site, ann forum.UserID){
			"it is swept": func(x *storetest.Site, _ forum.UserID) { x.Settle() },
			"the new one is taken": func(x *storetest.Site, _ forum.UserID) {
				_, err := x.Accounts.Register(x.Ctx, site.Account("new"))
				x.T.Logf("Register(new) = %v", err)
			},
			"the old one is taken": func(x *storetest.Site, _ forum.UserID) {
				_, err := x.Accounts.Register(x.Ctx, site.Account("ann"))
				storetest.WantCode(x.T, "Register(ann)", err, forum.CodeTaken)
			},
			"ann changes to the same": func(x *storetest.Site, ann forum.UserID) {
				x.T.Logf("ChangeLogin = %v", x.Accounts.ChangeLogin(x.Ctx, ann, "hash of ann", "new", "new"))
			},
			"ann changes to another": func(x *storetest.Site, ann forum.UserID) {
				x.T.Logf("ChangeLogin = %v", x.Accounts.ChangeLogin(x.Ctx, ann, "hash of ann", "third", "third"))
			},
			"ann is deleted": func(x *storetest.Site, ann forum.UserID) {
				storetest.WantOK(x.T, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, ann, "hash of ann"))
			},
		} {
			t.Run(fmt.Sprintf("before %s, %s", step, name), func(t *testing.T) {
				x := storetest.New(t)
				rests(x)
				ann := x.User("ann")
				var err error
				wake := x.Asleep(step, func(s *store.Store) {
					s.Engine.LoginRest = forum.LoginRest
					err = s.Accounts.ChangeLogin(x.Ctx, ann.ID, "hash of ann", "new", "new")
				})
				x.Clock.Advance(forum.PendingLife)
				happen(x, ann.ID)
				wake()
				if err != nil && forum.CodeOf(err) == "" {
					t.Errorf("ChangeLogin of the sleeper = %v; want a code or none", err)
				}
				x.Clock.Advance(forum.PendingLife)
				x.WantClean()
				if f := x.Hash(key.User(ann.ID)); f["state"] == catalogue.UserActive {
					wantOwner(x, f["fold"], ann.ID)
				}
			})
		}
	}
}
