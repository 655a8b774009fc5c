package limit

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/internal/test/gqltext"
)

// costOf returns what an operation costs.
func costOf(
	schema *ast.Schema, op *ast.OperationDefinition, fragments ast.FragmentDefinitionList, variables map[string]any,
	parts bool,
) (rows, values int) {
	all := newCosting(schema, fragments, variables, parts).of(op.SelectionSet)
	return all.rows, all.values
}

// The error of a limit says where in the document it is exceeded.
func TestLimitsNameThePlace(t *testing.T) {
	schema := gqltext.Schema(t)
	small := Defaults()
	small.Depth, small.RootFields, small.MutationFields, small.ListSize, small.Rows, small.Values = 4, 3, 1, 2, 100, 150
	small.Fields, small.NameLength, small.Fragments = 12, 20, 2
	for _, c := range []struct {
		name, query  string
		code         string
		line, column int
	}{
		{"depth", "{ site { name }\n  a { b { c { d { e } } } } }", "TOO_DEEP", 2, 19},
		{"depth in a fragment", "{ a { ...f } }\nfragment f on T { b { c { d { e } } } }", "TOO_DEEP", 2, 31},
		{"brackets", strings.Repeat("{a\n", 17), "TOO_DEEP", 17, 1},
		{"root fields", "query A { a }\nquery B { a b c d }", "TOO_MANY_ROOT_FIELDS", 2, 1},
		{"mutation fields", "{ a }\nmutation { a b }", "TOO_MANY_ROOT_FIELDS", 2, 1},
		{"a list", "{ a(b: [1])\n c(d: [1 2 3]) }", "LIST_TOO_LONG", 2, 7},
		{"fields", "query A { a }\nquery B { a { b c d e f g h i j k l m } }", "TOO_MANY_FIELDS", 2, 1},
		{"a name", "{ a\n  " + strings.Repeat("b", 21) + " }", "NAME_TOO_LONG", 2, 3},
		{"fragments", "{ a }\nfragment f on T { a }\nfragment g on T { a }\nfragment h on T { a }",
			"TOO_MANY_FRAGMENTS", 4, 1},
		{"rows", "{ site { name }\n  tabs(first: 10) {\n    nodes { categories(first: 20) { totalCount } } } }",
			"COST_LIMIT_EXCEEDED", 2, 3},
		{"rows of one field", "{ front {\n  topics(first: 10) {\n    nodes {\n      voters(first: 100) { totalCount }\n" +
			"      mentions { id }\n } } } }", "COST_LIMIT_EXCEEDED", 4, 7},
		{"an inner field", "{ front {\n  topics(first: 1) {\n    nodes {\n      comments(first: 101) { totalCount } } } } }",
			"COST_LIMIT_EXCEEDED", 4, 7},
	} {
		err := small.lexical(c.query)
		if err == nil {
			doc, list := small.admitDocument(schema, c.query)
			if list != nil {
				t.Fatalf("%s: %v", c.name, list)
			}
			_, err = small.CheckCost(schema, doc.Operations[0], doc.Fragments, nil, false)
		}
		want := gqlerror.Location{Line: c.line, Column: c.column}
		if err == nil || err.Extensions["code"] != c.code || len(err.Locations) != 1 || err.Locations[0] != want {
			t.Errorf("%s: error %v at %+v; want %s at %+v", c.name, err, locations(err), c.code, want)
		}
	}
}

func locations(err *gqlerror.Error) []gqlerror.Location {
	if err == nil {
		return nil
	}
	return err.Locations
}

// A page is one level, whether its rows are selected as nodes or through edges.
func TestPagesAreOneLevel(t *testing.T) {
	for _, rows := range []string{"nodes { %s }", "edges { node { %s } }", "edges { ...e } "} {
		n, query := 6, "id"
		for range n {
			query = "replies(first: 1) { " + strings.ReplaceAll(rows, "%s", query) + " }"
		}
		query = "{ topic { " + query + " } }"
		if strings.Contains(rows, "...e") {
			query = "{ topic { replies { edges { ...e } } } } fragment e on E { node { id " +
				strings.Repeat("replies { edges { node { id ", n-1) + strings.Repeat(" } } }", n-1) + " } }"
		}
		l := Defaults()
		if l.Depth = n + 2; l.lexical(query) != nil {
			t.Errorf("%s: %v at depth %d; want none", rows, l.lexical(query), l.Depth)
		}
		if l.Depth--; l.lexical(query) == nil {
			t.Errorf("%s: no error at depth %d; want TOO_DEEP", rows, l.Depth)
		}
	}
}
