package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// The names of the tests begin with the rows of behaviours.md; a comment on an X row says what the documents' own
// code did.

// numbers returns the numbers of topics posted one after the other.
func (s *site) numbers(token, category string, n int) []int {
	s.t.Helper()
	found := make([]int, n)
	for i := range found {
		a := s.mutate(token, "createTopic", input{"title": "A topic", "category": input{"name": category}},
			"topic { number }")
		found[i] = a.number("createTopic", "topic", "number")
	}
	return found
}

func TestReservedNumbersAreNeverAssigned(t *testing.T) {
	s := newSite(t)
	ctx := context.Background()
	must.OK(t, s.store.ReserveIDs(ctx, 100_000))
	mod := s.moderator("mia")
	s.category(mod, "Go")
	if got := slices.Min(s.numbers(mod, "Go", 5)); got <= 100_000 {
		t.Errorf("smallest number = %d; want more than the 100,000 reserved", got)
	}
	if err := s.store.ReserveIDs(ctx, 200_000); err == nil {
		t.Error("ReserveIDs once ids exist succeeds; want it refused")
	}
}

func TestNumbersAreUniqueIntegers(t *testing.T) {
	s := newSite(t)
	mod, ann := s.moderator("mia"), s.user("ann")
	s.category(mod, "Go")
	all := append(s.numbers(mod, "Go", 10), s.numbers(ann, "Go", 10)...)
	slices.Sort(all)
	if got := len(slices.Compact(all)); got != 20 || all[0] < 1 || all[19] > forum.MaxID {
		t.Errorf("numbers of 20 topics: %v; want 20 different ones of 1 to %d", all, forum.MaxID)
	}
	topic := s.topic(ann, "Go", "Counted")
	for want := 1; want <= 3; want++ {
		a := s.mutate(mod, "createComment", input{"topicId": topic, "content": "x"}, "comment { number }")
		if got := a.number("createComment", "comment", "number"); got != want {
			t.Errorf("number of comment = %d; want %d", got, want)
		}
	}
}

// X5: the documents' IdGenerator.init reads the counter and then sets it: ids that were assigned in between are
// assigned again.
func TestReservingRacesWithTheFirstUse(t *testing.T) {
	s := newSite(t)
	reserved := make(chan error, 2)
	users := make([]answer, 8)
	var wg sync.WaitGroup
	for range cap(reserved) {
		wg.Go(func() { reserved <- s.store.ReserveIDs(context.Background(), 1_000_000) })
	}
	for i := range users {
		wg.Go(func() {
			login := fmt.Sprintf("user%d", i)
			users[i] = s.mutate("", "register", input{"login": login, "email": login + "@example.com",
				"password": "a good password"}, "viewer { user { id } } token")
		})
	}
	wg.Wait()
	ids := map[string]bool{}
	for _, a := range users {
		ids[a.text("register", "viewer", "user", "id")] = true
	}
	if len(ids) != len(users) || ids[""] {
		t.Errorf("ids of %d users: %v; want as many different ones", len(users), ids)
	}
	mod := s.moderator("mia")
	s.category(mod, "Go")
	var numbers []int
	for _, a := range users {
		numbers = append(numbers, s.numbers(a.text("register", "token"), "Go", 2)...)
	}
	slices.Sort(numbers)
	if got := len(slices.Compact(slices.Clone(numbers))); got != 2*len(users) {
		t.Errorf("numbers of topics: %v; want no number twice", numbers)
	}
	if err := errors.Join(<-reserved, <-reserved); err == nil && numbers[0] <= 1_000_000 {
		t.Errorf("smallest number = %d; want more than the million that was reserved", numbers[0])
	}
}

const userFields = "id login name role createdAt topicCount comments { totalCount }"

func TestRegisterMakesAUser(t *testing.T) {
	s := newSite(t)
	a := s.mutate("", "register",
		input{"login": "Ann", "name": "Ann A.", "email": "ann@example.com", "password": "a good password"},
		"token viewer { user { "+userFields+" } }")
	id := a.text("register", "viewer", "user", "id")
	want := map[string]any{"id": id, "login": "Ann", "name": "Ann A.", "role": "USER",
		"createdAt": "2096-01-02T03:04:05.000Z", "topicCount": 0.0, "comments": map[string]any{"totalCount": 0.0}}
	wantEqual(t, "registered", a.at("register", "viewer", "user"), want)
	got := s.must("", `{ user(by: {login: "ann"}) { `+userFields+` } }`, nil)
	wantEqual(t, "user by login", got.at("user"), want)
	s.settle()
	number := strconv.Itoa(int(userOf(a.text("register", "token"))))
	for key, value := range s.contents() { // a hash of the user, and the e-mail maps to the id
		if strings.HasPrefix(key, "uniq:") && !strings.HasPrefix(value, "string "+number+"/") {
			t.Errorf("%s = %q; want it to refer to %s", key, value, number)
		}
		if strings.HasSuffix(key, ":u:"+number+":internal") &&
			!(strings.HasPrefix(value, "hash ") && strings.Contains(value, "email:ann@example.com")) {
			t.Errorf("%s = %q; want a hash with the e-mail", key, value)
		}
	}
	wantEqual(t, "claims", len(s.claims()), 2)
	unnamed := s.mutate("", "register", registration("Bob", "bob@example.com"), "viewer { user { name } }")
	wantEqual(t, "a name that was not given", unnamed.text("register", "viewer", "user", "name"), "Bob")
	same := with(registration("cid", "cid@example.com"), "name", "Bob")
	s.wantVerdict("a name is not unique", s.mutate("", "register", same, ""), "")
	s.wantVerdict("reading the e-mail", s.ask("", `{ user(by: {login: "ann"}) { email } }`, nil), "GRAPHQL_VALIDATION_FAILED")
}

func TestUserByID(t *testing.T) {
	s := newSite(t)
	s.user("ann")
	id := s.must("", `{ user(by: {login: "ann"}) { id } }`, nil).text("user", "id")
	query := `query($id: ID!) { node(id: $id) { id ... on User { login } } user(by: {id: $id}) { id login } }`
	want := map[string]any{"id": id, "login": "ann"}
	wantEqual(t, "ann by id", s.must("", query, map[string]any{"id": id}).Data, map[string]any{"node": want, "user": want})
	none := s.must("", query, map[string]any{"id": gid("User", "77777")})
	wantEqual(t, "unknown user by id", none.Data, map[string]any{"node": nil, "user": nil})
}

func TestLoginByPassword(t *testing.T) {
	s := newSite(t)
	s.user("ann")
	s.userWith("bob", "bobs good password")
	tests := []struct {
		name, identifier, password, want string
	}{
		{"e-mail and password", "ann@example.com", "a good password", ""},
		{"e-mail in capitals", "ANN@EXAMPLE.COM", "a good password", ""},
		{"login and password", "ann", "a good password", ""},
		{"another's password", "ann@example.com", "bobs good password", "WRONG_CREDENTIALS input.password"},
		{"password as e-mail", "a good password", "ann@example.com", "WRONG_CREDENTIALS input.password"},
		{"wrong password", "ann@example.com", "a bad password", "WRONG_CREDENTIALS input.password"},
		{"unknown e-mail", "cid@example.com", "a good password", "WRONG_CREDENTIALS input.password"},
	}
	for _, tt := range tests {
		a := s.mutate("", "login", input{"identifier": tt.identifier, "password": tt.password},
			"token expiresAt viewer { user { login } }")
		s.wantVerdict(tt.name, a, tt.want)
		if got := a.text("login", "token") != ""; got != (tt.want == "") {
			t.Errorf("%s: token given = %v; want %v", tt.name, got, tt.want == "")
		}
		wantEqual(t, tt.name+": who is signed in", a.text("login", "viewer", "user", "login"),
			map[string]string{"": "ann"}[tt.want])
		wantEqual(t, tt.name+": until when", a.text("login", "expiresAt"),
			map[string]string{"": "2096-02-01T03:04:05.000Z"}[tt.want])
	}
}

const topicFields = `id number kind title content format link clickCount commentCount createdAt lastActiveAt editedAt
	author { login } category { name } votes { up down net }`

func TestCreateTopic(t *testing.T) {
	s := newSite(t)
	ann, mod := s.user("ann"), s.moderator("mia")
	s.category(mod, "Go")
	a := s.mutate(ann, "createTopic",
		input{"title": "Hello", "content": "My *first* topic", "link": "https://go.dev/", "category": input{"name": "go"}},
		"topic { "+topicFields+" }")
	s.wantVerdict("createTopic", a, "")
	wantEqual(t, "posted", a.at("createTopic", "topic"), map[string]any{
		"id": a.text("createTopic", "topic", "id"), "number": a.at("createTopic", "topic", "number"), "kind": "DISCUSSION",
		"title": "Hello", "content": "My *first* topic", "format": "MARKDOWN", "link": "https://go.dev/", "clickCount": 0.0, "commentCount": 0.0,
		"createdAt": "2096-01-02T03:04:05.000Z", "lastActiveAt": "2096-01-02T03:04:05.000Z", "editedAt": nil,
		"author": map[string]any{"login": "ann"}, "category": map[string]any{"name": "Go"}, "votes": map[string]any{"up": 0.0, "down": 0.0, "net": 0.0},
	})
	count := s.must("", `{ user(by: {login: "ann"}) { topicCount } }`, nil)
	if got := count.number("user", "topicCount"); got != 1 {
		t.Errorf("topicCount of the author = %d; want 1", got)
	}
}

func TestTopicByIDAndNumber(t *testing.T) {
	b := newFullSite(t)
	number := b.must("", `query($id: ID!) { topic(by: {id: $id}) { number } }`, map[string]any{"id": b.topic}).number("topic", "number")
	a := b.must("", `query($id: ID!, $n: Int!) { a: topic(by: {id: $id}) { id } b: topic(by: {number: $n}) { id } c: node(id: $id) { id } }`,
		map[string]any{"id": b.topic, "n": number})
	want := map[string]any{"id": b.topic}
	wantEqual(t, "one topic by id, number and node", a.Data, map[string]any{"a": want, "b": want, "c": want})
	b.wantVerdict("hide", b.mutate(b.mod, "moderate", moderationOf(b.topic, "HIDE"), ""), "")
	byNumber := fmt.Sprintf(`{ topic(by: {number: %d}) { id } }`, number)
	wantEqual(t, "a hidden topic, signed out", b.must("", byNumber, nil).at("topic"), nil)
	wantEqual(t, "a hidden topic, its author", b.must(b.ann, byNumber, nil).text("topic", "id"), b.topic)
	none := b.must("", `query($id: ID!) { topic(by: {id: $id}) { id } b: topic(by: {number: 2147483647}) { id } }`, map[string]any{"id": gid("Topic", "77777")})
	wantEqual(t, "no topic", none.Data, map[string]any{"topic": nil, "b": nil})
}

// room is a site with the categories Go, Redis and Tea, the tabs Tech (Go, Redis) and All, and two topics in each
// category, posted alternately.
type room struct {
	*site
	mod    string
	ids    map[string]string // of categories, tabs and topics by name
	topics []string          // titles, newest first
}

func newRoom(t *testing.T) *room {
	r := &room{site: newSite(t), ids: map[string]string{}}
	r.mod = r.moderator("mia")
	categories := []string{"Go", "Redis", "Tea"}
	for _, name := range categories {
		r.ids[name] = r.category(r.mod, name)
	}
	r.addTab("Tech", "Go", "Redis")
	r.addTab("All", categories...)
	for n := range 6 {
		title := fmt.Sprintf("%s %d", categories[n%3], n/3)
		r.clock.Advance(second)
		r.ids[title] = r.topic(r.mod, categories[n%3], title)
		r.topics = append([]string{title}, r.topics...)
	}
	return r
}

func (r *room) addTab(name string, categories ...string) {
	r.t.Helper()
	ids := []string{}
	for _, c := range categories {
		ids = append(ids, r.ids[c])
	}
	a := r.mutate(r.mod, "createTab", input{"name": name, "categories": refs(ids...)}, "tab { id }")
	r.wantVerdict("createTab", a, "")
	r.ids[name] = a.text("createTab", "tab", "id")
}

// reply posts a comment a second later.
func (r *room) reply(topic string) {
	r.t.Helper()
	r.clock.Advance(second)
	r.comment(r.mod, r.ids[topic], "", "A reply")
}

func (r *room) wantListed(timeline, want string) {
	r.t.Helper()
	if got := strings.Join(r.listed(timeline, "title"), ", "); got != want {
		r.t.Errorf("%s lists %q; want %q", timeline, got, want)
	}
}

const (
	inGo   = `category(by: {name: "Go"}) { timeline`
	inTea  = `category(by: {name: "Tea"}) { timeline`
	inTech = `tab(by: {name: "Tech"}) { timeline`
	inAll  = `tab(by: {name: "All"}) { timeline`
)
