package web

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/test/must"
)

// forStaff is how the description of a type or field says that it is for those who moderate.
var forStaff = regexp.MustCompile(
	`(?is)\bonly (for )?(those who )?moderat|for moderators|not moderat|and moderators|but moderators|` +
		`moderators[^.]{0,30} see all`)

// unasked are the answers for moderators and administrators that their pages leave out, and why.
var unasked = map[string]string{
	"Topic.authorId":          byProgram,
	"Comment.authorId":        byProgram,
	"Evidence.authorId":       byProgram,
	"ReportCase.authorId":     byProgram,
	"ModerationAct.memberId":  byProgram,
	"Mutation.upsertUser":     bySite,
	"Mutation.linkAccount":    bySite,
	"Mutation.unlinkAccount":  bySite,
	"Mutation.deactivateUser": bySite,
	"Mutation.deleteUser":     bySite,
	"Ban.act":                 "the member's page shows what it says",
	"Evidence.format":         "copies are shown as they were written",
	"ReportAddedEvent.case":   "the page reads the queue again",
}

const (
	byProgram = "pages show the author; the id connects what a deleted account wrote, for programs"
	bySite    = "accounts are managed by the server of the site, or in the playground"
)

// The pages for moderators and administrators ask for all that the schema has for them: a field that nobody selects, or
// an argument that nobody passes, is something that they do not see.
func TestPagesForStaffAskForEverything(t *testing.T) {
	text := must.Do(os.ReadFile("../../../schema.graphqls"))(t)
	schema := must.Do(gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)}))(t)
	var documents strings.Builder
	for name, text := range files(t, source+"/src") {
		if strings.HasSuffix(name, ".graphql") {
			documents.WriteString(text)
		}
	}
	document, err := gqlparser.LoadQueryWithRules(schema, documents.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, operation := range document.Operations {
		collect(schema, operation.SelectionSet, asked)
	}
	wanted := ofStaff(schema)
	if len(wanted) < 100 {
		t.Errorf("the schema has %d answers for staff; want more than 100", len(wanted))
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if reason := unasked[name]; asked[name] == (reason != "") {
			t.Errorf("%s is asked for: %t; its exception says %q", name, asked[name], reason)
		}
	}
	for name := range unasked {
		if !wanted[name] {
			t.Errorf("%s is an exception, and nothing for staff", name)
		}
	}
}

// ofStaff returns the fields, as Type.field, and arguments, as Type.field(argument:), that the schema has for those who
// moderate: those that need such a role or say so, and all fields of the types that only these lead to. The members of
// a union are Type.field on Member.
func ofStaff(schema *ast.Schema) map[string]bool {
	marked := func(f *ast.FieldDefinition) bool {
		auth := f.Directives.ForName("auth")
		return auth != nil && auth.Arguments.ForName("requires") != nil || forStaff.MatchString(f.Description)
	}
	everybody := map[string]bool{} // the types that others see
	var visit func(name string)
	visit = func(name string) {
		definition := schema.Types[name]
		if everybody[name] || strings.HasPrefix(name, "__") || forStaff.MatchString(definition.Description) {
			return
		}
		everybody[name] = true
		for _, possible := range schema.PossibleTypes[name] {
			if definition.IsAbstractType() && name != "Node" {
				visit(possible.Name)
			}
		}
		for _, f := range definition.Fields {
			if definition.IsCompositeType() && !marked(f) {
				visit(f.Type.Name())
			}
		}
	}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		visit(root.Name)
	}
	wanted := map[string]bool{}
	for name, definition := range schema.Types {
		if definition.Kind != ast.Object || strings.HasPrefix(name, "__") || strings.HasSuffix(name, "Connection") ||
			strings.HasSuffix(name, "Edge") || strings.HasSuffix(name, "Payload") {
			continue // the parts of pages and payloads say nothing of their own
		}
		for _, f := range definition.Fields {
			if everybody[name] && !marked(f) || strings.HasPrefix(f.Name, "__") {
				continue
			}
			wanted[name+"."+f.Name] = true
			for _, possible := range schema.PossibleTypes[f.Type.Name()] {
				if schema.Types[f.Type.Name()].Kind == ast.Union {
					wanted[name+"."+f.Name+" on "+possible.Name] = true
				}
			}
			for _, a := range f.Arguments {
				if !a.Type.NonNull && !slices.Contains([]string{"first", "after", "last", "before"}, a.Name) {
					wanted[name+"."+f.Name+"("+a.Name+":)"] = true
				}
			}
		}
	}
	return wanted
}

// collect adds the fields and arguments of a selection to asked, as ofStaff names them.
func collect(schema *ast.Schema, set ast.SelectionSet, asked map[string]bool) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			for _, possible := range schema.GetPossibleTypes(s.ObjectDefinition) {
				asked[possible.Name+"."+s.Name] = true
				for _, a := range s.Arguments {
					asked[possible.Name+"."+s.Name+"("+a.Name+":)"] = true
				}
				for member := range conditions(schema, s.SelectionSet) {
					asked[possible.Name+"."+s.Name+" on "+member] = true
				}
			}
			collect(schema, s.SelectionSet, asked)
		case *ast.InlineFragment:
			collect(schema, s.SelectionSet, asked)
		case *ast.FragmentSpread:
			collect(schema, s.Definition.SelectionSet, asked)
		}
	}
}

// conditions returns the names of the types for which a selection has fields of their own.
func conditions(schema *ast.Schema, set ast.SelectionSet) map[string]bool {
	found := map[string]bool{}
	for _, selection := range set {
		of, inside := "", ast.SelectionSet(nil)
		switch s := selection.(type) {
		case *ast.InlineFragment:
			of, inside = s.TypeCondition, s.SelectionSet
		case *ast.FragmentSpread:
			of, inside = s.Definition.TypeCondition, s.Definition.SelectionSet
		}
		if definition := schema.Types[of]; definition != nil && definition.Kind == ast.Object {
			found[of] = true
		}
		maps.Copy(found, conditions(schema, inside))
	}
	return found
}
