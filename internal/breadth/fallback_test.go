package breadth_test

import (
	"context"
	"testing"

	"agora/internal/breadth/breadthtest"
	"agora/internal/breadth/internal/fixture"
)

func TestWhatIsLeftToGqlgen(t *testing.T) {
	tests := []struct{ name, text, reason, data string }{
		{"a plain query", "{ word }", "", `{"word":"word"}`},
		{"@defer", "{ ... @defer { word } }", "defer", `{"word":"word"}`},
		{"@defer in a fragment", "{ ...F } fragment F on Query { person { ... @defer(label: \"x\") { id } } }", "defer", ""},
		{"a directive on a field", "{ word @traced }", "directive", `{"word":"word"}`},
		{"a directive on a field in a fragment", "{ ...F } fragment F on Query { word @traced(as: \"w\") }", "directive", `{"word":"word"}`},
		{"a map", "{ holder { mapped { key place { name } } } }", "binding", `{"holder":{"mapped":{"key":"k","place":null}}}`},
		{"beside a map", "{ holder { name } }", "", `{"holder":{"name":"holder"}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSite(t, map[string]resolver{
				"Query.word": give("word"), "Query.person": give(people(1)[0]),
				"Query.holder": give(&fixture.Holder{Name: "holder", Mapped: map[string]any{"key": "k"}}),
			})
			reason := ""
			s.options.Fallback = func(_ context.Context, why string) { reason = why }
			got := s.answers(context.Background(), tt.text)
			if reason != tt.reason {
				t.Errorf("left to gqlgen because of %q; want %q", reason, tt.reason)
			}
			if tt.data != "" && (got[0].Data != tt.data || len(got[0].Errors) > 0) {
				t.Errorf("answers %v; want %s", got[0], tt.data)
			}
		})
	}
}

func TestIntrospectionIsGqlgens(t *testing.T) {
	stock, own := executors()
	for _, text := range []string{
		"{ __schema { queryType { name } types { name kind fields { name type { name ofType { name } } } } directives { name } } }",
		`{ a: __type(name: "Dog") { interfaces { name } } b: __type(name: "None") { name } word: __typename }`,
		"mutation { rename(name: \"\") { query { __schema { queryType { name } } } } }",
	} {
		o, err := breadthtest.ParseOperation(stock.Schema(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx := worldOf(1, 0).With(context.Background())
		if d := breadthtest.Difference(o, breadthtest.Run(ctx, stock, o), breadthtest.Run(ctx, own, o)); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	}
}
