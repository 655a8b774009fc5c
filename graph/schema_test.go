package graph_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// ownTypes are the types of the schema that are not GraphQL's own.
func ownTypes(t *testing.T) []*ast.Definition {
	t.Helper()
	var own []*ast.Definition
	for _, d := range parsedSchema(t).Types {
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

func TestEverythingIsDescribed(t *testing.T) {
	check := func(what, description string) {
		t.Helper()
		if len(strings.TrimSpace(description)) < 8 {
			t.Errorf("%s has the description %q; want a sentence", what, description)
		}
	}
	schema := parsedSchema(t)
	check("the schema", schema.Description)
	for _, d := range ownTypes(t) {
		check(d.Name, d.Description)
		for _, v := range d.EnumValues {
			check(d.Name+"."+v.Name, v.Description)
		}
		for _, f := range d.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			check(d.Name+"."+f.Name, f.Description)
			for _, a := range f.Arguments {
				check(d.Name+"."+f.Name+"("+a.Name+")", a.Description)
			}
		}
	}
	auth := schema.Directives["auth"]
	check("@auth", auth.Description)
	check("@auth(requires)", auth.Arguments[0].Description)
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
	wantEqual(t, "types that the tests of visibility know", nodes, []string{"Category", "Comment", "Tab", "Timeline", "Topic", "User", "Viewer"})
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
			wantEqual(t, "paging arguments of "+d.Name+"."+f.Name, found, paging)
			if !f.Type.NonNull {
				t.Errorf("%s.%s may be null; want a connection always", d.Name, f.Name)
			}
		}
		if name, ok := strings.CutSuffix(d.Name, "Connection"); ok {
			for field, typ := range map[string]string{"edges": "[" + name + "Edge!]!", "nodes": "[" + name + "!]!", "pageInfo": "PageInfo!"} {
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

func TestMutationsAreUniform(t *testing.T) {
	for _, f := range parsedSchema(t).Mutation.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		name := strings.ToUpper(f.Name[:1]) + f.Name[1:]
		if len(f.Arguments) != 1 || f.Arguments[0].Name != "input" || f.Arguments[0].Type.String() != name+"Input!" || f.Type.String() != name+"Payload" {
			t.Errorf("%s does not take one input: %sInput! and give a %sPayload that may be null", f.Name, name, name)
		}
		errors := parsedSchema(t).Types[name+"Payload"].Fields.ForName("errors")
		if errors == nil || errors.Type.String() != "[UserError!]!" {
			t.Errorf("%sPayload.errors is not [UserError!]!", name)
		}
	}
}

func TestNames(t *testing.T) {
	pascal, camel, screaming := regexp.MustCompile(`^[A-Z][A-Za-z]*$`), regexp.MustCompile(`^[a-z][A-Za-z]*$`), regexp.MustCompile(`^[A-Z]+(_[A-Z]+)*$`)
	match := func(re *regexp.Regexp, what, name string) {
		t.Helper()
		if !re.MatchString(name) {
			t.Errorf("%s is called %s; want %s", what, name, re)
		}
	}
	for _, d := range ownTypes(t) {
		match(pascal, "a type", d.Name)
		for _, v := range d.EnumValues {
			match(screaming, "a value of "+d.Name, v.Name)
		}
		for _, f := range d.Fields {
			match(camel, "a field of "+d.Name, strings.TrimPrefix(f.Name, "__"))
			for _, a := range f.Arguments {
				match(camel, "an argument of "+d.Name+"."+f.Name, a.Name)
			}
			lower := strings.ToLower(f.Name)
			if d.Kind != ast.InputObject && (strings.Contains(lower, "email") || strings.Contains(lower, "password")) {
				t.Errorf("%s.%s can be read; want e-mail and password in inputs only", d.Name, f.Name)
			}
		}
	}
}
