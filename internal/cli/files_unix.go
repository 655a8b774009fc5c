//go:build unix

package cli

import "syscall"

// openFiles returns how many files this process may have open.
func openFiles() (uint64, bool) {
	var limit syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit)
	return uint64(limit.Cur), err == nil
}
