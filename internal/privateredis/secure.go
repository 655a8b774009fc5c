package privateredis

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// others are the permissions of other users.
const others fs.FileMode = 0o077

// secure ensures that a directory and all files in it belong to this user and are not accessible to
// others. It closes a fresh one; it refuses one that holds data and is open, because others may
// have changed them.
func secure(path string, fresh bool) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	user := os.Getuid()
	if o := owner(info); o != user {
		return fmt.Errorf(
			"it belongs to user %d, but this program runs as user %d; run it as user %d, or use a new directory in it, such as %s",
			o,
			user,
			o,
			filepath.Join(path, "agora"),
		)
	}
	switch mode := info.Mode().Perm(); {
	case mode&others == 0:
	case fresh:
		if err := os.Chmod(path, 0o700); err != nil {
			return err
		}
	default:
		return fmt.Errorf(
			"other users can read or write it (its mode is %04o); check that no file in it is theirs, and close it "+
				"with: chmod 700 '%s'",
			mode,
			path,
		)
	}
	for _, dir := range []string{path, filepath.Join(path, aofDir)} {
		if err := secureFiles(dir, user); err != nil {
			return err
		}
	}
	return nil
}

// secureFiles refuses files of other users, and closes this user's files, which earlier versions
// made readable by all.
func secureFiles(dir string, user int) error {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		info, err := f.Info() // of the link itself
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by a running server
		}
		if err != nil {
			return err
		}
		path := filepath.Join(dir, f.Name())
		if o := owner(info); o != user {
			return fmt.Errorf(
				"%s belongs to user %d, but this program runs as user %d; remove it, or run: chown %d '%s'",
				path,
				o,
				user,
				user,
				path,
			)
		}
		closable := info.Mode().IsRegular() || info.IsDir()
		if mode := info.Mode().Perm(); closable && mode&others != 0 {
			if err := os.Chmod(path, mode&^others); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
