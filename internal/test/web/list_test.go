package web

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"agora/internal/httpserver"
	"agora/internal/test/must"
	"agora/internal/test/nodetest"
	"agora/internal/test/testlevel"
)

// list is the part of docs/api.md that TestTypedList follows, and local the server in it.
const (
	list  = "## A typed list in ten minutes"
	local = "http://localhost:8080"
)

// The lines of "A typed list in ten minutes", run in an empty folder, make a page that is live.
func TestTypedList(t *testing.T) {
	testlevel.LongWithoutRace(t)
	testlevel.Program(t, "npx")
	testlevel.Program(t, "curl")
	chromium := testlevel.Chromium(t)
	t.Parallel()
	nodetest.InstallIn(t, source)
	touch(t, client)
	s := newSite(t, func(o *httpserver.Options) {
		o.Schema = string(must.Do(os.ReadFile("../../../schema.graphqls"))(t))
		o.Origins = httpserver.LocalOrigins()
	})
	steps, files := recipe(t, s.origin)
	dir := t.TempDir()
	must.OK(t, os.Symlink(must.Do(filepath.Abs("../../.."))(t), filepath.Join(dir, "agora")))
	sh := func(dir, script string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-ec", script)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	sh(dir, steps[0])
	project := filepath.Join(dir, "topics")
	for name, text := range files {
		must.OK(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o644))
	}
	sh(project, steps[1])
	page := httptest.NewServer(http.FileServer(http.Dir(filepath.Join(project, "dist"))))
	t.Cleanup(page.Close)
	out, err := nodetest.CommandIn(t, source, "test/list.mjs", page.URL, s.direct, s.control, chromium,
		password).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ok list") {
		t.Errorf("node test/list.mjs: %v\n%s", err, out)
	}
}

// recipe returns the two scripts of the recipe, without what does not end, and its files by name, for a server.
func recipe(t *testing.T, server string) (steps []string, files map[string]string) {
	t.Helper()
	_, text, _ := strings.Cut(string(must.Do(os.ReadFile("../../../docs/api.md"))(t)), list)
	text, _, _ = strings.Cut(text, "\n## ")
	files = map[string]string{}
	block := regexp.MustCompile("(?s)(?:`([a-zA-Z./]+)` (?:says|is) [^`]*(?:`[^`\n]+`[^`]*)*)?```(sh|tsx?)\n(.*?)```\n")
	for _, found := range block.FindAllStringSubmatch(strings.ReplaceAll(text, local, server), -1) {
		if found[2] == "sh" {
			step, _, _ := strings.Cut(found[3], "npm run dev")
			steps = append(steps, step)
		} else {
			files[found[1]] = found[3]
		}
	}
	if len(steps) != 2 || files["codegen.ts"] == "" || files["src/main.tsx"] == "" {
		t.Fatalf("the recipe has the scripts %q and the files %q; want two, codegen.ts and src/main.tsx", steps, files)
	}
	return steps, files
}
