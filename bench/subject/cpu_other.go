//go:build !unix

package subject

import (
	"errors"
	"time"
)

// cpuTime is not available here.
func cpuTime() (time.Duration, error) {
	return 0, errors.New("the CPU time of a process cannot be read on this system")
}
