package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"agora/internal/globalid"
	"agora/internal/store/accounts"
	"agora/internal/test/testlevel"

	"agora/internal/forum"
)

// list creates a list of users and returns its id.
func (s *site) list(token, name string, users ...string) string {
	s.t.Helper()
	a := s.mutate(token, "createList", input{"name": name}, "list { id name memberCount }")
	s.wantVerdict("createList "+name, a, "")
	id := a.text("createList", "list", "id")
	if len(users) > 0 {
		s.wantVerdict("members of "+name, s.members(token, id, users, nil), "")
	}
	return id
}

// members adds users to a list and removes others from it.
func (s *site) members(token, list string, add, remove []string) answer {
	s.t.Helper()
	in := input{"listId": list, "add": append([]string{}, add...), "remove": append([]string{}, remove...)}
	return s.mutate(token, "updateListMembers", in, "list { memberCount members { totalCount nodes { login } } }")
}

// onList returns the logins on a list as a payload shows them, latest added first.
func (a answer) onList() string {
	return strings.Join(a.texts("login", "updateListMembers", "list", "members", "nodes"), " ")
}

func TestLists(t *testing.T) {
	p := newVoteSite(t)
	first := p.list(p.ann, "Friends")
	p.clock.Advance(second)
	other := p.list(p.ann, "Fools")
	p.list(p.bob, "Friends") // names are unique among the owner's only
	a := p.must(p.ann, `{ viewer { lists { totalCount nodes { id name memberCount } edges { cursor node { id } } } } }`, nil)
	wantEqual(t, "latest made first", a.texts("name", "viewer", "lists", "nodes"), []string{"Fools", "Friends"})
	wantEqual(t, "totalCount", a.number("viewer", "lists", "totalCount"), 2)
	steps := []struct {
		name        string
		add, remove []string
		want        string
	}{
		{"bob and cid", []string{userID(p.bob), userID(p.cid)}, nil, "cid bob"},
		{"bob again changes nothing", []string{userID(p.bob), userID(p.bob)}, nil, "cid bob"},
		{"mia for cid", []string{userID(p.mod)}, []string{userID(p.cid)}, "mia bob"},
		{"cid is not on it", nil, []string{userID(p.cid), userID(p.cid)}, "mia bob"},
		{"nothing at all", nil, nil, "mia bob"},
	}
	for _, tt := range steps {
		p.clock.Advance(second)
		a := p.members(p.ann, first, tt.add, tt.remove)
		p.wantVerdict(tt.name, a, "")
		got := strings.Fields(a.onList())
		want := strings.Fields(tt.want)
		slices.Sort(got) // users added together are in any order
		slices.Sort(want)
		wantEqual(t, tt.name, got, want)
		wantEqual(t, tt.name+": memberCount", a.number("updateListMembers", "list", "memberCount"), len(want))
	}
	renamed := p.mutate(p.ann, "updateList", input{"listId": first, "name": " FRIENDS "}, "list { id name }")
	p.wantVerdict("its own name in capitals", renamed, "")
	wantEqual(t, "renamed", renamed.text("updateList", "list", "name"), "FRIENDS")
	gone := p.mutate(p.ann, "deleteList", input{"listId": other}, "deletedListId")
	p.wantVerdict("deleteList", gone, "")
	wantEqual(t, "deletedListId", gone.text("deleteList", "deletedListId"), other)
	wantEqual(t, "what is left", p.must(p.ann, `{ viewer { lists { nodes { name } } } }`, nil).texts("name", "viewer", "lists", "nodes"), []string{"FRIENDS"})
	p.list(p.ann, "Fools") // the name is free again
}

// C16: a list shows the posts of its members; it is merged when it is read.
func TestListTimeline(t *testing.T) {
	p := newVoteSite(t)
	p.status(p.bob, "Of bob")
	p.post(p.cid, "Of cid", nil)
	p.status(p.ann, "Of ann")
	list := p.list(p.ann, "Friends", userID(p.bob), userID(p.cid))
	timeline := fmt.Sprintf(`node(id: %q) { ... on UserList { timeline`, list)
	show := func() string { t.Helper(); return strings.Join(p.listedFor(p.ann, timeline, "title"), ", ") }
	wantEqual(t, "both", show(), "Of cid, Of bob")
	p.status(p.bob, "More of bob")
	wantEqual(t, "at once", show(), "More of bob, Of cid, Of bob")
	p.members(p.ann, list, nil, []string{userID(p.bob)})
	wantEqual(t, "without bob", show(), "Of cid")
	p.members(p.ann, list, []string{userID(p.ann)}, nil)
	wantEqual(t, "with oneself", show(), "Of ann, Of cid")
	p.block(p.cid, userID(p.ann), true)
	wantEqual(t, "without who has blocked one", show(), "Of ann")
}

func TestBadLists(t *testing.T) {
	b := newFullSite(t)
	mine, foreign := b.list(b.ann, "Friends", userID(b.bob)), b.list(b.bob, "Friends")
	b.user("dan")
	dan := b.must("", `{ user(by: {login: "dan"}) { id } }`, nil).text("user", "id")
	b.block(b.ann, dan, true)
	b.settle()
	users := func(n int) []string {
		ids := make([]string, n)
		for i := range ids {
			ids[i] = gid("User", fmt.Sprint(1000+i))
		}
		return ids
	}
	both := input{"listId": mine, "add": []string{userID(b.bob), userID(b.mod)},
		"remove": []string{userID(b.ann), userID(b.mod)}}
	add := func(ids ...string) input { return input{"listId": mine, "add": ids} }
	b.wantRefused([]refusal{
		{"the same name", b.ann, "createList", input{"name": "ＦＲＩＥＮＤＳ"}, "TAKEN input.name"},
		{"a foreign list", b.ann, "updateList", input{"listId": foreign, "name": "Mine"}, "NOT_FOUND input.listId"},
		{"a foreign list", b.ann, "updateListMembers", input{"listId": foreign, "add": []string{userID(b.mod)}},
			"NOT_FOUND input.listId"},
		{"a foreign list, a moderator", b.mod, "deleteList", input{"listId": mine}, "NOT_FOUND input.listId"},
		{"added and removed", b.ann, "updateListMembers", both, "INVALID input.remove.1"},
		{"101 at once", b.ann, "updateListMembers", add(users(101)...), "TOO_LONG input.add"},
		{"101 at once", b.ann, "updateListMembers", input{"listId": mine, "remove": users(101)}, "TOO_LONG input.remove"},
		{"101 at once, twice", b.ann, "updateListMembers", input{"listId": mine, "add": users(101), "remove": users(101)},
			"TOO_LONG input.add; TOO_LONG input.remove"},
		{"nobody behind one twice", b.ann, "updateListMembers", add(userID(b.mod), userID(b.mod), gid("User", "77777")),
			"NOT_FOUND input.add.2"},
		{"the ghost", b.ann, "updateListMembers", add(userID(b.mod), gid("User", "0")), "NOT_FOUND input.add.1"},
		{"no user", b.ann, "updateListMembers", add(userID(b.mod), b.topic), "NOT_FOUND input.add.1"},
		{"no user to remove", b.ann, "updateListMembers", input{"listId": mine, "remove": []string{b.tea}},
			"NOT_FOUND input.remove.0"},
		{"who is blocked", b.ann, "updateListMembers", add(userID(b.mod), dan), "BLOCKED input.add.1"},
		{"signed out", "", "createList", input{"name": "New"}, "UNAUTHENTICATED"},
	})
}

func TestListBounds(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	ann := s.user("ann")
	for i := range forum.MaxLists - 1 {
		s.list(ann, fmt.Sprint("List ", i))
	}
	full := s.list(ann, "Full")
	s.wantVerdict("a list too many", s.mutate(ann, "createList", input{"name": "Too many"}, ""), "TOO_LONG input.name")
	ids := make([]string, forum.MaxListMembers+1)
	for i := range ids {
		login := fmt.Sprintf("user%03d", i)
		id, err := s.store.Accounts.Register(context.Background(), accounts.NewUser{Login: login, LoginFold: login,
			Name:  login,
			Email: login + "@example.com", EmailFold: login + "@example.com"})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = gid("User", fmt.Sprint(int64(id)))
	}
	last := ids[forum.MaxListMembers:]
	for some := range slices.Chunk(ids[:forum.MaxListMembers], forum.MaxMembersAtOnce) {
		s.wantVerdict("100 more", s.members(ann, full, some, nil), "")
	}
	s.wantVerdict("a member too many", s.members(ann, full, last, nil), "TOO_LONG input.add")
	s.wantVerdict("present members again", s.members(ann, full, ids[:100], nil), "")
	a := s.members(ann, full, last, ids[:1])
	s.wantVerdict("one for another", a, "")
	wantEqual(t, "memberCount", a.number("updateListMembers", "list", "memberCount"), forum.MaxListMembers)
}

// A list and its members are visible only to its owner: for all others they do not exist.
func TestVisibilityOfLists(t *testing.T) {
	b := newFullSite(t)
	list := b.list(b.ann, "Friends", userID(b.bob))
	_, number, _ := globalid.Split(list)
	timeline := gid("Timeline", "list:"+number+":created:desc")
	for who, token := range b.viewers() {
		for name, id := range map[string]string{"list": list, "timeline": timeline} {
			b.same(name+", "+who, token, id, fmt.Sprintf(`{ x: node(id: %q) %s }`, id, xFields), who == "owner")
		}
	}
	// A user who has just signed in sees their own, whoever they were before.
	a := b.mutate(b.bob, "login", input{"identifier": "ann", "password": "a good password"},
		"viewer { lists { totalCount nodes { name members { nodes { login } } } } }")
	wantEqual(t, "in the payload of login", a.at("login", "viewer", "lists"), any(map[string]any{"totalCount": 1.0,
		"nodes": []any{map[string]any{"name": "Friends", "members": map[string]any{"nodes": []any{map[string]any{"login": "bob"}}}}}}))
	b.wantVerdict("deleteList", b.mutate(b.ann, "deleteList", input{"listId": list}, ""), "")
	b.same("a deleted list", b.ann, list, fmt.Sprintf(`{ x: node(id: %q) %s }`, list, xFields), false)
	b.same("its timeline", b.ann, timeline, fmt.Sprintf(`{ x: node(id: %q) %s }`, timeline, xFields), false)
}
