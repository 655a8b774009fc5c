package limit

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

const tripSchema = `
directive @roundTrips(max: Int!, more: Int, when: [String!], alone: Boolean) on FIELD_DEFINITION
directive @listSize(assumedSize: Int, slicingArguments: [String!]) on FIELD_DEFINITION
interface Node { id: ID! @roundTrips(max: 1) }
union Any = Page | Text
type Page implements Node { id: ID! @roundTrips(max: 1) next(kind: Int): Page @roundTrips(max: 1, more: 4, when: ["kind"])
  late: Text @roundTrips(max: 2) free: Text texts(first: Int): [Text!] @listSize(slicingArguments: ["first"]) }
type Text { content: String any: Any }
type Totals { a: Int @roundTrips(max: 1, alone: true) b: Int @roundTrips(max: 1, alone: true) c: Int }
type Query { node: Node @roundTrips(max: 1) page: Page totals: Totals }`

func TestRoundTripsAreThoseOfTheLongestPath(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: tripSchema})
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
		{"{ node { id } }", 2},
		{"{ node { ... on Page { late { content } } } }", 3},
		{"{ page { ... on Node { id } } }", 1},
		{"{ page { ...F next { ...F } } } fragment F on Page { late { content } }", 3},
		{"{ page { late @skip(if: true) { content } } }", 1},
		{"{ page { free { any { __typename } } } }", 1},
		{"{ page { id } totals { a b c } }", 2},
		{"{ page { late { content } texts(first: 100) { content } } }", 2},
		{"{ page { late { content } texts(first: 101) { content } } }", 4},
		{"{ page { ...F again: next { ...F } texts(first: 101) { any { id: __typename } } } } " +
			"fragment F on Page { late { content } }", 5},
	} {
		doc := gqlparser.MustLoadQueryWithRules(schema, tt.query, rules.NewDefaultRules())
		op := doc.Operations[0]
		variables := map[string]any{}
		if op.VariableDefinitions.ForName("k") != nil {
			variables["k"] = int64(1)
		}
		if got := RoundTrips(schema, op, doc.Fragments, variables); got != tt.want {
			t.Errorf("%s: %d round trips; want %d", tt.query, got, tt.want)
		}
	}
}
