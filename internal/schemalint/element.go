package schemalint

import "github.com/vektah/gqlparser/v2/ast"

// element is an element of a schema that needs a description.
type element struct {
	// coordinate is its path from the root of the schema.
	coordinate string
	// name is its own name; "" for the schema itself.
	name string
	// convention is the required form of its name.
	convention convention
	// known are the names that its readers see: its own, its owners' and its type's.
	known       []string
	description string
	directives  ast.DirectiveList
	position    *ast.Position
	// sibling returns the coordinate of a sibling by name.
	sibling func(name string) string
}

// elements returns all elements that a schema defines, in no particular order.
func elements(document *ast.SchemaDocument) []element {
	var all []element
	for _, s := range document.Schema {
		all = append(all, element{coordinate: "schema", description: s.Description, position: s.Position})
	}
	for _, d := range document.Directives {
		all = append(all, ofDirective(d)...)
	}
	for _, d := range document.Definitions {
		all = append(all, ofType(d))
		all = append(all, members(d)...)
	}
	for _, d := range document.Extensions {
		all = append(all, members(d)...)
	}
	return all
}

func ofDirective(d *ast.DirectiveDefinition) []element {
	directive := element{
		coordinate: "@" + d.Name, name: d.Name, convention: camelCase, known: []string{d.Name},
		description: d.Description, position: d.Position,
	}
	return append([]element{directive}, arguments(directive, d.Arguments)...)
}

func ofType(d *ast.Definition) element {
	return element{
		coordinate: d.Name, name: d.Name, convention: pascalCase, known: []string{d.Name},
		description: d.Description, directives: d.Directives, position: d.Position,
	}
}

// members returns a type's fields with their arguments, input fields and enum values.
func members(d *ast.Definition) []element {
	var all []element
	sibling := func(name string) string { return d.Name + "." + name }
	for _, v := range d.EnumValues {
		all = append(all, element{
			coordinate: sibling(v.Name), name: v.Name, convention: screamingCase, known: []string{d.Name, v.Name},
			description: v.Description, directives: v.Directives, position: v.Position, sibling: sibling,
		})
	}
	for _, f := range d.Fields {
		field := element{
			coordinate: sibling(f.Name), name: f.Name, convention: camelCase, known: []string{d.Name, f.Name, f.Type.Name()},
			description: f.Description, directives: f.Directives, position: f.Position, sibling: sibling,
		}
		all = append(all, field)
		all = append(all, arguments(field, f.Arguments)...)
	}
	return all
}

// arguments returns the arguments of a field or directive.
func arguments(owner element, list ast.ArgumentDefinitionList) []element {
	var all []element
	sibling := func(name string) string { return owner.coordinate + "(" + name + ":)" }
	for _, a := range list {
		all = append(all, element{
			coordinate: sibling(a.Name), name: a.Name, convention: camelCase,
			known:       append([]string{a.Name, a.Type.Name()}, owner.known...),
			description: a.Description, directives: a.Directives, position: a.Position, sibling: sibling,
		})
	}
	return all
}
