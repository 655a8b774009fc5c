package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/bulk"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// importUsers imports members only.
func (x *site) importUsers(s *store.Store, members ...bulk.ImportUser) []forum.UserID {
	x.t.Helper()
	ids, _, err := s.Import().Users(x.ctx, members, strings.ToLower)
	wantOK(x.t, "Users", err)
	return ids
}

func (x *site) wantLogins(ids []forum.UserID, want ...string) {
	x.t.Helper()
	for i, id := range ids {
		if got := x.oneUser(id).Login; got != want[i] {
			x.t.Errorf("login %d = %q; want %q", i, got, want[i])
		}
	}
}

// A dead run left a member half created, with a login that another account has now; the next run creates
// the member again, whether or not the sweeper has run.
func TestMemberLeftByADeadRun(t *testing.T) {
	testlevel.Sequential(t)
	for n := 3; n < 5; n++ { // before claiming, before activating
		for _, wait := range []time.Duration{0, forum.PendingLife} {
			for _, swept := range []bool{false, true} {
				x := newSite(t)
				died := x.dies(n, func(s *store.Store) { x.importUsers(s, newMember("old:7", "zoe")) })
				x.clock.Advance(wait)
				if swept {
					x.settle()
				}
				ids := x.importUsers(x.Store, newMember("old:7", "other", "more"), newMember("old:8", "zoe", "zoe-8"))
				if !died {
					t.Fatalf("Users has no step %d", n)
				}
				x.wantLogins(ids, "other", "zoe")
				x.clock.Advance(forum.PendingLife)
				x.wantClean()
				if again := x.importUsers(x.Store, newMember("old:7", "zoe"), newMember("old:8", "zoe")); !slices.Equal(again,
					ids) {
					t.Errorf("Users again = %v; want %v", again, ids)
				}
				if t.Failed() {
					t.Fatalf("killed before step %d, waited %v, swept %t", n, wait, swept)
				}
			}
		}
	}
}

// A member's login is claimed for another member by a dead run.
func TestMemberWhoseLoginADeadRunClaims(t *testing.T) {
	x := newSite(t)
	x.dies(4, func(s *store.Store) { x.importUsers(s, newMember("old:7", "zoe")) })
	ids := x.importUsers(x.Store, newMember("old:8", "zoe", "zoe-8"))
	x.wantLogins(ids, "zoe-8")
	x.clock.Advance(forum.PendingLife)
	x.wantClean()
	x.wantLogins(x.importUsers(x.Store, newMember("old:7", "zoe")), "zoe")
	x.wantClean()
}

// A member is deleted between the import of members and that of topics.
func TestMemberDeletedDuringTheImport(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"import_topics", "import_comments", "index"} {
		x := newSite(t)
		wake := x.asleep(step, func(s *store.Store) {
			must.Do(x.importAll(s))(t)
		})
		zoe, _ := record.ParseClaim(x.rdb.Get(t.Context(), key.LoginClaim("zoe")).Val())
		wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), zoe, ""))
		wake()
		x.wantClean()
		x.mustImportKnown()
		x.wantClean()
		if t.Failed() {
			t.Fatalf("deleted before %s", step)
		}
	}
}

// Two imports abandon each other's members: the record refers to the existing one.
func TestImportsThatAbandonEachOthersMembers(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"claim_set", "user_activate", "claim_release"} {
		x := newSite(t)
		x.dies(4, func(s *store.Store) { x.importUsers(s, newMember("old:7", "zoe", "zoe-7", "zoe-77")) })
		wake := x.asleep(step, func(s *store.Store) { x.importUsers(s, newMember("old:7", "zoe", "zoe-7", "zoe-77")) })
		ids := x.importUsers(x.Store, newMember("old:7", "zoe", "zoe-7", "zoe-77"))
		wake()
		x.clock.Advance(forum.PendingLife)
		x.wantClean()
		if again := x.importUsers(x.Store, newMember("old:7", "zoe")); !slices.Equal(again, ids) {
			t.Errorf("Users again after one slept before %s = %v; want %v", step, again, ids)
		}
		if stats, err := x.process().Stats(t.Context()); err != nil || stats.Users != 1 {
			t.Errorf("Stats = %+v, %v; want one user", stats, err)
		}
	}
}

// A run that starts again assigns logins in the order of the members.
func TestMembersKeepTheirOrder(t *testing.T) {
	x := newSite(t)
	var members []bulk.ImportUser
	for n := range 8 {
		members = append(members, newMember("old:"+key.Itoa(forum.UserID(n)), "zoe"))
	}
	x.dies(4, func(s *store.Store) { x.importUsers(s, members...) })
	x.clock.Advance(forum.PendingLife)
	x.settle()
	ids := x.importUsers(x.Store, members...)
	x.wantLogins(ids[:3], "zoe", "zoe-1000", "zoe-1001")
	x.wantClean()
}
