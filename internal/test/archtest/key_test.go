package archtest

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

var (
	expiry = regexp.MustCompile(`(?i)no expiry|expires|empty at rest|lives as long|stays for|as long as`)
	types  = regexp.MustCompile(`\b(HASH|ZSET|SET|STRING|LIST|STREAM)(es|s)?\b`)
)

// Every key has a comment where it is built: its type, and when it is deleted.
func TestKeysHaveComments(t *testing.T) {
	found := 0
	for _, s := range allSources(t) {
		if s.pkg != "internal/store/internal/key" || s.test {
			continue
		}
		names := keyNames(s.syntax)
		found += len(names)
		for _, name := range names {
			if !describesKey(s.syntax, name) {
				t.Errorf("%s: no comment names %s with its type and its expiry", s.path, name)
			}
		}
	}
	if found < 30 {
		t.Errorf("found %d keys; want all", found)
	}
}

// keyNames returns the functions, methods and constants of a file that return whole keys: they are strings, and no
// prefixes of others.
func keyNames(f *ast.File) []string {
	var names []string
	add := func(name string) {
		if ast.IsExported(name) && !strings.HasSuffix(name, "Prefix") && name != "Itoa" {
			names = append(names, name)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if r := n.Type.Results; r != nil && len(r.List) == 1 {
				if result, ok := r.List[0].Type.(*ast.Ident); ok && result.Name == "string" {
					add(n.Name.Name)
				}
			}
		case *ast.ValueSpec:
			if len(n.Values) == 1 && n.Type == nil {
				if text, ok := n.Values[0].(*ast.BasicLit); ok && strings.Contains(text.Value, ":") {
					add(n.Names[0].Name)
				}
			}
		}
		return true
	})
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
