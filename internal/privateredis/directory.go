package privateredis

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// directory is a data directory that this process has locked.
type directory struct {
	path string
	lock *os.File
	mark mark
}

// openDirectory locks a directory, and creates it if it is missing. A directory that is not
// Agora's, or whose data p cannot read, is left unchanged.
func openDirectory(ctx context.Context, path string, p program) (*directory, error) {
	d, err := lockDirectory(ctx, path, p)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%w; use a directory that user %d, who runs this program, can write to", err, os.Getuid())
	}
	if err != nil {
		return nil, fmt.Errorf("data directory %s: %w", path, err)
	}
	return d, nil
}

func lockDirectory(ctx context.Context, path string, p program) (*directory, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	m, err := inspect(path, p)
	if err != nil {
		return nil, err
	}
	dump, err := hasDump(path)
	if err != nil {
		return nil, err
	}
	if err := secure(path, m.Format == 0 && !dump); err != nil {
		return nil, err
	}
	lock, err := acquire(ctx, path)
	if err != nil {
		return nil, err
	}
	d := &directory{path: path, lock: lock}
	if err := d.claim(p); err != nil {
		d.lock.Close()
		return nil, err
	}
	return d, nil
}

// claim marks a locked directory as Agora's.
func (d *directory) claim(p program) error {
	var err error
	if d.mark, err = inspect(d.path, p); err != nil { // again: another process may have had the lock before
		return err
	}
	if d.mark.Format == 0 {
		d.mark.Format = format
		if err := d.mark.write(d.path); err != nil {
			return err
		}
	}
	return writePID(d.lock) // last: inspect treats an empty lock file as left over from a first start
}

// inspect reads the mark of a directory and checks that p may run on it. The mark of a directory
// that is empty, or has only a snapshot, is zero.
func inspect(path string, p program) (mark, error) {
	// List the files before reading the mark, because another process may be starting for the first
	// time here.
	foreign, unreadable := foreignFileIn(path)
	m, err := readMark(path)
	switch {
	case err == nil:
		return m, m.readableBy(p)
	case !errors.Is(err, fs.ErrNotExist):
		return mark{}, err
	case unreadable != nil:
		return mark{}, unreadable
	case foreign != "":
		return mark{}, fmt.Errorf(
			"it is not empty (%s) and has no %s, so it is not Agora's; use a new directory, or one with only a dump.rdb",
			foreign,
			markName,
		)
	}
	return mark{}, nil
}

// foreignFileIn returns the first file of a directory that is neither a snapshot nor left over from
// a first start, or "".
func foreignFileIn(path string) (string, error) {
	files, err := os.ReadDir(path)
	for _, f := range files {
		if !leftOver(f) && f.Name() != dumpName {
			return f.Name(), nil
		}
	}
	return "", err
}

// leftOver reports whether a file may be left over from a first start that was killed before it
// marked the directory.
func leftOver(f fs.DirEntry) bool {
	if f.Name() == markName+newSuffix {
		return true
	}
	info, err := f.Info()
	return err == nil && f.Name() == lockName && info.Mode().IsRegular() && info.Size() == 0
}

// tidy removes what a killed server leaves: its socket, and files of an unfinished rewrite, which
// can be large.
func (d *directory) tidy() error {
	stale := []string{socketName}
	for _, pattern := range []string{"temp-*.aof", "temp-*.rdb"} {
		found, err := fs.Glob(os.DirFS(d.path), pattern)
		if err != nil {
			return err
		}
		stale = append(stale, found...)
	}
	for _, name := range stale {
		if err := os.Remove(filepath.Join(d.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// writtenBy records in the mark which server writes the data from now on.
func (d *directory) writtenBy(p program) error {
	m := mark{Format: format, Server: p.kind, Version: p.version.String()}
	if m == d.mark {
		return nil
	}
	if err := m.write(d.path); err != nil {
		return err
	}
	d.mark = m
	return nil
}

// close unlocks the directory. The lock file remains: if it were removed, two processes could lock
// two files of that name.
func (d *directory) close() {
	d.lock.Truncate(0)
	d.lock.Close()
}
