package privateredis

import (
	"fmt"
	"os"
	"syscall"
)

// attributes put the child into a process group of its own and have the kernel
// kill it when the thread that starts it ends. Should that happen before the child
// has asked the kernel for it, Go's code in the child notices and ends it.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// shortPath reaches the socket through an open descriptor of the directory, which
// leaves nothing behind.
func shortPath(dir string) (string, func(), error) {
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	path := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if _, err := os.Stat(path); err != nil {
		f.Close()
		return "", nil, fmt.Errorf(
			"its path is too long for a socket, and /proc does not help (%w); name a directory with a shorter path",
			err,
		)
	}
	return path + "/" + socketName, func() { f.Close() }, nil
}
