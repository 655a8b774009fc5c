//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package privateredis

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
)

// maxSocket is how many bytes the path of a socket may have.
const maxSocket = len(syscall.RawSockaddrUnix{}.Path) - 1

// socketPath is where this process finds the socket in dir. release must be called
// when it is not needed any more.
func socketPath(dir string) (path string, release func(), err error) {
	path = filepath.Join(dir, socketName)
	if len(path) <= maxSocket {
		return path, func() {}, nil
	}
	return shortPath(dir)
}

// tryLock locks a file, or returns errLocked.
func tryLock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errLocked
	}
	if err != nil {
		return fmt.Errorf("lock %s: %w; the directory must be on a local file system", f.Name(), err)
	}
	return nil
}

// openPlain opens a regular file that is no link, and makes it with mode 0600 if flag
// says so. It neither follows a symbolic link nor waits for a named pipe, and a file that
// has a second name is refused before it is changed.
func openPlain(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag&^os.O_TRUNC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) { // FreeBSD says EMLINK
		return nil, fmt.Errorf("%s is a symbolic link; remove it", path)
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = plain(path, info)
	}
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// plain returns an error unless a file is a regular one with one name.
func plain(path string, info os.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file; remove it", path)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return fmt.Errorf("%s has a second name (a hard link); remove it", path)
	}
	return nil
}

// owner returns who owns a file.
func owner(info os.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// umask is held while the process's mask is another than it was.
var umask sync.Mutex

// startPrivately starts a process that makes files for its own user only. The mask is
// that of the whole process for a moment: another file that is made then is private too.
func startPrivately(cmd *exec.Cmd) error {
	umask.Lock()
	defer umask.Unlock()
	defer syscall.Umask(syscall.Umask(0o077))
	return cmd.Start()
}

// alive reports whether there is such a process.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// killGroup kills a child, if it still runs, and what it has forked.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }
