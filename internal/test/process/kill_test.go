package process

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/clustertest"
	"agora/internal/test/port"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

const (
	// killsPerMinute is the minimum number of kills of a run of a minute.
	killsPerMinute = 100
	// killClients write concurrently.
	killClients = 16
	// cleanWithin is how soon after the last restart the data must be consistent.
	cleanWithin = 2 * time.Second
)

// TestKill kills server processes at random moments while clients write through them, and give up on some calls.
// Afterwards everything that was acknowledged must exist once, and no invariant may be broken. KILL_SECONDS is the
// duration, 4 if not set.
func TestKill(t *testing.T) {
	testlevel.LongWithoutRace(t)
	life := killSeconds(t)
	s := startKillSite(t, asUsual)
	children := []*child{s.start(s.addrs[0]), s.start(s.addrs[1])}
	for _, c := range children {
		s.await(c)
	}
	w := newKillRun(s)
	w.furnish()

	ctx, cancel := context.WithTimeout(context.Background(), life)
	defer cancel()
	began := time.Now()
	var reapers, clients sync.WaitGroup
	for _, c := range children {
		reapers.Go(func() { s.reap(ctx, c) }) // ends with ctx
	}
	for _, c := range w.clients {
		clients.Go(func() { c.work(ctx) }) // ends with ctx, and when its last keyed call is acknowledged
	}
	clients.Go(func() { w.newcomers(ctx) }) // the same
	reapers.Wait()
	took := time.Since(began)

	s.await(s.start(s.addrs[0]))
	restarted := time.Now()
	clients.Wait()
	s.checkClean(restarted)
	w.verify()
	w.report(took)
	if least := int64(life.Seconds() * killsPerMinute / 60); s.kills.Load() < least {
		t.Errorf("%d kills in %v; want at least %d", s.kills.Load(), took, least)
	}
}

func killSeconds(t *testing.T) time.Duration {
	text := os.Getenv("KILL_SECONDS")
	if text == "" {
		text = "4"
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("KILL_SECONDS: %q is no number of seconds", text)
	}
	return time.Duration(n) * time.Second
}

// killSite is a Redis, and processes of the program that use it.
type killSite struct {
	t        *testing.T
	kind     string // of the program: asUsual or quick
	redisURL string
	env      []string // of the processes, in addition
	redis    redis.UniversalClient
	addrs    [2]string                    // of the processes, which are killed in turn
	log      *os.File                     // their output
	hosts    map[string]*clustertest.Host // where they run, by address, if not on this machine
	clocks   string                       // a directory with how much their clocks are ahead, or ""
	quiet    bool                         // does not log what is as expected
	within   time.Duration                // in which the data must be consistent: cleanWithin, or longer for tasks
	kills    atomic.Int64
}

// startKillSite starts a Redis that ends with the test.
func startKillSite(t *testing.T, kind string) *killSite {
	t.Helper()
	testlevel.RealRedis(t)                     // the embedded store is too slow for so many clients
	server := redistest.Start(t)               // outlives the killed processes
	client := redis.NewClient(&server.Options) // without the slot check: it reads across all slots
	t.Cleanup(func() { client.Close() })
	return newKillSite(t, kind, server.URL(), client)
}

// newKillSite returns a site on an existing Redis.
func newKillSite(t *testing.T, kind, url string, client redis.UniversalClient) *killSite {
	t.Helper()
	s := &killSite{t: t, kind: kind, redisURL: url, redis: client, within: cleanWithin}
	for i := range s.addrs {
		s.addrs[i] = port.Free(t)
	}
	var err error
	if s.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.log.Close() })
	return s
}

// crashed is the exit code of a Go program that panics.
const crashed = 2

// child is one process of the server.
type child struct {
	cmd    *exec.Cmd
	addr   string
	exited chan struct{}
}

// start starts a process that ends with the test, unless it is killed before.
func (s *killSite) start(addr string) *child {
	cmd := childCommand(s.t, s.kind, "serve", "--addr", addr)
	cmd.Env = append(cmd.Env, "REDIS_URL="+s.redisURL, "SIGN_IN_LIMIT=0", "RATES=all=0")
	cmd.Env = append(cmd.Env, s.env...)
	if s.clocks != "" {
		cmd.Env = append(cmd.Env, clockEnv+"="+filepath.Join(s.clocks, addr))
	}
	if host := s.hosts[addr]; host != nil {
		within := exec.Command("ip", host.Within(cmd.Args...)[1:]...)
		within.Env = cmd.Env
		cmd = within
	}
	return s.run(cmd, addr)
}

// note logs what is as expected.
func (s *killSite) note(format string, args ...any) {
	if !s.quiet {
		s.t.Helper()
		s.t.Logf(format, args...)
	}
}

// run starts a command that serves at an address and ends with the test.
func (s *killSite) run(cmd *exec.Cmd, addr string) *child {
	c := &child{cmd: cmd, addr: addr, exited: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = s.log, s.log
	if err := c.cmd.Start(); err != nil {
		s.t.Errorf("start the server: %v", err)
		close(c.exited)
		return c
	}
	go func() { // ends with the process
		c.cmd.Wait()
		if c.cmd.ProcessState.ExitCode() == crashed { // clients would wait for it until the test's end
			panic("the server at " + addr + " crashed: " + s.logged(""))
		}
		close(c.exited)
	}()
	s.t.Cleanup(c.kill)
	return c
}

func (c *child) kill() {
	if c.cmd.Process != nil {
		c.cmd.Process.Kill()
	}
	<-c.exited
}

// await returns when the process answers.
func (s *killSite) await(c *child) {
	if !wait.For(10*time.Second, func() bool { return s.healthy(c) }) {
		s.t.Errorf("the server at %s does not answer; its log: %s", c.addr, s.logged(""))
	}
}

// healthy reports whether the process answers.
func (s *killSite) healthy(c *child) bool {
	client := http.Client{Timeout: time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get("http://" + c.addr + "/healthz")
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// awaitAny returns when one of the processes accepts connections, or after a short time.
func (s *killSite) awaitAny() {
	wait.For(50*time.Millisecond, func() bool {
		for _, addr := range s.addrs {
			if conn, err := net.Dial("tcp", addr); err == nil {
				conn.Close()
				return true
			}
		}
		return false
	})
}

// reap kills a process at random moments, now and then before it is up, and starts the next immediately. When ctx
// ends, it kills the last one.
func (s *killSite) reap(ctx context.Context, c *child) {
	for {
		wait := time.Duration(50+rand.IntN(400)) * time.Millisecond
		if rand.IntN(10) == 0 {
			wait = time.Duration(rand.IntN(40)) * time.Millisecond
		} else {
			s.await(c)
		}
		select {
		case <-ctx.Done():
			c.kill()
			s.kills.Add(1)
			return
		case <-c.exited:
			s.t.Errorf("the server ended by itself; its log: %s", s.logged(""))
			return
		case <-time.After(wait):
		}
		c.kill()
		s.kills.Add(1)
		c = s.start(c.addr)
	}
}

// logged returns the last 20 lines of the processes' log that contain word.
func (s *killSite) logged(word string) string {
	text, err := os.ReadFile(s.log.Name())
	if err != nil {
		return err.Error()
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, word) {
			found = append(found, line)
		}
	}
	return strings.Join(found[max(0, len(found)-20):], "")
}

// command runs a command of the program to completion.
func (s *killSite) command(args ...string) (output string, code int) {
	s.t.Helper()
	cmd := childCommand(s.t, s.kind, args...)
	cmd.Env = append(cmd.Env, "REDIS_URL="+s.redisURL)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if len(out) == 0 {
			out = exit.Stderr
		}
	} else if err != nil {
		s.t.Fatalf("%s: %v", args, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// checkClean runs the command check until it finds nothing: one that begins at most within after the restart
// must. By then no change may be waiting for its indexes, either.
//
// It returns how long that took.
func (s *killSite) checkClean(restarted time.Time) (took time.Duration) {
	s.t.Helper()
	rested := make(chan time.Duration)
	go func() { rested <- s.awaitRest(restarted) }() // ends when its time is over
	for clean := false; !clean; {
		began := time.Since(restarted)
		if began > s.within {
			s.t.Errorf("check is not clean %v after the last restart", began)
			break
		}
		out, code := s.command("check")
		clean = code == 0 && !strings.Contains(out, "could not be verified")
		took = time.Since(restarted)
		s.note("check from %v to %v after the last restart, exit code %d: %s",
			began.Round(time.Millisecond), time.Since(restarted).Round(time.Millisecond), code, out)
	}
	if after := <-rested; after > s.within {
		s.t.Errorf("changes wait for their indexes %v after the last restart", after)
	} else {
		s.note("no change waits for its indexes any more %v after the last restart", after.Round(time.Millisecond))
	}
	if out, code := s.command("check"); code != 0 {
		s.t.Errorf("check at rest: exit code %d: %s", code, out)
	}
	return took
}

// awaitRest returns when no change is waiting for its indexes, or shortly after that time. It returns how long
// after the restart that was.
func (s *killSite) awaitRest(restarted time.Time) time.Duration {
	ctx := context.Background()
	dirty, err := redistest.Keys(ctx, s.redis, "*}:dirty") // once: it keeps Redis busy
	if err != nil {
		s.t.Error(err)
	}
	s.note(
		"%d partitions have changes that wait for their indexes %v after the last restart",
		len(dirty),
		time.Since(restarted).Round(time.Millisecond),
	)
	wait.For(s.within+time.Second, func() bool {
		for _, key := range dirty {
			if n, err := s.redis.Exists(ctx, key).Result(); err != nil || n > 0 {
				return false
			}
		}
		return true
	})
	return time.Since(restarted)
}
