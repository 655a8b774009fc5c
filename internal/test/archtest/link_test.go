package archtest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// The linker drops unused methods, unless some code looks methods up by a name that it cannot know: then it keeps
// every exported method of every type, and what these use, which makes the server larger by 14 MB. text/template and
// html/template do that when they evaluate a template. cobra imports text/template too, but reaches that code only
// through SetUsageTemplate and similar functions, which we do not use.
func TestServerLooksUpNoMethodsByName(t *testing.T) {
	testlevel.WithoutRace(t)
	edges := 0
	found := map[string]bool{}
	for line := range strings.Lines(linkerReferences(t)) {
		from, to, isEdge := strings.Cut(strings.TrimSpace(line), " -> ")
		if !isEdge {
			continue
		}
		edges++
		for _, symbol := range []string{from, to} {
			name, marked := strings.CutSuffix(symbol, " <ReflectMethod>")
			if marked && !strings.HasPrefix(name, "reflect.") { // whose own methods are kept with the others
				found[name] = true
			}
		}
	}
	if edges < 10_000 {
		t.Fatalf("the linker reports %d references; want those of the whole server", edges)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s looks methods up by name, so that the linker keeps all exported methods of the server", name)
	}
}

// linkerReferences links the server, and returns which symbols refer to which, one per line. It calls the linker
// itself: what the linker prints for go build is stored in the build cache, and printed again at later builds.
func linkerReferences(t *testing.T) string {
	t.Helper()
	goCommand := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = root
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%.2000s", cmd, err, stderr.String())
		}
		return string(out)
	}
	packages := goCommand("list", "-export", "-deps",
		"-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", ".")
	_, server, found := strings.Cut(packages, "packagefile "+module+"=")
	if !found {
		t.Fatalf("go list reports no package %s:\n%.2000s", module, packages)
	}
	server, _, _ = strings.Cut(server, "\n")
	dir := t.TempDir()
	config := filepath.Join(dir, "importcfg")
	must.OK(t, os.WriteFile(config, []byte(packages), 0o600))
	return goCommand("tool", "link", "-importcfg", config, "-dumpdep", "-o", filepath.Join(dir, "server"), server)
}
