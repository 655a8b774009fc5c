package layout

import (
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agora/internal/test/gqltext"
)

// Each field that an operation selects has a value in some answer, so that a layout that loses one is noticed. Fields of
// payloads are left out: most have no errors. Fields that are newer than the answers are in no operation.
func TestOperationsReadEachField(t *testing.T) {
	schema := gqltext.Schema(t)
	for _, name := range layouts {
		selected, seen := map[string]bool{}, map[string]bool{}
		all := answers(t, name)
		for _, op := range all.Operations {
			document, errs := gqlparser.LoadQueryWithRules(schema, all.Documents[op.Document], rules.NewDefaultRules())
			if errs != nil {
				t.Fatalf("%s: document %s is no longer valid: %v\nClients of that version use what it selects: keep that in "+
					"schema.graphqls, as @deprecated.", name, op.Document, errs)
			}
			choose(selected, document.Operations[0].SelectionSet)
			see(schema, seen, document.Operations[0].SelectionSet, op.Answer.Data)
		}
		for field := range selected {
			if !seen[field] {
				t.Errorf("%s: no answer has a value of %s; change the site or the operations in testdata so that one has",
					name, field)
			}
		}
	}
}

// choose notes the fields of a selection, as Type.field, but for those of interfaces and payloads.
func choose(selected map[string]bool, set ast.SelectionSet) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.InlineFragment:
			choose(selected, s.SelectionSet)
		case *ast.Field:
			if typ := s.ObjectDefinition; !typ.IsAbstractType() && !strings.HasSuffix(typ.Name, "Payload") {
				selected[typ.Name+"."+s.Name] = true
			}
			choose(selected, s.SelectionSet)
		}
	}
}

// see notes the fields of a selection that have a value, as Type.field.
func see(schema *ast.Schema, seen map[string]bool, selected ast.SelectionSet, value any) {
	switch value := value.(type) {
	case []any:
		for _, v := range value {
			see(schema, seen, selected, v)
		}
	case map[string]any:
		for _, s := range selected {
			switch s := s.(type) {
			case *ast.InlineFragment:
				if typ, ok := value["__typename"].(string); !ok || typ == s.TypeCondition {
					see(schema, seen, s.SelectionSet, value)
				}
			case *ast.Field:
				v := value[s.Alias]
				if list, ok := v.([]any); v == nil || ok && len(list) == 0 {
					continue
				}
				typ := s.ObjectDefinition
				if of, ok := value["__typename"].(string); ok && typ.IsAbstractType() {
					typ = schema.Types[of]
				}
				seen[typ.Name+"."+s.Name] = true
				see(schema, seen, s.SelectionSet, v)
			}
		}
	}
}
