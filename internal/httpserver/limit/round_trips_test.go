package limit

import (
	"fmt"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

const tripSchema = `
directive @roundTrips(max: Int!, more: Int, when: [String!], under: [String!], on: [String!], beside: Boolean
  reads: [String!], alone: Boolean) repeatable on FIELD_DEFINITION
directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
interface Node { id: ID! @roundTrips(max: 1) }
union Any = Page | Text
type Page implements Node { id: ID! @roundTrips(max: 1) next(kind: Int): Page @roundTrips(max: 1, more: 4, when: ["kind"])
  late: Text @roundTrips(max: 2) free: Text texts(first: Int): [Text!] @listSize(slicingArguments: ["first"])
  side: Text @roundTrips(max: 1, beside: true) read: Page @roundTrips(max: 1, reads: ["Page"])
  notes: NoteConnection @roundTrips(max: 1, beside: true) title: String @roundTrips(max: 1) }
type Note implements Node { id: ID! @roundTrips(max: 1, more: 1, under: ["Query"]) text: String @roundTrips(max: 1)
  by: Page @roundTrips(max: 1) }
type NoteConnection { edges: [NoteEdge!] nodes: [Note!] }
type NoteEdge { node: Note }
type Text { content: String any: Any }
type Totals { a: Int @roundTrips(max: 1, alone: true) b: Int @roundTrips(max: 1, alone: true) c: Int }
type List { rows: Text @roundTrips(max: 1) count: Int @roundTrips(max: 2) size: Int }
enum Order { OLD TOP }
input Ref { id: ID name: String }
type Query { node(id: ID!): Node @roundTrips(max: 0, more: 1, when: ["id.Page"], reads: ["Page"])
  nodes(ids: [ID!]!): [Node] @roundTrips(max: 0, more: 1, when: ["ids.Page"], reads: ["Page"])
  page: Page totals: Totals any: Any notes: NoteConnection @roundTrips(max: 1)
  by(ref: Ref, both: Int, order: Order): Page @roundTrips(max: 0, more: 1, when: ["ref.name"])
    @roundTrips(max: 0, more: 5, when: ["ref and both"]) @roundTrips(max: 0, more: 7, when: ["order.TOP"])
  list(few: Boolean): List @roundTrips(max: 0, more: 3, when: ["few"], on: ["rows", "count"]) }`

// A document whose fragments spread each other twice is measured in no more steps than it has fragments.
func TestRoundTripsOfManySpreads(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: tripSchema})
	query := `{ nodes(ids: ["Page", "Note"]) { ...F0 } }`
	for i := range 60 {
		query += fmt.Sprintf(" fragment F%d on Node { ...F%d ...F%d }", i, i+1, i+1)
	}
	doc, err := parser.ParseQuery(&ast.Source{Input: query + " fragment F60 on Node { id }"})
	if err != nil {
		t.Fatal(err)
	}
	names := func(id string) []string { return []string{id} }
	if got := RoundTrips(schema, doc.Operations[0], doc.Fragments, nil, names); got != 2 {
		t.Errorf("%d round trips; want 2", got)
	}
}

func TestRoundTripsAreThoseOfTheLongestPath(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: tripSchema})
	names := func(id string) []string { return []string{id} } // the ids of the test are the names of types
	for _, tt := range []struct {
		query string
		want  int
	}{
		{"{ __typename }", 0},
		{"{ page { __typename } }", 1},
		{"{ page { free { content } } }", 1},
		{"{ page { id late { content } } other: page { id } }", 2},
		{"{ page { next { next { id } } } }", 3},
		{"{ page { next(kind: 1) { id } } }", 6},
		{"{ page { next(kind: null) { id } } }", 2},
		{"query($n: Int) { page { next(kind: $n) { id } } }", 2},
		{"query($k: Int = 1) { page { next(kind: $k) { id } } }", 6},
		{"{ page { ... on Node { id } } }", 1},
		{"{ page { ...F next { ...F } } } fragment F on Page { late { content } }", 3},
		{"{ page { late @skip(if: true) { content } } }", 1},
		{"{ page { free { any { __typename } } } }", 1},
		{"{ page { id } totals { a b c } }", 2},
		{"{ page { late { content } texts(first: 100) { content } } }", 2},
		{"{ page { late { content } texts(first: 101) { content } } }", 4},
		{"{ page { ...F again: next { ...F } texts(first: 101) { any { id: __typename } } } } " +
			"fragment F on Page { late { content } }", 5},
		// An object that has been read takes none of its own, and what is beside it takes as many as ever.
		{"{ page { read { title } } }", 1},
		{"{ page { read { late { content } } } }", 2},
		{"{ page { read { side { content } } } }", 2},
		{"{ page { side { content } } }", 1},
		// A note takes one more in the query itself.
		{"{ page { notes { nodes { text } } } }", 2},
		{"{ notes { edges { node { text } } } }", 3},
		{"{ notes { nodes { by { title } } } }", 4},
		{"{ notes { nodes { id } } }", 3},
		// An id tells the type.
		{`{ node(id: "Page") { id } }`, 1},
		{`{ node(id: "Note") { id } }`, 2},
		{`{ node(id: "Page") { ... on Note { by { late { content } } } } }`, 1},
		{`{ node(id: "Note") { ... on Note { by { title } } ... on Page { late { content } } } }`, 3},
		{`query($id: ID! = "Note") { node(id: $id) { ... on Page { late { content } } } }`, 2},
		{`{ node(id: "nothing") { id } }`, 0},
		{`{ nodes(ids: ["Page", "Note"]) { id } }`, 2},
		{`{ nodes(ids: ["Page", "Note"]) { ... on Note { text } } }`, 3},
		{`{ nodes(ids: ["Page", "Note"]) { ...F } } fragment F on Node { ... on Note { text } }`, 3},
		{"{ any { ... on Text { content } } }", 1},
		// Arguments.
		{`{ by(ref: {name: "a"}) { id } }`, 2},
		{`{ by(ref: {id: "a"}) { id } }`, 1},
		{`query($r: Ref = {name: "a"}) { by(ref: $r) { id } }`, 2},
		{`{ by(ref: {id: "a"}, both: 0) { id } }`, 1},
		{`{ by(ref: {id: "a"}, both: 1) { id } }`, 6},
		{"{ by(order: OLD) { id } }", 1},
		{"{ by(order: TOP) { id } }", 8},
		{"{ list(few: false) { rows { content } } }", 1},
		{"{ list(few: true) { size } }", 0},
		{"{ list(few: true) { rows { content } } }", 4},
		{"{ list(few: true) { ...F } } fragment F on List { count }", 5},
	} {
		doc := gqlparser.MustLoadQueryWithRules(schema, tt.query, rules.NewDefaultRules())
		op := doc.Operations[0]
		variables := map[string]any{}
		for name, value := range map[string]any{"k": int64(1), "id": "Note", "r": map[string]any{"name": "a"}} {
			if op.VariableDefinitions.ForName(name) != nil {
				variables[name] = value
			}
		}
		if got := RoundTrips(schema, op, doc.Fragments, variables, names); got != tt.want {
			t.Errorf("%s: %d round trips; want %d", tt.query, got, tt.want)
		}
	}
}
