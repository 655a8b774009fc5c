//go:build linux

package privateredis

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/wait"
)

// aofPath returns the file that a new data directory's server appends to.
func aofPath(dir string) string { return filepath.Join(dir, aofDir, "appendonly.aof.1.incr.aof") }

// A file that ends inside a transaction must not swallow later acknowledged writes: the next
// restart finds all of them.
func TestTornTransactionLosesNoLaterWrites(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := filepath.Join(t.TempDir(), "data")
	s, _ := started(t, dir)
	c := client(t, s)
	must.OK(t, c.Set(t.Context(), "before", "v", 0).Err())
	script := `for i = 1, 3 do redis.call("SET", "half:" .. i, string.rep("x", 20)) end return 1`
	must.OK(t, c.Eval(t.Context(), script, nil).Err())
	s.Stop()
	whole := must.Do(os.ReadFile(aofPath(dir)))(t)
	multi := bytes.LastIndex(whole, []byte("*1\r\n$5\r\nMULTI\r\n"))
	if multi < 0 {
		t.Fatalf("the file has no transaction: %q", whole)
	}
	const tears = 20
	for n := range tears {
		at := multi + 1 + n*(len(whole)-multi-2)/(tears-1)
		must.OK(t, os.WriteFile(aofPath(dir), whole[:at], 0o600))
		s, l := started(t, dir)
		c, child, key := client(t, s), pid(t, s), fmt.Sprint("acknowledged:", n)
		must.OK(t, c.Set(t.Context(), key, "v", 0).Err())
		must.OK(t, syscall.Kill(child, syscall.SIGKILL))
		wait.Until(t, "another child answers", func() bool { return pid(t, s) != child })
		if got := c.Exists(t.Context(), "before", key).Val(); got != 2 {
			t.Errorf("torn %d bytes into the transaction: %d of 2 acknowledged keys exist; want both", at-multi, got)
		}
		if got := c.Exists(t.Context(), "half:1", "half:2", "half:3").Val(); got != 0 {
			t.Errorf("torn %d bytes into the transaction: %d of its keys exist; want none", at-multi, got)
		}
		if l.Count("ended within a write") != 1 {
			t.Errorf("torn %d bytes into the transaction: want it logged once", at-multi)
		}
		s.Stop()
	}
	kept, err := filepath.Glob(filepath.Join(dir, tornPrefix+"*"))
	if err != nil || len(kept) != maxTorn {
		t.Errorf("%d copies of cut data are kept, %v; want %d", len(kept), err, maxTorn)
	}
}

func TestWholeCommandsAreFound(t *testing.T) {
	set := "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\na\r\nb\r\n"
	multi, exec := "*1\r\n$5\r\nmulti\r\n", "*1\r\n$4\r\nEXEC\r\n"
	big := "*2\r\n$4\r\nECHO\r\n$100000\r\n" + strings.Repeat("\x00", 100_000) + "\r\n"
	zeros := strings.Repeat("\x00", 5000)
	tests := []struct {
		name, text string
		whole      int // bytes to keep; -1 leaves the file to Redis
	}{
		{"empty", "", 0},
		{"commands", set + big + set, len(set + big + set)},
		{"a transaction", set + multi + set + exec, len(set + multi + set + exec)},
		{"time stamps", "#TS:1700000000\r\n" + set + "#TS:17000", len("#TS:1700000000\r\n" + set)},
		{"torn count", set + "*", len(set)},
		{"torn length", set + "*3\r\n$3", len(set)},
		{"torn value", set + "*3\r\n$3\r\nSET\r\n$9\r\nab", len(set)},
		{"torn at the end of a value", set + set[:len(set)-1], len(set)},
		{"an open transaction", set + multi + set, len(set)},
		{"torn in a second transaction", multi + set + exec + multi + set[:9], len(multi + set + exec)},
		{"zeros after a crash of the machine", set + zeros, len(set)},
		{"zeros within a transaction", set + multi + set[:9] + zeros, len(set)},
		{"zeros that fill a value and more", set + "*2\r\n$4\r\nECHO\r\n$100\r\nab" + zeros, len(set)},
		{"text between commands", set + "hello\r\n" + set, -1},
		{"a count that is no number", set + "*x\r\n" + set, -1},
		{"a length that is too large", set + "*1\r\n$99999999999999999999\r\n" + set, -1},
		{"a value longer than it says", set + "*1\r\n$2\r\nPING\r\n", -1},
		{"a base of the old form", "REDIS0011", -1},
	}
	for _, tt := range tests {
		got, err := wholeCommands(strings.NewReader(tt.text))
		if want := int64(tt.whole); tt.whole < 0 && err == nil || tt.whole >= 0 && (err != nil || got != want) {
			t.Errorf("wholeCommands(%s) = %d, %v; want %d", tt.name, got, err, tt.whole)
		}
	}
}

// Any prefix of a file is cut at the end of a command or transaction.
func TestFileIsCutBeforeEveryTear(t *testing.T) {
	set := "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n"
	text := set + "*1\r\n$5\r\nMULTI\r\n" + set + set + "*1\r\n$4\r\nEXEC\r\n" + set
	ends := []int{0, len(set), len(text) - len(set), len(text)}
	for n := range len(text) + 1 {
		want := 0
		for _, end := range ends {
			if end <= n {
				want = end
			}
		}
		if got, err := wholeCommands(strings.NewReader(text[:n])); err != nil || got != int64(want) {
			t.Errorf("wholeCommands of the first %d bytes = %d, %v; want %d", n, got, err, want)
		}
	}
}
