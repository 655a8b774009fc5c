package redistest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/embedded"
	"agora/internal/test/must"
	"agora/internal/test/wait"
)

// program is a redis-server on a unix socket, which tests of one process use one after the other: one takes 50 ms to
// start, and the scripts as long to load.
type program struct {
	options redis.Options
	state   string // after the start
	// end, once closed, ends the server; that this process has ended does so, too.
	end io.Closer
	cmd *exec.Cmd
}

func (p *program) stop() {
	p.end.Close()
	_ = p.cmd.Wait() // it is killed
}

// A pool has servers that no test uses.
type pool[S any] struct {
	mu   sync.Mutex
	idle []*S
}

var (
	programs pool[program]
	stores   pool[embedded.Server]
)

// take returns a server of the pool; nil if it has none.
func (p *pool[S]) take() *S {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle) - 1
	if n < 0 {
		return nil
	}
	s := p.idle[n]
	p.idle = p.idle[:n]
	return s
}

func (p *pool[S]) put(s *S) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, s)
}

// Close ends the servers that no test uses, for tests that look for goroutines that are left.
func Close() {
	for p := programs.take(); p != nil; p = programs.take() {
		p.stop()
	}
	for s := stores.take(); s != nil; s = stores.take() {
		s.Close()
	}
}

// M runs the tests of a package, and then Close.
type M struct{ *testing.M }

// Run runs the tests.
func (m M) Run() int {
	defer Close()
	return m.M.Run()
}

// startLines starts a redis-server in a directory of its own, and ends it with the standard input.
const startLines = `dir=$(mktemp -d) && echo "$dir" && cd "$dir" || exit
"$@" --port 0 --unixsocket "$dir/redis.sock" --dir "$dir" </dev/null >/dev/null 2>&1 &
cat >/dev/null
kill -9 $! && rm -rf "$dir"`

// borrow returns an empty server that only this test uses, until it ends.
func borrow(t testing.TB, command string) redis.Options {
	t.Helper()
	if _, measures := t.(*testing.B); measures {
		p := startProgram(t, command)
		t.Cleanup(p.stop)
		return p.options
	}
	p := programs.take()
	if p == nil {
		p = startProgram(t, command)
	}
	t.Cleanup(func() {
		if p.empty() {
			programs.put(p)
		} else {
			p.stop()
		}
	})
	return p.options
}

// borrowEmbedded is borrow for the embedded store.
func borrowEmbedded(t testing.TB) *embedded.Server {
	t.Helper()
	s := stores.take()
	if s == nil {
		var err error
		if s, err = embedded.Start(""); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		// Commands that were sent may still be running.
		if !wait.For(time.Second, func() bool { return s.CurrentConnectionCount() == 0 }) {
			s.Close()
			return
		}
		s.FlushAll()
		s.SetTime(time.Time{}) // the present time
		stores.put(s)
	})
	return s
}

func startProgram(t testing.TB, command string) *program {
	t.Helper()
	cmd := exec.Command("sh", "-c", startLines, "sh", command, "--save", "", "--appendonly", "no",
		"--zset-max-listpack-entries", "1024", "--hash-max-listpack-value", "1024", "--loglevel", "warning")
	end, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out := must.Do(cmd.StdoutPipe())(t)
	must.OK(t, cmd.Start())
	var dir string
	must.Do(fmt.Fscanln(out, &dir))(t)
	p := &program{options: redis.Options{Network: "unix", Addr: dir + "/redis.sock"}, end: end, cmd: cmd}
	await(t, p.options)
	if p.state, err = p.read(); err != nil {
		t.Fatalf("redis-server at %s: %v", p.options.Addr, err)
	}
	return p
}

// read returns what a test may change of a server besides its data.
func (p *program) read() (string, error) {
	c := redis.NewClient(&p.options)
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	config, err := c.ConfigGet(ctx, "*").Result()
	if err != nil {
		return "", err
	}
	users, err := c.Do(ctx, "ACL", "LIST").StringSlice()
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(config)) {
		fmt.Fprintln(&all, name, config[name])
	}
	fmt.Fprintln(&all, users)
	return all.String(), nil
}

// empty deletes all data, and reports whether the server is as it was when it had started.
func (p *program) empty() bool {
	c := redis.NewClient(&p.options)
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for _, command := range [][]any{
		{"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}, {"CLIENT", "KILL", "TYPE", "pubsub"}, {"CLIENT", "UNPAUSE"},
		{"FLUSHALL", "SYNC"}, {"CONFIG", "RESETSTAT"}, {"SLOWLOG", "RESET"},
	} {
		if c.Do(ctx, command...).Err() != nil {
			return false
		}
	}
	state, err := p.read()
	return err == nil && state == p.state
}
