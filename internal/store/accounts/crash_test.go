package accounts_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// changeable is a name that an account can change.
type changeable struct {
	name, field string // of the account's hash
	old, other  string // ann's, and the one to which she changes it
	claimed     int    // before this step, a change has claimed the other
	change      func(s *store.Store, x *storetest.Site, login string, id forum.UserID, to string) error
}

var changeables = []changeable{
	{"e-mail", "emailFold", "ann@example.org", "new@example.org", 3, changeEmail},
	{"login", "fold", "ann", "new", 4, func(s *store.Store, x *storetest.Site, login string, id forum.UserID,
		to string) error {
		return s.Accounts.ChangeLogin(x.Ctx, id, "hash of "+login, to, to)
	}},
	{"login by a token", "fold", "ann", "new", 5, func(s *store.Store, x *storetest.Site, login string, id forum.UserID,
		to string) error {
		of := forum.External{Issuer: storetest.SomeExternal.Issuer, Subject: login}
		must.Do(x.Accounts.LinkExternal(x.Ctx, id, of, false))(x.T)
		storetest.WantOK(x.T, "DisownValues", x.Accounts.DisownValues(x.Ctx, id, []string{"login"}))
		applied, err := s.Accounts.SetClaims(x.Ctx, id, accounts.Claims{External: of, IssuedAt: x.Engine.Now(),
			Login: to})
		storetest.WantOK(x.T, "SetClaims", err)
		return s.Accounts.FollowLogin(x.Ctx, id, applied.Login, to, to)
	}},
}

// before are the states of the other name when ann changes hers to it.
var before = map[string]func(*storetest.Site, changeable){
	"nothing":          func(*storetest.Site, changeable) {},
	"a registration":   func(x *storetest.Site, _ changeable) { killRegistering(x, 3, site.Account("new")) },
	"another's change": func(x *storetest.Site, c changeable) { killChanging(x, c.claimed, c, "bob") },
	"another's":        func(x *storetest.Site, _ changeable) { x.User("new") },
}

func newcomerWith(email string) accounts.NewUser {
	in := site.Account("carl")
	in.Email, in.EmailFold = email, email
	return in
}

// killChanging changes a name of an account to the other in a process that is killed before its nth step.
func killChanging(x *storetest.Site, n int, c changeable, login string) bool {
	x.T.Helper()
	id := x.Owner(login)
	if id == 0 {
		id = x.User(login).ID
	}
	return x.Dies(n, func(s *store.Store) { c.change(s, x, login, id, c.other) })
}

// A change of e-mail or login may be killed before any step: the account has the old one or the new one, and the other
// is free or has its previous owner.
func TestCrashOfChangedNames(t *testing.T) {
	testlevel.Sequential(t)
	for _, c := range changeables {
		for name, prepare := range before {
			t.Run(c.name+", "+name, func(t *testing.T) {
				for n, died := 1, true; died; n++ {
					x := storetest.New(t)
					ann := x.User("ann")
					prepare(x, c)
					x.Clock.Advance(forum.PendingLife) // earlier changes are overdue
					died = killChanging(x, n, c, "ann")
					x.Clock.Advance(forum.PendingLife)
					must.Do(x.Engine.Sweep(t.Context()))(t)
					x.WantClean()
					mine := x.Hash(key.User(ann.ID))[c.field]
					other := map[string]string{c.old: c.other, c.other: c.old}[mine]
					wantOwner(x, mine, ann.ID)
					if x.Owner(other) == 0 {
						wantFree(x, other)
					}
					x.WantClean()
					if t.Failed() {
						t.Fatalf("the change was killed before step %d", n)
					}
				}
			})
		}
	}
}

// An address that a dead change claims can be claimed without waiting for the sweeper.
func TestOverdueChangeOfEmailIsReplacedWithoutSweeper(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	killChanging(x, 3, changeables[0], "ann")
	x.Clock.Advance(forum.PendingLife - time.Millisecond)
	_, err := x.Accounts.Register(t.Context(), newcomerWith("new@example.org"))
	storetest.WantCode(t, "Register within PendingLife", err, forum.CodeConflict)
	x.Clock.Advance(time.Millisecond)
	must.Do(x.Accounts.Register(t.Context(), newcomerWith("new@example.org")))(t)
	wantOwner(x, "ann@example.org", ann.ID)
	x.WantClean()
}

// meanwhile are the events while a change of ann's e-mail is paused until it is overdue.
var meanwhile = map[string]func(x *storetest.Site, ann forum.UserID){
	"it is swept":          func(x *storetest.Site, _ forum.UserID) { x.Settle() },
	"the new one is taken": func(x *storetest.Site, _ forum.UserID) { wantFree(x, "new@example.org") },
	"swept and taken": func(x *storetest.Site, _ forum.UserID) {
		x.Settle()
		wantFree(x, "new@example.org")
	},
	"ann changes to another": func(x *storetest.Site, ann forum.UserID) {
		storetest.WantOK(x.T, "ChangeEmail", changeEmail(x.Store, x, "ann", ann, "third@example.org"))
	},
	"ann changes to the same": func(x *storetest.Site, ann forum.UserID) {
		storetest.WantOK(x.T, "ChangeEmail", changeEmail(x.Store, x, "ann", ann, "new@example.org"))
	},
	"ann is deleted": func(x *storetest.Site, ann forum.UserID) {
		storetest.WantOK(x.T, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, ann, "hash of ann"))
	},
	"ann is deleted and the login taken": func(x *storetest.Site, ann forum.UserID) {
		storetest.WantOK(x.T, "DeleteAccount", x.Accounts.DeleteAccount(x.Ctx, ann, "hash of ann"))
		wantFree(x, "ann")
		wantFree(x, "new@example.org")
	},
	"the password is changed": func(x *storetest.Site, ann forum.UserID) {
		storetest.WantOK(x.T, "SetPassword", x.Accounts.SetPassword(x.Ctx, ann, "other"))
	},
}

// A process is paused at each step of a change of e-mail until that is overdue: there is no second owner,
// and no claim without an owner.
func TestPausedChangeOfEmail(t *testing.T) {
	testlevel.LongSequential(t)
	for _, step := range []string{"user_email_intend", "claim_set", "user_email_commit", "claim_release"} {
		for name, happen := range meanwhile {
			done := step == "claim_release"
			if done && slices.Contains([]string{"the new one is taken", "swept and taken"}, name) {
				continue // it is already ann's
			}
			t.Run(fmt.Sprintf("before %s, %s", step, name), func(t *testing.T) {
				x := storetest.New(t)
				ann := x.User("ann")
				var err error
				wake := x.Asleep(step, func(s *store.Store) {
					err = changeEmail(s, x, "ann", ann.ID,
						"new@example.org")
				})
				x.Clock.Advance(forum.PendingLife)
				happen(x, ann.ID)
				wake()
				if err != nil && forum.CodeOf(err) == "" {
					t.Errorf("ChangeEmail of the sleeper = %v; want a code or none", err)
				}
				if mine := x.Hash(key.User(ann.ID))["emailFold"]; err == nil && !done && mine != "new@example.org" {
					t.Errorf("ChangeEmail of the sleeper = %v, and ann has %q; want the new one", err, mine)
				}
				x.Clock.Advance(forum.PendingLife)
				x.WantClean()
			})
		}
	}
}

// Registrations and changes of e-mail that claim one address do not block each other.
func TestChangeOfEmailAgainstRegistration(t *testing.T) {
	x := storetest.New(t)
	ann := x.User("ann")
	wake := x.Asleep("user_activate", func(s *store.Store) {
		must.Do(s.Accounts.Register(t.Context(), newcomerWith("new@example.org")))(t)
	})
	err := changeEmail(x.Store, x, "ann", ann.ID, "new@example.org")
	storetest.WantCode(t, "ChangeEmail during a registration", err, forum.CodeConflict)
	wake()
	err = changeEmail(x.Store, x, "ann", ann.ID, "new@example.org")
	storetest.WantCode(t, "ChangeEmail after it ended", err, forum.CodeTaken)
	x.WantClean()
}
