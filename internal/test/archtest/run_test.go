package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
)

// The Makefile names each package of the module that has tests, so that `make test` runs them.
func TestEveryPackageIsRun(t *testing.T) {
	text := must.Do(os.ReadFile("../../../Makefile"))(t)
	named := regexp.MustCompile(`\./[a-z][a-z/]*(\.\.\.)?`).FindAllString(string(text), -1)
	seen := 0
	for _, top := range []string{"graph", "internal"} {
		err := filepath.WalkDir("../../../"+top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			pkg := "./" + filepath.ToSlash(filepath.Dir(strings.TrimPrefix(name, "../../../")))
			seen++
			if !slices.ContainsFunc(named, func(n string) bool {
				tree, all := strings.CutSuffix(n, "/...")
				return n == pkg || all && (pkg == tree || strings.HasPrefix(pkg, tree+"/"))
			}) {
				t.Errorf("no target of the Makefile names %s, which has tests", pkg)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 100 {
		t.Errorf("found %d files with tests; want all", seen)
	}
}
