package archtest

import (
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modules returns the directories of the modules inside the project's.
func modules(t *testing.T) []string {
	t.Helper()
	var all []string
	err := walk(root, ".mod", func(file, _ string) error {
		if dir := path.Dir(file); dir != "." && path.Base(file) == "go.mod" {
			all = append(all, dir)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(all, "breadth") {
		t.Fatalf("found the modules %v; want breadth", all)
	}
	return all
}

// moduleOf returns the innermost of the modules that a package is in, or "".
func moduleOf(modules []string, pkg string) (of string) {
	for _, m := range modules {
		if (pkg == m || strings.HasPrefix(pkg, m+"/")) && len(m) > len(of) {
			of = m
		}
	}
	return of
}

// Others use package breadth without the rest of the project.
func TestBreadthNeedsNothingOfTheProject(t *testing.T) {
	for _, dir := range modules(t) {
		if moduleOf([]string{"breadth"}, dir) == "" {
			continue
		}
		list := exec.Command("go", "list", "-deps", "-test", "-f", "{{.ImportPath}}", "./...")
		list.Dir = filepath.Join(root, dir)
		out, err := list.Output()
		if err != nil {
			t.Fatalf("%s: %v", list, err)
		}
		packages := strings.Fields(string(out))
		if !slices.Contains(packages, module+"/breadth") {
			t.Errorf("%s does not depend on %s/breadth", dir, module)
		}
		for _, p := range packages {
			if strings.HasPrefix(p, module+"/") && p != module+"/breadth" && !strings.HasPrefix(p, module+"/breadth/") &&
				!strings.HasPrefix(p, module+"/breadth_test") && !strings.HasPrefix(p, module+"/breadth.test") {
				t.Errorf("module %s depends on %s; want nothing of %s", dir, p, module)
			}
		}
	}
}
