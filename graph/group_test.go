package graph_test

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store/groups"
	"agora/internal/test/must"
)

// crew makes a group, once, and puts users into it. It returns its global id.
func (s *site) crew(members ...string) string {
	s.t.Helper()
	id, err := s.store.Groups.CreateGroup(s.t.Context(), "Crew", "crew", "Us")
	if forum.CodeOf(err) == forum.CodeTaken {
		id = 1
	} else {
		must.OK(s.t, err)
	}
	var changes []groups.MemberChange
	for _, token := range members {
		changes = append(changes, groups.MemberChange{User: userOf(token), On: true,
			Until: s.store.Engine.Now() + forum.Time((100 * time.Hour).Milliseconds())})
	}
	must.Do(s.store.Groups.SetMembers(s.t.Context(), id, changes))(s.t)
	return gid("Group", fmt.Sprint(int64(id)))
}

// groupSite is a site with a group that ann is in and bob manages; cyd is neither, mia an administrator.
type groupSite struct {
	*site
	ann, bob, cyd, mia, group string
}

func newGroupSite(t *testing.T) *groupSite {
	g := &groupSite{site: newSite(t)}
	g.ann, g.bob, g.cyd, g.mia = g.user("ann"), g.user("bob"), g.user("cyd"), g.admin("mia")
	g.group = g.crew(g.ann)
	g.wantVerdict("setGroupManagers", g.set("setGroupManagers", g.mia, input{"add": []input{{"login": "bob"}}}), "")
	return g
}

// set changes managers or members of the group.
func (g *groupSite) set(field, token string, in input) answer {
	g.t.Helper()
	in["group"] = input{"id": g.group}
	return g.mutate(token, field, in, "group { memberCount } changed")
}

// Administrators, managers and members see a group and who is in it; to others it does not exist.
func TestWhoSeesGroups(t *testing.T) {
	g := newGroupSite(t)
	const query = `query($id: ID!) { group(by: {id: $id}) { name } named: group(by: {name: "CREW"}) { memberCount viewerIsManager
		managers { login } members { totalCount nodes { user { login } until } edges { node { user { login } joinedAt } } } }
		node(id: $id) { id } groups { totalCount nodes { name } }
		viewer { groups { until group { name } } } user(by: {login: "ann"}) { groups { name } } }`
	for _, tt := range []struct {
		who, token             string
		sees, manages, knows   bool
		viewerGroups, listSize int
	}{
		{"nobody", "", false, false, false, 0, 0},
		{"another member", g.cyd, false, false, false, 0, 0},
		{"a member", g.ann, true, false, false, 1, 1},
		{"a manager", g.bob, true, true, true, 0, 1},
		{"an administrator", g.mia, true, false, true, 0, 1},
	} {
		a := g.must(tt.token, query, input{"id": g.group})
		wantEqual(t, tt.who+" sees it", []any{a.at("group") != nil, a.at("named") != nil, a.at("node") != nil},
			[]any{tt.sees, tt.sees, tt.sees})
		wantEqual(t, tt.who+" sees in lists", a.at("groups", "totalCount"), any(float64(tt.listSize)))
		wantEqual(t, tt.who+" sees of ann", len(a.at("user", "groups").([]any)) > 0, tt.knows)
		if tt.token != "" {
			wantEqual(t, tt.who+" is in", len(a.at("viewer", "groups").([]any)), tt.viewerGroups)
		}
		if tt.sees {
			wantEqual(t, tt.who+" manages it", a.at("named", "viewerIsManager"), any(tt.manages))
			wantEqual(t, tt.who+": member", a.text("named", "members", "nodes", 0, "user", "login"), "ann")
			wantEqual(t, tt.who+": manager", a.text("named", "managers", 0, "login"), "bob")
		}
	}
}

// Administrators and managers change who is in a group, nobody else. Only administrators change the rest.
func TestWhoChangesGroups(t *testing.T) {
	g := newGroupSite(t)
	member := func(login string) input { return input{"add": []input{{"user": input{"login": login}}}} }
	for _, tt := range []struct{ who, token, members, rest string }{
		{"another member", g.cyd, "NOT_FOUND input.group", "FORBIDDEN"},
		{"a member", g.ann, "FORBIDDEN input.group", "FORBIDDEN"},
		{"a manager", g.bob, "", "FORBIDDEN"},
		{"an administrator", g.mia, "", ""},
	} {
		g.wantVerdict("members, by "+tt.who, g.set("setGroupMembers", tt.token, member("cyd")), tt.members)
		g.wantVerdict("members, by "+tt.who, g.set("setGroupMembers", g.mia, input{"remove": []input{{"login": "cyd"}}}), "")
		for field, in := range map[string]input{"createGroup": {"name": tt.who}, "updateGroup": {"group": input{"id": g.group}},
			"setGroupManagers": {"group": input{"id": g.group}}} {
			wantEqual(t, field+" by "+tt.who, g.mutate(tt.token, field, in, "").code(), tt.rest)
		}
	}
	g.wantVerdict("deleteGroup", g.mutate(g.mia, "deleteGroup", input{"group": input{"id": g.group}}, "deletedGroupId"), "")
	wantEqual(t, "ann's groups", g.must(g.ann, `{ viewer { groups { until } } }`, nil).at("viewer", "groups"), any([]any{}))
}

// What an input names wrongly has an error at its place.
func TestErrorsOfGroups(t *testing.T) {
	g := newGroupSite(t)
	past := time.UnixMilli(int64(g.store.Engine.Now())).UTC().Format(time.RFC3339)
	many := make([]input, forum.MaxGroupChanges+1)
	for i := range many {
		many[i] = input{"login": fmt.Sprintf("u%d", i)}
	}
	for _, tt := range []struct {
		name string
		in   input
		want string
	}{
		{"a missing user", input{"remove": []input{{"login": "nobody"}}}, "NOT_FOUND input.remove.0"},
		{"two missing users", input{"add": []input{{"user": input{"login": "x"}}}, "remove": []input{{"login": "y"}}},
			"NOT_FOUND input.add.0.user; NOT_FOUND input.remove.0"},
		{"a user twice", input{"add": []input{{"user": input{"login": "cyd"}}}, "remove": []input{{"login": "CYD"}}},
			"INVALID input.remove.0"},
		{"an end that is past", input{"add": []input{{"user": input{"login": "cyd"}, "until": past}}},
			"INVALID input.add.0.until"},
		{"too many", input{"remove": many}, "TOO_LONG input.remove"},
	} {
		g.wantVerdict(tt.name, g.set("setGroupMembers", g.bob, tt.in), tt.want)
	}
	g.wantVerdict("a taken name", g.mutate(g.mia, "createGroup", input{"name": "CREW"}, ""), "TAKEN input.name")
	g.wantVerdict("an empty name", g.mutate(g.mia, "createGroup", input{"name": " "}, ""), "TOO_SHORT input.name")
}

// A membership ends while the user is signed in.
func TestMembershipsOfTheViewerEnd(t *testing.T) {
	g := newGroupSite(t)
	g.clock.Advance(101 * time.Hour)
	token := g.signIn("ann")
	wantEqual(t, "ann's groups", g.must(token, `{ viewer { groups { until } } }`, nil).at("viewer", "groups"), any([]any{}))
	wantEqual(t, "what ann sees", g.must(token, `query($id: ID!) { node(id: $id) { id } }`, input{"id": g.group}).at("node"), nil)
}
