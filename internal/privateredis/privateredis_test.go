//go:build linux

package privateredis

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"agora/internal/test/must"
)

func TestDataSurviveARestart(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := filepath.Join(t.TempDir(), "new", "data")
	s, _ := started(t, dir)
	wantWords(t, s.String(), "-server ", " in "+dir)
	must.OK(t, client(t, s).Set(t.Context(), "k", "v", 0).Err())
	s.Stop()
	s, _ = started(t, dir)
	if got, err := client(t, s).Get(t.Context(), "k").Result(); got != "v" {
		t.Errorf("GET after the restart = %q, %v; want v", got, err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory has mode %v, %v; want 0700", info.Mode(), err)
	}
}

// Settings that prevent the loss of acknowledged writes and access by others.
func TestServerSettings(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	s, _ := started(t, t.TempDir())
	c := client(t, s)
	for name, want := range map[string]string{
		"port": "0", "appendonly": "yes", "appendfsync": "always", "no-appendfsync-on-rewrite": "no", "save": "",
		"maxmemory-policy": "noeviction", "zset-max-listpack-entries": "1024", "hash-max-listpack-value": "1024",
		"aof-load-truncated":   "yes",
		"enable-debug-command": "no", "auto-aof-rewrite-min-size": "8388608",
	} {
		if got := c.ConfigGet(t.Context(), name).Val()[name]; got != want {
			t.Errorf("CONFIG GET %s = %q; want %q", name, got, want)
		}
	}
	info, err := os.Stat(s.Socket())
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the socket has mode %v, %v; want 0700", info.Mode(), err)
	}
	lock, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/3", pid(t, s)))
	if err != nil || filepath.Base(lock) != lockName {
		t.Errorf("the child has inherited %s, %v; want the lock, so that it lasts as long as the child", lock, err)
	}
	if group, err := syscall.Getpgid(pid(t, s)); err != nil || group != pid(t, s) {
		t.Errorf("the child is in process group %d, %v; want its own, which Ctrl-C does not reach", group, err)
	}
}

func TestStopLeavesNothingBehind(t *testing.T) {
	needsServer(t)
	dir := t.TempDir()
	s, _ := started(t, dir)
	child, descriptors := pid(t, s), open(t)
	done := make(chan struct{})
	go func() {
		s.Stop()
		close(done)
	}()
	s.Stop()
	<-done
	if running(child) {
		t.Error("the child runs after Stop")
	}
	if got, want := names(t, dir), "agora.json appendonlydir lock redis.log"; got != want {
		t.Errorf("the directory has %s; want %s", got, want)
	}
	if n := open(t); n >= descriptors {
		t.Errorf("%d descriptors are open after Stop, %d before; want fewer", n, descriptors)
	}
	select {
	case err := <-s.Failed():
		t.Errorf("Failed() = %v; want nothing", err)
	default:
	}
	started(t, dir) // the lock is released
}

// open counts the descriptors of this process.
func open(t *testing.T) int {
	t.Helper()
	return len(strings.Fields(names(t, "/proc/self/fd")))
}

func TestStopKillsAChildThatHangs(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	s, _ := started(t, dir)
	s.grace = 50 * time.Millisecond
	child := pid(t, s)
	must.OK(t, syscall.Kill(child, syscall.SIGSTOP))
	s.Stop()
	if running(child) {
		t.Error("the child runs after Stop")
	}
	if got := names(t, dir); strings.Contains(got, socketName) {
		t.Errorf("the directory has %s; want no socket", got)
	}
}

// A socket's path is limited to about 100 bytes, a directory's is not.
func TestLongPathWorks(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	for _, length := range []int{maxSocket - len("/redis.sock"), maxSocket - len("/redis.sock") + 1, 300, 2000} {
		dir := t.TempDir()
		for len(dir) < length {
			part := min(length-len(dir), 200)
			if length-len(dir)-part == 1 { // a slash alone adds nothing
				part--
			}
			dir += "/" + strings.Repeat("d", part-1)
		}
		s, _ := started(t, dir)
		if err := client(t, s).Set(t.Context(), "k", "v", 0).Err(); err != nil || len(dir) != length {
			t.Errorf("SET in a directory whose path has %d bytes (%d wanted): %v", len(dir), length, err)
		}
		s.Stop()
	}
}

func TestOddPathsWork(t *testing.T) {
	needsServer(t)
	base := t.TempDir()
	t.Chdir(base)
	for _, dir := range []string{"relative", "it's [odd] 数据 %2F?*"} {
		s, _ := started(t, dir)
		if err := client(t, s).Set(t.Context(), "k", "v", 0).Err(); err != nil {
			t.Errorf("SET in %s: %v", dir, err)
		}
		write(t, dir, "temp-1.aof", "of a rewrite that was killed")
		s.Stop()
		s, _ = started(t, filepath.Join(base, dir))
		if got := client(t, s).Get(t.Context(), "k").Val(); got != "v" {
			t.Errorf("GET in %s = %q; want v", dir, got)
		}
		if got := names(t, dir); strings.Contains(got, "temp-") {
			t.Errorf("%s has %s; want no file of a rewrite", dir, got)
		}
	}
}

func TestSecondServerIsRefused(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	s, _ := started(t, dir)
	wantWords(
		t,
		refused(t, dir),
		dir,
		fmt.Sprintf("in use by process %d", os.Getpid()),
		"--redis-url 'unix://"+dir+"/redis.sock'",
	)
	if err := client(t, s).Ping(t.Context()).Err(); err != nil {
		t.Errorf("the first server after the second was refused: %v", err)
	}
}

func TestOneOfManyConcurrentFirstStartsWins(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir, results := filepath.Join(t.TempDir(), "new"), make(chan error)
	const starts = 4
	for range starts {
		go func() { // ends when its result is received
			s, err := Start(t.Context(), dir, slog.New(slog.DiscardHandler))
			if err == nil {
				t.Cleanup(s.Stop)
			}
			results <- err
		}()
	}
	lost := 0
	for range starts {
		if err := <-results; err != nil {
			lost++
			wantWords(t, err.Error(), "in use by process")
		}
	}
	if lost != starts-1 {
		t.Errorf("%d of %d starts were refused; want all but one", lost, starts)
	}
}

// The holder of the lock may have lost its parent.
func TestLockOfADeadProcessIsReported(t *testing.T) {
	dir := t.TempDir()
	script(t, versionReply("Redis server v=7.0.15"), "exit 1")
	write(t, dir, "agora.json", `{"format":1}`)
	write(t, dir, "lock", "999999999\n")
	f := must.Do(os.Open(filepath.Join(dir, "lock")))(t)
	defer f.Close()
	must.OK(t, tryLock(f))
	wantWords(t, refused(t, dir), "process 999999999, which has ended", "redis-cli -s '"+dir+"/redis.sock' shutdown")
}

// A large log is rotated.
func TestLogIsBounded(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	s, _ := started(t, dir)
	s.Stop()
	write(t, dir, "redis.log", strings.Repeat("x", maxLog+1))
	started(t, dir)
	info, err := os.Stat(filepath.Join(dir, "redis.log"))
	if err != nil || info.Size() > maxLog {
		t.Errorf("redis.log: %v, %v; want it short", info, err)
	}
	wantWords(t, names(t, dir), "redis.log.1")
}

// Start waits for a server that loads its data, until the context ends.
func TestStartWaitsForTheData(t *testing.T) {
	program, dir := needsServer(t), t.TempDir()
	s, _ := started(t, dir)
	pipe := client(t, s).Pipeline()
	for n := range 2500 {
		pipe.Set(t.Context(), fmt.Sprint(n), "v", 0)
	}
	must.Do(pipe.Exec(t.Context()))(t)
	s.Stop()
	// A millisecond per key: hidden settings of Redis for such tests.
	script(t, `if [ "$1" = --version ]; then exec `+program+` --version; fi`,
		"exec "+program+` "$@" --key-load-delay 1000 --loading-process-events-interval-bytes 1024`)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, dir, slog.New(slog.DiscardHandler)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Start with a short deadline = %v; want it exceeded", err)
	}
	began := time.Now()
	s, l := started(t, dir)
	if took := time.Since(began); took < slow || l.Count("still waiting") != 1 {
		t.Errorf("the start took %v and was logged %d times; want more than %v, and once", took,
			l.Count("still waiting"), slow)
	}
	if n := client(t, s).DBSize(t.Context()).Val(); n != 2500 {
		t.Errorf("DBSIZE = %d; want 2500", n)
	}
}
