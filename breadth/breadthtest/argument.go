package breadthtest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Operation generates a document; ok is false if it is not valid.
func (g *Generator) Operation(r *rand.Rand) (o Operation, ok bool) {
	text, variables := g.Document(r)
	o = Operation{Text: text}
	decoder := json.NewDecoder(strings.NewReader(variables))
	decoder.UseNumber()
	if err := decoder.Decode(&o.Variables); err != nil {
		panic(fmt.Sprintf("variables %s: %v", variables, err))
	}
	return o, o.parse(g.schema) == nil
}

// parse parses and validates the document.
func (o *Operation) parse(schema *ast.Schema) error {
	doc, err := parser.ParseQuery(&ast.Source{Input: o.Text})
	if err != nil {
		return err
	}
	o.Doc = doc
	if list := validator.ValidateWithRules(schema, doc, rules.NewDefaultRules()); len(list) > 0 {
		return list
	}
	return nil
}

// ParseOperation parses and validates a document.
func ParseOperation(schema *ast.Schema, text string, variables map[string]any) (Operation, error) {
	o := Operation{Text: text, Variables: variables}
	return o, o.parse(schema)
}

// args returns random arguments of a field, in parentheses.
func (d *draft) args(f *ast.FieldDefinition) string {
	var parts []string
	for _, a := range f.Arguments {
		needed := a.Type.NonNull && a.DefaultValue == nil
		if !needed && !d.chance(3) {
			continue
		}
		if d.chance(3) {
			value := d.value(a.Type, true, 3)
			if d.chance(4) && !a.Type.NonNull {
				value = "" // declared, but not set
			}
			parts = append(parts, a.Name+": "+d.variable(a.Type.String(), value))
			continue
		}
		parts = append(parts, a.Name+": "+d.value(a.Type, false, 3))
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// variable declares a variable with a value in JSON.
func (d *draft) variable(typ, value string) string {
	name := fmt.Sprintf("v%d", len(d.declared))
	d.declared = append(d.declared, "$"+name+": "+typ)
	if value != "" {
		d.variables = append(d.variables, strconv.Quote(name)+":"+value)
	}
	return "$" + name
}

// value returns a random value of an input type, as JSON or as a literal.
func (d *draft) value(t *ast.Type, asJSON bool, depth int) string {
	if !t.NonNull && d.chance(6) {
		return "null"
	}
	if t.Elem != nil {
		var parts []string
		for n := d.r.IntN(3); n > 0 && depth > 0; n-- {
			parts = append(parts, d.value(t.Elem, asJSON, depth-1))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	def := d.schema.Types[t.NamedType]
	switch def.Kind {
	case ast.Enum:
		name := def.EnumValues[d.r.IntN(len(def.EnumValues))].Name
		if asJSON {
			return strconv.Quote(name)
		}
		return name
	case ast.InputObject:
		return d.object(def, asJSON, depth)
	}
	switch make := d.Scalars[def.Name]; {
	case make != nil:
		return make(d.r)
	case def.Name == "Boolean":
		return d.pick("true", "false")
	case def.Name == "Int":
		return strconv.Itoa(d.r.IntN(40) - 3)
	case def.Name == "Float":
		return d.pick("0", "1.5", "-2.25", "7")
	case def.Name == "ID" && d.chance(4):
		return strconv.Itoa(d.r.IntN(100))
	}
	return d.pick(`""`, `"a"`, `"tea"`, `"茶"`, `"two words"`)
}

func (d *draft) object(def *ast.Definition, asJSON bool, depth int) string {
	one := -1
	if def.Directives.ForName("oneOf") != nil {
		one = d.r.IntN(len(def.Fields))
	}
	var parts []string
	for i, f := range def.Fields {
		typ := *f.Type
		if one >= 0 {
			if i != one {
				continue
			}
			typ.NonNull = true
		} else if needed := f.Type.NonNull && f.DefaultValue == nil; !needed && (depth == 0 || !d.chance(2)) {
			continue
		}
		name := f.Name
		if asJSON {
			name = strconv.Quote(name)
		}
		parts = append(parts, name+": "+d.value(&typ, asJSON, max(depth-1, 0)))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
