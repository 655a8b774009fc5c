// Package schemadiff compares two versions of a schema as its clients see them.
package schemadiff

import (
	"cmp"
	"fmt"
	"slices"

	"agora/internal/forum"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// Severity says what a change does to clients that were written for the old schema.
type Severity string

// From the worst to the best.
const (
	// Breaking changes make operations invalid that were valid, or let them answer what their types exclude.
	Breaking Severity = "breaking"
	// Dangerous changes leave operations valid, but clients may meet what they do not expect.
	Dangerous Severity = "dangerous"
	// Safe changes are seen by nobody who does not use them.
	Safe Severity = "safe"
)

var severities = []Severity{Breaking, Dangerous, Safe}

// Change is a change of an element of the schema.
type Change struct {
	Severity Severity
	// Coordinate is the element, such as `Topic.title` or `Query.topics(first:)`.
	Coordinate string
	// What has changed, after the coordinate.
	What string
}

// String returns the change as one line.
func (c Change) String() string { return fmt.Sprintf("%-9s  %s %s", c.Severity, c.Coordinate, c.What) }

// Diff returns what makes the new schema different from the old one, both in SDL, the worst first.
func Diff(before, after *ast.Source) ([]Change, error) {
	was, err := gqlparser.LoadSchema(before)
	if err != nil {
		return nil, err
	}
	is, err := gqlparser.LoadSchema(after)
	if err != nil {
		return nil, err
	}
	var d differ
	compare(was.Types, is.Types, func(name string, was, is *ast.Definition) {
		switch {
		case is == nil:
			d.add(Breaking, name, "was removed")
		case was == nil:
			d.add(Safe, name, "is new")
		case was.Kind != is.Kind:
			d.add(Breaking, name, fmt.Sprintf("was %s, and is %s", was.Kind, is.Kind))
		default:
			d.definition(was, is)
		}
	})
	compare(was.Directives, is.Directives, func(name string, was, is *ast.DirectiveDefinition) {
		d.directive("@"+name, was, is)
	})
	slices.SortFunc(d.changes, func(a, b Change) int {
		return cmp.Or(slices.Index(severities, a.Severity)-slices.Index(severities, b.Severity),
			cmp.Compare(a.Coordinate, b.Coordinate), cmp.Compare(a.What, b.What))
	})
	return d.changes, nil
}

type differ struct{ changes []Change }

func (d *differ) add(s Severity, coordinate, what string) {
	d.changes = append(d.changes, Change{s, coordinate, what})
}

// compare calls f for the elements of both maps; the one that is missing is nil.
func compare[T any](was, is map[string]*T, f func(name string, was, is *T)) {
	for name, element := range was {
		f(name, element, is[name])
	}
	for name, element := range is {
		if was[name] == nil {
			f(name, nil, element)
		}
	}
}

// named returns elements by their names.
func named[T any](list []*T, name func(*T) string) map[string]*T {
	all := map[string]*T{}
	for _, element := range list {
		all[name(element)] = element
	}
	return all
}

func (d *differ) definition(was, is *ast.Definition) {
	d.members(was.Name, "implements", was.Interfaces, is.Interfaces)
	d.members(was.Name, "may be", was.Types, is.Types)
	value := func(v *ast.EnumValueDefinition) string { return v.Name }
	compare(named(was.EnumValues, value), named(is.EnumValues, value), func(name string, old, now *ast.EnumValueDefinition) {
		switch {
		case now == nil:
			d.add(Breaking, was.Name+"."+name, "was removed")
		case old == nil:
			d.add(Dangerous, was.Name+"."+name, "is new: clients may get it")
		default:
			d.deprecation(was.Name+"."+name, old.Directives, now.Directives)
		}
	})
	field := func(f *ast.FieldDefinition) string { return f.Name }
	compare(named(was.Fields, field), named(is.Fields, field), func(name string, old, now *ast.FieldDefinition) {
		at := was.Name + "." + name
		switch {
		case now == nil:
			d.add(Breaking, at, "was removed")
		case was.Kind == ast.InputObject:
			d.input(at, old, now)
		case old == nil:
			d.add(Safe, at, "is new")
		default:
			d.field(at, old, now)
		}
	})
}

// members compares what a type has of a kind: interfaces, or members of a union.
func (d *differ) members(name, has string, was, is []string) {
	for _, m := range was {
		if !slices.Contains(is, m) {
			d.add(Breaking, name, fmt.Sprintf("no longer %s %s", has, m))
		}
	}
	for _, m := range is {
		if !slices.Contains(was, m) {
			d.add(Dangerous, name, fmt.Sprintf("now %s %s", has, m))
		}
	}
}

func (d *differ) field(at string, was, is *ast.FieldDefinition) {
	if !narrows(was.Type, is.Type) {
		d.add(Breaking, at, fmt.Sprintf("was of type %s, and is of type %s", was.Type, is.Type))
	} else if was.Type.String() != is.Type.String() {
		d.add(Safe, at, fmt.Sprintf("was of type %s, and is of type %s", was.Type, is.Type))
	}
	d.access(at, was.Directives, is.Directives)
	d.deprecation(at, was.Directives, is.Directives)
	d.arguments(at, was.Arguments, is.Arguments)
}

func (d *differ) arguments(at string, was, is ast.ArgumentDefinitionList) {
	argument := func(a *ast.ArgumentDefinition) string { return a.Name }
	compare(named(was, argument), named(is, argument), func(name string, old, now *ast.ArgumentDefinition) {
		at := fmt.Sprintf("%s(%s:)", at, name)
		if now == nil {
			d.add(Breaking, at, "was removed")
			return
		}
		d.input(at, asField(old), asField(now))
	})
}

// asField returns an argument as a field of an input.
func asField(a *ast.ArgumentDefinition) *ast.FieldDefinition {
	if a == nil {
		return nil
	}
	return &ast.FieldDefinition{Name: a.Name, Type: a.Type, DefaultValue: a.DefaultValue, Directives: a.Directives}
}

// input compares a field of an input, or an argument, that the new schema has.
func (d *differ) input(at string, was, is *ast.FieldDefinition) {
	required := is.Type.NonNull && is.DefaultValue == nil
	switch {
	case was == nil && required:
		d.add(Breaking, at, "is new and required")
	case was == nil:
		d.add(Safe, at, "is new")
	case !narrows(is.Type, was.Type):
		d.add(Breaking, at, fmt.Sprintf("took %s, and takes %s", was.Type, is.Type))
	case required && was.DefaultValue != nil:
		d.add(Breaking, at, "no longer has a default, and is required")
	default:
		if was.Type.String() != is.Type.String() {
			d.add(Safe, at, fmt.Sprintf("took %s, and takes %s", was.Type, is.Type))
		}
		if old, now := shown(was.DefaultValue), shown(is.DefaultValue); old != now {
			d.add(Dangerous, at, fmt.Sprintf("had the default %s, and has %s", old, now))
		}
		d.deprecation(at, was.Directives, is.Directives)
	}
}

func shown(v *ast.Value) string {
	if v == nil {
		return "null"
	}
	return v.String()
}

// narrows reports whether each value of the new type is one of the old type, as the names of types go.
func narrows(was, is *ast.Type) bool {
	if was.NonNull && !is.NonNull {
		return false
	}
	if was.Elem == nil || is.Elem == nil {
		return was.Elem == nil && is.Elem == nil && was.NamedType == is.NamedType
	}
	return narrows(was.Elem, is.Elem)
}

// access compares the roles that @auth demands.
func (d *differ) access(at string, was, is ast.DirectiveList) {
	old, now := role(was), role(is)
	if old == now {
		return
	}
	severity := Breaking
	if old.Includes(now) {
		severity = Safe
	}
	d.add(severity, at, fmt.Sprintf("was for %s, and is for %s", cmp.Or(old, "everybody"), cmp.Or(now, "everybody")))
}

// role returns the lowest role that @auth allows; empty for everybody.
func role(on ast.DirectiveList) forum.Role {
	auth := on.ForName("auth")
	if auth == nil {
		return ""
	}
	if requires := auth.Arguments.ForName("requires"); requires != nil {
		return forum.Role(requires.Value.Raw)
	}
	return forum.RoleUser
}

func (d *differ) deprecation(at string, was, is ast.DirectiveList) {
	old, now := was.ForName("deprecated") != nil, is.ForName("deprecated") != nil
	if now && !old {
		d.add(Safe, at, "is deprecated")
	} else if old && !now {
		d.add(Safe, at, "is no longer deprecated")
	}
}

func (d *differ) directive(at string, was, is *ast.DirectiveDefinition) {
	switch {
	case is == nil:
		d.add(Breaking, at, "was removed")
	case was == nil:
		d.add(Safe, at, "is new")
	default:
		d.arguments(at, was.Arguments, is.Arguments)
		for _, l := range was.Locations {
			if !slices.Contains(is.Locations, l) {
				d.add(Breaking, at, fmt.Sprintf("can no longer stand on %s", l))
			}
		}
	}
}
