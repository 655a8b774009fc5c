package archtest

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

var (
	keyName = regexp.MustCompile(`Key$`)
	expiry  = regexp.MustCompile(`(?i)no expiry|expires|empty at rest|lives as long|stays for|as long as`)
)

// Every key is described where it is made: its type, and when it goes.
func TestKeysAreDescribedWhereTheyAreMade(t *testing.T) {
	for _, s := range allSources(t) {
		if s.path != "internal/store/keys.go" {
			continue
		}
		names := keyNames(s.syntax)
		if len(names) < 30 {
			t.Errorf("found %d keys in %s; want all", len(names), s.path)
		}
		for _, name := range names {
			if !describesKey(s.syntax, name) {
				t.Errorf("%s: no comment names %s with its type and its expiry", s.path, name)
			}
		}
	}
}

// keyNames are the functions, methods of container and constants that make keys.
func keyNames(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if keyName.MatchString(d.Name.Name) || d.Recv != nil {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if ok && keyName.MatchString(v.Names[0].Name) {
					names = append(names, v.Names[0].Name)
				}
			}
		}
	}
	return names
}

func describesKey(f *ast.File, name string) bool {
	word := regexp.MustCompile(`\b` + name + `\b`)
	for _, c := range f.Comments {
		text := strings.ReplaceAll(c.Text(), "\n", " ")
		if word.MatchString(text) && types.MatchString(text) && expiry.MatchString(text) {
			return true
		}
	}
	return false
}
