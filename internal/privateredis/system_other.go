//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package privateredis

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

const maxSocket = 100

var errSystem = errors.New("a private redis-server needs Linux, macOS or a BSD; use --redis-url here")

func socketPath(dir string) (string, func(), error) {
	return filepath.Join(dir, socketName), func() {}, nil
}

// tryLock fails: without a lock two servers could run on the same data.
func tryLock(*os.File) error { return errSystem }

func alive(int) bool { return true }

func killGroup(int) {}

func attributes() *syscall.SysProcAttr { return nil }
