package cli

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// ask sends a GET under a host name and returns the status and the answer.
func ask(t *testing.T, url, host string) (int, string) {
	t.Helper()
	r := must.Do(http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil))(t)
	if host != "" {
		r.Host = host
	}
	resp := must.Do(http.DefaultClient.Do(r))(t)
	defer resp.Body.Close()
	text := must.Do(io.ReadAll(resp.Body))(t)
	return resp.StatusCode, string(text)
}

// Operations have their own listener, the playground can be switched off, and a loopback address accepts local names
// and the listed ones.
func TestServeGuarded(t *testing.T) {
	testlevel.Usual(t)
	t.Parallel()
	s := start(
		t,
		ownServer(t),
		"--addr",
		"127.0.0.1:0",
		"--data",
		closed(t),
		"--ui",
		"on",
		"--ops-addr",
		"127.0.0.1:0",
		"--playground",
		"off",
		"--hosts",
		"forum.example.org",
	)
	m := regexp.MustCompile(`Operations  (http://\S+)/metrics`).FindStringSubmatch(s.banner)
	if m == nil || strings.Contains(s.banner, "Playground  ") {
		t.Fatalf("the banner: %s; want operations and no playground", s.banner)
	}
	const query = "/graphql?query={site{name}}"
	for _, tt := range []struct {
		url, host string
		want      int
	}{
		{s.url + query, "", 200},
		{s.url + query, "forum.example.org", 200},
		{s.url + query, "evil.example", 421},
		{s.url + "/", "", 200},
		{s.url + "/playground", "", 404},
		{s.url + "/schema.graphql", "", 200},
		{s.url + "/readyz", "", 404},
		{s.url + "/metrics", "", 404},
		{s.url + "/healthz", "", 200},
		{m[1] + "/readyz", "", 200},
		{m[1] + "/healthz", "", 200},
		{m[1] + "/metrics", "", 200},
		{m[1] + "/metrics", "evil.example", 421},
		{m[1] + query, "", 404},
	} {
		if status, text := ask(t, tt.url, tt.host); status != tt.want {
			t.Errorf("%s as %q: status %d, %.200s; want %d", tt.url, tt.host, status, text, tt.want)
		}
	}
	if err := s.stop(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// With --drain-delay, a stopping server reports so at /readyz, and continues to answer everything else.
func TestDrainDelay(t *testing.T) {
	testlevel.Usual(t)
	t.Parallel()
	s := start(t, ownServer(t), "--addr", "127.0.0.1:0", "--data", closed(t), "--drain-delay", "1s")
	if status, _ := ask(t, s.url+"/readyz", ""); status != http.StatusOK {
		t.Fatalf("/readyz: status %d before the end", status)
	}
	began, ended := time.Now(), make(chan error, 1)
	go func() { ended <- s.stop() }() // ends with the server
	if !wait.For(10*time.Second, func() bool {
		status, _ := ask(t, s.url+"/readyz", "")
		return status == http.StatusServiceUnavailable
	}) {
		t.Error("/readyz does not report that the server is shutting down")
	}
	if status, text := ask(t, s.url+"/graphql?query={site{name}}", ""); status != http.StatusOK {
		t.Errorf("a query during the delay: status %d, %.200s", status, text)
	}
	if err := <-ended; err != nil || time.Since(began) < time.Second {
		t.Errorf("the server ended with %v after %v; want no error after a second", err, time.Since(began))
	}
}
