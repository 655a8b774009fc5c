package httpserver

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// explainVariable makes the message of gqlparser's error about a variable name the variable, the field and its type,
// and for an unknown field those that look like it. Values are not repeated, since they may be secrets.
func explainVariable(schema *ast.Schema, op *ast.OperationDefinition, err *gqlerror.Error) {
	if len(err.Path) < 2 {
		return
	}
	name, _ := err.Path[1].(ast.PathName)
	v := op.VariableDefinitions.ForName(string(name))
	if v == nil {
		return
	}
	typ, owner := v.Type, (*ast.Definition)(nil)
	for i, step := range err.Path[2:] {
		switch step := step.(type) {
		case ast.PathIndex:
			typ = typ.Elem
		case ast.PathName:
			owner = schema.Types[typ.Name()]
			f := owner.Fields.ForName(string(step))
			if f == nil {
				err.Message = fmt.Sprintf("%s has the field %q, which %s does not have.%s", placeOf(err.Path[:i+2]),
					shortened(string(step)), owner.Name, suggestions(string(step), names(owner.Fields)))
				return
			}
			typ = f.Type
		}
	}
	at := placeOf(err.Path)
	switch {
	case err.Message == "must be defined" && owner == nil:
		err.Message = fmt.Sprintf("The variable %s is missing (%s).", at, typ)
	case err.Message == "must be defined":
		err.Message = fmt.Sprintf("%s is missing (%s).", at, typ)
	case err.Message == "cannot be null":
		err.Message = fmt.Sprintf("%s must not be null (%s).", at, typ)
	default:
		err.Message = fmt.Sprintf("%s must be of the type %s: %s.", at, typ, err.Message)
	}
}

// placeOf returns the path to a value in the variables.
func placeOf(path ast.Path) string { return shortened(strings.TrimPrefix(path.String(), "variable.")) }

func names(fields ast.FieldList) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Name)
	}
	return all
}

func values(enum *ast.Definition) []string {
	var all []string
	for _, v := range enum.EnumValues {
		all = append(all, v.Name)
	}
	return all
}

// suggestions returns a question for the known names that look like a given one, or "".
func suggestions(given string, known []string) string {
	near := core.SuggestionList(shortened(given), known)
	if len(near) == 0 {
		return ""
	}
	return " Did you mean " + core.QuotedOrList(near...) + "?"
}

// shortened returns at most maxArgument bytes of a name, which may be of any length.
func shortened(name string) string {
	if len(name) <= maxArgument {
		return name
	}
	return strings.ToValidUTF8(name[:maxArgument], "") + "…"
}
