package plugin

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"

	"github.com/99designs/gqlgen/codegen/config"
	"golang.org/x/tools/imports"
)

// Split moves gqlgen's own executor out of the package of the executable schema, which then takes a fraction of the
// time to compile, to a file of another package. There, NewExecutableSchema executes what NewBreadthSchema does here,
// for tests that compare the two.
func Split(cfg *config.Config, to, toPackage string) error {
	if cfg.Exec.Layout != "" && cfg.Exec.Layout != config.ExecLayoutSingleFile {
		return fmt.Errorf("the executor can be moved only if exec.layout is %s", config.ExecLayoutSingleFile)
	}
	own, err := parse(cfg.Exec.Filename)
	if err != nil {
		return err
	}
	breadth, err := parse(file(cfg))
	if err != nil {
		return err
	}
	moved := own.edit(func(cut func(from, to token.Pos, replacement string)) {
		cut(own.Name.Pos(), own.Name.End(), toPackage+"\nimport "+cfg.Exec.Package+" \""+cfg.Exec.ImportPath()+"\"\n")
		for _, spec := range own.exportedTypes() {
			cut(spec.Name.End(), spec.End(), " = "+cfg.Exec.Package+"."+spec.Name.Name)
		}
	})
	kept := own.edit(func(cut func(from, to token.Pos, replacement string)) {
		used := own.reached(breadth)
		for _, d := range own.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || used[f.Name.Name] {
				continue
			}
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			cut(from, f.End(), "")
		}
	})
	if err := write(to, moved); err != nil {
		return err
	}
	return write(cfg.Exec.Filename, kept)
}

// source is a file of Go.
type source struct {
	*ast.File
	text []byte
}

func parse(name string) (s source, err error) {
	if s.text, err = os.ReadFile(name); err != nil {
		return s, err
	}
	s.File, err = parser.ParseFile(token.NewFileSet(), name, s.text, parser.ParseComments)
	return s, err
}

// edit returns the text with parts replaced; do names these in their order.
func (s source) edit(do func(cut func(from, to token.Pos, replacement string))) []byte {
	var out strings.Builder
	at := s.FileStart
	do(func(from, to token.Pos, replacement string) {
		out.Write(s.text[at-s.FileStart : from-s.FileStart])
		out.WriteString(replacement)
		at = to
	})
	out.Write(s.text[at-s.FileStart:])
	return []byte(out.String())
}

// exportedTypes returns the exported types that are not aliases.
func (s source) exportedTypes() (found []*ast.TypeSpec) {
	for _, d := range s.Decls {
		general, is := d.(*ast.GenDecl)
		if !is {
			continue
		}
		for _, spec := range general.Specs {
			if t, is := spec.(*ast.TypeSpec); is && t.Name.IsExported() && !t.Assign.IsValid() {
				found = append(found, t)
			}
		}
	}
	return found
}

// reached returns the names of the functions and methods that another file of the package needs, directly or not. It
// takes a method for used if any of that name is.
func (s source) reached(from source) map[string]bool {
	bodies := map[string][]ast.Node{}
	next := []ast.Node{from.File}
	for _, d := range s.Decls {
		if f, is := d.(*ast.FuncDecl); is {
			bodies[f.Name.Name] = append(bodies[f.Name.Name], f)
		} else {
			next = append(next, d)
		}
	}
	used := map[string]bool{}
	for len(next) > 0 {
		n := next[0]
		next = next[1:]
		ast.Inspect(n, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && !used[id.Name] {
				used[id.Name] = true
				next = append(next, bodies[id.Name]...)
			}
			return true
		})
	}
	return used
}

// write writes a file of Go without the imports that it does not need.
func write(name string, text []byte) error {
	text, err := imports.Process(name, text, nil)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
