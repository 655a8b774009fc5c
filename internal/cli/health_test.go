package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ready starts a server that answers /readyz with a status, and returns its URL.
func ready(t *testing.T, status int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.NotFound(w, r)
			return
		}
		w.WriteHeader(status)
		io.WriteString(w, `{"redis":"ok"}`+"\n\x1b")
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestHealth(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	well, ill := ready(t, http.StatusOK), ready(t, http.StatusServiceUnavailable)
	tests := []struct {
		name, env    string
		args         []string
		shown, fails string
	}{
		{"a server that is ready", "", []string{well}, `{"redis":"ok"}`, ""},
		{"an address with a slash", "", []string{well + "/"}, `{"redis":"ok"}`, ""},
		{"a server in the environment", well, nil, `{"redis":"ok"}`, ""},
		{"an argument wins over the environment", ill, []string{well}, `{"redis":"ok"}`, ""},
		{"a server that is not ready", "", []string{ill}, "", `not ready: status 503: {"redis":"ok"}`},
		{"no server", "", []string{gone.URL}, "", "the server does not answer"},
		{"no address", "", []string{"localhost:8080"}, "", "such as http://localhost:8080"},
		{"two addresses", "", []string{well, ill}, "", "health takes one URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var shown strings.Builder
			env := environment(map[string]string{"AGORA_URL": tt.env})
			args := append([]string{"agora", "health"}, tt.args...)
			err := run(t.Context(), args, env, strings.NewReader(""), &shown, io.Discard)
			message := ""
			if err != nil {
				message = err.Error()
			}
			if !strings.Contains(message, tt.fails) || (err == nil) != (tt.fails == "") ||
				strings.TrimSpace(shown.String()) != tt.shown || strings.Contains(message+shown.String(), "\x1b") {
				t.Errorf("agora %s prints %q, error %q; want %q, %q", args[1:], &shown, message, tt.shown, tt.fails)
			}
		})
	}
}
