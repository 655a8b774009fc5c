package bulk_test

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
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// importUsers imports members only.
func importUsers(x *storetest.Site, s *store.Store, members ...bulk.ImportUser) []forum.UserID {
	x.T.Helper()
	ids, _, err := s.Import().Users(x.Ctx, members, strings.ToLower)
	storetest.WantOK(x.T, "Users", err)
	return ids
}

func wantLogins(x *storetest.Site, ids []forum.UserID, want ...string) {
	x.T.Helper()
	for i, id := range ids {
		if got := x.OneUser(id).Login; got != want[i] {
			x.T.Errorf("login %d = %q; want %q", i, got, want[i])
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
				x := storetest.New(t)
				died := x.Dies(n, func(s *store.Store) { importUsers(x, s, site.Member("old:7", "zoe")) })
				x.Clock.Advance(wait)
				if swept {
					x.Settle()
				}
				ids := importUsers(x, x.Store, site.Member("old:7", "other", "more"),
					site.Member("old:8", "zoe", "zoe-8"))
				if !died {
					t.Fatalf("Users has no step %d", n)
				}
				wantLogins(x, ids, "other", "zoe")
				x.Clock.Advance(forum.PendingLife)
				x.WantClean()
				if again := importUsers(x, x.Store, site.Member("old:7", "zoe"),
					site.Member("old:8", "zoe")); !slices.Equal(again,
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
	x := storetest.New(t)
	x.Dies(4, func(s *store.Store) { importUsers(x, s, site.Member("old:7", "zoe")) })
	ids := importUsers(x, x.Store, site.Member("old:8", "zoe", "zoe-8"))
	wantLogins(x, ids, "zoe-8")
	x.Clock.Advance(forum.PendingLife)
	x.WantClean()
	wantLogins(x, importUsers(x, x.Store, site.Member("old:7", "zoe")), "zoe")
	x.WantClean()
}

// A member is deleted between the import of members and that of topics.
func TestMemberDeletedDuringTheImport(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"import_topics", "import_comments", "index"} {
		x := storetest.New(t)
		wake := x.Asleep(step, func(s *store.Store) {
			must.Do(x.ImportAll(s))(t)
		})
		zoe, _ := record.ParseClaim(x.Redis.Get(t.Context(), key.LoginClaim("zoe")).Val())
		storetest.WantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(t.Context(), zoe, ""))
		wake()
		x.WantClean()
		mustImportKnown(x)
		x.WantClean()
		if t.Failed() {
			t.Fatalf("deleted before %s", step)
		}
	}
}

// Two imports abandon each other's members: the record refers to the existing one.
func TestImportsThatAbandonEachOthersMembers(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"claim_set", "user_activate", "claim_release"} {
		x := storetest.New(t)
		x.Dies(4, func(s *store.Store) { importUsers(x, s, site.Member("old:7", "zoe", "zoe-7", "zoe-77")) })
		wake := x.Asleep(step, func(s *store.Store) {
			importUsers(x, s, site.Member("old:7", "zoe", "zoe-7", "zoe-77"))
		})
		ids := importUsers(x, x.Store, site.Member("old:7", "zoe", "zoe-7", "zoe-77"))
		wake()
		x.Clock.Advance(forum.PendingLife)
		x.WantClean()
		if again := importUsers(x, x.Store, site.Member("old:7", "zoe")); !slices.Equal(again, ids) {
			t.Errorf("Users again after one slept before %s = %v; want %v", step, again, ids)
		}
		if stats, err := x.Process().Stats(t.Context()); err != nil || stats.Users != 1 {
			t.Errorf("Stats = %+v, %v; want one user", stats, err)
		}
	}
}

// A run that starts again assigns logins in the order of the members.
func TestMembersKeepTheirOrder(t *testing.T) {
	x := storetest.New(t)
	var members []bulk.ImportUser
	for n := range 8 {
		members = append(members, site.Member("old:"+key.Itoa(forum.UserID(n)), "zoe"))
	}
	x.Dies(4, func(s *store.Store) { importUsers(x, s, members...) })
	x.Clock.Advance(forum.PendingLife)
	x.Settle()
	ids := importUsers(x, x.Store, members...)
	wantLogins(x, ids[:3], "zoe", "zoe-1000", "zoe-1001")
	x.WantClean()
}
