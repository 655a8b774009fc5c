package cli

import (
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/port"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// ownRedis starts a redis-server with deploy/redis.conf on the data in dir, and returns its address; it ends with the
// test.
func ownRedis(t *testing.T, dir string, options ...string) string {
	t.Helper()
	address := port.Free(t)
	start := must.Do(filepath.Abs("../../deploy/redis-start.sh"))(t)
	host, number, _ := net.SplitHostPort(address)
	cmd := exec.Command(start, append([]string{"--port", number, "--bind", host}, options...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "REDIS_SERVER="+testlevel.RedisProgram(t))
	must.OK(t, cmd.Start())
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
		text := must.Do(os.ReadFile(filepath.Join(dir, "agora-redis.conf")))(t)
		return string(text)
	}
	c := redisAt(t, "tcp", ownRedis(t, dir))
	if got := own(); got != shipped {
		t.Errorf("the copy is %q; want redis.conf", got)
	}
	for _, command := range [][]any{{"replicaof", "127.0.0.1", "1"}, {"config", "rewrite"}} {
		must.OK(t, c.Do(t.Context(), command...).Err())
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
	if !wait.For(20*time.Second, func() bool { return c.Ping(t.Context()).Err() == nil }) {
		t.Fatalf("no Redis at %s", address)
	}
	return c
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
	must.OK(t, os.Mkdir(dir, 0o700))
	return dir
}

// restored restores the newest of some backups, and returns the directory.
func restored(t *testing.T, backups string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "restored")
	commandReading(t, "", ownServer(t), "restore", backups, "--data", to)
	return to
}

// A backup of a data directory, made while a server runs on it and when none does, and a cold copy can be restored.
func TestBackupsOfTheDataDirectory(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	dir, live, stopped := closed(t), closed(t), closed(t)
	s := start(t, ownServer(t), "--addr", "127.0.0.1:0", "--data", dir, "--demo", "--quiet")
	for range 3 {
		commandReading(t, "", ownServer(t), "backup", live, "--data", dir, "--keep", "2")
	}
	must.OK(t, s.stop())
	commandReading(t, "", ownServer(t), "backup", stopped, "--data", dir)
	if kept, err := os.ReadDir(live); err != nil || len(kept) != 2 {
		t.Errorf("with --keep 2 there are %d backups, %v", len(kept), err)
	}
	if exists(filepath.Join(dir, "dump.rdb")) {
		t.Error("the backup leaves a snapshot in the data directory")
	}
	cold := closed(t)
	must.OK(t, os.CopyFS(filepath.Join(cold, "copy"), os.DirFS(dir)))
	cold = filepath.Join(cold, "copy")
	must.OK(t, os.Chmod(cold, 0o700))
	for how, copied := range map[string]string{
		"cold copy": cold, "backup of a running site": restored(t, live), "backup of a stopped site": restored(t, stopped),
	} {
		wantSoundCopy(t, how, "--data", copied)
		wantDemo(t, how, "--data", copied)
		wantSoundCopy(t, how+", after a server ran", "--data", copied)
	}
	wantRefusal(t, "is not empty", "restore", live, "--data", dir)
	wantRefusal(t, "no such file or directory", "check", "--data", dir+"-of-nothing")
	wantRefusal(t, "leave out --data", "restore", live, "--verify", "--data", dir)
}

// wantRefusal reports a command that does not fail with a text.
func wantRefusal(t *testing.T, want string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), append([]string{"agora"}, args...), environment(nil), strings.NewReader(""), &out, &out)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("agora %s = %v; want %q", strings.Join(args, " "), err, want)
	}
}

// One's own Redis, which needs a password and sends a snapshot in either of its ways, can be copied and put into
// another; a replica of it can be checked and become the master. What cannot be copied is refused.
func TestBackupsOfOwnRedis(t *testing.T) {
	testlevel.WithoutRace(t)
	t.Parallel()
	master := ownRedis(t, t.TempDir(), "--repl-diskless-sync-delay", "0")
	original := redisAt(t, "tcp", master)
	s := start(t, ownServer(t), "--addr", "127.0.0.1:0", "--redis-url", "redis://"+master, "--demo", "--quiet")
	host, port, _ := net.SplitHostPort(master)
	replica := ownRedis(t, t.TempDir(), "--replicaof", host+" "+port)
	follower := redisAt(t, "tcp", replica)
	if !wait.For(20*time.Second, func() bool {
		return strings.Contains(follower.Info(t.Context(), "replication").Val(), "master_link_status:up\r\n")
	}) {
		t.Fatal("the replica does not follow")
	}
	wantSoundCopy(t, "replica", "--redis-url", "redis://"+replica)
	ownBackups(t, original, master)
	must.OK(t, s.stop())
	if n := original.Wait(t.Context(), 1, 10*time.Second).Val(); n != 1 {
		t.Errorf("%d replicas have everything; want 1", n)
	}
	must.OK(t, follower.ReplicaOf(t.Context(), "NO", "ONE").Err())
	wantDemo(t, "promoted replica", "--redis-url", "redis://"+replica)
}

// ownBackups makes backups of a Redis, and restores one.
func ownBackups(t *testing.T, c *redis.Client, address string) {
	t.Helper()
	// Redis sets a user up as docs/operating.md says.
	for _, rule := range []string{">secret ~* &* +@all -@dangerous +info +config|get +sync +replconf", "-sync"} {
		args := []any{"acl", "setuser", "agora", "on"}
		for word := range strings.FieldsSeq(rule) {
			args = append(args, word)
		}
		must.OK(t, c.Do(t.Context(), args...).Err())
		backups := closed(t)
		if rule == "-sync" {
			wantRefusal(t, "+sync +replconf allows it", "backup", backups, "--redis-url", "redis://agora:secret@"+address)
			continue
		}
		for _, diskless := range []string{"yes", "no"} {
			must.OK(t, c.ConfigSet(t.Context(), "repl-diskless-sync", diskless).Err())
			commandReading(t, "", nil, "backup", backups, "--redis-url", "redis://agora:secret@"+address)
			wantSoundCopy(t, "backup with repl-diskless-sync "+diskless, "--data", restored(t, backups))
		}
		into := "redis://" + ownRedis(t, t.TempDir())
		redisAt(t, "tcp", strings.TrimPrefix(into, "redis://"))
		commandReading(t, "", ownServer(t), "restore", backups, "--redis-url", into)
		wantSoundCopy(t, "restored Redis", "--redis-url", into)
		wantDemo(t, "restored Redis", "--redis-url", into)
	}
	other := "redis://" + address + "/1"
	commandReading(t, "", nil, "init", "--redis-url", other)
	wantRefusal(t, "use agora export", "backup", closed(t), "--redis-url", other)
}
