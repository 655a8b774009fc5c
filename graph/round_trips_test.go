package graph_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	validation "github.com/vektah/gqlparser/v2/validator/rules"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/store"
	"agora/internal/test/testlevel"
)

// tripsOf runs a query and returns how many round trips it took, and their bound.
func (s *site) tripsOf(token, query string) (took, bound int, body string) {
	s.t.Helper()
	r, err := http.NewRequest("GET", s.url+"/graphql?query="+url.QueryEscape(query), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set(httpserver.CostHeader, "1")
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	var a struct {
		Extensions struct {
			Redis struct{ RoundTrips int }
			Cost  struct{ RoundTripsMax *int }
		}
	}
	if err != nil || json.Unmarshal(text, &a) != nil || a.Extensions.Cost.RoundTripsMax == nil {
		s.t.Fatalf("%s: %v, %s", query, err, text)
	}
	return a.Extensions.Redis.RoundTrips, *a.Extensions.Cost.RoundTripsMax, string(text)
}

// moderated makes two users moderators of all categories.
func (s *site) moderated() {
	s.t.Helper()
	admin := &forum.Viewer{ID: userOf(s.tokenOf("user00")), Role: forum.RoleAdmin}
	var changes []store.ModeratorChange
	for i, login := range []string{"user00", "user01", "user03"} {
		found, err := s.store.Credentials(s.t.Context(), login, false)
		if err != nil {
			s.t.Fatal(err)
		}
		changes = append(changes, store.ModeratorChange{User: found.User, On: true, Field: fmt.Sprint("add.", i)})
	}
	for category := range forum.CategoryID(3) {
		_, err := s.store.SetModerators(s.t.Context(), admin, category+1, changes, forum.Grounds{Reason: forum.ReasonOther})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	s.settle()
}

// viewers are the logins of those who ask: nobody, a moderator of the site, a member, and a moderator of categories.
var viewers = []string{"", "user00", "user01", "user03"}

// priced is a site whose queries are priced.
type priced struct {
	*site
	schema *ast.Schema
	tokens map[string]string
	names  map[string]siteNames
}

// newPriced fills a site.
func newPriced(t *testing.T, n scale) *priced {
	t.Helper()
	s := newSite(t)
	s.fill(n)
	s.busy()
	p := &priced{site: s, schema: gqlparser.MustLoadSchema(&ast.Source{Input: sdl(t)}), tokens: map[string]string{},
		names: map[string]siteNames{}}
	for _, login := range viewers {
		p.tokens[login], p.names[login] = s.tokenOf(login), s.namesFor(login)
	}
	return p
}

// random returns the query of a seed, and who asks it.
func (s *priced) random(seed int) (p *pathOf, query, login string) {
	login = viewers[seed%len(viewers)]
	p = &pathOf{Rand: rand.New(rand.NewPCG(uint64(seed), 9)), schema: s.schema, names: s.names[login], left: 12}
	p.cursor = s.cursorsFor(s.tokens[login], p)
	return p, p.set(s.schema.Query, 1+seed%8), login
}

// measure runs a query, and returns how many round trips it took, and their bound. What the first reader of a minute
// takes was taken before.
func (s *priced) measure(p *pathOf, query, login string) (took, bound int, body string) {
	s.t.Helper()
	s.clock.Advance(15 * second) // what processes remember of the site is older
	if p.twice {
		s.tripsOf(s.tokens[login], query)
	}
	return s.tripsOf(s.tokens[login], query)
}

// bounded compares n random queries with their bounds, and returns how many take all that the bound allows.
func (s *priced) bounded(n int) (equal int) {
	s.t.Helper()
	failed := 0
	for seed := range n {
		if seed%100 == 0 {
			s.today()
		}
		p, query, login := s.random(seed)
		took, bound, body := s.measure(p, query, login)
		if took > bound && failed < 20 {
			failed++
			s.t.Errorf("seed %d, as %q: %d round trips, bound %d: %s\n%.300s", seed, login, took, bound, query, body)
		}
		if took == bound {
			equal++
		}
	}
	return equal
}

// No query takes more round trips than its bound, which follows from its text, also with ten times the rows, and nine
// in ten take as many.
func TestRoundTripsAreBounded(t *testing.T) {
	testlevel.WithoutRace(t)
	n := 300
	if testlevel.All() {
		n = 10_000
	}
	for _, size := range []scale{small, large} {
		equal := newPriced(t, size).bounded(n)
		t.Logf("with %d topics, %d of %d queries take exactly as many round trips as their bound", size.topics, equal, n)
		if equal < n*9/10 {
			t.Errorf("with %d topics, %d of %d queries take as many round trips as their bound; want 9 in 10 at least",
				size.topics, equal, n)
		}
	}
}

// The bounds of the moderation log, the queue of reports, and revisions are exact.
func TestBoundsOfModerationAreExact(t *testing.T) {
	s := newPriced(t, small)
	topic, comment := s.names["user00"].members[0], s.names["user00"].members[2]
	log := func(args, fields string) string {
		return "{ moderationLog(first: 8" + args + ") { nodes { " + fields + " } } }"
	}
	queue := func(args, fields string) string {
		return "{ reportQueue(first: 8" + args + ") { nodes { " + fields + " } } }"
	}
	revisions := "revisions(first: 8) { nodes { number content editor { login } hunks { newStart } } }"
	for _, query := range []string{
		log("", "reason createdAt"),
		log("", "moderator { login }"),
		log(fmt.Sprintf(", subjectId: %q", topic), "action"),
		log(fmt.Sprintf(", subjectId: %q", topic),
			"subject { ... on Topic { title author { login } } } reversedBy { action }"),
		log(fmt.Sprintf(", subjectId: %q", comment),
			"subject { ... on Comment { content } } reverses { member { login } }"),
		log(`, user: {login: "user04"}`, "action reason"),
		log(`, moderator: {login: "user03"}`, "action"),
		log(", action: BAN", "member { login }"),
		queue("", "reportCount"),
		queue(`, category: {name: "redis"}`,
			"subject { ... on Topic { title author { login } } ... on Comment { content } }"),
		queue(`, category: {name: "go"}`, "reports(first: 8) { nodes { reporter { login } } }"),
		queue(", state: UPHELD", "resolvedBy { moderator { login } }"),
		queue("", "subject { ... on User { login } }"),
		fmt.Sprintf("{ topic(by: {id: %q}) { %s } }", topic, revisions),
		fmt.Sprintf("{ node(id: %q) { ... on Comment { %s } } }", comment, revisions),
	} {
		s.clock.Advance(15 * second)
		took, bound, body := s.tripsOf(s.tokens["user00"], query)
		if took != bound || strings.Contains(body, `"errors"`) || strings.Contains(body, `"nodes":[]`) {
			t.Errorf("%s took %d round trips; want %d: %.300s", query, took, bound, body)
		}
	}
}

// What is not in the bound is what the first reader takes for all others: the next one takes as many as the bound.
func TestOnlyFirstReadersExceedTheBound(t *testing.T) {
	s := newPriced(t, small)
	for _, query := range []string{
		`{ front(orderBy: {field: TOP}) { topics(first: 5) { nodes { title } } } }`,
		`{ category(by: {name: "go"}) { timeline(orderBy: {field: CONTROVERSIAL}) { topics(first: 5) { nodes { title } } } } }`,
		`{ front { topics(first: 5, walk: FIXED) { nodes { title } newSince } } }`,
		`{ tab(by: {name: "all"}) { timeline { topics(first: 5, walk: FIXED) { nodes { title } newSince } } } }`,
		`{ viewer { home { topics(first: 5, walk: FIXED) { nodes { title } newSince } } } }`,
		`{ viewer { lists(first: 1) { nodes { timeline { topics(first: 5, walk: FIXED) { newSince } } } } } }`,
	} {
		s.clock.Advance(70 * second)
		first, bound, _ := s.tripsOf(s.tokens["user01"], query)
		next, _, body := s.tripsOf(s.tokens["user01"], query)
		if first <= bound || next != bound {
			t.Errorf("%s: the first took %d, the next %d; want more than %d, and %d: %s", query, first, next, bound, bound, body)
		}
	}
}

// exempt are fields and arguments that random queries never have, and why.
var exempt = map[string]string{
	"Query.dayRank(date)": "another day is another board, which is empty or null while the clock of the test moves on",
}

// Random queries have every field and argument that a query can reach.
func TestRandomQueriesHaveEveryField(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: sdl(t)})
	missing := map[string]bool{}
	var reach func(typ *ast.Definition)
	seen := map[string]bool{}
	reach = func(typ *ast.Definition) {
		if seen[typ.Name] || strings.HasPrefix(typ.Name, "__") {
			return
		}
		seen[typ.Name] = true
		for _, t := range schema.GetPossibleTypes(typ) {
			reach(t)
		}
		for _, f := range typ.Fields {
			if strings.HasPrefix(f.Name, "__") || typ.IsAbstractType() {
				continue
			}
			missing[typ.Name+"."+f.Name] = true
			for _, a := range f.Arguments {
				missing[typ.Name+"."+f.Name+"("+a.Name+")"] = true
			}
			reach(schema.Types[f.Type.Name()])
		}
	}
	reach(schema.Query)
	all := len(missing)
	// Far more than are needed, so that no other field changes which of them are drawn in time.
	for seed := 0; seed < 200_000 && len(missing) > len(exempt); seed++ {
		p := &pathOf{Rand: rand.New(rand.NewPCG(uint64(seed), 9)), schema: schema,
			names: anyNames(viewers[seed%len(viewers)]), left: 12}
		query := p.set(schema.Query, 1+seed%8)
		doc, errs := gqlparser.LoadQueryWithRules(schema, query, validation.NewDefaultRules())
		if errs != nil {
			t.Fatalf("%s: %v", query, errs)
		}
		strike(doc.Operations[0].SelectionSet, missing)
	}
	for name := range exempt {
		if !missing[name] {
			t.Errorf("%s is exempt, but random queries have it, or a query cannot reach it", name)
		}
		delete(missing, name)
	}
	for name := range missing {
		t.Errorf("no random query has %s", name)
	}
	t.Logf("%d fields and arguments", all)
}

// strike removes the fields and arguments of a selection from missing.
func strike(set ast.SelectionSet, missing map[string]bool) {
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			name := sel.ObjectDefinition.Name + "." + sel.Name
			delete(missing, name)
			for _, a := range sel.Arguments {
				delete(missing, name+"("+a.Name+")")
			}
			strike(sel.SelectionSet, missing)
		case *ast.InlineFragment:
			strike(sel.SelectionSet, missing)
		}
	}
}

// anyNames returns names for random queries that are not executed.
func anyNames(login string) siteNames {
	n := siteNames{viewer: login, numbers: []int{1}}
	for _, typ := range []string{"Topic", "User", "Comment", "Category", "Tab"} {
		n.ids = append(n.ids, model.GlobalID(typ, "1"))
	}
	n.members = n.ids[:3]
	return n
}

// sdl returns the text of the schema.
func sdl(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
