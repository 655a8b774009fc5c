package httpserver

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// checkValues refuses variables of the wrong type that gqlparser accepts: numbers as strings, "5" as an Int, enum
// values in any case, and any number of keys in a @oneOf. values are the variables that were sent.
func checkValues(schema *ast.Schema, op *ast.OperationDefinition, values map[string]any) *gqlerror.Error {
	for _, v := range op.VariableDefinitions {
		value, sent := values[v.Variable]
		if !sent {
			continue
		}
		path := ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}
		if err := checkValue(schema, v.Type, value, path); err != nil {
			err.Locations = []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}}
			return err
		}
	}
	return nil
}

// checkValue checks one value. gqlparser has already checked nulls, missing values and unknown fields.
func checkValue(schema *ast.Schema, t *ast.Type, value any, path ast.Path) *gqlerror.Error {
	if value == nil {
		return nil
	}
	if t.Elem != nil {
		list, ok := value.([]any)
		if !ok {
			return checkValue(schema, t.Elem, value, path) // a single value is a list of one
		}
		for i, element := range list {
			if err := checkValue(schema, t.Elem, element, append(path[:len(path):len(path)], ast.PathIndex(i))); err != nil {
				return err
			}
		}
		return nil
	}
	def := schema.Types[t.NamedType]
	switch {
	case def == nil:
		return nil
	case def.Kind == ast.Scalar:
		if want := wantedScalar(def.Name, value); want != "" {
			return unfit(path, "The value of %q is not %s.", placeOf(path), want)
		}
	case def.Kind == ast.Enum:
		if name, ok := value.(string); !ok || def.EnumValues.ForName(name) == nil {
			return unfit(path, "The value of %q is not a valid %s. Values are case-sensitive.%s", placeOf(path), def.Name,
				suggestions(name, values(def)))
		}
	case def.Kind == ast.InputObject:
		return checkObject(schema, def, value, path)
	}
	return nil
}

func checkObject(schema *ast.Schema, def *ast.Definition, value any, path ast.Path) *gqlerror.Error {
	object, ok := value.(map[string]any)
	if !ok {
		return unfit(path, "The value of %q is not an object of the type %s.", placeOf(path), def.Name)
	}
	if def.Directives.ForName("oneOf") != nil {
		for _, v := range object {
			if len(object) != 1 || v == nil {
				return unfit(path, "Set exactly one field, and not to null.")
			}
		}
		if len(object) == 0 {
			return unfit(path, "Set exactly one field, and not to null.")
		}
	}
	for _, field := range def.Fields {
		if v, sent := object[field.Name]; sent {
			if err := checkValue(schema, field.Type, v,
				append(path[:len(path):len(path)], ast.PathName(field.Name))); err != nil {
				return err
			}
		}
	}
	return nil
}

// wantedScalar returns what a value should have been, or "" if it is valid. Our own scalars are read by the
// resolvers' types.
func wantedScalar(name string, value any) string {
	number, isNumber := value.(json.Number)
	_, isString := value.(string)
	switch name {
	case "Int":
		if n, err := strconv.ParseInt(string(number), 10, 64); !isNumber || err != nil || n < math.MinInt32 ||
			n > math.MaxInt32 {
			return "an Int, a 32-bit integer"
		}
	case "Float":
		if f, err := number.Float64(); !isNumber || err != nil || math.IsInf(f, 0) {
			return "a Float"
		}
	case "ID":
		if _, err := strconv.ParseInt(string(number), 10, 64); !isString && (!isNumber || err != nil) {
			return "an ID, a string or an integer"
		}
	case "Boolean":
		if _, ok := value.(bool); !ok {
			return "a Boolean"
		}
	default:
		if !isString {
			return fmt.Sprintf("a %s, a string", name)
		}
	}
	return ""
}

func unfit(path ast.Path, format string, args ...any) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf(format, args...),
		Path:       path,
		Extensions: map[string]any{"code": "BAD_USER_INPUT"},
	}
}
