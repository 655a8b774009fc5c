// Package testlevel determines which tests run at which level. A test that is not quick, or needs something that a
// machine may lack, calls one of its functions first.
//
// There are three levels: go test -short, go test, and everything, which make test requests by TEST_LEVEL=all.
// Packages that start goroutines or share memory then take two passes: one with the race detector on a real
// redis-server, and one with -short and without it, on the embedded store, or on a real redis-server where that finds as
// much and is faster. The comment of each function says in which of them its test runs; none leaves a test out of both. All other packages take one pass, whole and without the race
// detector. A missing program fails the tests that need it at that level, and skips them at others.
package testlevel

import (
	"os"
	"os/exec"
	"runtime/debug"
	"testing"
)

// redisServer is the environment variable that names the redis-server for tests; without it they run on the embedded
// store.
const redisServer = "TEST_REDIS_SERVER"

// All reports whether everything runs, and nothing may be missing.
func All() bool { return os.Getenv("TEST_LEVEL") == "all" }

// Usual is called by tests that take more than a second or so, or start processes. They do not run with -short; with
// everything, they run in the pass with the race detector.
func Usual(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short")
	}
}

// Long is called by tests that take long. They run only with everything, in the pass with the race detector.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() || !All() {
		t.Skip("only with TEST_LEVEL=all, and not with -short")
	}
}

// WithoutRace is called by tests that measure time or memory, and by tests that the race detector would only slow
// down: they compute on one goroutine, or run other programs. They run neither with the race detector nor with
// -short; with everything, they run in the pass without it.
func WithoutRace(t testing.TB) {
	t.Helper()
	switch {
	case race:
		t.Skip("not with the race detector")
	case testing.Short() && !All():
		t.Skip("not with -short")
	}
}

// LongWithoutRace is WithoutRace for tests that take long: they run only with everything.
func LongWithoutRace(t testing.TB) {
	t.Helper()
	if race || !All() {
		t.Skip("only with TEST_LEVEL=all, and not with the race detector")
	}
}

// UsualGarbage is called by tests that measure CPU time, or the memory of the process: until they end, garbage is
// collected as often as by default. Others may collect it less often.
func UsualGarbage(t testing.TB) {
	percent := debug.SetGCPercent(100)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// Sequential is called by tests of models, crashes and interleavings, which do one thing at a time: the race
// detector would only slow them down. They do not run with -short, nor with the race detector; of everything
// they run in the pass without it, on a real redis-server.
func Sequential(t testing.TB) {
	t.Helper()
	WithoutRace(t)
	if All() {
		RealRedis(t)
	}
}

// LongSequential is Sequential for tests that take long: they run only with everything.
func LongSequential(t testing.TB) {
	t.Helper()
	LongWithoutRace(t)
	RealRedis(t)
}

// RealRedis is called by tests that need a real redis-server, and returns its path: the one in TEST_REDIS_SERVER, or
// otherwise the one on the PATH, which redistest then uses.
func RealRedis(t testing.TB) string {
	t.Helper()
	program := RedisProgram(t)
	if os.Getenv(redisServer) == "" {
		t.Setenv(redisServer, program)
	}
	return program
}

// RedisProgram is RealRedis for tests that start redis-servers by themselves, which may run in parallel.
func RedisProgram(t testing.TB) string {
	t.Helper()
	if program := os.Getenv(redisServer); program != "" {
		return program
	}
	return Program(t, "redis-server", "valkey-server")
}

// Program is called by tests that need a program, and returns its path: that of the first name found on the PATH.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if All() {
		t.Fatalf("no %s on the PATH; .ci/install installs it", names[0])
	}
	t.Skipf("no %s on the PATH", names[0])
	return ""
}

// Generated is called by tests that need gqlgen's executor, which is not committed: see package oracle.
func Generated(t testing.TB, present bool) {
	t.Helper()
	switch {
	case present:
	case All():
		t.Fatal("run go generate ./graph, and test with -tags oracle")
	default:
		t.Skip("needs go generate ./graph, and -tags oracle")
	}
}

// Chromium is Program for the browser. The headless shell is the same engine without the rest of the browser, and needs
// half the CPU.
func Chromium(t testing.TB) string {
	t.Helper()
	return Program(t, "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
}
