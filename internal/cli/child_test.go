package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/store"
)

// schema is the text of schema.graphqls.
var schema = func() string {
	text, err := os.ReadFile("../../schema.graphqls")
	if err != nil {
		panic(err)
	}
	return string(text)
}()

// childEnv has the test's binary be the program: asUsual, or quick.
const childEnv = "AGORA_TEST_CHILD"

const (
	asUsual = "usual"
	// quick makes password hashes cheap, so that kills meet registrations under way and not
	// argon2, and gives registrations that hang, and the logins of deleted accounts, up
	// sooner. All else is the program as it is.
	quick = "quick"
)

const (
	// pendingLife and loginRest are what forum.PendingLife and forum.LoginRest are to a
	// quick program.
	pendingLife = 3 * time.Second
	loginRest   = 20 * time.Millisecond
)

// TestMain runs the tests, or the program in their place: tests start it as a process that
// they can kill.
func TestMain(m *testing.M) {
	kind := os.Getenv(childEnv)
	if kind == "" {
		os.Exit(m.Run())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := newProgram(schema, os.Stdin, os.Stdout, os.Stderr)
	if kind == quick {
		p.hashing = []auth.Option{auth.Cheap()}
		p.storing = []store.Option{store.WithLives(pendingLife, loginRest)}
	}
	if err := p.run(ctx, os.Args, os.Getenv); err != nil {
		fmt.Fprintln(os.Stderr, "agora:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// childCommand is a run of the program as a process of its own.
func childCommand(t testing.TB, kind string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+kind)
	return cmd
}
