//go:build linux

// Package floods judges whether one address, or many, can slow the site down for others: it floods a server from some
// addresses while a visitor at another one, the canary, asks for the front page, and compares that with a control
// server which nobody floods.
package floods

import (
	"os"
	"os/exec"
	"testing"

	"agora/internal/cli"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// roleEnv makes the test's binary another program: the server, or a flooder.
const roleEnv = "AGORA_TEST_CHILD"

const (
	roleServer  = "server"
	roleFlooder = "flooder"
)

// TestMain runs the tests, or a program instead.
func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case roleServer:
		schema, err := os.ReadFile("../../../schema.graphqls")
		if err != nil {
			panic(err)
		}
		os.Exit(cli.MainWith(string(schema), nil, cli.Hooks{}))
	case roleFlooder:
		if err := runFlooder(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		os.Exit(0)
	}
	os.Exit(redistest.M{M: m}.Run())
}

// child is a run of the test's binary in a role, after the words before, such as nice.
func child(t testing.TB, role string, before []string, args ...string) *exec.Cmd {
	t.Helper()
	words := append(append(before, must.Do(os.Executable())(t)), args...)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), roleEnv+"="+role)
	return cmd
}
