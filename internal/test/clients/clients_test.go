// Package clients runs the npm clients of front ends against a real server, and tests what docs/api.md says about
// them.
package clients

import (
	"bufio"
	"bytes"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/nodetest"
)

// patience is how long tests wait for something that must happen.
const patience = 10 * time.Second

func TestClients(t *testing.T) {
	nodetest.InstallClient(t)
	for program, tests := range map[string]int{"graphql-ws.mjs": 13, "graphql-sse.mjs": 7, "apollo.mjs": 7, "urql.mjs": 9,
		"schema.mjs": 8, "tokens.mjs": 16, "relay.mjs": 2, "caches.mjs": 2, "thread.mjs": 4} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			control := httptest.NewServer(s.control())
			t.Cleanup(control.Close)
			if n := run(t, program, "http://"+s.proxy.Addr()+"/graphql", control.URL); n != tests {
				t.Errorf("%s proved %d times that all is well; want %d", program, n, tests)
			}
		})
	}
}

// run runs a program and returns how many of its tests passed: it prints "ok" or "failed" with the name of each, and
// the failure.
func run(t *testing.T, program string, args ...string) (passed int) {
	t.Helper()
	for _, file := range append(snippets(t), "site.mjs") { // opened, so that a change invalidates the cached result
		must.Do(os.Stat(file))(t)
	}
	var out, complaints bytes.Buffer
	cmd := nodetest.Command(t, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil || complaints.Len() > 0 {
		t.Errorf("node %s: %v: %s", program, err, complaints.String())
	}
	for lines := bufio.NewScanner(&out); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "ok ") {
			passed++
			t.Log(lines.Text())
		} else {
			t.Error(lines.Text())
		}
	}
	return passed
}

// snippets are the files that docs/api.md shows.
func snippets(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("snippets/*.mjs")
	if err != nil || len(files) == 0 {
		t.Fatalf("no snippets: %v", err)
	}
	return files
}

// The documentation shows the files that ran here.
func TestDocumentationShowsTheSnippets(t *testing.T) {
	docs := must.Do(os.ReadFile("../../../docs/api.md"))(t)
	for _, file := range snippets(t) {
		text := must.Do(os.ReadFile(file))(t)
		if !strings.Contains(string(docs), "```js\n"+string(text)+"```\n") {
			t.Errorf("docs/api.md does not show %s as it is", file)
		}
	}
}
