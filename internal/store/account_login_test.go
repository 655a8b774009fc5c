package store_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/test/testlevel"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// rests makes former logins of the site's processes rest, which those of tests do not by default.
func (x *site) rests() { x.Store.Engine.LoginRest = forum.LoginRest }

func TestChangeLogin(t *testing.T) {
	x := newSite(t)
	x.rests()
	ann, bob := x.User("ann"), x.User("bob")
	of := map[forum.UserID]string{ann.ID: "hash of ann", bob.ID: "hash of bob"}
	rename := func(by *forum.Viewer, login string) error {
		return x.Accounts.ChangeLogin(x.ctx, by.ID, of[by.ID], login, login)
	}
	wantCode(t, "after the password was changed", x.Accounts.ChangeLogin(x.ctx, ann.ID, "another hash", "anna", "anna"),
		forum.CodeWrongCredentials)
	x.wantOwner("anna", 0)
	wantCode(t, "another's", rename(ann, "bob"), forum.CodeTaken)
	wantCode(t, "one that looks like another's", rename(ann, "b0b"), forum.CodeTaken)
	wantOK(t, "a free one", rename(ann, "a.n.nx"))
	x.settle()
	x.wantOwner("a.n.nx", ann.ID)
	x.wantOwner("ann", 0)
	if got := x.names(key.UserNames, key.OrderName); got != "a.n.nx 0, bob 0" {
		t.Errorf("the list of users is %q", got)
	}
	wantCode(t, "her former one by another", rename(bob, "ann"), forum.CodeTaken)
	_, err := x.Accounts.Register(x.ctx, account("ann"))
	wantCode(t, "her former one by a newcomer", err, forum.CodeTaken)
	wantCode(t, "again at once", rename(ann, "anna"), forum.CodeRateLimited)
	x.clock.Advance(forum.LoginKept - time.Millisecond)
	wantCode(t, "a moment before the end", rename(ann, "anna"), forum.CodeRateLimited)
	x.clock.Advance(time.Millisecond)
	wantOK(t, "back to her former one", rename(ann, "ann"))
	x.settle()
	x.wantOwner("ann", ann.ID)
	x.wantOwner("a.n.nx", 0)
	x.clock.Advance(forum.LoginRest)
	wantOK(t, "one that does not rest any more", rename(bob, "a.n.nx"))
	x.settle()
	x.wantOwner("a.n.nx", bob.ID)
	x.wantSound()
	x.wantClean()
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, bob.ID, "hash of bob"))
	x.wantClean()
}

// Letters may be changed to capitals at any time, but another login must not look like the old one.
func TestChangeOfSpelling(t *testing.T) {
	x := newSite(t)
	ann := x.User("ann")
	for range 3 {
		wantOK(t, "ChangeLogin", x.Accounts.ChangeLogin(x.ctx, ann.ID, "hash of ann", "Ann", "ann"))
	}
	if got := x.hash(key.User(ann.ID))["login"]; got != "Ann" {
		t.Errorf("the login is %q; want Ann", got)
	}
	bob := x.User("bob")
	wantCode(t, "one that looks like the old", x.Accounts.ChangeLogin(x.ctx, bob.ID, "hash of bob", "b0b", "b0b"),
		forum.CodeInvalid)
	x.wantClean()
}

// A process is paused at each step of a change of login until that is overdue: there is no second owner, and no claim
// without an owner.
func TestPausedChangeOfLogin(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"user_login_intend", "claim_set", "user_login_commit", "claim_release"} {
		for name, happen := range map[string]func(x *site, ann forum.UserID){
			"it is swept": func(x *site, _ forum.UserID) { x.settle() },
			"the new one is taken": func(x *site, _ forum.UserID) {
				_, err := x.Accounts.Register(x.ctx, account("new"))
				x.t.Logf("Register(new) = %v", err)
			},
			"the old one is taken": func(x *site, _ forum.UserID) {
				_, err := x.Accounts.Register(x.ctx, account("ann"))
				wantCode(x.t, "Register(ann)", err, forum.CodeTaken)
			},
			"ann changes to the same": func(x *site, ann forum.UserID) {
				x.t.Logf("ChangeLogin = %v", x.Accounts.ChangeLogin(x.ctx, ann, "hash of ann", "new", "new"))
			},
			"ann changes to another": func(x *site, ann forum.UserID) {
				x.t.Logf("ChangeLogin = %v", x.Accounts.ChangeLogin(x.ctx, ann, "hash of ann", "third", "third"))
			},
			"ann is deleted": func(x *site, ann forum.UserID) {
				wantOK(x.t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, ann, "hash of ann"))
			},
		} {
			t.Run(fmt.Sprintf("before %s, %s", step, name), func(t *testing.T) {
				x := newSite(t)
				x.rests()
				ann := x.User("ann")
				var err error
				wake := x.asleep(step, func(s *store.Store) {
					s.Engine.LoginRest = forum.LoginRest
					err = s.Accounts.ChangeLogin(x.ctx, ann.ID, "hash of ann", "new", "new")
				})
				x.clock.Advance(forum.PendingLife)
				happen(x, ann.ID)
				wake()
				if err != nil && forum.CodeOf(err) == "" {
					t.Errorf("ChangeLogin of the sleeper = %v; want a code or none", err)
				}
				x.clock.Advance(forum.PendingLife)
				x.wantClean()
				if f := x.hash(key.User(ann.ID)); f["state"] == catalogue.UserActive {
					x.wantOwner(f["fold"], ann.ID)
				}
			})
		}
	}
}
