package graph_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/gqltext"
)

// The requests of TestNoFieldCostsTooMuch are valid.
func TestRequestsForEachFieldAreValid(t *testing.T) {
	w := &worst{site: newSite(t), schema: gqltext.Schema(t), ids: map[string][]string{}}
	w.fill(small)
	w.collect()
	w.eachCase(func(name string, way []step, fields []*ast.FieldDefinition) {
		document := w.document(way, fields, 1, 1)
		if _, errs := gqlparser.LoadQueryWithRules(w.schema, document, nil); errs != nil {
			t.Errorf("%s: %v: have arguments in worst_test.go write what is missing: %s", name, errs, document)
		}
	})
}

// eachCase calls do with each of the cases of the types that queries can read.
func (w *worst) eachCase(do func(name string, way []step, fields []*ast.FieldDefinition)) {
	w.t.Helper()
	ways := w.ways()
	for _, typ := range slices.Sorted(maps.Keys(w.schema.Types)) {
		def := w.schema.Types[typ]
		if !w.isRead(def) {
			continue
		}
		way, ok := ways[typ]
		if !ok {
			w.t.Errorf("no query reaches %s: have collect in worst_site_test.go find ids of such objects", typ)
			continue
		}
		for _, fields := range w.cases(def) {
			do(typ+"."+fields[0].Name, way, fields)
		}
	}
}
