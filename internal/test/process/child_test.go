// Package process starts the server as a separate process and kills it, stops it, and attacks it, while clients use
// it.
package process

import (
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/cli"
	"agora/internal/store"
	"agora/internal/test/must"
)

// childEnv makes the test's binary run the program: asUsual, or quick.
const childEnv = "AGORA_TEST_CHILD"

const (
	asUsual = "usual"
	// quick makes password hashes cheap, so that kills hit registrations in progress and not argon2, and abandons
	// interrupted registrations, and releases the logins of deleted accounts, sooner. Everything else is the normal
	// program.
	quick = "quick"
	// unswept is another program: see writeUnswept.
	unswept = "unswept"
)

// clockEnv names a file with how much the clock of the program is ahead, such as "-1h"; the test changes it.
const clockEnv = "AGORA_TEST_CLOCK"

const (
	// pendingLife and loginRest replace forum.PendingLife and forum.LoginRest in a quick program.
	pendingLife = 3 * time.Second
	loginRest   = 20 * time.Millisecond
)

// TestMain runs the tests, or a program instead: tests start it as a process that they can kill.
func TestMain(m *testing.M) {
	kind := os.Getenv(childEnv)
	if kind == "" {
		store.LogRedis(slog.New(slog.DiscardHandler)) // of refused connections
		os.Exit(m.Run())
	}
	if kind == unswept {
		fmt.Fprintln(os.Stderr, writeUnswept(os.Getenv("REDIS_URL")))
		os.Exit(1)
	}
	schema, err := os.ReadFile("../../../schema.graphqls")
	if err != nil {
		panic(err)
	}
	var hooks cli.Hooks
	if kind == quick {
		hooks.Hashing = []auth.Option{auth.Cheap()}
		hooks.Storing = []store.Option{store.WithLives(pendingLife, loginRest)}
	}
	if file := os.Getenv(clockEnv); file != "" {
		hooks.Storing = append(hooks.Storing, store.WithClock(clockOf(file)))
	}
	os.Exit(cli.MainWith(string(schema), nil, hooks))
}

// clockOf returns a clock that is ahead by what a file says.
func clockOf(file string) func() time.Time {
	return func() time.Time {
		text, err := os.ReadFile(file)
		if err != nil {
			return time.Now()
		}
		ahead, err := time.ParseDuration(string(text))
		if err != nil {
			panic(err)
		}
		return time.Now().Add(ahead)
	}
}

// childCommand is a run of the program as a separate process.
func childCommand(t testing.TB, kind string, args ...string) *exec.Cmd {
	t.Helper()
	self := must.Do(os.Executable())(t)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), childEnv+"="+kind)
	return cmd
}
