package archtest

import (
	"go/ast"
	gotypes "go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"agora/internal/test/must"
)

// shared are the objects that the store returns, of which responses may show the same one.
var shared = map[string]bool{"Topic": true, "Comment": true, "User": true, "Category": true, "Tab": true, "Tag": true,
	"UserList": true, "Revised": true}

// Resolvers and loaders change no object that the store has read: others may use it. They may change a copy.
func TestSharedObjectsAreNotChanged(t *testing.T) {
	found := must.Do(packages.Load(&packages.Config{Dir: "../../..", Mode: packages.NeedName | packages.NeedSyntax |
		packages.NeedTypes | packages.NeedTypesInfo | packages.NeedImports},
		"./graph/...", "./internal/loader"))(t)
	fields := 0
	for _, p := range found {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		for _, f := range p.Syntax {
			ast.Inspect(f, func(n ast.Node) bool {
				var written []ast.Expr
				switch n := n.(type) {
				case *ast.AssignStmt:
					written = n.Lhs
				case *ast.IncDecStmt:
					written = []ast.Expr{n.X}
				case *ast.SelectorExpr:
					fields++
				}
				for _, e := range written {
					if throughPointer(p.TypesInfo, e) {
						t.Errorf("%s: %s is changed", strings.TrimPrefix(p.Fset.Position(e.Pos()).String(), "../"),
							gotypes.ExprString(e))
					}
				}
				return true
			})
		}
	}
	if fields < 1000 {
		t.Errorf("only %d selectors were found; the packages were not read", fields)
	}
}

// throughPointer reports whether an expression is, or is in, a field of a shared object to which a pointer leads.
func throughPointer(info *gotypes.Info, e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.IndexExpr:
		return throughPointer(info, x.X)
	case *ast.ParenExpr:
		return throughPointer(info, x.X)
	case *ast.StarExpr:
		return isShared(info.TypeOf(e))
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || info.Selections[sel] == nil {
		return false
	}
	s := info.Selections[sel]
	t, pointer := s.Recv(), false
	for _, i := range s.Index() {
		if p, ok := t.Underlying().(*gotypes.Pointer); ok {
			t, pointer = p.Elem(), true
		}
		if pointer && isShared(t) {
			return true
		}
		of, ok := t.Underlying().(*gotypes.Struct)
		if !ok {
			return false
		}
		t = of.Field(i).Type()
	}
	return throughPointer(info, sel.X)
}

func isShared(t gotypes.Type) bool {
	n, ok := gotypes.Unalias(t).(*gotypes.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "agora/internal/forum" && shared[n.Obj().Name()]
}
