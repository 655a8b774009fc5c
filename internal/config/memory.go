package config

import (
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// memoryShare is how much of the control group's memory limit is Go's, in percent:
// the rest is for what its runtime does not count, such as the kernel's buffers.
// The redis-server of --data is not thought of.
const memoryShare = 90

// LimitMemory sets Go's soft memory limit to MemoryLimit, unless the environment
// variable GOMEMLIMIT sets one.
func LimitMemory(log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	if limit, ok := MemoryLimit(os.DirFS("/")); ok {
		debug.SetMemoryLimit(limit)
		log.Info("memory is limited by the control group", "GOMEMLIMIT", limit)
	}
}

// MemoryLimit is what Go's soft memory limit should be, in bytes: 90 % of the
// least limit of the control groups (cgroup v2 or v1) that the process is in. It
// is false if none of them has one. root is the file system from "/".
func MemoryLimit(root fs.FS) (int64, bool) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false // not Linux
	}
	least := int64(math.MaxInt64)
	for line := range strings.Lines(string(groups)) {
		// Source: cgroups(7). hierarchy:controllers:path; v2 is hierarchy 0 and names no controllers.
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) < 3 {
			continue
		}
		switch {
		case fields[0] == "0" && fields[1] == "":
			least = min(least, leastOf(root, "sys/fs/cgroup", fields[2], "memory.max"))
		case hasController(fields[1], "memory"):
			least = min(least, leastOf(root, "sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"))
		}
	}
	if least >= unlimited {
		return 0, false
	}
	return least / 100 * memoryShare, true
}

// unlimited is what counts as no limit, in bytes: v1 shows the largest number of
// pages that a machine could have.
const unlimited = math.MaxInt64 / 2

func hasController(list, name string) bool {
	for controller := range strings.SplitSeq(list, ",") {
		if controller == name {
			return true
		}
	}
	return false
}

// leastOf is the least limit of a group and of those around it. In a container
// the path may be the one outside, of which only the root is there.
func leastOf(root fs.FS, mount, group, file string) int64 {
	least := int64(unlimited)
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		if text, err := fs.ReadFile(root, path.Join(mount, dir, file)); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 { // else "max"
				least = min(least, n)
			}
		}
		if dir == "/" {
			return least
		}
	}
}
