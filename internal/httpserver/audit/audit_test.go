// Package audit runs the audits of the npm package graphql-http, which check what
// the GraphQL-over-HTTP draft demands, against the real handler.
package audit

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/httpserver"
	"agora/internal/redistest"
	"agora/internal/store"
)

// patience is how long npm and the audits may take on a busy machine.
const patience = 2 * time.Minute

// wanted is the last line that audit.mjs prints when all is well.
const wanted = "61 of 61"

// haveNode tells whether Node.js and npm are there. make test sets TEST_AUDIT: then they must be.
func haveNode(t *testing.T) bool {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("TEST_AUDIT") != "" {
				t.Fatalf("no %s on the PATH; apt-get install nodejs npm brings it", program)
			}
			t.Logf("the audits do not run: no %s on the PATH", program)
			return false
		}
	}
	return true
}

// install puts into node_modules what package-lock.json lists, unless it is there.
func install(t *testing.T) {
	t.Helper()
	listed, err := os.Stat("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	// npm writes its own list when it is done.
	installed, err := os.Stat("node_modules/.package-lock.json")
	if err == nil && installed.ModTime().After(listed.ModTime()) {
		return
	}
	if out, err := command(t, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier").CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v: %s", err, out)
	}
}

func command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	t.Cleanup(stop)
	return exec.CommandContext(ctx, name, args...)
}

// audits runs all audits against a handler. It gives their lines, the last of
// which is the sum, and whether the program found all to be well.
func audits(t *testing.T, h http.Handler) (lines []string, well bool) {
	t.Helper()
	// go test gives the result of before again unless a file that the test itself touches has changed.
	if _, err := os.Stat("audit.mjs"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	var out, complaints bytes.Buffer
	run := command(t, "node", "audit.mjs", server.URL+"/graphql")
	run.Stdout, run.Stderr = &out, &complaints
	err := run.Run()
	if complaints.Len() > 0 {
		t.Fatalf("node audit.mjs: %v: %s", err, complaints.String())
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n"), err == nil
}

func TestAudits(t *testing.T) {
	if !haveNode(t) {
		return
	}
	install(t)
	log := slog.New(slog.DiscardHandler)
	data, err := store.Open(t.Context(), redistest.New(t), store.Layout{}, store.WithLog(log))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(data.Close)
	resolver := &graph.Resolver{Store: data, Hasher: auth.NewHasher(1, auth.Cheap()), SiteName: "Agora", Log: log}
	lines, well := audits(t, httpserver.New(httpserver.Options{Resolver: resolver, Log: log}))
	for _, line := range lines[:len(lines)-1] {
		if parts := strings.Fields(line); len(parts) < 3 || parts[2] != "ok" {
			t.Error(line)
		}
	}
	if got := lines[len(lines)-1]; got != wanted || !well {
		t.Errorf("the audits end with %q, all well: %v; want %q, true", got, well, wanted)
	}
}

func TestAuditsNoticeWhatIsWrong(t *testing.T) {
	if !haveNode(t) {
		return
	}
	install(t)
	lines, well := audits(t, http.NotFoundHandler())
	if got := lines[len(lines)-1]; got == wanted || well {
		t.Errorf("the audits of a server that knows nothing end with %q, all well: %v; want failures", got, well)
	}
}
