//go:build linux

package privateredis

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/must"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// snapshot makes another redis-server save a snapshot with some keys, and returns the file.
func snapshot(t *testing.T, keys int) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "dump") // a short path, for the socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(testlevel.RedisProgram(t), "--port", "0", "--unixsocket", socket, "--dir", dir, "--save", "")
	must.OK(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	wait.Until(t, "the other server answers", func() bool {
		_, err := ping(t.Context(), socket)
		return err == nil
	})
	c := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	defer c.Close()
	for n := range keys {
		must.OK(t, c.Set(t.Context(), fmt.Sprint("key", n), "v", 0).Err())
	}
	must.OK(t, c.Save(t.Context()).Err())
	return filepath.Join(dir, dumpName)
}

// place puts a snapshot into a directory that is closed to others.
func place(t *testing.T, dump, dir string) {
	t.Helper()
	text := must.Do(os.ReadFile(dump))(t)
	write(t, dir, dumpName, string(text))
}

// A directory with only a snapshot has its data from the first start on, and keeps what is written later.
func TestSnapshotIsRead(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	const keys = 1000
	dir := t.TempDir()
	place(t, snapshot(t, keys), dir)
	// What a first start leaves that was killed while it wrote the append-only file.
	must.OK(t, os.Mkdir(filepath.Join(dir, aofDir), 0o700))
	write(t, dir, markName, `{"format":1}`)
	write(t, filepath.Join(dir, aofDir), "temp-appendonly.aof.incr", "*1\r\n$8\r\nFLUSHALL\r\n")

	s, l := started(t, dir)
	c := client(t, s)
	for round := range 3 {
		if n := c.DBSize(t.Context()).Val(); n != int64(keys+round) {
			t.Errorf("DBSIZE before write %d = %d; want %d", round, n, keys+round)
		}
		if err := c.Set(t.Context(), fmt.Sprint("new", round), "v", 0).Err(); err != nil {
			t.Error(err)
		}
		if round == 0 { // the data are in the append-only file
			before := pid(t, s)
			must.OK(t, syscall.Kill(before, syscall.SIGKILL))
			wait.Until(t, "another server answers", func() bool { return pid(t, s) != before })
		}
	}
	if n := l.Count("a snapshot was read"); n != 1 {
		t.Errorf("the log says %d times that a snapshot was read; want once", n)
	}
	s.Stop()
	wantWords(t, names(t, dir), loadedName)
	again, l := started(t, dir)
	if n := client(t, again).DBSize(t.Context()).Val(); n != keys+3 || l.Count("snapshot") != 0 {
		t.Errorf("DBSIZE after the next start = %d, log: %s; want %d", n, l, keys+3)
	}
}

// A snapshot does not replace data, and the log says so.
func TestSnapshotBesideDataIsNotRead(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	s, _ := started(t, dir)
	must.OK(t, client(t, s).Set(t.Context(), "mine", "v", 0).Err())
	s.Stop()
	place(t, snapshot(t, 5), dir)
	s, l := started(t, dir)
	if n := client(t, s).DBSize(t.Context()).Val(); n != 1 || l.Count("a snapshot is not read") != 1 {
		t.Errorf("DBSIZE = %d, log: %s; want the data, and a warning", n, l)
	}
}

// A snapshot that cannot be read is refused with Redis's reason, and stays; so is one that others may have changed.
func TestDamagedSnapshotIsRefused(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	write(t, dir, dumpName, "REDIS9999")
	wantWords(t, refused(t, dir), dir, "Can't handle RDB format version 9999")
	wantWords(t, names(t, dir), dumpName)
	open := t.TempDir()
	place(t, snapshot(t, 1), open)
	must.OK(t, os.Chmod(open, 0o755))
	wantWords(t, refused(t, open), "chmod 700 '"+open+"'")
}
