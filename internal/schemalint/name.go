package schemalint

import (
	"regexp"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// convention is the form of one sort of names.
type convention struct {
	name    string
	pattern *regexp.Regexp
}

var (
	pascalCase    = convention{"PascalCase", regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)}
	camelCase     = convention{"camelCase", regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)}
	screamingCase = convention{"SCREAMING_CASE", regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)}
)

// names checks the names of all elements.
func (l *linter) names() {
	for _, e := range l.elements {
		if e.name != "" && !e.convention.pattern.MatchString(e.name) {
			l.report(e.position, e.coordinate, "is not in %s", e.convention.name)
		}
	}
	shared := l.document.Definitions.ForName("Payload") // the interface of all payloads
	for _, d := range l.document.Definitions {
		switch {
		case d == shared && d.Kind == ast.Interface:
		case d.Kind != ast.InputObject && strings.HasSuffix(d.Name, "Input"):
			l.report(d.Position, d.Name, "ends in Input but is not an input object")
		case d.Kind != ast.Object && strings.HasSuffix(d.Name, "Payload"):
			l.report(d.Position, d.Name, "ends in Payload but is not an object type")
		case shared != nil && strings.HasSuffix(d.Name, "Payload") && !slices.Contains(d.Interfaces, "Payload"):
			l.report(d.Position, d.Name, "does not implement Payload")
		case d.Kind == ast.InputObject && !inputName(d):
			l.report(d.Position, d.Name, "is an input object but ends neither in Input nor in Order, nor, with @oneOf, in Ref")
		}
	}
}

// inputName reports whether an input object's name states its purpose: the input of a mutation, the
// order of a list, or one of the ways to identify an object.
func inputName(d *ast.Definition) bool {
	if strings.HasSuffix(d.Name, "Ref") {
		return d.Directives.ForName("oneOf") != nil
	}
	return strings.HasSuffix(d.Name, "Input") || strings.HasSuffix(d.Name, "Order")
}

// mutations checks that each mutation takes one input and returns a payload, both named after it.
func (l *linter) mutations() {
	root := "Mutation"
	for _, s := range slices.Concat(l.document.Schema, l.document.SchemaExtension) {
		for _, o := range s.OperationTypes {
			if o.Operation == ast.Mutation {
				root = o.Type
			}
		}
	}
	for _, d := range slices.Concat(l.document.Definitions, l.document.Extensions) {
		if d.Name != root {
			continue
		}
		for _, f := range d.Fields {
			l.mutation(d.Name+"."+f.Name, f)
		}
	}
}

func (l *linter) mutation(coordinate string, f *ast.FieldDefinition) {
	name := strings.ToUpper(f.Name[:1]) + f.Name[1:]
	if want := name + "Input!"; len(f.Arguments) != 1 || f.Arguments[0].Name != "input" ||
		f.Arguments[0].Type.String() != want {
		l.report(f.Position, coordinate, "does not take exactly (input: %s)", want)
	}
	if want := name + "Payload"; f.Type.String() != want {
		l.report(f.Position, coordinate, "does not return %s, nullable", want)
	}
}

// quoted matches text in backquotes.
var quoted = regexp.MustCompile("`([^`]+)`")

// deprecations checks that deprecated elements name an existing replacement in backquotes: a
// sibling, or a coordinate.
func (l *linter) deprecations() {
	there := map[string]bool{}
	for _, e := range l.elements {
		there[e.coordinate] = true
	}
	for _, e := range l.elements {
		directive := e.directives.ForName("deprecated")
		if directive == nil {
			continue
		}
		reason := ""
		if a := directive.Arguments.ForName("reason"); a != nil {
			reason = a.Value.Raw
		}
		replaced := slices.ContainsFunc(quoted.FindAllStringSubmatch(reason, -1), func(match []string) bool {
			name := match[1]
			return name != e.name && there[e.sibling(name)] || name != e.coordinate && there[name]
		})
		if !replaced {
			l.report(
				e.position,
				e.coordinate,
				"is deprecated but names no replacement in the schema, such as `title` or `Topic.title`: %q",
				reason,
			)
		}
	}
}
