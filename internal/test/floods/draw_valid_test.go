//go:build linux

package floods

import (
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agora/internal/globalid"
)

// Every document that is drawn is valid, and every field that the table of work names is drawn.
func TestDrawnDocumentsAreValid(t *testing.T) {
	some := []string{"a", "b"}
	d := newDrawer(t, 1, &furnished{days: []string{"2026-01-02"}, ids: map[string][]string{globalid.Topic: some,
		globalid.Comment: some, globalid.User: some, globalid.Category: some, globalid.Tab: some},
		names: map[string][]string{globalid.Tag: some}})
	drawn := map[string]bool{}
	for _, target := range d.targets() {
		drawn[target.field.Name] = true
		for _, s := range shapes {
			document := d.document(target, s)
			if _, errs := gqlparser.LoadQueryWithRules(d.schema, document, rules.NewDefaultRules()); errs != nil {
				t.Fatalf("%s: %v: %s", target, errs, document)
			}
		}
	}
	for _, name := range computing(t, d.schema) {
		if !drawn[name] {
			t.Errorf("no document asks for %s, which docs/limits.md names", name)
		}
	}
	t.Logf("%d fields", len(drawn))
}
