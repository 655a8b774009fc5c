package importer

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/accounts"
	built "agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/whole"
)

// wantUsers checks logins and names, by source.
func (x *site) wantUsers(want string) {
	x.t.Helper()
	v := x.view()
	var b strings.Builder
	for i, u := range objects(v, v.users, whole.Users) {
		if u == nil {
			fmt.Fprintf(&b, "%s: deleted\n", v.sources[int64(v.users[i])])
			continue
		}
		fmt.Fprintf(&b, "%s: %s %q\n", v.sources[int64(v.users[i])], u.Login, u.Name)
	}
	if b.String() != undent(want) {
		x.t.Errorf("the users are\n%swant\n%s", b.String(), undent(want))
	}
}

// by returns V2EX topics of these members.
func by(members ...obj) []byte {
	var records []obj
	for i, m := range members {
		records = append(records, v2exTopicOf(i+1, node(7, "Tea", ""), m))
	}
	return lines(records...)
}

func TestImportChoosesLogins(t *testing.T) {
	long := strings.Repeat("long", 16)
	tests := []struct {
		name    string
		members []obj
		want    string
	}{
		{"clashes by case", []obj{member(1, "Ann"), member(2, "ann"), member(3, "ANN")}, `
		v2ex:1: Ann "Ann"
		v2ex:2: ann-2 "ann"
		v2ex:3: ANN-3 "ANN"`},
		{"the number is also taken", []obj{member(1, "ann-3"), member(2, "ann"), member(3, "Ann")}, `
		v2ex:1: ann-3 "ann-3"
		v2ex:2: ann "ann"
		v2ex:3: Ann-17239b6e "Ann"`},
		{"one name of many members", []obj{member(1, "ann"), {"username": "ann"}, member(2, "ann")}, `
		v2ex:1: ann "ann"
		v2ex:2: ann-2 "ann"
		v2ex:name:ann: ann-49915e0d "ann"`},
		{"no logins", []obj{member(1, "admin"), member(2, "ghost"), member(3, "?!"), member(4, "a b"), member(5, long)}, `
		v2ex:1: user-1 "admin"
		v2ex:2: ghost-2 "ghost"
		v2ex:3: user-3 "?!"
		v2ex:4: ab "a b"
		v2ex:5: ` + long[:31] + ` "` + long + `"`},
		{
			"taken by a registered user, and by one of the same name with a number",
			[]obj{member(1, "ROOT"), member(2, "Root-2"), member(3, "root")},
			`
		here:Root: Root "Root"
		v2ex:1: ROOT-1 "ROOT"
		v2ex:2: Root-2 "Root-2"
		v2ex:3: root-3 "root"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := newSite(t)
			if strings.Contains(tt.want, "here:") {
				x.admin()
			}
			x.load(
				Summary{Records: len(tt.members), Topics: len(tt.members), Users: len(tt.members), Categories: 1},
				Options{Format: V2EX},
				by(tt.members...),
			)
			x.settle()
			x.wantUsers(tt.want)
			x.load(Summary{Records: len(tt.members), Known: len(tt.members)}, Options{Format: V2EX}, by(tt.members...))
			x.wantUsers(tt.want)
		})
	}
}

// Many conflicting logins, in several batches and files.
func TestImportChoosesLoginsForMany(t *testing.T) {
	testlevel.Long(t)
	const names = usersBatch + 100
	x := newSite(t)
	x.admin()
	var members []obj
	for n := range names {
		members = append(members, member(n+1, fmt.Sprintf("Member%d", n)))
	}
	for n := 0; n < names; n += 10 {
		members = append(members, member(names+n+1, fmt.Sprintf("member%d", n)))
	}
	members = append(members, member(2*names, "rOOt"))
	x.load(
		Summary{Records: len(members), Topics: len(members), Users: len(members), Categories: 1},
		Options{Format: V2EX},
		by(members...),
	)
	x.settle()
	shown := x.shown()
	var want []string
	for n := range names {
		want = append(want, fmt.Sprintf("user v2ex:%d: Member%d ", n+1, n))
	}
	for n := 0; n < names; n += 10 {
		want = append(want, fmt.Sprintf("user v2ex:%d: member%d-%d ", names+n+1, n, names+n+1))
	}
	for _, user := range append(want, fmt.Sprintf("user v2ex:%d: rOOt-%d ", 2*names, 2*names)) {
		if !strings.Contains(shown, user) {
			t.Errorf("the site lacks %q", user)
		}
	}
}

// A login that was free when the import began may be taken when it is needed: here by an unfinished
// registration.
func TestImportAfterAnAbandonedRegistration(t *testing.T) {
	x := newSite(t)
	s := x.process(x.server.Client(t), store.WithSteps(built.KillAt("user_activate", 1)))
	built.Killed(func() { s.Accounts.Register(x.ctx, accounts.NewUser{Login: "Ann", LoginFold: "ann", Name: "Ann"}) })
	x.clock.Advance(2 * forum.PendingLife)
	x.load(Summary{Records: 1, Topics: 1, Users: 1, Categories: 1}, Options{Format: V2EX}, by(member(1, "ann")))
	x.settle()
	if shown := x.shown(); !strings.Contains(shown, `user v2ex:1: ann "ann"`) {
		t.Errorf("the site lacks the login ann:\n%s", shown)
	}
}
