package cut

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// TestCutsByRestarts kills Redis, which writes each command to its disk before it answers, and starts it again, while
// replies are posted. Clients that resume receive each acknowledged reply once, in order, and no other reply twice.
func TestCutsByRestarts(t *testing.T) {
	testlevel.Usual(t)
	program := testlevel.RealRedis(t) // the embedded store cannot be killed
	plan := planCuts(t)
	r := startMortalRedis(t, program)
	s := newCutSite(t, func(int) redis.UniversalClient {
		conn := must.Do(store.Connect(t.Context(), "unix://"+r.socket, store.ConnectOptions{}))(t)
		t.Cleanup(func() { conn.Close() })
		return conn.Redis.(redis.UniversalClient)
	})
	clients := s.subscribe()
	s.warmUp(clients)

	ctx, stop := context.WithCancel(t.Context())
	var killing sync.WaitGroup
	kills := 0
	killing.Go(func() { // ends when all is posted
		for tick := time.NewTicker(10 * plan.every); ; kills++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			r.kill()
			r.start()
		}
	})
	began := time.Now()
	s.post(plan)
	stop()
	killing.Wait()
	s.verify(clients)
	t.Logf(
		"%d replies sent in %v by %d processes, %d of them acknowledged; Redis killed %d times; %s",
		s.sent.Load(),
		time.Since(began).Round(time.Millisecond),
		cutProcesses,
		s.acknowledged.Load(),
		kills,
		cutReport(clients),
	)
	if kills == 0 || s.acknowledged.Load() < s.sent.Load()/4 {
		t.Errorf("%d kills, %d replies acknowledged; the test shows nothing", kills, s.acknowledged.Load())
	}
}

// mortalRedis is a redis-server that is killed and restarted on the same data.
type mortalRedis struct {
	t               *testing.T
	program, socket string
	cmd             *exec.Cmd
}

func startMortalRedis(t *testing.T, program string) *mortalRedis {
	t.Helper()
	dir, err := os.MkdirTemp("", "mortal") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	r := &mortalRedis{t: t, program: program, socket: filepath.Join(dir, "redis.sock")}
	r.start()
	t.Cleanup(func() {
		r.kill()
		os.RemoveAll(dir)
	})
	return r
}

// start starts it and waits until it answers.
func (r *mortalRedis) start() {
	r.cmd = exec.Command(r.program, "--port", "0", "--unixsocket", r.socket, "--dir", filepath.Dir(r.socket),
		"--save", "", "--appendonly", "yes", "--appendfsync", "always", "--loglevel", "warning")
	if err := r.cmd.Start(); err != nil {
		r.t.Errorf("start Redis: %v", err)
		return
	}
	c := redis.NewClient(&redis.Options{Network: "unix", Addr: r.socket})
	defer c.Close()
	if !wait.For(20*time.Second, func() bool { return c.Ping(context.Background()).Err() == nil }) {
		r.t.Error("Redis does not answer")
	}
}

func (r *mortalRedis) kill() {
	r.cmd.Process.Kill()
	r.cmd.Wait()
}
