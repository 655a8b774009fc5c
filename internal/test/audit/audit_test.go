// Package audit runs the audits of the npm package graphql-http, which check the requirements of the
// GraphQL-over-HTTP draft, against the real handler.
package audit

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/httpserver"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/nodetest"
	"agora/internal/test/redistest"
)

// wanted is the last line that audit.mjs prints on success.
const wanted = "61 of 61"

// audits runs all audits against a handler. It returns their lines, the last of which is the sum, and whether the
// program succeeded.
func audits(t *testing.T, h http.Handler) (lines []string, well bool) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	var out, complaints bytes.Buffer
	run := nodetest.Command(t, "audit.mjs", server.URL+"/graphql")
	run.Stdout, run.Stderr = &out, &complaints
	err := run.Run()
	if complaints.Len() > 0 {
		t.Fatalf("node audit.mjs: %v: %s", err, complaints.String())
	}
	return strings.Split(strings.TrimSpace(out.String()), "\n"), err == nil
}

func TestAudits(t *testing.T) {
	nodetest.Install(t)
	log := slog.New(slog.DiscardHandler)
	data := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}, store.WithLog(log)))(t)
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

func TestAuditsDetectFailures(t *testing.T) {
	nodetest.Install(t)
	lines, well := audits(t, http.NotFoundHandler())
	if got := lines[len(lines)-1]; got == wanted || well {
		t.Errorf("the audits of a server that knows nothing end with %q, all well: %v; want failures", got, well)
	}
}
