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

// maxSocket is the maximum length of a socket's path, in bytes.
const maxSocket = len(syscall.RawSockaddrUnix{}.Path) - 1

// socketPath returns the path at which this process reaches the socket in dir. release must be
// called when it is no longer needed.
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

// openPlain opens a regular file, and creates it with mode 0600 if flag has O_CREATE. It neither
// follows a symbolic link nor waits for a named pipe, and refuses a file with a second hard link
// before changing it.
func openPlain(path string, flag int) (*os.File, error) {
	f, err := os.OpenFile(path, flag&^os.O_TRUNC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o600)
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EMLINK) { // FreeBSD returns EMLINK
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

// plain returns an error unless a file is a regular one with one link.
func plain(path string, info os.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file; remove it", path)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return fmt.Errorf("%s has a second hard link; remove it", path)
	}
	return nil
}

// owner returns the owner of a file.
func owner(info os.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// umask is held while the process's mask is changed.
var umask sync.Mutex

// startPrivately starts a process that creates files for its own user only. The mask of this whole
// process is changed for a moment: other files created then are private too.
func startPrivately(cmd *exec.Cmd) error {
	umask.Lock()
	defer umask.Unlock()
	defer syscall.Umask(syscall.Umask(0o077))
	return cmd.Start()
}

// alive reports whether the process exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// killGroup kills a child, if it is still running, and its forks.
func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }
