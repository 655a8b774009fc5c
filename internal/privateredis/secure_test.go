//go:build linux

package privateredis

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agora/internal/test/must"
	"agora/internal/test/wait"
)

// A directory with data that is open to others is refused, and so are files of others.
func TestOpenDirectoryIsRefused(t *testing.T) {
	script(t, versionReply("Redis server v=7.0.15"), "exit 1")
	for _, mode := range []fs.FileMode{0o755, 0o750, 0o707, 0o711, 0o770} {
		dir := t.TempDir()
		write(t, dir, markName, `{"format":1}`)
		must.OK(t, os.Chmod(dir, mode))
		wantWords(t, refused(t, dir), dir, "chmod 700 '"+dir+"'")
		if got := names(t, dir); got != markName {
			t.Errorf("a directory of mode %o has %s after a refusal; want only %s", mode, got, markName)
		}
	}
}

// Only root can create files of others.
func TestFilesOfOtherUsersAreRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("needs root")
		return
	}
	script(t, versionReply("Redis server v=7.0.15"), "exit 1")
	const other = 12345
	dir := filepath.Join(t.TempDir(), "theirs")
	must.OK(t, os.Mkdir(dir, 0o700))
	must.OK(t, os.Chown(dir, other, other))
	wantWords(t, refused(t, dir), "belongs to user 12345", dir+"/agora")

	dir = t.TempDir()
	write(t, dir, markName, `{"format":1}`)
	write(t, dir, logName, "")
	must.OK(t, os.Chown(filepath.Join(dir, logName), other, other))
	wantWords(t, refused(t, dir), logName+" belongs to user 12345", "chown 0 ")
}

// Nothing is written through a planted link.
func TestPlantedLinksAreRefused(t *testing.T) {
	script(t, versionReply("Redis server v=7.0.15"), "exit 1")
	links := map[string]func(old, new string) error{"symbolic": os.Symlink, "hard": os.Link}
	for kind, link := range links {
		for _, name := range []string{lockName, logName, markName + newSuffix} {
			dir, target := t.TempDir(), filepath.Join(t.TempDir(), "target")
			must.OK(t, os.WriteFile(target, []byte("precious"), 0o600))
			if name != markName+newSuffix { // only opened in a fresh directory
				write(t, dir, markName, `{"format":1}`)
			}
			must.OK(t, link(target, filepath.Join(dir, name)))
			wantWords(t, refused(t, dir), name, "link")
			if got, err := os.ReadFile(target); string(got) != "precious" {
				t.Errorf("the target of a %s link named %s = %q, %v; want it unchanged", kind, name, got, err)
			}
		}
	}
}

// All files created are for this user only, also in a directory that was open when it was empty,
// and files that an earlier version left open are closed.
func TestFilesAreAccessibleToTheirOwnerOnly(t *testing.T) {
	needsServer(t)
	t.Parallel() // it waits more than it works
	dir := t.TempDir()
	must.OK(t, os.Chmod(dir, 0o755))
	s, _ := started(t, dir)
	must.OK(t, client(t, s).BgRewriteAOF(t.Context()).Err())
	wait.Until(t, "the file is rewritten", func() bool {
		return strings.Contains(client(t, s).Info(t.Context(), "persistence").Val(), "aof_rewrites:1")
	})
	wantClosed(t, dir)
	s.Stop()
	wantClosed(t, dir)
	opened := filepath.Join(dir, aofDir, aofManifest)
	must.OK(t, os.Chmod(opened, 0o644))
	started(t, dir)
	wantClosed(t, dir)
}

// wantClosed checks that a directory and all files in it are closed to others.
func wantClosed(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // a temporary file of Redis
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && info.Mode().Perm()&others != 0 {
			t.Errorf("%s has mode %v; want it closed to others", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
