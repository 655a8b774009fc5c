//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package privateredis

import (
	"errors"
	"os"
	"os/exec"
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

func openPlain(path string, flag int) (*os.File, error) { return os.OpenFile(path, flag, 0o600) }

func owner(os.FileInfo) int { return os.Getuid() }

func startPrivately(cmd *exec.Cmd) error { return cmd.Start() }

func alive(int) bool { return true }

func killGroup(int) {}

func attributes() *syscall.SysProcAttr { return nil }
