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

// memoryShare is how much of the control group's memory limit is Go's, in percent:
// the rest is for what its runtime does not count, such as the kernel's buffers.
// The redis-server of --data is not thought of.
const memoryShare = 90

// smallestMemory is the least soft memory limit, in bytes.
const smallestMemory = 192 << 20

// limitMemory keeps Go's soft memory limit a little above what the collector lets the heap
// grow to anyway, until ctx is done, so that freed memory goes back to the system at once
// after a burst. It stays within memoryLimit. The environment variable GOMEMLIMIT decides
// in its place.
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

// softLimit is the soft memory limit for a heap of which so many bytes are live. With the
// default GOGC the heap grows to twice the live bytes; a tenth on top of it is for what is
// not heap.
func softLimit(live, most int64) int64 {
	return min(max(smallestMemory, live*22/10), most)
}

// memoryLimit is what Go's soft memory limit should be, in bytes: 90 % of the
// least limit of the control groups (cgroup v2 or v1) that the process is in. It
// is false if none of them has one. root is the file system from "/".
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
