package backup

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"agora/internal/test/must"
)

// at is the time of the first backup of a test.
var at = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// write writes a backup of a text, n seconds after the first.
func write(t *testing.T, dir, text string, n int) Backup {
	t.Helper()
	return must.Do(Write(dir, Manifest{Time: at.Add(time.Duration(n) * time.Second)}, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}))(t)
}

// names returns the names in a directory.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries := must.Do(os.ReadDir(dir))(t)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}

func TestNewestBackupIsRestored(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backups")
	first := write(t, dir, "old", 0)
	write(t, dir, "new", 1)
	for path, want := range map[string]string{dir: "new", first.Path: "old"} {
		b := must.Do(Find(path))(t)
		to := filepath.Join(t.TempDir(), "data")
		if err := b.Restore(to); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(filepath.Join(to, "dump.rdb")); string(got) != want {
			t.Errorf("%s restores %q, %v; want %q", path, got, err, want)
		}
		if err := b.Restore(to); err == nil || !strings.Contains(err.Error(), "is not empty") {
			t.Errorf("the second Restore to %s = %v; want that it is not empty", to, err)
		}
	}
	if _, err := Find(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no complete backup") {
		t.Errorf("Find in an empty directory = %v", err)
	}
}

// A backup that fails, as on a full disk, leaves nothing, and one that was killed leaves what the next one removes.
func TestInterruptedBackupIsNone(t *testing.T) {
	dir := t.TempDir()
	_, err := Write(dir, Manifest{Time: at}, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return syscall.ENOSPC
	})
	if !errors.Is(err, syscall.ENOSPC) || names(t, dir) != "" {
		t.Errorf("Write on a full disk = %v, and leaves %q; want nothing", err, names(t, dir))
	}
	for _, left := range []string{newName, oldName} {
		must.OK(t, os.CopyFS(filepath.Join(dir, left), os.DirFS(write(t, t.TempDir(), "half", 0).Path)))
	}
	if b, err := Find(dir); err == nil {
		t.Errorf("Find = %s; want no backup", b.Path)
	}
	b := write(t, dir, "whole", 0)
	if got := names(t, dir); got != filepath.Base(b.Path) {
		t.Errorf("after the next backup there are %s; want only that", got)
	}
}

// Two backups do not get in each other's way.
func TestBackupsExcludeEachOther(t *testing.T) {
	dir := t.TempDir()
	_, err := Write(dir, Manifest{Time: at}, func(io.Writer) error {
		_, err := Write(dir, Manifest{Time: at.Add(time.Second)}, func(io.Writer) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "another backup") {
			t.Errorf("the second Write = %v; want that another backup is being written", err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestOldBackupsAreDeleted(t *testing.T) {
	dir := t.TempDir()
	for n := range 4 {
		write(t, dir, "x", n)
	}
	const foreign = "agora-mine"
	must.OK(t, os.Mkdir(filepath.Join(dir, foreign), 0o700))
	deleted, err := Keep(dir, 2)
	if err != nil || len(deleted) != 2 {
		t.Errorf("Keep(2) = %v, %v; want two backups deleted", deleted, err)
	}
	if got, want := names(t, dir), "agora-20260102T030407.000Z agora-20260102T030408.000Z "+foreign; got != want {
		t.Errorf("Keep leaves %s; want %s", got, want)
	}
}

// Damaged backups are refused, and leave nothing that a server would read.
func TestDamagedBackupIsRefused(t *testing.T) {
	for name, damage := range map[string]struct{ file, text string }{
		"other data":       {dumpName, "other"},
		"a cut manifest":   {manifestName, `{"format":1`},
		"a later manifest": {manifestName, `{"format":2}`},
	} {
		dir, to := t.TempDir(), filepath.Join(t.TempDir(), "data")
		b := write(t, dir, "data", 0)
		must.OK(t, os.WriteFile(filepath.Join(b.Path, damage.file), []byte(damage.text), 0o600))
		found, err := Find(dir)
		if err == nil {
			err = found.Restore(to)
			if left := names(t, to); left != "" {
				t.Errorf("%s: Restore leaves %s; want nothing", name, left)
			}
		}
		if err == nil {
			t.Errorf("%s is restored", name)
		}
	}
}
