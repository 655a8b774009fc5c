package layout

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agora/internal/test/gqltext"
)

// unread are the fields that no answer of a layout has a value of, with the reason.
var unread = map[string]map[string]string{
	"layout2": {
		"Timeline.eventId":      "contains a time of Redis's own clock",
		"NewMemberError.path":   "is empty",
		"RateLimitedError.path": "is empty",

		"ModerationAct.postCount": "is newer than the answers",
		"ModerationAct.since":     "is newer than the answers",
		"Query.tasks":             "is newer than the answers",
		"Tasks.due":               "is newer than the answers",
		"Tasks.waiting":           "is newer than the answers",
		"Tasks.dead":              "is newer than the answers",
		"Tasks.deadTasks":         "is newer than the answers",
		"DeadTask.name":           "is newer than the answers",
		"DeadTask.work":           "is newer than the answers",
		"DeadTask.subject":        "is newer than the answers",
		"DeadTask.attempts":       "is newer than the answers",
		"DeadTask.failure":        "is newer than the answers",
		"DeadTask.givenUpAt":      "is newer than the answers",
		"User.isBot":              "is newer than the answers",
		"Viewer.tokens":           "is newer than the answers",
		"ApiToken.id":             "is newer than the answers",
		"ApiToken.name":           "is newer than the answers",
		"ApiToken.scopes":         "is newer than the answers",
		"ApiToken.createdAt":      "is newer than the answers",
		"ApiToken.lastUsedAt":     "is newer than the answers",
		"ApiToken.expiresAt":      "is newer than the answers",
		"User.external":           "is newer than the answers",
		"ExternalAccount.issuer":  "is newer than the answers",
		"ExternalAccount.subject": "is newer than the answers",
		"Site.signIn":             "is newer than the answers",
		"SignIn.local":            "is newer than the answers",
		"SignIn.issuers":          "is newer than the answers",
	},
}

// Each field of an object has a value in some answer, so that no layout loses one. A field that is newer than the
// answers is named in unread.
func TestOperationsReadEachField(t *testing.T) {
	schema := gqltext.Schema(t)
	for _, name := range layouts {
		seen := map[string]bool{}
		all := answers(t, name)
		documents := map[string]*ast.QueryDocument{}
		for title, text := range all.Documents {
			document, errs := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules())
			if errs != nil {
				t.Fatalf("%s: document %s: %v", name, title, errs)
			}
			documents[title] = document
		}
		for _, op := range all.Operations {
			see(schema, seen, documents[op.Document].Operations[0].SelectionSet, op.Answer.Data)
		}
		missing := unread[name]
		for _, d := range schema.Types {
			if d.Kind != ast.Object || strings.HasPrefix(d.Name, "__") || isCall(d.Name) {
				continue
			}
			for _, f := range d.Fields {
				field := d.Name + "." + f.Name
				if _, known := missing[field]; seen[field] == known && !strings.HasPrefix(f.Name, "__") {
					t.Errorf("%s: some answer has %s: %t, and unread names it: %t", name, field, seen[field], known)
				}
			}
		}
		for _, field := range slices.Sorted(maps.Keys(missing)) {
			if typ, f, _ := strings.Cut(field, "."); schema.Types[typ] == nil || schema.Types[typ].Fields.ForName(f) == nil {
				t.Errorf("%s: unread names %s, which is not in the schema", name, field)
			}
		}
	}
}

// isCall reports whether a type is only what a call returns, not what is kept.
func isCall(typ string) bool {
	return typ == "Mutation" || typ == "Subscription" || strings.HasSuffix(typ, "Payload") ||
		strings.HasSuffix(typ, "Event")
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
