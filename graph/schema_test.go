package graph_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/test/gqltext"
	"agora/internal/test/must"
)

// ownTypes are the types of the schema that are not GraphQL's own.
func ownTypes(t *testing.T) []*ast.Definition {
	t.Helper()
	var own []*ast.Definition
	for _, d := range gqltext.Schema(t).Types {
		if !d.BuiltIn {
			own = append(own, d)
		}
	}
	slices.SortFunc(own, func(a, b *ast.Definition) int { return strings.Compare(a.Name, b.Name) })
	if len(own) < 50 {
		t.Fatalf("schema.graphqls has %d types; want all of them", len(own))
	}
	return own
}

func TestNodesHaveIDs(t *testing.T) {
	var nodes []string
	for _, d := range ownTypes(t) {
		if slices.Contains(d.Interfaces, "Node") && d.Kind == ast.Object {
			nodes = append(nodes, d.Name)
		}
		id := d.Fields.ForName("id")
		isNode := d.Name == "Node" || slices.Contains(d.Interfaces, "Node")
		if d.Kind != ast.InputObject && (id != nil) != isNode {
			t.Errorf("%s has an id: %v, implements Node: %v; want both or neither", d.Name, id != nil, isNode)
		}
		if isNode && (id == nil || id.Type.String() != "ID!") {
			t.Errorf("%s.id is not an ID!", d.Name)
		}
	}
	wantEqual(t, "types that the tests of visibility know", nodes,
		[]string{"ApiToken", "Category", "Comment", "Group", "Invitation", "ModerationAct", "Notification", "Session", "Tab",
			"Tag", "Timeline", "Topic", "User", "UserList", "Viewer"})
}

func TestConnectionsAreUniform(t *testing.T) {
	paging := []string{"first: Int", "after: String", "last: Int", "before: String"}
	for _, d := range ownTypes(t) {
		for _, f := range d.Fields {
			if !strings.HasSuffix(f.Type.Name(), "Connection") {
				continue
			}
			var found []string
			for _, a := range f.Arguments {
				if signature := a.Name + ": " + a.Type.String(); slices.Contains(paging, signature) && a.DefaultValue == nil {
					found = append(found, signature)
				}
			}
			want := paging
			if d.Name+"."+f.Name == "Topic.thread" { // a tree is read from its start
				want = paging[:2]
			}
			wantEqual(t, "paging arguments of "+d.Name+"."+f.Name, found, want)
			if f.Type.NonNull == (isGated(f) || d.Name == "Query") {
				t.Errorf("%s.%s is %s; want null only in Query, and for those who may not see it", d.Name, f.Name, f.Type)
			}
		}
		if name, ok := strings.CutSuffix(d.Name, "Connection"); ok {
			for field, typ := range map[string]string{"edges": "[" + name + "Edge!]!", "nodes": "[" + name + "!]!",
				"pageInfo": "PageInfo!"} {
				if f := d.Fields.ForName(field); f == nil || f.Type.String() != typ {
					t.Errorf("%s.%s = %v; want %s", d.Name, field, f, typ)
				}
			}
		}
		if name, ok := strings.CutSuffix(d.Name, "Edge"); ok {
			for field, typ := range map[string]string{"cursor": "String!", "node": name + "!"} {
				if f := d.Fields.ForName(field); f == nil || f.Type.String() != typ {
					t.Errorf("%s.%s = %v; want %s", d.Name, field, f, typ)
				}
			}
		}
	}
}

// What is no Node has no key that caches know, so its description says what identifies it.
func TestRowsOfListsAreNodes(t *testing.T) {
	for _, d := range ownTypes(t) {
		if !strings.HasSuffix(d.Name, "Edge") {
			continue
		}
		node := gqltext.Schema(t).Types[d.Fields.ForName("node").Type.Name()]
		isNode := node.Kind == ast.Union || slices.Contains(node.Interfaces, "Node")
		if says := strings.Contains(node.Description, "It is no `Node`:"); isNode == says {
			t.Errorf("%s implements Node: %v, and its description says that it does not: %v", node.Name, isNode, says)
		}
	}
}

// A site may change the constants of the formulas. What describes them must follow.
func TestDocumentedFormulasHaveTheConstants(t *testing.T) {
	read := func(path string) string {
		text := must.Do(os.ReadFile(path))(t)
		return string(text)
	}
	order := gqltext.Schema(t).Types["TopicOrderField"].EnumValues
	for field, texts := range map[forum.TopicOrderField][]string{
		forum.ByScore: {order.ForName("SCORE").Description, lineOf(read("../docs/api.md"), "| SCORE"),
			lineOf(read("../docs/keys.md"), "- `{ix:front}:score`"),
			gqltext.Schema(t).Types["RankExplanation"].Fields.ForName("formula").Description},
		forum.ByHot: {order.ForName("HOT").Description, lineOf(read("../docs/api.md"), "| HOT"),
			lineOf(read("../docs/keys.md"), "- `{ix:front}:hot`")},
	} {
		constants := regexp.MustCompile(`\d{3,}`).FindAllString(forum.Explain(field, forum.Row{}).Formula, -1)
		if len(constants) == 0 {
			t.Fatalf("the formula of %s has no constants", field)
		}
		for _, text := range texts {
			for _, c := range constants {
				if !strings.Contains(text, c) {
					t.Errorf("%s has the constant %s, which is missing in %q", field, c, text)
				}
			}
		}
	}
}

// lineOf returns the first line of a text that begins with prefix.
func lineOf(text, prefix string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}

// isGated reports whether some viewers get FORBIDDEN or UNAUTHENTICATED instead of the field.
func isGated(f *ast.FieldDefinition) bool {
	text := f.Description
	for _, a := range f.Arguments {
		text += a.Description
	}
	return f.Directives.ForName("auth") != nil || strings.Contains(text, "FORBIDDEN") ||
		strings.Contains(text, "UNAUTHENTICATED")
}

// Each field of Query can fail without the others: all are nullable, but what reads nothing, and a list of what is.
func TestFieldsOfQueryAreNullable(t *testing.T) {
	for _, f := range gqltext.Schema(t).Types["Query"].Fields {
		if want := f.Name != "site" && f.Name != "nodes" && f.Name != "__schema"; want == f.Type.NonNull {
			t.Errorf("Query.%s is %s; want it nullable: %v", f.Name, f.Type, want)
		}
	}
}

// What a viewer may not see is null by itself: an error on a field that cannot be null would take the rest of the
// answer with it. Subscriptions have only the one field, and payloads list FORBIDDEN among their errors.
func TestGatedFieldsAreNullable(t *testing.T) {
	for _, d := range ownTypes(t) {
		for _, f := range d.Fields {
			if d.Name != "Subscription" && !strings.HasSuffix(d.Name, "Payload") && isGated(f) && f.Type.NonNull {
				t.Errorf("%s.%s is %s; want it nullable", d.Name, f.Name, f.Type)
			}
		}
	}
}

// Every error names the field at fault in the same way.
func TestPathsOfErrorsHaveOneType(t *testing.T) {
	for _, d := range ownTypes(t) {
		if f := d.Fields.ForName("path"); f != nil && f.Type.String() != "[String!]!" {
			t.Errorf("%s.path is %s; want [String!]!", d.Name, f.Type)
		}
	}
}

// Whoever asks for what is not for them gets the rest of the answer. All root fields without a required argument, and
// some others, are asked for by a guest and a member.
func TestForbiddenFieldsLeaveTheRest(t *testing.T) {
	b := newFullSite(t)
	arguments := map[string]string{"blocklist": "(kind: WORD)", "preview": `(content: "x")`, "topic": "(by: {id: $t})"}
	refused := map[string]bool{}
	for _, f := range gqltext.Schema(t).Query.Fields {
		required := slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool {
			return a.Type.NonNull && a.DefaultValue == nil
		})
		if strings.HasPrefix(f.Name, "__") || required && arguments[f.Name] == "" {
			continue
		}
		selection := " { __typename }"
		if f.Type.Elem != nil {
			selection = ""
		}
		if f.Name == "topic" {
			selection = " { voters(direction: DOWN) { __typename } }"
		}
		for _, token := range []string{"", b.ann} {
			a := b.ask(token, `query($t: ID!) { site { name } unused: topic(by: {id: $t}) { id } x: `+f.Name+
				arguments[f.Name]+selection+` }`, input{"t": b.topic})
			if code := a.code(); code == "FORBIDDEN" || code == "UNAUTHENTICATED" {
				refused[f.Name] = true
			} else if code != "" {
				t.Errorf("%s: %s", f.Name, a.body)
			}
			if a.at("site", "name") == nil {
				t.Errorf("%s takes the rest of the answer with it: %s", f.Name, a.body)
			}
		}
	}
	for _, name := range []string{"blocklist", "moderationLog", "reportQueue", "preview", "tasks", "topic"} {
		if !refused[name] {
			t.Errorf("%s was not refused", name)
		}
	}
}

func TestMutationsReturnErrors(t *testing.T) {
	for _, f := range gqltext.Schema(t).Mutation.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		errors := gqltext.Schema(t).Types[f.Type.Name()].Fields.ForName("errors")
		if errors == nil || errors.Type.String() != "[UserError!]!" {
			t.Errorf("%s.errors is not [UserError!]!", f.Type.Name())
		}
	}
}

func TestSecretsCannotBeRead(t *testing.T) {
	for _, d := range ownTypes(t) {
		for _, f := range d.Fields {
			lower := strings.ToLower(f.Name)
			secret := strings.Contains(lower, "password") || strings.Contains(lower, "email") && d.Name != "Viewer"
			if secret && d.Kind != ast.InputObject && d.Name != "Mutation" {
				t.Errorf("%s.%s can be read; want passwords in inputs only, e-mails also by the user's own Viewer", d.Name, f.Name)
			}
		}
	}
}
