package accounts_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// renamer changes login, role and categories of one user, who also has an account at an issuer, in random ways.
type renamer struct {
	x    *storetest.Site
	r    *rand.Rand
	id   forum.UserID
	area forum.CategoryID
	// staff reports that the user is or was staff, and kept are the logins that the user had since.
	staff bool
	kept  map[string]bool
}

var renamerLogins = []string{"modone", "modtwo", "third", "fourth"}

// change makes one change in a process that may die before any of its steps.
func (c *renamer) change() (what string) {
	x, login := c.x, renamerLogins[c.r.IntN(len(renamerLogins))]
	rest := []time.Duration{0, forum.LoginRest}[c.r.IntN(2)]
	changes := []struct {
		name string
		make func(*store.Store)
	}{
		{"ChangeLogin", func(s *store.Store) { s.Accounts.ChangeLogin(x.Ctx, c.id, "", login, login) }},
		{"FollowLogin", func(s *store.Store) { c.follow(s, accounts.Claims{Login: login}) }},
		{"role of a claim", func(s *store.Store) {
			c.follow(s, accounts.Claims{Role: []forum.Role{forum.RoleUser, forum.RoleModerator}[c.r.IntN(2)]})
		}},
		{"SetRole", func(s *store.Store) {
			s.Accounts.SetRole(x.Ctx, c.id, []forum.Role{forum.RoleUser, forum.RoleAdmin}[c.r.IntN(2)])
		}},
		{"DisownValues", func(s *store.Store) { s.Accounts.DisownValues(x.Ctx, c.id, []string{"login", "role"}) }},
		{"SetModerators", func(s *store.Store) {
			s.Acts.SetModerators(x.Ctx, nil, c.area, []acts.ModeratorChange{{User: c.id, On: c.r.IntN(2) == 0,
				Field: "add.0"}},
				forum.Grounds{Reason: forum.ReasonOther})
		}},
		{"DeleteCategory", func(s *store.Store) {
			s.Categories.DeleteCategory(x.Ctx, nil, c.area)
			c.area = x.Category(fmt.Sprint("area ", c.r.Uint64()))
		}},
	}
	do := changes[c.r.IntN(len(changes))]
	if c.r.IntN(40) == 0 {
		do.name, do.make = "DeleteUser", func(s *store.Store) { s.Accounts.DeleteUser(x.Ctx, c.id, false) }
	}
	died := x.Dies(1+c.r.IntN(8), func(s *store.Store) {
		s.Engine.LoginRest = rest
		do.make(s)
	})
	return fmt.Sprintf("%s (%s), died %t", do.name, login, died)
}

// follow applies what a token says.
func (c *renamer) follow(s *store.Store, is accounts.Claims) {
	is.External, is.IssuedAt = storetest.SomeExternal, c.x.Engine.Now()
	applied, err := s.Accounts.ApplyClaims(c.x.Ctx, c.id, is)
	if err == nil && applied.Login != nil {
		s.Accounts.FollowLogin(c.x.Ctx, c.id, applied.Login, is.Login, is.Login)
	}
}

// look notes which logins are kept from now on.
func (c *renamer) look() {
	f := c.x.Hash(key.User(c.id))
	if f["state"] != catalogue.UserActive {
		return
	}
	c.staff = c.staff || f["role"] != string(forum.RoleUser) || f["moderates"] != ""
	if c.staff {
		c.kept[f["fold"]] = true
	}
}

// The login of somebody who is or was staff is not free again, whatever changed it, and wherever a process died.
func TestLoginsOfStaffAreNeverFree(t *testing.T) {
	testlevel.Sequential(t)
	for n := range uint64(12) {
		seed := testseed.First() + n
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			x := storetest.New(t)
			c := &renamer{x: x, r: rand.New(rand.NewPCG(seed, 0)), kept: map[string]bool{}, area: x.Category("area")}
			c.id = must.Do(x.Accounts.Register(x.Ctx, storetest.ExternalUser("modone")))(t)
			for range 40 {
				what := c.change()
				c.look()
				x.Clock.Advance([]time.Duration{0, time.Minute, forum.LoginKept, forum.LoginRest}[c.r.IntN(4)])
				if c.r.IntN(2) == 0 {
					x.Settle()
				}
				for login := range c.kept {
					_, err := x.Accounts.Register(x.Ctx, site.Account(login))
					if code := forum.CodeOf(err); code != forum.CodeTaken && code != forum.CodeConflict {
						t.Fatalf("after %s: Register(%s) = %v; want TAKEN", what, login, err)
					}
				}
			}
			x.Clock.Advance(forum.PendingLife)
			x.WantClean()
		})
	}
}

// What rests of a login of staff are claims without an end, of the user as long as there is one.
func TestClaimsOnLoginsOfStaff(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(x *storetest.Site, id forum.UserID)
		want string
	}{
		{"a claim changes it at once", func(x *storetest.Site, id forum.UserID) {
			says(x, id, "modone")
			storetest.WantOK(x.T, "FollowLogin", x.Accounts.FollowLogin(x.Ctx, id, says(x, id, "other"), "other",
				"other"))
		}, "%d/rest:0"},
		{"a claim takes the role, then the login", func(x *storetest.Site, id forum.UserID) {
			storetest.WantOK(x.T, "SetRole", x.Accounts.SetRole(x.Ctx, id, forum.RoleUser))
			says(x, id, "modone")
			storetest.WantOK(x.T, "FollowLogin", x.Accounts.FollowLogin(x.Ctx, id, says(x, id, "other"), "other",
				"other"))
		}, "%d/rest:0"},
		{"the user changes it", func(x *storetest.Site, id forum.UserID) {
			storetest.WantOK(x.T, "ChangeLogin", x.Accounts.ChangeLogin(x.Ctx, id, "", "other", "other"))
		}, "%d/rest:0"},
		{"the user is deleted", func(x *storetest.Site, id forum.UserID) {
			storetest.WantOK(x.T, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, id, false))
		}, "0/rest:0"},
		{"the user is deleted without the role", func(x *storetest.Site, id forum.UserID) {
			storetest.WantOK(x.T, "SetRole", x.Accounts.SetRole(x.Ctx, id, forum.RoleUser))
			storetest.WantOK(x.T, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, id, false))
		}, "0/rest:0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := storetest.New(t)
			id := must.Do(x.Accounts.Register(x.Ctx, storetest.ExternalUser("modone")))(t)
			storetest.WantOK(t, "SetRole", x.Accounts.SetRole(x.Ctx, id, forum.RoleModerator))
			tt.do(x, id)
			x.Settle()
			want := tt.want
			if want[0] == '%' {
				want = fmt.Sprintf(want, id)
			}
			for _, claim := range append(record.LookClaims("modone"), key.LoginClaim("modone")) {
				if got := x.Redis.Get(x.Ctx, claim).Val(); got != want {
					t.Errorf("%s is %q; want %q", claim, got, want)
				}
				if life := x.Redis.TTL(x.Ctx, claim).Val(); life >= 0 {
					t.Errorf("%s ends in %s; want no end", claim, life)
				}
			}
			_, err := x.Accounts.Register(x.Ctx, site.Account("modone"))
			storetest.WantCode(t, "Register(modone)", err, forum.CodeTaken)
			x.WantClean()
		})
	}
}

// A process may die between the deletion of an account and the release of its names: whoever wants them finds what
// rests, and whose e-mail is barred.
func TestNamesRestBeforeTheyAreReleased(t *testing.T) {
	x := storetest.New(t)
	mod := x.Moderator("modone")
	x.DiesAt("claim_release", 1, func(s *store.Store) { s.Accounts.DeleteAccount(x.Ctx, mod.ID, "hash of modone") })
	_, err := x.Accounts.Register(x.Ctx, site.Account("modone"))
	storetest.WantCode(t, "Register(modone)", err, forum.CodeTaken)
	x.WantClean()
}
