//go:build linux

package floods

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/port"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// pair is a server to flood, and a control server on a copy of its data, which nobody floods.
type pair struct {
	t        *testing.T
	redis    *redistest.Server // of the attacked server
	attacked *server           // the present one: each flood has its own
	control  *server
	data     *furnished
	front    []byte // the answer to frontPage
	seed     uint64
	used     int // addresses of flooders
	names    int // what name has returned
}

// startPair starts the control server on data with that many accounts.
func startPair(t *testing.T, seed uint64, accounts int) *pair {
	t.Helper()
	testlevel.RealRedis(t)
	p := &pair{t: t, seed: seed, redis: redistest.Start(t)}
	began := time.Now()
	client := plainClient(t, p.redis)
	p.data = furnish(t, client, accounts)
	other := redistest.Start(t)
	copyData(t, client, plainClient(t, other))
	p.control = startServer(t, other)
	p.front = must.Do(newCanary(p.control.addr).ask())(t)
	t.Logf("set up in %v", time.Since(began).Round(time.Millisecond))
	return p
}

// plainClient is a client without the slot check, because it reads and writes all slots.
func plainClient(t *testing.T, of *redistest.Server) *redis.Client {
	client := redis.NewClient(&of.Options)
	t.Cleanup(func() { client.Close() })
	return client
}

// copyData copies all keys.
func copyData(t *testing.T, from, to *redis.Client) {
	t.Helper()
	ctx := t.Context()
	var keys []string
	each := from.Scan(ctx, 0, "*", 1000).Iterator()
	for each.Next(ctx) {
		keys = append(keys, each.Val())
	}
	must.OK(t, each.Err())
	for len(keys) > 0 {
		some := keys[:min(500, len(keys))]
		keys = keys[len(some):]
		read, write := from.Pipeline(), to.Pipeline()
		dumps, lives := make([]*redis.StringCmd, len(some)), make([]*redis.DurationCmd, len(some))
		for i, k := range some {
			dumps[i], lives[i] = read.Dump(ctx, k), read.PTTL(ctx, k)
		}
		if _, err := read.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) { // a key may have expired
			t.Fatal(err)
		}
		for i, k := range some {
			if dumps[i].Err() == nil {
				write.RestoreReplace(ctx, k, max(0, lives[i].Val()), dumps[i].Val())
			}
		}
		must.Do(write.Exec(ctx))(t)
	}
}

// renew starts a new attacked server, with the flags, and lets it serve some front pages.
func (p *pair) renew(flags ...string) {
	p.t.Helper()
	if p.attacked != nil {
		p.attacked.stop()
	}
	p.attacked = startServer(p.t, p.redis, flags...)
	c := newCanary(p.attacked.addr)
	for range 20 {
		must.Do(c.ask())(p.t)
	}
	c.client.CloseIdleConnections()
}

// addresses returns unused addresses of loopback networks, each in a /24 of its own.
func (p *pair) addresses(n int) []string {
	all := make([]string, n)
	for i := range all {
		p.used++
		all[i] = fmt.Sprintf("127.%d.%d.1", 10+p.used/250, 1+p.used%250)
	}
	return all
}

// name returns an unused part of names.
func (p *pair) name() string {
	p.names++
	return fmt.Sprintf("q%xx%dx", p.seed, p.names)
}

// server is a process of the server.
type server struct {
	t      *testing.T
	cmd    *exec.Cmd
	addr   string
	exited chan struct{}
}

// startServer starts a server with default limits and waits until it answers. It ends with the test, if not before.
func startServer(t *testing.T, on *redistest.Server, flags ...string) *server {
	t.Helper()
	s := &server{t: t, addr: port.Free(t), exited: make(chan struct{})}
	log := must.Do(os.Create(filepath.Join(t.TempDir(), "log")))(t)
	s.cmd = child(t, roleServer, nil, append([]string{"serve", "--addr", s.addr}, flags...)...)
	s.cmd.Env = append(s.cmd.Env, "REDIS_URL="+on.URL())
	s.cmd.Stdout, s.cmd.Stderr = log, log
	must.OK(t, s.cmd.Start())
	go func() { // ends with the process
		s.cmd.Wait()
		log.Close()
		close(s.exited)
	}()
	t.Cleanup(s.stop)
	if !wait.For(20*time.Second, s.healthy) {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("the server does not answer; its log: %s", text)
	}
	return s
}

func (s *server) healthy() bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+"/readyz", nil)
	if err != nil {
		return false
	}
	r.Close = true
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	return resp.StatusCode == http.StatusOK
}

// ended reports whether the process has ended by itself.
func (s *server) ended() bool {
	select {
	case <-s.exited:
		return true
	default:
		return false
	}
}

func (s *server) stop() {
	s.cmd.Process.Kill()
	<-s.exited
}

// memory returns the maximum resident memory of the process since forget, in bytes.
func (s *server) memory() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid)) // none: it has ended
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	var kB int64
	fmt.Sscan(rest, &kB)
	return kB << 10
}

// forget resets the result of memory.
func (s *server) forget() {
	s.t.Helper()
	must.OK(s.t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", s.cmd.Process.Pid), []byte("5"), 0))
}

// cpu returns the CPU time that the process has used.
func (s *server) cpu() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid)) // none: it has ended
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond // in ticks of 100 Hz
}
