package importer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/store/follows"
	"agora/internal/store/listing"
	"agora/internal/test/testlevel"
	"agora/internal/test/whole"
)

// smallSnap has edges both ways, a duplicate edge, a user who follows themselves and has no other
// edge, and an invalid line.
const smallSnap = "# Directed graph\r\n# FromNodeId\tToNodeId\r\n" +
	"0\t2\r\n0\t1\r\n1\t0\r\n2\t0\r\n0\t3\r\n9\t9\r\n0\t1\r\nx\ty\r\n3\t10\r\n"

var smallSnapSum = Summary{
	Records:      9,
	Users:        5,
	Follows:      6,
	KnownFollows: 1,
	Bad:          1,
	Skipped:      map[string]int{skippedSelf: 1},
}

// wantFollows checks the follows and followers of each user, latest first.
func (x *site) wantFollows(want string) {
	x.t.Helper()
	v := x.view()
	var b strings.Builder
	for i, u := range objects(v, v.users, whole.Users) {
		fmt.Fprintf(&b, "%s %q follows %s; followed by %s\n", u.Login, u.Name,
			v.list(follows.Following(v.users[i])), v.list(follows.Followers(v.users[i])))
	}
	if b.String() != undent(want) {
		x.t.Errorf("the users are\n%swant\n%s", b.String(), undent(want))
	}
}

const smallSnapFollows = `
		User0 "User 0" follows snap:3 snap:1 snap:2; followed by snap:2 snap:1
		User1 "User 1" follows snap:0; followed by snap:0
		User10 "User 10" follows ; followed by snap:3
		User2 "User 2" follows snap:0; followed by snap:0
		User3 "User 3" follows snap:10; followed by snap:0`

// follow imports an edge list and checks the summary.
func (x *site) follow(want Summary, file string) {
	x.t.Helper()
	got, err := x.run(x.ctx, x.Store, Options{Format: Snap}, []byte(file))
	if err != nil {
		x.t.Fatalf("Run = %v; want no error", err)
	}
	wantSummary(x.t, got, want)
}

// Follows are created in the order of the file; a second run changes nothing.
func TestImportOfAnEdgeList(t *testing.T) {
	x := newSite(t)
	x.follow(smallSnapSum, smallSnap)
	x.wantReported(`file1:10: "x" is not the number of a user`)
	x.settle()
	x.wantFollows(smallSnapFollows)
	before := x.keys()
	again := smallSnapSum
	again.Users, again.Follows, again.KnownFollows = 0, 0, 7
	x.follow(again, smallSnap)
	x.settle()
	if diff := cmp.Diff(before, x.keys()); diff != "" {
		t.Errorf("a second run changes keys (-before +after):\n%s", diff)
	}
}

// Later edges are added to existing ones, and users of another source are different users.
func TestImportAddsEdges(t *testing.T) {
	x := newSite(t)
	x.follow(Summary{Records: 2, Users: 3, Follows: 2}, "1\t2\n1\t3\n")
	x.clock.Advance(time.Millisecond)
	x.follow(Summary{Records: 3, Users: 1, Follows: 2, KnownFollows: 1}, "4\t1\n1\t3\n1\t4\n")
	sum, err := x.run(x.ctx, x.Store, Options{Format: Snap, Source: "other"}, []byte("1\t2\n"))
	if err != nil {
		t.Fatalf("Run = %v; want no error", err)
	}
	wantSummary(t, sum, Summary{Records: 1, Users: 2, Follows: 1})
	x.settle()
	x.wantFollows(`
		User1-1 "User 1" follows other:2; followed by 
		User2-2 "User 2" follows ; followed by other:1
		User1 "User 1" follows snap:4 snap:3 snap:2; followed by snap:4
		User2 "User 2" follows ; followed by snap:1
		User3 "User 3" follows ; followed by snap:1
		User4 "User 4" follows snap:1; followed by snap:1`)
}

// More edges than a call or a chunk holds keep their order.
func TestImportOfManyEdges(t *testing.T) {
	testlevel.Usual(t)
	const users = 64 // 4,096 lines
	x := newSite(t)
	var file strings.Builder
	var want []string
	for from := range users {
		for to := range users {
			fmt.Fprintf(&file, "%d\t%d\n", from, to)
		}
		want = append(want, fmt.Sprint("snap:", from))
	}
	got, err := x.run(x.ctx, x.Store, Options{Format: Snap}, []byte(file.String()))
	if err != nil {
		t.Fatalf("Run = %v; want no error", err)
	}
	// What a call has written that timed out is known when it is repeated.
	got.Follows, got.KnownFollows = got.Follows+got.KnownFollows, 0
	wantSummary(t, got, Summary{Records: users * users, Users: users, Follows: users * (users - 1),
		Skipped: map[string]int{skippedSelf: users}})
	slices.Reverse(want)
	v := x.view()
	for _, id := range v.users {
		others := slices.DeleteFunc(slices.Clone(want), func(name string) bool { return name == v.sources[int64(id)] })
		for what, list := range map[string]listing.List{"follows": follows.Following(id), "followed by": follows.Followers(id)} {
			if got := v.list(list); got != strings.Join(others, " ") {
				t.Errorf("%s %s %s; want all others, latest first", v.sources[int64(id)], what, got)
			}
		}
	}
}

// A user who deleted the account here follows no user, and has no followers.
func TestImportSkipsEdgesOfDeletedUsers(t *testing.T) {
	x := newSite(t)
	x.follow(Summary{Records: 1, Users: 2, Follows: 1}, "1\t2\n")
	wantOK(t, "DeleteAccount", x.Accounts.DeleteAccount(x.ctx, called(x, users, "snap:2"), ""))
	x.settle()
	x.follow(Summary{Records: 4, Users: 1, Follows: 1, KnownFollows: 3}, "1\t2\n2\t1\n1\t3\n2\t3\n")
	x.settle()
	one, three := called(x, users, "snap:1"), called(x, users, "snap:3")
	v := x.view()
	for what, got := range map[string]string{"1 follows": v.list(follows.Following(one)),
		"3 is followed by": v.list(follows.Followers(three))} {
		if got != map[string]string{"1 follows": "snap:3", "3 is followed by": "snap:1"}[what] {
			t.Errorf("%s %q; want only existing users", what, got)
		}
	}
}

// A process may be killed before any step: the next run does the rest.
func TestImportOfAnEdgeListAfterACrashAtEveryStep(t *testing.T) {
	x := newSite(t)
	for n, killed := 1, "?"; killed != "" && !t.Failed(); n++ {
		x.wipe()
		// All users exist already, because registrations wait between their tries.
		x.follow(Summary{Records: 3, Users: 5, Follows: 3}, "0\t2\n1\t0\n3\t10\n")
		x.clock.Advance(time.Millisecond)
		killed = x.dies(n, Options{Format: Snap}, []byte(smallSnap))
		sum, err := x.run(x.ctx, x.Store, Options{Format: Snap}, []byte(smallSnap))
		if err != nil || sum.Follows+sum.KnownFollows != 7 {
			t.Fatalf("Run after a crash before step %d, %s = %+v, %v; want 7 edges", n, killed, sum, err)
		}
		x.settle()
		x.wantEdges("0>1 0>2 0>3 1>0 2>0 3>10")
		if t.Failed() {
			t.Errorf("the import was killed before step %d, %s", n, killed)
		}
	}
}

// wantEdges checks the edges of users 0 to 10, from both ends.
func (x *site) wantEdges(want string) {
	x.t.Helper()
	v := x.view()
	var following, followers []string
	number := func(id forum.UserID) string { return strings.TrimPrefix(v.sources[int64(id)], "snap:") }
	for _, id := range v.users {
		for _, row := range v.page(follows.Following(id)) {
			following = append(following, number(id)+">"+number(forum.UserID(row.ID)))
		}
		for _, row := range v.page(follows.Followers(id)) {
			followers = append(followers, number(forum.UserID(row.ID))+">"+number(id))
		}
	}
	slices.Sort(following)
	slices.Sort(followers)
	if got := strings.Join(following, " "); got != want {
		x.t.Errorf("users follow %s; want %s", got, want)
	}
	if got := strings.Join(followers, " "); got != want {
		x.t.Errorf("users are followed: %s; want %s", got, want)
	}
}

// Redis may be unreachable for a moment at any round trip: the edges and counts are the same.
func TestImportOfEdgesWhileRedisIsDown(t *testing.T) {
	testlevel.Usual(t)
	for name, how := range map[string]fate{"lost": lost, "unheard": unheard} {
		x := newSite(t)
		for n, met := 1, true; met && !t.Failed(); n++ {
			x.wipe()
			met = x.runThrough(n, 1, how, smallSnapSum, Options{Format: Snap}, []byte(smallSnap))
			x.settle()
			x.wantFollows(smallSnapFollows)
			if t.Failed() {
				t.Errorf("Redis was unreachable at round trip %d, which was %s", n, name)
			}
		}
	}
}
