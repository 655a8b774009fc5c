//go:build linux

package privateredis

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/wait"
)

// kills is how often the tests kill a server under load.
const kills = 12

// A killed parent takes its server down, and the next one has all data.
func TestServerDiesWithItsParent(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	for round := range 5 {
		parent, child := startParent(t, dir)
		c := redis.NewClient(&redis.Options{Network: "unix", Addr: filepath.Join(dir, socketName)})
		must.OK(t, c.Set(t.Context(), fmt.Sprint(round), "v", 0).Err())
		c.Close()
		parent.Process.Kill()
		parent.Wait()

		began := time.Now()
		s, _ := started(t, dir)
		if running(child) {
			t.Errorf("the killed parent's child still runs next to the next one")
		}
		t.Logf("a new start took %v", time.Since(began))
		if n := client(t, s).DBSize(t.Context()).Val(); n != int64(round+1) {
			t.Errorf("DBSIZE after %d rounds = %d; want one more each", round+1, n)
		}
		s.Stop()
	}
}

// startParent starts a process with a server. It returns the server's pid.
func startParent(t *testing.T, dir string) (*exec.Cmd, int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TEST_PARENT_OF="+dir)
	out := must.Do(cmd.StdoutPipe())(t)
	must.OK(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	line, _ := bufio.NewReader(out).ReadString('\n')
	child := 0
	if _, err := fmt.Sscanf(line, "%d <nil>", &child); err != nil {
		t.Fatalf("the parent printed %q", line)
	}
	return cmd, child
}

// A killed server is restarted with all acknowledged writes.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	s, l := started(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var clients sync.WaitGroup
	var acknowledged [4]atomic.Int64
	for i := range acknowledged {
		c := client(t, s)
		clients.Go(func() { // ends with ctx
			for ctx.Err() == nil {
				n := acknowledged[i].Load()
				if c.Set(ctx, fmt.Sprintf("%d:%d", i, n), "v", 0).Err() == nil {
					acknowledged[i].Add(1)
				}
			}
		})
	}
	sum := func() (n int64) {
		for i := range acknowledged {
			n += acknowledged[i].Load()
		}
		return n
	}
	var longest time.Duration
	for range kills {
		child, enough := pid(t, s), sum()+int64(20+rand.IntN(400))
		wait.Until(t, "writes go on", func() bool { return sum() > enough })
		must.OK(t, syscall.Kill(child, syscall.SIGKILL))
		began, before := time.Now(), sum()+int64(len(acknowledged)) // replies in progress
		wait.Until(t, "writes go on", func() bool { return sum() > before })
		longest = max(longest, time.Since(began))
	}
	cancel()
	clients.Wait()
	c, lost := client(t, s), 0
	for i := range acknowledged {
		for n := range acknowledged[i].Load() {
			if c.Exists(t.Context(), fmt.Sprintf("%d:%d", i, n)).Val() != 1 {
				lost++
			}
		}
	}
	t.Logf("%d writes were acknowledged, %d lost; writes paused for at most %v", sum(), lost, longest)
	if lost != 0 {
		t.Errorf("%d of %d acknowledged writes are lost; want none", lost, sum())
	}
	if n := l.Count("died, restarting it"); n != kills {
		t.Errorf("the log reports %d deaths; want %d", n, kills)
	}
}

// If a server cannot be restarted, Failed reports why.
func TestServerFailsWhenItCannotBeRestarted(t *testing.T) {
	program, broken := needsServer(t), filepath.Join(t.TempDir(), "broken")
	script(t, `if [ "$1" = --version ]; then exec `+program+` --version; fi`,
		"if [ -e "+broken+" ]; then echo something is broken >&2; exit 3; fi", "exec "+program+` "$@"`)
	dir := t.TempDir()
	s, l := started(t, dir)
	must.OK(t, os.WriteFile(broken, nil, 0o600))
	must.OK(t, syscall.Kill(pid(t, s), syscall.SIGTERM))
	select {
	case err := <-s.Failed():
		wantWords(t, err.Error(), dir, "giving up", "something is broken", "exit status 3")
	case <-time.After(20 * time.Second):
		t.Error("no error from Failed()")
	}
	if n := l.Count("did not start"); n != maxStarts-1 {
		t.Errorf("the log reports %d failed starts; want %d", n, maxStarts-1)
	}
	s.Stop()
	if got := names(t, dir); strings.Contains(got, socketName) {
		t.Errorf("the directory has %s; want no socket", got)
	}
}

// Stop also ends a server that is being restarted.
func TestStopInterruptsARestart(t *testing.T) {
	program, broken := needsServer(t), filepath.Join(t.TempDir(), "broken")
	script(t, `if [ "$1" = --version ]; then exec `+program+` --version; fi`,
		"if [ -e "+broken+" ]; then exec tail -f /dev/null; fi", "exec "+program+` "$@"`)
	dir := t.TempDir()
	s, l := started(t, dir)
	must.OK(t, os.WriteFile(broken, nil, 0o600))
	must.OK(t, syscall.Kill(pid(t, s), syscall.SIGKILL))
	wait.Until(t, "the next start is logged as slow", func() bool { return l.Count("still waiting") == 1 })
	s.Stop()
	must.OK(t, os.Remove(broken))
	started(t, dir)
}

func TestBackoffBeginsImmediatelyAndIsCapped(t *testing.T) {
	var b backoff
	want := []time.Duration{0, 25, 50, 100, 200, 400, 500, 500}
	for n, w := range want {
		if got := b.next(); got != w*time.Millisecond {
			t.Errorf("pause before start %d = %v; want %v", n+1, got, w*time.Millisecond)
		}
	}
	b.starts = 1 << 20
	if got := b.next(); got != maxWait {
		t.Errorf("pause after very many starts = %v; want %v", got, maxWait)
	}
}
