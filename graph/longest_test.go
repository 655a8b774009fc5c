package graph_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"

	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// appQueries returns the documents of the example application's queries, by name.
func appQueries(t *testing.T) map[string]string {
	t.Helper()
	var text strings.Builder
	for _, pattern := range []string{"*.graphql", "*/*.graphql"} {
		files, err := filepath.Glob("../examples/web/src/" + pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no operations of the application: %v", err)
		}
		for _, f := range files {
			document := must.Do(os.ReadFile(f))(t)
			text.Write(document)
		}
	}
	doc, errs := gqlparser.LoadQueryWithRules(gqltext.Schema(t), text.String(), nil)
	if errs != nil {
		t.Fatal(errs)
	}
	queries := map[string]string{}
	for _, op := range doc.Operations {
		if op.Operation == ast.Query {
			alone := &ast.QueryDocument{Operations: ast.OperationList{op}}
			addFragments(doc, alone, op.SelectionSet)
			var b strings.Builder
			formatter.NewFormatter(&b).FormatQueryDocument(alone)
			queries[op.Name] = b.String()
		}
	}
	return queries
}

// addFragments adds those fragments of a document that a selection spreads to another one.
func addFragments(from, to *ast.QueryDocument, set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			addFragments(from, to, s.SelectionSet)
		case *ast.InlineFragment:
			addFragments(from, to, s.SelectionSet)
		case *ast.FragmentSpread:
			if to.Fragments.ForName(s.Name) == nil {
				f := from.Fragments.ForName(s.Name)
				to.Fragments = append(to.Fragments, f)
				addFragments(from, to, f.SelectionSet)
			}
		}
	}
}

// The operations of testdata and of the example application succeed when every text is as long as a text may be. On a
// page of many of them, texts that an answer has no room for are null; nothing else is.
func TestOperationsSucceedOnTheLongestTexts(t *testing.T) {
	for _, tt := range []struct {
		text  string
		scale scale
		null  bool // texts may be
	}{
		{strings.Repeat("Some words of plain text. ", forum.MaxContent/26), small, false},
		{strings.Repeat("😀", forum.MaxContent), scale{users: 6, topics: 24, comments: 12, sessions: 2}, true},
		{strings.Repeat("+\n-\n*\n", forum.MaxContent/6), small, true},
	} {
		w := newWorstOf(t, tt.scale, tt.text)
		limits := limit.Defaults()
		w.options.Limits = &limits
		w.url = serve(t, w.options)
		for _, op := range operations(t) {
			w.wantTexts(op.name, w.ask(w.tokenOf(op.as), op.query, w.variables(tt.scale)), tt.null)
		}
		w.promote(w.tokenOf("user00"), forum.RoleAdmin)
		variables := map[string]any{"signedIn": true, "number": w.lastTopic(), "around": 2, "login": "user03", "name": "go",
			"content": tt.text, "kind": "WORD"}
		queries := appQueries(t)
		for _, name := range slices.Sorted(maps.Keys(queries)) {
			values := maps.Clone(variables)
			switch name {
			case "Tag":
				values["name"] = "green tea"
			case "Tab":
				values["name"] = "tech"
			case "List":
				values["id"] = w.must(w.tokenOf("user00"), "{viewer{lists(first:1){nodes{id}}}}", nil).
					text("viewer", "lists", "nodes", 0, "id")
			case "Replies":
				values["id"] = w.ids["Comment"][0]
			default:
				values["id"] = w.ids["Topic"][0]
			}
			w.wantTexts(name, w.ask(w.tokenOf("user00"), queries[name], values), tt.null)
		}
	}
}

// wantTexts checks that an answer has no errors, but for texts that are null if they may be.
func (w *worst) wantTexts(name string, a answer, null bool) {
	w.t.Helper()
	if a.status != 200 || a.Data == nil {
		w.t.Errorf("%s: status %d, %.300s", name, a.status, a.body)
		return
	}
	for _, e := range a.Errors {
		path, _ := e["path"].([]any)
		code := e["extensions"].(map[string]any)["code"]
		if code == "TOO_MANY_ERRORS" && null {
			continue
		}
		field := path[len(path)-1]
		if !null || code != "COST_LIMIT_EXCEEDED" || !slices.Contains([]any{"content", "contentHtml", "excerpt"}, field) {
			w.t.Errorf("%s: %.300s", name, fmt.Sprint(e))
			return
		}
	}
}
