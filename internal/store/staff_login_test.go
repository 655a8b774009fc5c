package store_test

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
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/testseed"
)

// renamer changes login, role and categories of one user, who also has an account at an issuer, in random ways.
type renamer struct {
	x    *site
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
		{"ChangeLogin", func(s *store.Store) { s.Accounts.ChangeLogin(x.ctx, c.id, "", login, login) }},
		{"FollowLogin", func(s *store.Store) { c.follow(s, accounts.Claims{Login: login}) }},
		{"role of a claim", func(s *store.Store) {
			c.follow(s, accounts.Claims{Role: []forum.Role{forum.RoleUser, forum.RoleModerator}[c.r.IntN(2)]})
		}},
		{"SetRole", func(s *store.Store) {
			s.Accounts.SetRole(x.ctx, c.id, []forum.Role{forum.RoleUser, forum.RoleAdmin}[c.r.IntN(2)])
		}},
		{"DisownValues", func(s *store.Store) { s.Accounts.DisownValues(x.ctx, c.id, []string{"login", "role"}) }},
		{"SetModerators", func(s *store.Store) {
			s.Acts.SetModerators(x.ctx, nil, c.area, []acts.ModeratorChange{{User: c.id, On: c.r.IntN(2) == 0,
				Field: "add.0"}},
				forum.Grounds{Reason: forum.ReasonOther})
		}},
		{"DeleteCategory", func(s *store.Store) {
			s.Categories.DeleteCategory(x.ctx, nil, c.area)
			c.area = x.Category(fmt.Sprint("area ", c.r.Uint64()))
		}},
	}
	do := changes[c.r.IntN(len(changes))]
	if c.r.IntN(40) == 0 {
		do.name, do.make = "DeleteUser", func(s *store.Store) { s.Accounts.DeleteUser(x.ctx, c.id, false) }
	}
	died := x.dies(1+c.r.IntN(8), func(s *store.Store) {
		s.Engine.LoginRest = rest
		do.make(s)
	})
	return fmt.Sprintf("%s (%s), died %t", do.name, login, died)
}

// follow applies what a token says.
func (c *renamer) follow(s *store.Store, is accounts.Claims) {
	is.External, is.IssuedAt = someExternal, c.x.Engine.Now()
	applied, err := s.Accounts.ApplyClaims(c.x.ctx, c.id, is)
	if err == nil && applied.Login != nil {
		s.Accounts.FollowLogin(c.x.ctx, c.id, applied.Login, is.Login, is.Login)
	}
}

// look notes which logins are kept from now on.
func (c *renamer) look() {
	f := c.x.hash(key.User(c.id))
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
			x := newSite(t)
			c := &renamer{x: x, r: rand.New(rand.NewPCG(seed, 0)), kept: map[string]bool{}, area: x.Category("area")}
			c.id = must.Do(x.Accounts.Register(x.ctx, externalUser("modone")))(t)
			for range 40 {
				what := c.change()
				c.look()
				x.clock.Advance([]time.Duration{0, time.Minute, forum.LoginKept, forum.LoginRest}[c.r.IntN(4)])
				if c.r.IntN(2) == 0 {
					x.settle()
				}
				for login := range c.kept {
					_, err := x.Accounts.Register(x.ctx, account(login))
					if code := forum.CodeOf(err); code != forum.CodeTaken && code != forum.CodeConflict {
						t.Fatalf("after %s: Register(%s) = %v; want TAKEN", what, login, err)
					}
				}
			}
			x.clock.Advance(forum.PendingLife)
			x.wantClean()
		})
	}
}

// What rests of a login of staff are claims without an end, of the user as long as there is one.
func TestClaimsOnLoginsOfStaff(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(x *site, id forum.UserID)
		want string
	}{
		{"a claim changes it at once", func(x *site, id forum.UserID) {
			x.says(id, "modone")
			wantOK(x.t, "FollowLogin", x.Accounts.FollowLogin(x.ctx, id, x.says(id, "other"), "other", "other"))
		}, "%d/rest:0"},
		{"a claim takes the role, then the login", func(x *site, id forum.UserID) {
			wantOK(x.t, "SetRole", x.Accounts.SetRole(x.ctx, id, forum.RoleUser))
			x.says(id, "modone")
			wantOK(x.t, "FollowLogin", x.Accounts.FollowLogin(x.ctx, id, x.says(id, "other"), "other", "other"))
		}, "%d/rest:0"},
		{"the user changes it", func(x *site, id forum.UserID) {
			wantOK(x.t, "ChangeLogin", x.Accounts.ChangeLogin(x.ctx, id, "", "other", "other"))
		}, "%d/rest:0"},
		{"the user is deleted", func(x *site, id forum.UserID) {
			wantOK(x.t, "DeleteUser", x.Accounts.DeleteUser(x.ctx, id, false))
		}, "0/rest:0"},
		{"the user is deleted without the role", func(x *site, id forum.UserID) {
			wantOK(x.t, "SetRole", x.Accounts.SetRole(x.ctx, id, forum.RoleUser))
			wantOK(x.t, "DeleteUser", x.Accounts.DeleteUser(x.ctx, id, false))
		}, "0/rest:0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			id := must.Do(x.Accounts.Register(x.ctx, externalUser("modone")))(t)
			wantOK(t, "SetRole", x.Accounts.SetRole(x.ctx, id, forum.RoleModerator))
			tt.do(x, id)
			x.settle()
			want := tt.want
			if want[0] == '%' {
				want = fmt.Sprintf(want, id)
			}
			for _, claim := range append(record.LookClaims("modone"), key.LoginClaim("modone")) {
				if got := x.rdb.Get(x.ctx, claim).Val(); got != want {
					t.Errorf("%s is %q; want %q", claim, got, want)
				}
				if life := x.rdb.TTL(x.ctx, claim).Val(); life >= 0 {
					t.Errorf("%s ends in %s; want no end", claim, life)
				}
			}
			_, err := x.Accounts.Register(x.ctx, account("modone"))
			wantCode(t, "Register(modone)", err, forum.CodeTaken)
			x.wantClean()
		})
	}
}

// A process may die between the deletion of an account and the release of its names: whoever wants them finds what
// rests, and whose e-mail is barred.
func TestNamesRestBeforeTheyAreReleased(t *testing.T) {
	x := newSite(t)
	mod := x.Moderator("modone")
	x.diesAt("claim_release", 1, func(s *store.Store) { s.Accounts.DeleteAccount(x.ctx, mod.ID, "hash of modone") })
	_, err := x.Accounts.Register(x.ctx, account("modone"))
	wantCode(t, "Register(modone)", err, forum.CodeTaken)
	x.wantClean()
}
