// Package plugin makes gqlgen generate the input of package breadth: one table of fields for each object type of the
// schema, next to gqlgen's own code.
package plugin

import (
	_ "embed"
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed breadth.gotpl
var text string

//go:embed fake.gotpl
var fakeText string

//go:embed resolvers.gotpl
var resolversText string

// FileName is the file that is written into the package of the executable schema.
const FileName = "breadth.generated.go"

// Plugin is a plugin of gqlgen.
type Plugin struct {
	// Gates are the names of directives that read neither the object nor the value, so that they are called once for
	// all objects of a field.
	Gates []string
	// Fake, if not empty, is the file to write resolvers for tests to, all of which call one function.
	Fake string
	// FakePackage is the name of that file's package.
	FakePackage string
	// Resolvers, if not empty, is the file to write the types of resolvers to, which embed the Resolver of the file's
	// package. The package's function mutate calls each mutation, and returns the errors that the payload shows.
	Resolvers string
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

// MutateConfig implements plugin.ConfigMutator. It removes the old file, which may not compile with the new code.
func (p Plugin) MutateConfig(cfg *config.Config) error {
	for _, name := range []string{file(cfg), p.Fake} {
		if err := os.Remove(name); name != "" && err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// GenerateCode implements plugin.CodeGenerator.
func (p Plugin) GenerateCode(data *codegen.Data) error {
	d := &build{Data: data, gates: p.Gates}
	if err := d.check(); err != nil {
		return err
	}
	err := d.render(file(data.Config), data.Config.Exec.Package, text)
	if err == nil && p.Fake != "" {
		err = d.render(p.Fake, p.FakePackage, fakeText)
	}
	if err == nil && p.Resolvers != "" {
		err = d.render(p.Resolvers, filepath.Base(filepath.Dir(p.Resolvers)), resolversText)
	}
	return err
}

// render writes a file of a package.
func (d *build) render(name, pkg, text string) error {
	return templates.Render(templates.Options{
		PackageName:     pkg,
		Filename:        name,
		Template:        text,
		Data:            d,
		Funcs:           map[string]any{"typ": d.typ, "leaf": d.leaf, "values": values, "iface": d.iface, "named": named},
		GeneratedHeader: true,
		Packages:        d.Config.Packages,
	})
}

// iface returns the interface of the resolvers of an object type.
func (d *build) iface(o *codegen.Object) string {
	return templates.CurrentImports.Lookup(d.Config.Exec.ImportPath()) + "." + templates.UcFirst(o.Name) + "Resolver"
}

// results matches the results at the end of a resolver's declaration.
var results = regexp.MustCompile(`\(([^()]*), error\)$`)

// named names the results of a resolver's declaration.
func named(declaration string) string {
	return results.ReplaceAllString(declaration, "(result $1, err error)")
}

// build is the data of the template.
type build struct {
	*codegen.Data
	gates []string
}

// Types returns the object types that can be executed, except the roots.
func (d *build) Types() []*codegen.Object {
	var found []*codegen.Object
	for _, o := range d.Objects {
		if !o.Root && !o.IsReserved() && !unknown(o) {
			found = append(found, o)
		}
	}
	return found
}

// unknown reports whether objects are bound to a type that is not a struct.
func unknown(o *codegen.Object) bool {
	_, isStruct := o.Type.Underlying().(*types.Struct)
	return !isStruct
}

// Handles returns the types whose objects may be known by id only: those with a method Missing() bool.
func (d *build) Handles() []*codegen.Object {
	return slices.DeleteFunc(d.Types(), func(o *codegen.Object) bool {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(o.Type), true, nil, "Missing")
		f, ok := obj.(*types.Func)
		return !ok || f.Signature().Params().Len() != 0 || f.Signature().Results().Len() != 1 ||
			f.Signature().Results().At(0).Type() != types.Typ[types.Bool]
	})
}

// Abstracts returns the interfaces and unions, by name.
func (d *build) Abstracts() []*codegen.Interface {
	var found []*codegen.Interface
	for _, i := range d.Interfaces {
		found = append(found, i)
	}
	slices.SortFunc(found, func(a, b *codegen.Interface) int { return strings.Compare(a.Name, b.Name) })
	return found
}

// IsAbstract reports whether an implementor is an interface itself.
func (d *build) IsAbstract(i codegen.InterfaceImplementor) bool { return i.Kind != ast.Object }

// IsKnown reports whether an implementor can be executed.
func (d *build) IsKnown(i codegen.InterfaceImplementor) bool {
	o := d.Objects.ByName(i.Name)
	return o != nil && !unknown(o)
}

// IsGate reports whether a directive is a gate.
func (d *build) IsGate(of *codegen.Directive) bool { return slices.Contains(d.gates, of.Name) }

// The ways to resolve a field.
const (
	kindLeaf          = "leaf"
	kindPlain         = "plain"
	kindSingle        = "single"
	kindBatch         = "batch"
	kindRoot          = "root"
	kindIntrospection = "introspection"
	kindUnsupported   = "unsupported"
)

// Kind returns how a field is resolved.
func (d *build) Kind(f *codegen.Field) string {
	switch {
	case f.IsReserved():
		return kindIntrospection
	case f.TypeReference.IsRoot:
		return kindRoot
	case f.IsMap() || f.HasHaser || f.UsesSubscriptionContext() || f.HasFederationRequiresArg() ||
		!d.supported(f.TypeReference):
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

// check returns an error that names whatever package breadth cannot execute: fields bound to types that the plugin
// does not know, and the schema's own directives on fields of documents.
func (d *build) check() error {
	var names []string
	for name := range d.AllDirectives.LocationDirectives("FIELD") {
		if name != "stream" {
			names = append(names, "@"+name)
		}
	}
	for _, o := range d.Objects {
		for _, f := range o.Fields {
			if d.Kind(f) == kindUnsupported {
				names = append(names, o.Name+"."+f.Name)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("breadth cannot execute %s", strings.Join(names, ", "))
}

// supported reports whether values of the type can be written.
func (d *build) supported(t *config.TypeReference) bool {
	switch {
	case t.IsOmittable:
		return false
	case t.IsSlice() || t.IsPtrToSlice() || t.IsPtrToIntf() || t.IsPtrToPtr():
		return d.supported(t.Elem())
	case t.Definition.IsLeafType():
		return true
	case t.Definition.IsAbstractType():
		i := d.Interfaces[t.Definition.Name]
		return i != nil && !slices.ContainsFunc(i.Implementors, func(m codegen.InterfaceImplementor) bool {
			return !d.IsAbstract(m) && !d.IsKnown(m)
		})
	}
	o := d.Objects.ByName(t.Definition.Name)
	return o != nil && !unknown(o)
}

// isLeaf reports whether a type is a scalar or enum, outside of a list, that needs no context.
func isLeaf(t *config.TypeReference) bool {
	return t.Definition.IsLeafType() && !t.IsContext && !t.IsSlice() && !t.IsPtrToSlice() && !t.IsPtrToPtr()
}
