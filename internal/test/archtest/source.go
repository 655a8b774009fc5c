// Package archtest has the tests of the project's own rules: which package may import which, the maximum length of
// files and functions, and that names have comments. Only tests use it.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// module is the path in go.mod.
const module = "agora"

// source is one Go file of the project.
type source struct {
	path      string // from the root of the module, with slashes
	pkg       string // directory from the root; "" is the root
	test      bool
	generated bool
	lines     int
	text      string
	syntax    *ast.File
	positions *token.FileSet
}

// sources reads all Go files below root.
func sources(root string) ([]source, error) {
	var all []source
	err := walk(root, ".go", func(path, text string) error {
		positions := token.NewFileSet()
		syntax, err := parser.ParseFile(positions, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == "." {
			pkg = ""
		}
		all = append(all, source{
			path:      path,
			pkg:       pkg,
			test:      strings.HasSuffix(path, "_test.go"),
			generated: ast.IsGenerated(syntax),
			lines:     strings.Count(text, "\n"),
			text:      text,
			syntax:    syntax,
			positions: positions,
		})
		return nil
	})
	return all, err
}

// walk calls f with the path and the text of each file with that extension below root, except hidden and generated
// ones.
func walk(root, extension string, f func(path, text string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "dist" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != extension {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return f(filepath.ToSlash(short), string(text))
	})
}
