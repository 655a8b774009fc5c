// Package plugin makes gqlgen write what internal/breadth executes: one table of
// fields for each object type of the schema, beside gqlgen's own code.
package plugin

import (
	_ "embed"
	"errors"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed breadth.gotpl
var text string

// FileName is the file that is written into the package of the executable schema.
const FileName = "breadth.generated.go"

// Plugin is a plugin of gqlgen.
type Plugin struct {
	// Gates name the directives that look neither at the object nor at the value, so
	// that they are asked once for all objects of a field.
	Gates []string
}

// Name implements plugin.Plugin.
func (Plugin) Name() string { return "breadth" }

func file(cfg *config.Config) string {
	dir := cfg.Exec.DirName
	if dir == "" {
		dir = filepath.Dir(cfg.Exec.Filename)
	}
	return filepath.Join(dir, FileName)
}

// MutateConfig implements plugin.ConfigMutator. It removes the old file, which may
// not go with the new code any more.
func (Plugin) MutateConfig(cfg *config.Config) error {
	if err := os.Remove(file(cfg)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// GenerateCode implements plugin.CodeGenerator.
func (p Plugin) GenerateCode(data *codegen.Data) error {
	d := &build{Data: data, gates: p.Gates}
	return templates.Render(templates.Options{
		PackageName:     data.Config.Exec.Package,
		Filename:        file(data.Config),
		Template:        text,
		Data:            d,
		Funcs:           map[string]any{"typ": d.typ, "leaf": d.leaf},
		GeneratedHeader: true,
		Packages:        data.Config.Packages,
	})
}

// build is what the template sees.
type build struct {
	*codegen.Data
	gates []string
}

// Types are the object types that can be executed, roots aside.
func (d *build) Types() []*codegen.Object {
	var found []*codegen.Object
	for _, o := range d.Objects {
		if !o.Root && !o.IsReserved() && !unknown(o) {
			found = append(found, o)
		}
	}
	return found
}

// unknown tells whether objects are bound to something that is no struct.
func unknown(o *codegen.Object) bool {
	_, isStruct := o.Type.Underlying().(*types.Struct)
	return !isStruct
}

// Handles are the types whose objects may be known by id only: those with a method
// Gone() bool.
func (d *build) Handles() []*codegen.Object {
	return slices.DeleteFunc(d.Types(), func(o *codegen.Object) bool {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.Type), true, nil, "Gone")
		f, ok := obj.(*types.Func)
		return !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 ||
			f.Signature().Results().At(0).Type() != types.Typ[types.Bool]
	})
}

// Abstracts are the interfaces and unions, by name.
func (d *build) Abstracts() []*codegen.Interface {
	var found []*codegen.Interface
	for _, i := range d.Interfaces {
		found = append(found, i)
	}
	slices.SortFunc(found, func(a, b *codegen.Interface) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// IsAbstract tells whether an implementor is an interface itself.
func (d *build) IsAbstract(i codegen.InterfaceImplementor) bool { return i.Kind != ast.Object }

// IsKnown tells whether an implementor can be executed.
func (d *build) IsKnown(i codegen.InterfaceImplementor) bool {
	o := d.Objects.ByName(i.Name)
	return o != nil && !unknown(o)
}

// IsGate tells whether a directive is one.
func (d *build) IsGate(of *codegen.Directive) bool { return slices.Contains(d.gates, of.Name) }

// FieldDirectives are the schema's own directives on fields of documents.
func (d *build) FieldDirectives() []string {
	var names []string
	for name := range d.AllDirectives.LocationDirectives("FIELD") {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// The ways in which fields are resolved.
const (
	kindLeaf          = "leaf"
	kindPlain         = "plain"
	kindSingle        = "single"
	kindBatch         = "batch"
	kindRoot          = "root"
	kindIntrospection = "introspection"
	kindUnsupported   = "unsupported"
)

// Kind is how a field is resolved.
func (d *build) Kind(f *codegen.Field) string {
	switch {
	case f.IsReserved():
		return kindIntrospection
	case f.TypeReference.IsRoot:
		return kindRoot
	case f.IsMap() || f.HasHaser || f.UsesSubscriptionContext() || f.HasFederationRequiresArg() || !d.supported(f.TypeReference):
		return kindUnsupported
	case f.IsBatch() && !f.Object.Root:
		return kindBatch
	case f.IsResolver || f.HasDirectives() || f.IsMethod() && (f.MethodHasContext || !f.NoErr || len(f.Args) > 0):
		return kindSingle
	case isLeaf(f.TypeReference):
		return kindLeaf
	}
	return kindPlain
}

// supported tells whether values of the type can be written.
func (d *build) supported(t *config.TypeReference) bool {
	switch {
	case t.IsOmittable:
		return false
	case t.IsSlice() || t.IsPtrToSlice() || t.IsPtrToIntf() || t.IsPtrToPtr():
		return d.supported(t.Elem())
	case t.Definition.IsLeafType():
		return !t.IsContext
	case t.Definition.IsAbstractType():
		return d.Interfaces[t.Definition.Name] != nil
	}
	o := d.Objects.ByName(t.Definition.Name)
	return o != nil && !unknown(o)
}

// isLeaf tells whether a type is a scalar or enum, in no list.
func isLeaf(t *config.TypeReference) bool {
	return t.Definition.IsLeafType() && !t.IsSlice() && !t.IsPtrToSlice() && !t.IsPtrToPtr()
}
