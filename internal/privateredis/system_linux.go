package privateredis

import (
	"fmt"
	"os"
	"syscall"
)

// attributes puts the child into its own process group and makes the kernel kill it when the thread
// that starts it ends. If that happens before the child has requested it, Go's code in the child
// notices and exits.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// shortPath returns a path through an open descriptor of the directory, which leaves nothing
// behind.
func shortPath(dir string) (string, func(), error) {
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, err
	}
	path := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
	if _, err := os.Stat(path); err != nil {
		f.Close()
		return "", nil, fmt.Errorf(
			"its path is too long for a socket, and /proc is not usable (%w); use a directory with a shorter path",
			err,
		)
	}
	return path + "/" + socketName, func() { f.Close() }, nil
}
