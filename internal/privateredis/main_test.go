//go:build linux

package privateredis

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"agora/internal/test/logbook"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// The tests read /proc, and check what only Linux does for a child.

// TestMain is also the process that TestServerDiesWithItsParent kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("TEST_PARENT_OF"); dir != "" {
		parent(dir)
	}
	redis.SetLogger(silent{}) // it reports every killed server
	goleak.VerifyTestMain(m)
}

// silent is a log of go-redis.
type silent struct{}

// Printf implements the logger of go-redis.
func (silent) Printf(context.Context, string, ...any) {}

// parent runs a server until it is killed.
func parent(dir string) {
	s, err := Start(context.Background(), dir, slog.New(slog.DiscardHandler))
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(ping(context.Background(), s.Socket()))
	select {}
}

// needsServer makes Start find a redis-server, and returns it; the embedded store is not enough for these tests.
func needsServer(t *testing.T) (program string) {
	t.Helper()
	testlevel.Usual(t)
	program = testlevel.RedisProgram(t)
	os.Setenv("REDIS_SERVER", program) // the same for all tests; those that call t.Setenv cannot be parallel
	return program
}

// started starts a server that ends with the test.
func started(t *testing.T, dir string) (*Server, *logbook.Log) {
	t.Helper()
	l := &logbook.Log{}
	s, err := Start(t.Context(), dir, l.Logger())
	if err != nil {
		t.Fatalf("Start(%s): %v", dir, err)
	}
	t.Cleanup(s.Stop)
	return s, l
}

// refused starts a server, which must fail, and returns the error.
func refused(t *testing.T, dir string) string {
	t.Helper()
	s, err := Start(t.Context(), dir, slog.New(slog.DiscardHandler))
	if err == nil {
		s.Stop()
		t.Fatalf("Start(%s) = %s; want an error", dir, s)
	}
	return err.Error()
}

// wantWords reports the words that a text lacks.
func wantWords(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("got %q; want it to contain %q", text, w)
		}
	}
}

// client opens a client of a server, which ends with the test.
func client(t *testing.T, s *Server) *redis.Client {
	c := redis.NewClient(&redis.Options{Network: "unix", Addr: s.Socket()})
	t.Cleanup(func() { c.Close() })
	return c
}

// pid returns the pid of the server's child, which must answer.
func pid(t *testing.T, s *Server) int {
	t.Helper()
	found := 0
	wait.Until(t, "the server answers", func() bool {
		n, err := ping(t.Context(), s.Socket())
		found = n
		return err == nil
	})
	return found
}

// running reports whether a process exists and is not a zombie.
func running(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return state[0] != 'Z' && state[0] != 'X'
}

// script writes a shell script that replaces redis-server.
func script(t *testing.T, lines ...string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	must.OK(t, os.WriteFile(path, []byte("#!/bin/sh\n"+strings.Join(lines, "\n")+"\n"), 0o700))
	t.Setenv("REDIS_SERVER", path)
}

// versionReply returns a line of a script that answers --version.
func versionReply(version string) string {
	return `if [ "$1" = --version ]; then echo "` + version + ` sha=00000000:0 malloc=libc bits=64 build=0"; exit; fi`
}

// write creates a file in a directory that is closed to others.
func write(t *testing.T, dir, name, text string) {
	t.Helper()
	must.OK(t, os.Chmod(dir, 0o700))
	must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// names lists a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	files := must.Do(os.ReadDir(dir))(t)
	var all []string
	for _, f := range files {
		all = append(all, f.Name())
	}
	return strings.Join(all, " ")
}
