package schemalint

import "github.com/vektah/gqlparser/v2/ast"

// element is one thing of a schema that wants a description.
type element struct {
	// coordinate is its path from the root of the schema.
	coordinate string
	// name is its own name; "" for the schema itself.
	name string
	// convention is what its name has to look like.
	convention convention
	// known are the names that its reader has before the eyes: its own, its
	// owners' and its type's.
	known       []string
	description string
	directives  ast.DirectiveList
	position    *ast.Position
	// beside gives the coordinate of a neighbour with another name.
	beside func(name string) string
}

// elements lists all that a schema defines, in no certain order.
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

// members are a type's fields with their arguments, input fields and enum values.
func members(d *ast.Definition) []element {
	var all []element
	beside := func(name string) string { return d.Name + "." + name }
	for _, v := range d.EnumValues {
		all = append(all, element{
			coordinate: beside(v.Name), name: v.Name, convention: screamingCase, known: []string{d.Name, v.Name},
			description: v.Description, directives: v.Directives, position: v.Position, beside: beside,
		})
	}
	for _, f := range d.Fields {
		field := element{
			coordinate: beside(f.Name), name: f.Name, convention: camelCase, known: []string{d.Name, f.Name, f.Type.Name()},
			description: f.Description, directives: f.Directives, position: f.Position, beside: beside,
		}
		all = append(all, field)
		all = append(all, arguments(field, f.Arguments)...)
	}
	return all
}

// arguments are those of a field or directive.
func arguments(owner element, list ast.ArgumentDefinitionList) []element {
	var all []element
	beside := func(name string) string { return owner.coordinate + "(" + name + ":)" }
	for _, a := range list {
		all = append(all, element{
			coordinate: beside(a.Name), name: a.Name, convention: camelCase,
			known:       append([]string{a.Name, a.Type.Name()}, owner.known...),
			description: a.Description, directives: a.Directives, position: a.Position, beside: beside,
		})
	}
	return all
}
