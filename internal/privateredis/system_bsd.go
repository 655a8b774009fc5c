//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package privateredis

import (
	"os"
	"path/filepath"
	"syscall"
)

// attributes put the child into a process group of its own. Nothing ends it when
// this process is killed.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// shortPath reaches the socket through a symbolic link.
func shortPath(dir string) (string, func(), error) {
	short, err := os.MkdirTemp("", "agora")
	if err != nil {
		return "", nil, err
	}
	link := filepath.Join(short, "d")
	if err := os.Symlink(dir, link); err != nil {
		os.RemoveAll(short)
		return "", nil, err
	}
	return filepath.Join(link, socketName), func() { os.RemoveAll(short) }, nil
}
