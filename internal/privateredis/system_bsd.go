//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package privateredis

import (
	"os"
	"path/filepath"
	"syscall"
)

// attributes puts the child into its own process group. The child is not ended when this process is
// killed.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// shortPath returns a path through a symbolic link.
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
