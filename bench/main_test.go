package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"agora/bench/subject"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// TestMain is also the process that serves a subject, and that of the subscribers.
func TestMain(m *testing.M) {
	var do func() error
	switch {
	case len(os.Args) > 1 && os.Args[1] == "serve":
		do = func() error {
			return newCommand(os.Stdin, os.Stdout, os.Stderr).Execute()
		}
	case len(os.Args) > 1 && os.Args[1] == "listen":
		do = func() error { return listen(os.Args[2:]) }
	default:
		os.Exit(m.Run())
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// bench runs the command line, with nothing on standard input, and returns its output.
func bench(t *testing.T, args string) (string, error) {
	t.Helper()
	var out strings.Builder
	command := newCommand(strings.NewReader(""), &out, io.Discard)
	command.SetArgs(strings.Fields(args))
	err := command.ExecuteContext(t.Context())
	return out.String(), err
}

// A subject serves until its parent process has ended.
func TestServesASubject(t *testing.T) {
	in, closeIn := io.Pipe()
	out, outWriter := io.Pipe()
	url := redistest.Start(t).URL()
	ended := make(chan error, 1)
	command := newCommand(in, outWriter, io.Discard)
	command.SetArgs([]string{"serve", "--subject", subject.Agora, "--redis", url})
	go func() { ended <- command.ExecuteContext(t.Context()) }() // ends with in
	at := must.Do(subject.ReadAddresses(out))(t)
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
		t.Errorf("serve = %v; want nil", err)
	}
}

func TestHelpNamesTheFlags(t *testing.T) {
	out := must.Do(bench(t, "--help"))(t)
	for _, word := range []string{
		"--rounds", "--duration", "--clients", "--scale", "--only", "--subjects", "--json", "--growth", "ten minutes",
	} {
		if !strings.Contains(out, word) {
			t.Errorf("bench --help lacks %s:\n%s", word, out)
		}
	}
	if strings.Contains(out, "serve one subject") {
		t.Errorf("bench --help shows serve:\n%s", out)
	}
}

func TestUnknownNamesAreRefused(t *testing.T) {
	tests := []struct{ args, want string }{
		{"--only back", "unknown document \"back\""},
		{"--subjects wordpress", "unknown subject \"wordpress\""},
		{"--clients 0", "clients 1 to"},
		{"now", "flags only"},
	}
	for _, tt := range tests {
		if _, err := bench(t, tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("bench %s = %v; want %q", tt.args, err, tt.want)
		}
	}
}
