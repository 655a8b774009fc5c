package layout

import (
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"agora/internal/test/gqltext"
)

// unread are the fields that no answer of a layout has a value of.
var unread = map[string][]string{
	"layout2": slices.Concat(
		strings.Fields("Timeline.eventId"),                          // contains a time of Redis's own clock
		strings.Fields("NewMemberError.path RateLimitedError.path"), // are empty
		// These are newer than the answers.
		strings.Fields("ModerationAct.postCount ModerationAct.since Query.tasks Topic.evidence Comment.evidence"),
		strings.Fields("Tasks.due Tasks.waiting Tasks.dead Tasks.deadTasks"),
		strings.Fields("DeadTask.name DeadTask.work DeadTask.subject DeadTask.attempts DeadTask.failure DeadTask.givenUpAt"),
		strings.Fields("User.isBot User.external User.invitedBy User.invitations Viewer.tokens Viewer.invitations"),
		strings.Fields("ApiToken.id ApiToken.name ApiToken.scopes ApiToken.createdAt ApiToken.lastUsedAt ApiToken.expiresAt"),
		strings.Fields("ExternalAccount.issuer ExternalAccount.subject SignIn.local SignIn.issuers"),
		strings.Fields("Site.signIn Site.registration SiteRules.registration SiteRules.invitationsBy"),
		strings.Fields("Invitation.id Invitation.code Invitation.isOpen Invitation.note Invitation.uses Invitation.usesLeft"),
		strings.Fields("Invitation.createdAt Invitation.expiresAt Invitation.users Query.applications"),
		strings.Fields("Application.userId Application.login Application.name Application.text Application.createdAt"),
		strings.Fields("Application.state Application.rejection ApplicationConnection.edges ApplicationConnection.nodes"),
		strings.Fields("ApplicationConnection.pageInfo ApplicationConnection.totalCount ApplicationEdge.cursor"),
		strings.Fields("ApplicationEdge.node RejectedError.message RejectedError.code RejectedError.path"),
		strings.Fields("RejectedError.reason RejectedError.note"),
	),
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
				if known := slices.Contains(missing, field); seen[field] == known && !strings.HasPrefix(f.Name, "__") {
					t.Errorf("%s: some answer has %s: %t, and unread names it: %t", name, field, seen[field], known)
				}
			}
		}
		for _, field := range missing {
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
