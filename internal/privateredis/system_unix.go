//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package privateredis

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// alive tells whether there is such a process.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// killGroup kills a child, if it still runs, and what it has forked.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }
