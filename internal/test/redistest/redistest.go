// Package redistest provides each test with a Redis of its own: miniredis inside the process, or the program that
// TEST_REDIS_SERVER names. Its client fails any command or script whose keys do not share a slot, as a cluster would.
package redistest

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/embedded"
	"agora/internal/test/clustertest"
	"agora/internal/test/wait"
)

// Server is one Redis for one test.
type Server struct {
	// Options connect to it.
	Options redis.Options
	mini    *embedded.Server
}

// New starts an empty Redis and returns a client for it. Both end with the test. If TEST_REDIS_CLUSTER names a
// redis-server, it is a cluster of three masters of that program.
func New(t testing.TB) redis.UniversalClient {
	t.Helper()
	if program := os.Getenv("TEST_REDIS_CLUSTER"); program != "" {
		client := clustertest.Borrow(t, program).Client(t)
		client.AddHook(Hook(slotHook))
		return client
	}
	return Start(t).Client(t)
}

// Start returns an empty Redis that the test has for itself until it ends.
func Start(t testing.TB) *Server {
	t.Helper()
	if program := os.Getenv("TEST_REDIS_SERVER"); program != "" {
		return &Server{Options: borrow(t, program)}
	}
	mini := borrowEmbedded(t)
	return &Server{Options: redis.Options{Addr: mini.Addr()}, mini: mini}
}

// Client opens a client with the slot check; it ends with the test.
func (s *Server) Client(t testing.TB) redis.UniversalClient {
	o := s.Options
	c := redis.NewClient(&o)
	c.AddHook(Hook(slotHook))
	if _, measures := t.(*testing.B); !measures {
		c.AddHook(Hook(changeHook))
		c.AddHook(Hook(plainHook))
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// URL returns the server's address in the form of REDIS_URL.
func (s *Server) URL() string {
	if s.Options.Network == "unix" {
		return "unix://" + s.Options.Addr
	}
	return "redis://" + s.Options.Addr
}

// Freeze stops the clock by which keys of miniredis expire: it stands at an instant. A redis-server, whose keys keep
// the instants at which they expire, is left as it is.
func (s *Server) Freeze(at time.Time) {
	if s.mini != nil {
		s.mini.SetTime(at)
	}
}

// Real reports whether the server is a redis-server, not miniredis.
func (s *Server) Real() bool { return s.mini == nil }

// await returns when the server answers.
func await(t testing.TB, o redis.Options) {
	t.Helper()
	c := redis.NewClient(&o)
	defer c.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if !wait.For(10*time.Second, func() bool { return c.Ping(ctx).Err() == nil }) {
		t.Fatalf("redis-server at %s does not answer", o.Addr)
	}
}

// slotHook refuses what a cluster would refuse.
func slotHook(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	for _, cmd := range cmds {
		if err := oneSlot(cmd); err != nil {
			cmd.SetErr(err)
			return err
		}
	}
	return next(ctx, cmds)
}

// acrossSlots has the hashes and texts of loaded scripts whose keys may be in several slots. In a cluster they have
// other texts.
var acrossSlots sync.Map

// noteScript notes the script that a command loads, if its keys may be in several slots.
func noteScript(args []any) {
	if text := fmt.Sprint(args[len(args)-1]); strings.HasPrefix(text, "-- Slots  several\n") {
		acrossSlots.Store(redis.NewScript(text).Hash(), true)
		acrossSlots.Store(text, true)
	}
}

// oneSlot fails a command with keys of several slots, and a script with a key prefix of another slot than its first
// key.
func oneSlot(cmd redis.Cmder) error {
	args := cmd.Args()
	var keys []string
	switch cmd.Name() {
	case "script":
		noteScript(args)
	case "eval", "evalsha":
		if _, ok := acrossSlots.Load(args[1]); ok {
			return nil
		}
		n, _ := args[2].(int)
		for _, a := range args[3 : 3+n] {
			keys = append(keys, fmt.Sprint(a))
		}
		for _, a := range args[3+n:] {
			if s, ok := a.(string); ok && strings.HasPrefix(s, "{") && strings.Contains(s, "}:") && strings.HasSuffix(s, ":") {
				keys = append(keys, s)
			}
		}
	case "zinter":
		n, _ := args[1].(int)
		for _, a := range args[2 : 2+n] {
			keys = append(keys, fmt.Sprint(a))
		}
	case "del", "exists", "mget", "unlink", "sinter":
		for _, a := range args[1:] {
			keys = append(keys, fmt.Sprint(a))
		}
	}
	for _, k := range keys[min(1, len(keys)):] {
		if tag(k) != tag(keys[0]) {
			return fmt.Errorf("%s crosses slots: %s and %s", cmd.Name(), keys[0], k)
		}
	}
	return nil
}

// tag returns the part of a key that determines its slot.
func tag(key string) string {
	_, rest, ok := strings.Cut(key, "{")
	if !ok {
		return key
	}
	inner, _, ok := strings.Cut(rest, "}")
	if !ok || inner == "" {
		return key
	}
	return inner
}

// Keys returns the keys that match a pattern, on all masters if the Redis is a cluster.
func Keys(ctx context.Context, client redis.UniversalClient, pattern string) ([]string, error) {
	cluster, ok := client.(*redis.ClusterClient)
	if !ok {
		return client.Keys(ctx, pattern).Result()
	}
	var mu sync.Mutex
	var all []string
	err := cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error {
		keys, err := node.Keys(ctx, pattern).Result()
		mu.Lock()
		defer mu.Unlock()
		all = append(all, keys...)
		return err
	})
	return all, err
}
