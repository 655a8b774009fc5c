package cli

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"agora/internal/bench/subject"
	"agora/internal/redistest"
)

// A subject serves until whoever started it is gone.
func TestBenchServesASubject(t *testing.T) {
	in, closeIn := io.Pipe()
	out, outWriter := io.Pipe()
	p := program{stdin: in, stdout: outWriter, stderr: io.Discard}
	ended := make(chan error, 1)
	go func() { ended <- p.serveSubject(t.Context(), subject.Agora, redistest.Start(t).URL()) }() // ends with in
	at, err := subject.ReadAddresses(out)
	if err != nil {
		t.Fatalf("ReadAddresses: %v", err)
	}
	r, err := http.Post("http://"+at.HTTP+"/graphql", "application/json", strings.NewReader(`{"query":"{ __typename }"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if body, err := io.ReadAll(r.Body); string(body) != `{"data":{"__typename":"Query"}}` || err != nil {
		t.Errorf("answer %s, %v", body, err)
	}
	closeIn.Close()
	if err := <-ended; err != nil {
		t.Errorf("serveSubject = %v; want nil", err)
	}
}

func TestBenchHelp(t *testing.T) {
	var out strings.Builder
	none := func(string) string { return "" }
	if err := run(context.Background(), []string{"agora", "bench", "--help"}, none, strings.NewReader(""), &out, io.Discard); err != nil {
		t.Fatalf("bench --help: %v", err)
	}
	for _, word := range []string{"--rounds", "--duration", "--clients", "--scale", "--only", "--subjects", "--json", "--growth", "ten minutes"} {
		if !strings.Contains(out.String(), word) {
			t.Errorf("bench --help does not tell of %s:\n%s", word, out.String())
		}
	}
	if strings.Contains(out.String(), "serve one subject") {
		t.Errorf("bench --help tells of serve:\n%s", out.String())
	}
}

func TestBenchRefusesWhatItDoesNotKnow(t *testing.T) {
	tests := []struct{ args, want string }{
		{"--only back", "there is no document \"back\""},
		{"--subjects wordpress", "there is no subject \"wordpress\""},
		{"--clients 0", "clients 1 to"},
		{"now", "flags only"},
	}
	for _, tt := range tests {
		none := func(string) string { return "" }
		args := append([]string{"agora", "bench"}, strings.Fields(tt.args)...)
		err := run(t.Context(), args, none, strings.NewReader(""), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("agora bench %s = %v; want %q", tt.args, err, tt.want)
		}
	}
}
