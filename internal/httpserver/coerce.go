package httpserver

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
)

// coerceValues refuses variables of the wrong type that gqlparser accepts: numbers as strings, "5" as an Int, enum
// values in any case, and any number of keys in a @oneOf. values are the variables that were sent; their numbers become
// what graphql-js makes of them, so that 3.0 and 3e0 are the Int 3.
func coerceValues(schema *ast.Schema, op *ast.OperationDefinition, values map[string]any) *gqlerror.Error {
	for _, v := range op.VariableDefinitions {
		value, sent := values[v.Variable]
		if !sent {
			continue
		}
		path := ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}
		coerced, err := coerceValue(schema, v.Type, value, path)
		if err != nil {
			err.Locations = []gqlerror.Location{{Line: v.Position.Line, Column: v.Position.Column}}
			return err
		}
		values[v.Variable] = coerced
	}
	return nil
}

// coerceValue coerces one value. gqlparser checks nulls, missing values and unknown fields.
func coerceValue(schema *ast.Schema, t *ast.Type, value any, path ast.Path) (any, *gqlerror.Error) {
	if value == nil {
		return nil, nil
	}
	if t.Elem != nil {
		list, ok := value.([]any)
		if !ok { // a single value is a list of one
			one, err := coerceValue(schema, t.Elem, value, path)
			return []any{one}, err
		}
		for i, element := range list {
			coerced, err := coerceValue(schema, t.Elem, element, append(path[:len(path):len(path)], ast.PathIndex(i)))
			if err != nil {
				return nil, err
			}
			list[i] = coerced
		}
		return list, nil
	}
	def := schema.Types[t.NamedType]
	switch {
	case def == nil:
	case def.Kind == ast.Scalar:
		coerced, want := coerceScalar(def.Name, value)
		if want != "" {
			return nil, unfit(path, "%s must be %s%s.", placeOf(path), want, unlike(want, value))
		}
		return coerced, nil
	case def.Kind == ast.Enum:
		want := "a value of " + def.Name + " as a string"
		name, ok := value.(string)
		switch {
		case !ok:
			return nil, unfit(path, "%s must be %s%s.", placeOf(path), want, unlike(want, value))
		case def.EnumValues.ForName(name) == nil:
			return nil, unfit(path, "%s must be a value of %s (case matters).%s", placeOf(path), def.Name,
				suggestions(name, values(def)))
		}
	case def.Kind == ast.InputObject:
		return value, coerceObject(schema, def, value, path)
	}
	return value, nil
}

// coerceObject coerces the fields of an input object in place.
func coerceObject(schema *ast.Schema, def *ast.Definition, value any, path ast.Path) *gqlerror.Error {
	object, ok := value.(map[string]any)
	if !ok {
		return unfit(path, "%s must be an object, a %s%s.", placeOf(path), def.Name, unlike("an object", value))
	}
	if _, sent := object["__typename"]; sent { // gqlparser ignores it, even as the one field of a @oneOf
		return unfit(path, "%s has the field \"__typename\", which %s does not have.", placeOf(path), def.Name)
	}
	if def.Directives.ForName("oneOf") != nil {
		set := len(object)
		for _, v := range object {
			if v == nil {
				set = 0
			}
		}
		if set != 1 {
			return unfit(path, "%s must have exactly one field, which is not null: %s.", placeOf(path),
				core.QuotedOrList(names(def.Fields)...))
		}
	}
	for _, field := range def.Fields {
		v, sent := object[field.Name]
		if !sent {
			continue
		}
		coerced, err := coerceValue(schema, field.Type, v, append(path[:len(path):len(path)], ast.PathName(field.Name)))
		if err != nil {
			return err
		}
		object[field.Name] = coerced
	}
	return nil
}

// coerceScalar returns the value of a scalar, or what it should have been. Our own scalars are read by the resolvers'
// types.
func coerceScalar(name string, value any) (coerced any, want string) {
	number, isNumber := value.(json.Number)
	_, isString := value.(string)
	switch name {
	case "Int":
		if whole, ok := integer(number); ok {
			if n, err := strconv.ParseInt(whole, 10, 32); err == nil {
				return json.Number(strconv.FormatInt(n, 10)), ""
			}
		}
		return nil, "a whole number from -2147483648 to 2147483647"
	case "Float":
		if f, err := number.Float64(); !isNumber || err != nil || math.IsInf(f, 0) {
			return nil, "a number between -1.8e308 and 1.8e308"
		}
	case "ID":
		if whole, ok := integer(number); ok {
			return whole, ""
		}
		if !isString {
			return nil, "an id, which is a string or a whole number"
		}
	case "Boolean":
		if _, ok := value.(bool); !ok {
			return nil, "true or false"
		}
	case "String":
		if !isString {
			return nil, "a string"
		}
	default:
		if !isString {
			return nil, "a " + name + " as a string"
		}
	}
	return value, ""
}

// unlike returns what a value is, unless what it should be has that word. Values are not repeated, since they may be
// secrets.
func unlike(want string, value any) string {
	is, word := "a string", "string"
	switch value.(type) {
	case json.Number:
		is, word = "a number", "number"
	case bool:
		is, word = "a Boolean", "Boolean"
	case []any:
		is, word = "a list", "list"
	case map[string]any:
		is, word = "an object", "object"
	}
	if word != "string" && strings.Contains(want, word) {
		return ""
	}
	return ", not " + is
}

// integer returns an integer of JSON in the form in which JavaScript writes it, but with all its digits; false for another
// number. 3.0 and 30e-1 are the integer 3.
func integer(n json.Number) (string, bool) {
	if s := string(n); s != "" && s != "-0" && !strings.ContainsAny(s, ".eE") {
		return s, true
	}
	f, err := n.Float64()
	switch {
	case err != nil || f != math.Trunc(f):
		return "", false
	case f == 0:
		return "0", true // also of -0
	}
	text, err := json.Marshal(f) // as ECMAScript does
	return string(text), err == nil
}

func unfit(path ast.Path, format string, args ...any) *gqlerror.Error {
	return &gqlerror.Error{
		Message:    fmt.Sprintf(format, args...),
		Path:       path,
		Extensions: map[string]any{"code": "BAD_USER_INPUT"},
	}
}
