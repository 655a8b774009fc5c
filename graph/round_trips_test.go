package graph_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/store"
	"agora/internal/test/testlevel"
)

// pathOf writes random queries whose arguments name what a filled site has.
type pathOf struct {
	*rand.Rand
	schema *ast.Schema
	ids    []string
	number int
	left   int // fields
	signed bool
}

// moderators are fields for moderators only.
var moderators = []string{"reportQueue", "moderationLog", "blocklist"}

// personal are fields that are null to those who are not signed in, besides those that are named after the viewer.
var personal = []string{"preview", "unreadCount"}

func (p *pathOf) one(of ...string) string { return of[p.IntN(len(of))] }

func (p *pathOf) args(typ string, f *ast.FieldDefinition) string {
	var args []string
	for _, a := range f.Arguments {
		value := ""
		switch {
		case a.Name == "by":
			value = map[string]string{
				"user":     p.one(`{login: "user03"}`, `{login: "user00"}`),
				"topic":    fmt.Sprintf("{number: %d}", p.number-p.IntN(9)),
				"category": p.one(`{name: "go"}`, `{name: "redis"}`), "tab": p.one(`{name: "tech"}`, `{name: "all"}`),
			}[f.Name]
		case a.Name == "id":
			value = fmt.Sprintf("%q", p.one(p.ids...))
		case a.Name == "ids":
			value = fmt.Sprintf("[%q, %q]", p.one(p.ids...), p.one(p.ids...))
		case typ == "Query" && a.Name == "name":
			value = `"green tea"`
		case f.Name == "preview" && a.Name == "content":
			value = `"for @user03"`
		case f.Name == "includes":
			value = p.one(`{name: "go"}`, `{name: "redis"}`)
		case a.Name == "first":
			value = p.one("1", "3", "8")
		case a.Name == "kinds" && p.IntN(20) == 0:
			value = p.one("[ARTICLE]", "[DISCUSSION, STATUS]")
		case a.Type.Name() == "TopicOrder" && p.IntN(4) == 0:
			value = p.one("{field: CREATED}", "{field: SCORE, direction: ASC}", "{field: HOT}")
		case a.Type.Name() == "CommentOrder" && p.IntN(4) == 0:
			value = p.one("OLDEST", "NEWEST", "TOP")
		}
		if value != "" {
			args = append(args, a.Name+": "+value)
		}
	}
	if len(args) == 0 {
		return ""
	}
	return "(" + strings.Join(args, ", ") + ")"
}

func (p *pathOf) set(typ *ast.Definition, depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for n := range 1 + p.IntN(3) {
		switch {
		case typ.IsAbstractType() && p.IntN(2) == 0 || typ.Kind == ast.Union:
			types := p.schema.GetPossibleTypes(typ)
			t := types[p.IntN(len(types))]
			fmt.Fprintf(&b, " ... on %s %s", t.Name, p.set(t, depth))
		case n > 0 && p.IntN(8) == 0:
			b.WriteString(" __typename")
		default:
			b.WriteString(p.field(typ, depth))
		}
	}
	return b.String() + " }"
}

func (p *pathOf) field(typ *ast.Definition, depth int) string {
	fields := slices.DeleteFunc(slices.Clone(typ.Fields), func(f *ast.FieldDefinition) bool {
		deep := !p.schema.Types[f.Type.Name()].IsLeafType()
		if !p.signed && (strings.Contains(strings.ToLower(f.Name), "viewer") || slices.Contains(personal, f.Name)) {
			return true
		}
		return strings.HasPrefix(f.Name, "__") || slices.Contains(moderators, f.Name) || deep && (depth == 0 || p.left < 0)
	})
	if len(fields) == 0 {
		return " __typename"
	}
	p.left--
	f := fields[p.IntN(len(fields))]
	text := fmt.Sprintf(" a%d: %s%s", p.left+1000, f.Name, p.args(typ.Name, f))
	if t := p.schema.Types[f.Type.Name()]; !t.IsLeafType() {
		text += " " + p.set(t, depth-1)
	}
	return text
}

// tripsOf runs a query, when nothing that others have read is remembered, and returns how many round trips it took, and
// their bound.
func (s *site) tripsOf(token, query string) (took, bound int, body string) {
	s.t.Helper()
	s.clock.Advance(15 * second)
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

// someIDs returns ids of objects of several types.
func (s *site) someIDs() []string {
	s.t.Helper()
	a := s.must("", `{ front { id topics(first: 1) { nodes { id author { id } category { id tabs { id } } tags { id }
		comments(first: 1) { nodes { id } } } } } }`, nil)
	at := func(path ...any) string { return a.text(append([]any{"front"}, path...)...) }
	return []string{at("id"), at("topics", "nodes", 0, "id"), at("topics", "nodes", 0, "author", "id"),
		at("topics", "nodes", 0, "category", "id"), at("topics", "nodes", 0, "tags", 0, "id"),
		at("topics", "nodes", 0, "comments", "nodes", 0, "id")}
}

// moderated makes two users moderators of all categories.
func (s *site) moderated() {
	s.t.Helper()
	admin := &forum.Viewer{ID: userOf(s.tokenOf("user00")), Role: forum.RoleAdmin}
	var changes []store.ModeratorChange
	for i, login := range []string{"user00", "user03"} {
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

// roundTripsOf compares n random queries with their bounds, each on a small site and on one with ten times the rows,
// and returns on how many the small site takes all that the bound allows.
func roundTripsOf(t *testing.T, n int) (equal int) {
	t.Helper()
	few, many := newSite(t), newSite(t)
	few.fill(small)
	many.fill(large)
	few.moderated()
	many.moderated()
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: sdl(t)})
	sites := []*site{few, many}
	ids, numbers := [][]string{few.someIDs(), many.someIDs()}, []int{few.lastTopic(), many.lastTopic()}
	tokens := []map[string]string{{"user00": few.tokenOf("user00")}, {"user00": many.tokenOf("user00")}}
	failed := 0
	for seed := range n {
		as := []string{"", "user00"}[seed%2]
		for i, s := range sites {
			p := &pathOf{Rand: rand.New(rand.NewPCG(uint64(seed), 9)), schema: schema, ids: ids[i],
				number: numbers[i], left: 12, signed: as != ""}
			query := p.set(schema.Query, 1+seed%8)
			took, bound, body := s.tripsOf(tokens[i][as], query)
			if took > bound && failed < 20 {
				failed++
				t.Errorf("seed %d, as %q, site %d: %d round trips, bound %d: %s\n%.300s", seed, as, i, took, bound,
					query, body)
			}
			if i == 0 && took == bound {
				equal++
			}
		}
	}
	t.Logf("%d of %d queries take exactly as many round trips as their bound", equal, n)
	return equal
}

// No query takes more round trips than its bound, which follows from its text, also with ten times the rows, and most
// take as many.
func TestRoundTripsAreBounded(t *testing.T) {
	testlevel.WithoutRace(t)
	n := 300
	if testlevel.All() {
		n = 10_000
	}
	if equal := roundTripsOf(t, n); equal < n*7/10 {
		t.Errorf("%d of %d queries take as many round trips as their bound; want 70 in 100 at least", equal, n)
	}
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
