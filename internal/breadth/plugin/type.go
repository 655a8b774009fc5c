package plugin

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

func goType(t types.Type) string {
	return strings.ReplaceAll(templates.CurrentImports.LookupType(t), "interface{}", "any")
}

// values is the Go expression of the breadth.Values of a type.
func values(t *config.TypeReference) string {
	return fmt.Sprintf("breadth.ValuesOf[%s]()", goType(t.GO))
}

// typ is the Go expression of a breadth.Type.
func (d *build) typ(t *config.TypeReference) string {
	var expr string
	switch {
	case t.IsPtrToSlice() || t.IsPtrToIntf() || t.IsPtrToPtr():
		elem := t.Elem()
		expr = fmt.Sprintf("breadth.Ptr(%s, breadth.Inner[%s])", d.typ(elem), goType(elem.GO))
	case t.IsSlice():
		elem := t.Elem()
		expr = fmt.Sprintf("breadth.List(%s, breadth.ElementsOf[%s]())", d.typ(elem), goType(elem.GO))
	case t.Definition.IsLeafType() && t.IsContext:
		expr = fmt.Sprintf("breadth.ContextScalar(func(p any) graphql.ContextMarshaler {\nv := *p.(*%s)\n%s\n})",
			goType(t.GO), d.leaf(t))
	case t.Definition.IsLeafType():
		expr = fmt.Sprintf("breadth.Scalar(func(b []byte, p any) ([]byte, bool) {\nv := *p.(*%s)\n%s\n})", goType(t.GO),
			d.leaf(t))
	case t.Definition.IsAbstractType():
		expr = fmt.Sprintf("breadth.Abstract(%q, func(p any) (*breadth.Object, any) { return t.split%s(*p.(*%s)) })",
			t.Definition.Name, t.Definition.Name, goType(t.GO))
	case t.IsNilable():
		expr = fmt.Sprintf("breadth.Ref(t.%s)", t.Definition.Name)
	default:
		expr = fmt.Sprintf("breadth.Value(t.%s)", t.Definition.Name)
	}
	if t.GQL.NonNull {
		expr += ".NonNull()"
	}
	return expr
}

// leaf is the body of a function that appends the scalar or enum v to b, or that
// makes a marshaler of it if it wants a context.
func (d *build) leaf(t *config.TypeReference) string {
	var body strings.Builder
	null, write := "b, false", appendCall
	if t.IsContext {
		null, write = "nil", contextCall
	}
	if t.IsNilable() {
		fmt.Fprintf(&body, "if v == nil {\nreturn %s\n}\n", null)
	}
	v := "v"
	switch {
	case t.IsMarshaler:
	case t.IsTargetNilable() && !t.IsNilable():
		v = "&v"
	case !t.IsTargetNilable() && t.IsNilable():
		v = "*v"
	}
	switch {
	case t.IsMarshaler && t.IsContext:
		body.WriteString("return v")
	case t.IsMarshaler && d.isModelEnum(t):
		if t.IsNilable() {
			v = "*v"
		}
		fmt.Fprintf(&body, "return breadth.AppendString(b, string(%s)), true", v)
	case t.IsMarshaler:
		fmt.Fprintf(&body, "return breadth.AppendMarshaler(b, %s)", v)
	case t.HasEnumValues():
		v = fmt.Sprintf("%s[%s]", t.EnumMarshalVar(d.Config.UseFunctionSyntaxForExecutionContext), v)
		body.WriteString(write(t, v))
	default:
		if t.CastType != nil {
			v = fmt.Sprintf("%s(%s)", goType(t.CastType), v)
		}
		body.WriteString(write(t, v))
	}
	return body.String()
}

// isModelEnum reports whether a type is an enum that gqlgen has made: it writes
// itself as its name in quotes.
func (d *build) isModelEnum(t *config.TypeReference) bool {
	target := t.GO
	if p, ok := target.(*types.Pointer); ok {
		target = p.Elem()
	}
	named, ok := target.(*types.Named)
	if !ok || t.Definition.Kind != ast.Enum || d.Config.Model.Package == "" || named.Obj().Pkg() == nil {
		return false
	}
	basic, ok := named.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.String && named.Obj().Pkg().Path() == d.Config.Model.ImportPath()
}

// builtin are the append functions for gqlgen's own marshalers.
var builtin = map[string]string{
	"MarshalString": "AppendString", "MarshalID": "AppendString", "MarshalBoolean": "AppendBoolean",
	"MarshalInt": "AppendInt", "MarshalInt8": "AppendInt", "MarshalInt16": "AppendInt", "MarshalInt32": "AppendInt", "MarshalInt64": "AppendInt",
	"MarshalIntID": "",
}

// appendCall is the statement that appends v: by the function AppendX that stands
// beside the marshaler MarshalX, or by the marshaler.
func appendCall(t *config.TypeReference, v string) string {
	pkg, name := t.Marshaler.Pkg(), t.Marshaler.Name()
	if pkg.Path() == "github.com/99designs/gqlgen/graphql" {
		if f := builtin[name]; f != "" {
			return fmt.Sprintf("return breadth.%s(b, %s), true", f, v)
		}
	}
	own := "Append" + strings.TrimPrefix(name, "Marshal")
	if f, ok := pkg.Scope().Lookup(own).(*types.Func); ok {
		call := fmt.Sprintf("%s(b, %s)", qualified(pkg, own), v)
		if f.Signature().Results().Len() == 2 {
			return "return " + call
		}
		return fmt.Sprintf("return %s, true", call)
	}
	return fmt.Sprintf("return breadth.AppendMarshaler(b, %s(%s))", qualified(pkg, name), v)
}

// contextCall is the statement that makes a marshaler of v.
func contextCall(t *config.TypeReference, v string) string {
	return fmt.Sprintf("return %s(%s)", qualified(t.Marshaler.Pkg(), t.Marshaler.Name()), v)
}

func qualified(pkg *types.Package, name string) string {
	if alias := templates.CurrentImports.Lookup(pkg.Path()); alias != "" {
		return alias + "." + name
	}
	return name
}
