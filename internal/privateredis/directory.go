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

// directory is a data directory that this process has for itself.
type directory struct {
	path string
	lock *os.File
	mark mark
}

// openDirectory takes a directory for this process, and makes it if it is missing.
// What is not ours, or not to be read by p, stays untouched.
func openDirectory(ctx context.Context, path string, p program) (*directory, error) {
	d, err := takeDirectory(ctx, path, p)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		err = fmt.Errorf("%w; name a directory that user %d, who runs this, may write to", err, os.Getuid())
	}
	if err != nil {
		return nil, fmt.Errorf("data directory %s: %w", path, err)
	}
	return d, nil
}

func takeDirectory(ctx context.Context, path string, p program) (*directory, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, err
	}
	m, err := inspect(path, p)
	if err != nil {
		return nil, err
	}
	if err := secure(path, m.Format == 0); err != nil {
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

// claim marks a locked directory as ours.
func (d *directory) claim(p program) error {
	var err error
	if d.mark, err = inspect(d.path, p); err != nil { // again: somebody had the lock before
		return err
	}
	if d.mark.Format == 0 {
		d.mark.Format = format
		if err := d.mark.write(d.path); err != nil {
			return err
		}
	}
	return writePID(d.lock) // last: inspect takes an empty lock for the rest of a first start
}

// inspect reads the mark of a directory and reports whether p may run on it. The
// mark of an empty directory is zero.
func inspect(path string, p program) (mark, error) {
	// Before the mark is read: another process may just make its first start here.
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
			"it is not empty (%s) and has no %s, so it is not Agora's; name a new or an empty directory",
			foreign,
			markName,
		)
	}
	return mark{}, nil
}

// foreignFileIn is the first file of a directory that is not left over of a first start, or "".
func foreignFileIn(path string) (string, error) {
	files, err := os.ReadDir(path)
	for _, f := range files {
		if !leftOver(f) {
			return f.Name(), nil
		}
	}
	return "", err
}

// leftOver reports whether a file is what a first start leaves that was killed
// before it had marked the directory.
func leftOver(f fs.DirEntry) bool {
	if f.Name() == markName+newSuffix {
		return true
	}
	info, err := f.Info()
	return err == nil && f.Name() == lockName && info.Mode().IsRegular() && info.Size() == 0
}

// tidy removes what a server that was killed leaves: its socket, and files of a
// rewrite that was under way. Nobody else would, and they can be large.
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

// writtenBy notes in the mark which server has written the data from now on.
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

// close gives the directory up. The lock file stays: if it were removed, two
// processes could hold locks on two files of that name.
func (d *directory) close() {
	d.lock.Truncate(0)
	d.lock.Close()
}
