package archtest

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// Random tests are reproducible: packages that use rapid import the fixed seeds.
func TestRandomTestsHaveFixedSeeds(t *testing.T) {
	random, seeded := map[string]string{}, map[string]bool{}
	for _, s := range allSources(t) {
		for _, path := range imports(s) {
			switch {
			case path == "pgregory.net/rapid" && s.test:
				random[s.pkg] = s.path
			case path == module+"/internal/test/testseed":
				seeded[s.pkg] = true
			}
		}
	}
	if len(random) == 0 {
		t.Fatal("no test imports rapid")
	}
	for pkg, path := range random {
		if !seeded[pkg] {
			t.Errorf("%s imports rapid, and no test of %s imports internal/test/testseed", path, pkg)
		}
	}
}

func TestTestsNeitherSleepNorSkip(t *testing.T) {
	const level = "internal/test/testlevel"
	sleep := regexp.MustCompile(`\btime\.Sl` + `eep\(`)
	skip := regexp.MustCompile(`\b[tb]\.Sk` + `ip(f|Now)?\(|TEST_LEVEL|TEST_REDIS` + `_SERVER|testing\.Sh` + `ort\(`)
	comment := regexp.MustCompile(`(?m)^\s*//.*$`)
	for _, s := range allSources(t) {
		if call := sleep.FindString(s.text); s.test && call != "" {
			t.Errorf("%s calls %s…)", s.path, call)
		}
		mayTest := s.test || slices.Contains(imports(s), "testing")
		if !mayTest || s.pkg == level || s.pkg == "internal/test/redistest" || s.pkg == "internal/test/archtest" {
			continue
		}
		if found := skip.FindString(comment.ReplaceAllString(s.text, "")); found != "" {
			t.Errorf("%s has %s; want it to call %s", s.path, found, level)
		}
	}
}

// A test that is left out of both passes of make test never runs.
func TestEachTestHasOneLevel(t *testing.T) {
	call := regexp.MustCompile(`testlevel\.(Usual|Long|WithoutRace|LongWithoutRace)\(`)
	for _, s := range allSources(t) {
		for _, d := range s.syntax.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !s.test {
				continue
			}
			body := s.text[s.positions.Position(f.Pos()).Offset:s.positions.Position(f.End()).Offset]
			if calls := call.FindAllString(body, -1); len(calls) > 1 {
				t.Errorf("%s: %s has levels %v; want one", s.path, f.Name.Name, calls)
			}
		}
	}
}

// The Makefile lists packages and modules, never tests: each package with tests is in one of its lists, or in one of
// its modules.
func TestMakefileNamesEachPackageWithTests(t *testing.T) {
	text := must.Do(os.ReadFile(filepath.Join(root, "Makefile")))(t)
	named := strings.Fields(strings.ReplaceAll(string(text), "\\\n", " "))
	inside := modules(t)
	for _, s := range allSources(t) {
		if !s.test {
			continue
		}
		if m := moduleOf(inside, s.pkg); m != "" {
			if !slices.Contains(named, m) {
				t.Errorf("%s: the Makefile runs no tests of the module %s", s.path, m)
			}
			continue
		}
		pkg := "./" + s.pkg
		if !slices.ContainsFunc(named, func(n string) bool {
			tree, all := strings.CutSuffix(n, "/...")
			return n == pkg || all && (tree == pkg || strings.HasPrefix(pkg, tree+"/"))
		}) {
			t.Errorf("%s: the Makefile runs no tests of %s", s.path, pkg)
		}
	}
}
