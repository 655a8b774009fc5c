//go:build linux

package privateredis

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/logbook"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// On a full disk the server refuses writes and keeps acknowledged ones. It accepts writes again
// when there is space.
func TestFullDisk(t *testing.T) {
	needsServer(t)
	roomy := filepath.Join(t.TempDir(), "roomy")
	script(t, fmt.Sprintf(`[ -e %q ] || { trap "" XFSZ; ulimit -f 100; }`, roomy), // blocks of 512 bytes
		fmt.Sprintf(`exec %q "$@"`, testlevel.RedisProgram(t)))
	l := &logbook.Log{}
	s := must.Do(start(t.Context(), t.TempDir(), l.Logger(), func(string) error {
		_, err := os.Stat(roomy)
		return err
	}))(t)
	t.Cleanup(s.Stop)
	c := redis.NewClient(&redis.Options{Network: "unix", Addr: s.Socket(), MaxRetries: -1})
	defer c.Close()
	value := strings.Repeat("x", 1000)
	written := 0
	for c.Set(t.Context(), fmt.Sprint("key", written), value, 0).Err() == nil {
		written++
	}
	if written < 10 || written > 100 {
		t.Fatalf("%d writes were acknowledged; want those that fit", written)
	}
	before := pid(t, s)
	var refusals atomic.Int64
	wait.Until(t, "many writes were refused", func() bool {
		if err := c.Set(t.Context(), "more", value, 0).Err(); err != nil && strings.HasPrefix(err.Error(), "NOREPLICAS") {
			refusals.Add(1)
		}
		return refusals.Load() >= 100
	})
	if n := c.DBSize(t.Context()).Val(); n < int64(written) {
		t.Errorf("%d keys exist; want %d", n, written)
	}
	if after := pid(t, s); after != before || l.Count("the disk is full") != 1 {
		t.Errorf("process %d, before %d; log: %s", after, before, l)
	}
	must.OK(t, os.WriteFile(roomy, nil, 0o600))
	wait.Until(t, "a write is accepted", func() bool { return c.Set(t.Context(), "last", value, 0).Err() == nil })
	for n := range written {
		if got := c.Get(t.Context(), fmt.Sprint("key", n)).Val(); got != value {
			t.Fatalf("key%d is lost", n)
		}
	}
	if policy := c.ConfigGet(t.Context(), "appendfsync").Val()["appendfsync"]; policy != "always" {
		t.Errorf("appendfsync is %s; want always", policy)
	}
}
