package cli

import (
	"context"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"
)

// memoryShare is how much of the control group's memory limit is Go's, in percent: the rest is for memory that its
// runtime does not count, such as the kernel's buffers. It does not account for the redis-server of --data.
const memoryShare = 90

// smallestMemory is the smallest soft memory limit, in bytes.
const smallestMemory = 192 << 20

// limitMemory keeps Go's soft memory limit slightly above the size to which the collector lets the heap grow anyway,
// until ctx is done, so that freed memory is returned to the system soon after a burst. The limit stays within
// memoryLimit. The environment variable GOMEMLIMIT takes precedence.
func limitMemory(ctx context.Context, log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	most, ok := memoryLimit(os.DirFS("/"))
	if ok {
		log.Info("memory is limited by the control group", "GOMEMLIMIT", most)
	} else {
		most = math.MaxInt64
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for {
		metrics.Read(live)
		debug.SetMemoryLimit(softLimit(int64(live[0].Value.Uint64()), most))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// softLimit returns the soft memory limit for a heap with that many live bytes. With the default GOGC the heap grows
// to twice the live bytes; another tenth is for memory outside the heap.
func softLimit(live, most int64) int64 {
	return min(max(smallestMemory, live*22/10), most)
}

// memoryLimit returns a value for Go's soft memory limit, in bytes: 90 % of the lowest limit of the control groups
// (cgroup v2 or v1) of the process. It is false if none of them has one. root is the file system from "/".
func memoryLimit(root fs.FS) (int64, bool) {
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

// unlimited is the value from which on there is no limit, in bytes: v1 shows the largest number of pages that a
// machine could have.
const unlimited = math.MaxInt64 / 2

func hasController(list, name string) bool {
	for controller := range strings.SplitSeq(list, ",") {
		if controller == name {
			return true
		}
	}
	return false
}

// leastOf returns the lowest limit of a group and its ancestors. In a container the path may be the one outside, of
// which only the root exists.
func leastOf(root fs.FS, mount, group, file string) int64 {
	least := int64(unlimited)
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		if text, err := fs.ReadFile(root, path.Join(mount, dir, file)); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 { // otherwise "max"
				least = min(least, n)
			}
		}
		if dir == "/" {
			return least
		}
	}
}
