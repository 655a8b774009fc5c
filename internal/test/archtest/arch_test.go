package archtest

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"agora/internal/test/must"
)

const root = "../../.."

// layers are the packages from left to right; each may import only packages in a later row.
var layers = [][]string{
	{""}, // server.go
	{"internal/cli"},
	{"bench", "deploy/release"}, // programs of their own
	{"bench/subject"},
	{"bench/limit", "bench/usual"},
	{"bench/usual/generated"},
	{"bench/usual/model", "bench/usual/scalar"},
	{"bench/keys", "bench/document", "bench/dataset"},
	{"internal/test/oracle"}, // of tests, and of the benchmark
	{"internal/schemalint", "internal/schemadiff"},
	{"internal/httpserver"},
	{"internal/httpserver/playground", "internal/httpserver/docs", "internal/httpserver/live", "internal/httpserver/ui",
		"internal/httpserver/takeout"},
	{"internal/httpserver/static"},
	{"internal/httpserver/limit"},
	{"internal/httpserver/jsontext"},
	{"graph"},
	{"graph/generated"},
	{"graph/model"},
	{"internal/app/posting", "internal/app/profile"},
	{"internal/app"},
	{"internal/loader"},
	{"breadth/generate", "internal/text/generate", "internal/store/script/generate"},
	{"breadth/plugin"},
	{"breadth"},
	{"internal/event"},
	{"internal/worker"},
	{"internal/importer", "internal/demo"},
	{"internal/store/fsck", "internal/store/archive", "internal/store/takeout"},
	{"internal/signin"},
	{"internal/store"},
	{"internal/store/moderation", "internal/store/bulk"},
	{"internal/store/votes", "internal/store/categories"},
	{"internal/store/posts", "internal/store/accounts"},
	{"internal/store/follows", "internal/store/change", "internal/store/sessions"},
	{"internal/store/homes"},
	{"internal/store/rules"},
	{"internal/store/acts"},
	{"internal/store/notify", "internal/store/groups"},
	{"internal/store/listing"},
	{"internal/store/check"},
	{"internal/store/engine"},
	{"internal/store/internal/connection"},
	{"internal/store/internal/commentpage"},
	{"internal/store/internal/paging"},
	{"internal/store/internal/eventlog"},
	{"internal/store/internal/index", "internal/store/internal/count", "internal/store/internal/section"},
	{"internal/store/derive"},
	{"internal/store/internal/record"},
	{"internal/store/script"},
	{"internal/store/script/lua"},
	{"internal/store/internal/objects"},
	{"internal/store/catalogue"},
	{"internal/store/internal/key"},
	{"internal/store/internal/pipeline"},
	{"internal/ratelimit"},
	{"internal/backup"},
	{"internal/privateredis", "internal/embedded"},
	{"internal/globalid"},
	{"internal/auth", "internal/issuer", "internal/version", "internal/tracing"},
	{"internal/text"},
	{"internal/forum", "internal/turns", "internal/opt"},
}

// onlyIn lists the packages that may use a library, apart from tests.
var onlyIn = map[string][]string{
	"github.com/redis/go-redis": {
		"internal/store",
		"internal/store/accounts",
		"internal/store/acts",
		"internal/store/bulk",
		"internal/store/categories",
		"internal/store/change",
		"internal/store/check",
		"internal/store/engine",
		"internal/store/follows",
		"internal/store/groups",
		"internal/store/homes",
		"internal/store/listing",
		"internal/store/moderation",
		"internal/store/notify",
		"internal/store/posts",
		"internal/store/rules",
		"internal/store/sessions",
		"internal/store/votes",
		"internal/store/fsck",
		"internal/store/archive", "internal/store/takeout",
		"internal/store/internal/connection",
		"internal/store/internal/count",
		"internal/store/internal/eventlog",
		"internal/store/internal/index",
		"internal/store/internal/objects",
		"internal/store/internal/pipeline",
		"internal/store/internal/record",
		"internal/store/storetest",
		"internal/test/clustertest",
		"internal/test/redistest",
		"bench",
		"bench/subject",
		"bench/limit",
		"bench/usual",
	},
	"github.com/alicebob/miniredis":       {"internal/embedded"},
	"agora/internal/test/oracle":          {"bench/subject"},
	"github.com/graph-gophers/dataloader": {"internal/loader", "bench/usual"},
	"github.com/prometheus/":              {"internal/httpserver", "internal/httpserver/live"},
	"github.com/rs/cors":                  {"internal/httpserver"},
	"golang.org/x/time":                   {"internal/ratelimit"},
	"go.opentelemetry.io/":                {"internal/tracing", "internal/test/tracetest"},
	"github.com/go-jose/":                 {"internal/issuer", "internal/test/issuertest"},
	"github.com/spf13/cobra":              {"internal/cli", "bench"},
	// Nowhere: see TestServerLooksUpNoMethodsByName.
	"text/template": {},
	"html/template": {},
}

// ofTests are the packages that only tests import, in addition to those in internal/test.
var ofTests = []string{
	"breadth/breadthtest", "breadth/internal/fixture", "breadth/internal/fixture/generated", "internal/store/storetest",
}

// forTests reports whether only tests may import a package.
func forTests(pkg string) bool {
	return strings.HasPrefix(pkg, "internal/test/") || slices.Contains(ofTests, pkg)
}

// isExample reports whether a package is an example of breadth. Nothing imports their module.
func isExample(pkg string) bool { return strings.HasPrefix(pkg, "breadth/example/") }

func layerOf(pkg string) int {
	return slices.IndexFunc(layers, func(l []string) bool { return slices.Contains(l, pkg) })
}

// parsed returns the sources of the project, which are read once.
var parsed = sync.OnceValues(func() ([]source, error) { return sources(root) })

func allSources(t *testing.T) []source {
	t.Helper()
	all := must.Do(parsed())(t)
	if len(all) < 50 {
		t.Fatalf("found %d Go files; want the project's", len(all))
	}
	return all
}

func imports(s source) []string {
	var paths []string
	for _, i := range s.syntax.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

func TestImportsGoOnlyToTheRight(t *testing.T) {
	for _, s := range allSources(t) {
		if s.test || forTests(s.pkg) || isExample(s.pkg) {
			continue
		}
		from := layerOf(s.pkg)
		if from < 0 {
			t.Errorf("%s: package %q has no place in the order of imports", s.path, s.pkg)
			continue
		}
		for _, path := range imports(s) {
			pkg, own := strings.CutPrefix(path, module+"/")
			if own && layerOf(pkg) <= from {
				t.Errorf("%s imports %s, which is to its left, or is for tests only", s.path, pkg)
			}
			if s.pkg == "internal/forum" && strings.Contains(strings.Split(path, "/")[0], ".") {
				t.Errorf("%s imports %s; want the standard library only", s.path, path)
			}
		}
	}
}

func TestLibrariesStayInTheirPackages(t *testing.T) {
	for _, s := range allSources(t) {
		for _, path := range imports(s) {
			for library, packages := range onlyIn {
				if strings.HasPrefix(path, library) && !s.test && !isExample(s.pkg) && !slices.Contains(packages, s.pkg) {
					t.Errorf("%s imports %s; want it in %v only", s.path, path, packages)
				}
			}
		}
	}
}

// maxFile and maxFunction are the limits on the lines of hand-written files and functions, without tables, and
// maxTest that of functions in tests.
const (
	maxFile     = 400
	maxFunction = 60
	maxTest     = 80
)

// tables counts the lines of the lists and maps in a function, which are data.
func tables(s source, f *ast.FuncDecl) (lines int) {
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		lines += s.positions.Position(c.End()).Line - s.positions.Position(c.Pos()).Line
		return false
	})
	return lines
}

func TestFilesAndFunctionsStayShort(t *testing.T) {
	for _, s := range allSources(t) {
		if s.generated {
			continue
		}
		if s.lines >= maxFile {
			t.Errorf("%s has %d lines; want fewer than %d", s.path, s.lines, maxFile)
		}
		for _, d := range s.syntax.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := s.positions.Position(f.End()).Line - s.positions.Position(f.Pos()).Line + 1 - tables(s, f)
			most := maxFunction
			if s.test {
				most = maxTest
			}
			if lines >= most {
				t.Errorf("%s: %s has %d lines; want fewer than %d", s.path, f.Name.Name, lines, most)
			}
		}
	}
}

func TestNoUnfinishedWork(t *testing.T) {
	marks := []string{"TO" + "DO", "FIX" + "ME", "X" + "XX"}
	for _, extension := range []string{".go", ".lua", ".graphqls", ".md", ".yml", ".sh"} {
		err := walk(root, extension, func(path, text string) error {
			for n, line := range strings.Split(text, "\n") {
				for _, mark := range marks {
					if strings.Contains(line, mark) {
						t.Errorf("%s:%d: %s", path, n+1, strings.TrimSpace(line))
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestPackagesAndExportedNamesAreDescribed(t *testing.T) {
	described := map[string]bool{}
	for _, s := range allSources(t) {
		if s.test {
			continue
		}
		described[s.pkg] = described[s.pkg] || s.generated || s.syntax.Doc != nil
		if s.generated {
			continue
		}
		for _, name := range undescribed(s.syntax) {
			t.Errorf("%s: %s has no comment", s.path, name)
		}
	}
	for pkg, ok := range described {
		if !ok {
			t.Errorf("package %q has no comment", pkg)
		}
	}
}

// undescribed returns the exported names of a file without a comment. In a group of constants or variables the
// group's comment suffices.
func undescribed(f *ast.File) []string {
	var names []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Doc == nil && d.Name.IsExported() && ofExported(d) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				names = append(names, undescribedIn(d, spec)...)
			}
		}
	}
	return names
}

func undescribedIn(d *ast.GenDecl, spec ast.Spec) []string {
	var names []string
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if spec.Name.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
			names = append(names, spec.Name.Name)
		}
	case *ast.ValueSpec:
		for _, n := range spec.Names {
			if n.IsExported() && d.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// ofExported reports whether a function is not a method, or a method of an exported type.
func ofExported(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	e := f.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// No sleeps, and no skipped tests except through testlevel, which guarantees a pass that runs them. A step of a state
// machine (rapid's rt) may be skipped.
