package cli

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/testlevel"
)

// ownRedis starts a redis-server with deploy/redis.conf on the data in dir, and returns its address; it ends with the
// test.
func ownRedis(t *testing.T, dir string, options ...string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	start, err := filepath.Abs("../../deploy/redis-start.sh")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(start, append([]string{"--port", port, "--bind", "127.0.0.1"}, options...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "REDIS_SERVER="+testlevel.RedisProgram(t))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return address
}

// What Redis writes into its configuration, as at a fail-over by Sentinels, is in the directory of its data, and stays
// there at the next start. The file that is shipped does not change.
func TestConfigurationIsCopied(t *testing.T) {
	t.Parallel()
	shipped, dir := deployed(t, "redis.conf"), t.TempDir()
	own := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "agora-redis.conf"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	c := redisAt(t, "tcp", ownRedis(t, dir))
	if got := own(); got != shipped {
		t.Errorf("the copy is %q; want redis.conf", got)
	}
	for _, command := range [][]any{{"replicaof", "127.0.0.1", "1"}, {"config", "rewrite"}} {
		if err := c.Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(command, err)
		}
	}
	c.ShutdownNoSave(t.Context())
	redisAt(t, "tcp", ownRedis(t, dir))
	if got := own(); !strings.Contains(got, "replicaof 127.0.0.1 1") {
		t.Errorf("after another start the copy is %q; want it to have a master", got)
	}
	if got := deployed(t, "redis.conf"); got != shipped {
		t.Errorf("redis.conf is %q; want it unchanged", got)
	}
}

// redisAt opens a client of a Redis that has loaded its data; it ends with the test.
func redisAt(t *testing.T, network, address string) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Network: network, Addr: address})
	t.Cleanup(func() { c.Close() })
	if !until(20*time.Second, func() bool { return c.Ping(t.Context()).Err() == nil }) {
		t.Fatalf("no Redis at %s", address)
	}
	return c
}

// saved makes a Redis save a snapshot in its directory, as docs/operating.md says, and copies it to another.
func saved(t *testing.T, c *redis.Client, from, to string) {
	t.Helper()
	if err := c.BgSave(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(from, "dump.rdb") // replaces an earlier one when it is complete
	if !until(20*time.Second, func() bool {
		_, err := os.Stat(dump)
		return err == nil
	}) {
		t.Fatal("no snapshot is saved")
	}
	text, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(to, "dump.rdb"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// ownServer is an environment that names the redis-server to start.
func ownServer(t *testing.T) map[string]string {
	t.Helper()
	return map[string]string{"REDIS_SERVER": testlevel.RedisProgram(t)}
}

// wantSoundCopy checks a copy of a site with demo data, and starts a server on it.
func wantSoundCopy(t *testing.T, how string, flags ...string) {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"agora", "check"}, flags...)
	if err := run(context.Background(), args, environment(ownServer(t)), strings.NewReader(""), &out, &out); err != nil {
		t.Errorf("%s: check fails: %v\n%.2000s", how, err, out.String())
	}
}

// wantDemo reports whether a server on a copy serves the demo's topics.
func wantDemo(t *testing.T, how string, flags ...string) {
	t.Helper()
	s := start(t, ownServer(t), append([]string{"--addr", "127.0.0.1:0"}, flags...)...)
	defer s.stop()
	if got := s.post(t, "", `{site{userCount topicCount}}`); !strings.Contains(got, `"userCount":50,"topicCount":224`) {
		t.Errorf("%s: the server answers %s; want the demo's data", how, got)
	}
}

// closed returns a new directory that only its owner can use.
func closed(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A snapshot and a cold copy of a data directory can be restored as docs/operating.md says.
func TestBackupsOfTheDataDirectory(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	dir, fromDump := closed(t), closed(t)
	s := start(t, ownServer(t), "--addr", "127.0.0.1:0", "--data", dir, "--demo", "--quiet")
	saved(t, redisAt(t, "unix", filepath.Join(dir, "redis.sock")), dir, fromDump)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	cold := closed(t)
	if err := os.CopyFS(filepath.Join(cold, "copy"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	cold = filepath.Join(cold, "copy")
	if err := os.Chmod(cold, 0o700); err != nil {
		t.Fatal(err)
	}
	for how, copied := range map[string]string{"cold copy": cold, "snapshot": fromDump} {
		wantSoundCopy(t, how, "--data", copied)
		wantDemo(t, how, "--data", copied)
		wantSoundCopy(t, how+", after a server ran", "--data", copied)
	}
}

// A replica of one's own Redis can be checked and become the master, and a snapshot of it can be loaded by another, as
// docs/operating.md says.
func TestBackupsOfOwnRedis(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	dir := t.TempDir()
	master := ownRedis(t, dir)
	original := redisAt(t, "tcp", master)
	s := start(t, ownServer(t), "--addr", "127.0.0.1:0", "--redis-url", "redis://"+master, "--demo", "--quiet")
	host, port, _ := net.SplitHostPort(master)
	replica := ownRedis(t, t.TempDir(), "--replicaof", host+" "+port)
	follower := redisAt(t, "tcp", replica)
	says := func(c *redis.Client, lines ...string) func() bool {
		return func() bool {
			info := c.Info(t.Context(), "replication", "persistence").Val()
			for _, line := range lines {
				if !strings.Contains(info, line+"\r\n") {
					return false
				}
			}
			return true
		}
	}
	if !until(20*time.Second, says(follower, "master_link_status:up")) {
		t.Fatal("the replica does not follow")
	}
	wantSoundCopy(t, "replica", "--redis-url", "redis://"+replica)
	loaded := t.TempDir()
	saved(t, original, dir, loaded)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if n := original.Wait(t.Context(), 1, 10*time.Second).Val(); n != 1 {
		t.Errorf("%d replicas have everything; want 1", n)
	}
	if err := follower.ReplicaOf(t.Context(), "NO", "ONE").Err(); err != nil {
		t.Fatal(err)
	}
	wantDemo(t, "promoted replica", "--redis-url", "redis://"+replica)

	first := ownRedis(t, loaded, "--appendonly", "no")
	c := redisAt(t, "tcp", first)
	size := c.DBSize(t.Context()).Val()
	if err := c.ConfigSet(t.Context(), "appendonly", "yes").Err(); err != nil {
		t.Fatal(err)
	}
	if !until(20*time.Second, says(c, "aof_rewrite_in_progress:0", "aof_rewrite_scheduled:0")) {
		t.Fatal("no append-only file is written")
	}
	c.ShutdownNoSave(t.Context())
	again := ownRedis(t, loaded)
	if n := redisAt(t, "tcp", again).DBSize(t.Context()).Val(); n != size || n < 1000 {
		t.Errorf("%s has %d keys after its second start; want %d", strconv.Quote(again), n, size)
	}
	wantSoundCopy(t, "loaded snapshot", "--redis-url", "redis://"+again)
	wantDemo(t, "loaded snapshot", "--redis-url", "redis://"+again)
}
