package httpserver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql/introspection"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agora/internal/httpserver/limit"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// The introspection of common tools, and the examples in this repository, are within all limits.
func TestUsualDocumentsAreWithinTheLimits(t *testing.T) {
	schema := gqltext.Schema(t)
	documents := map[string]string{
		"gqlgen's introspection":     introspection.Query,
		"graphql-js's introspection": gqltext.FullIntrospection(),
	}
	for i, tab := range slices.Concat(playgroundTabs, memberTabs) {
		documents[string(rune('A'+i))+" of the playground's tabs"] = tab.Query
	}
	operations, err := filepath.Glob("../../graph/testdata/*.graphql")
	if err != nil || len(operations) < 5 {
		t.Fatalf("operations in graph/testdata: %v, %v", operations, err)
	}
	for _, name := range operations {
		text := must.Do(os.ReadFile(name))(t)
		documents[name] = string(text)
	}
	for name, query := range documents {
		l := limit.Defaults()
		if err := l.CheckText(query); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		doc, errs := gqlparser.LoadQueryWithRules(schema, query, rules.NewDefaultRules())
		if errs != nil {
			t.Errorf("%s: %v", name, errs)
			continue
		}
		if err := l.CheckDocument(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, op := range doc.Operations {
			pages := map[string]any{}
			for _, v := range op.VariableDefinitions {
				pages[v.Variable] = int64(20)
			}
			if _, err := l.CheckCost(schema, op, doc.Fragments, pages, false); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
