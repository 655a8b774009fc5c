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

const (
	// freeGrowth is how many bytes the heap may grow between two collections without collecting more often than Go does by
	// default, which is when it has doubled.
	freeGrowth = 96 << 20
	// leastPercent is the least growth of the heap between two collections, in percent of what lives: so the collector's
	// goal is always above that.
	leastPercent = 50
	// keptMemory is how many bytes are not returned to the system after a burst, and quietTime how many seconds without a
	// collection are its end.
	keptMemory = 192 << 20
	quietTime  = 10
)

// tuneMemory keeps the process below the memory limit of its control group, if it has one, lets a large heap grow less
// between two collections than Go does by default, and returns memory to the system after a burst, until ctx is done. The
// environment variables GOMEMLIMIT and GOGC take precedence.
func tuneMemory(ctx context.Context, log *slog.Logger) {
	if os.Getenv("GOMEMLIMIT") != "" || os.Getenv("GOGC") != "" {
		return
	}
	if most, ok := memoryLimit(os.DirFS("/")); ok {
		log.Info("memory is limited by the control group", "GOMEMLIMIT", most)
		debug.SetMemoryLimit(most)
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	percent, b := 100, burst{}
	for {
		m := readMemory()
		if p := gcPercent(m.live); p != percent {
			percent = p
			debug.SetGCPercent(p)
		}
		if b.isOver(m) {
			debug.FreeOSMemory()
			b.returned(readMemory())
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// memory is what the process uses: the bytes that the last collection found alive, all that were not returned to the
// system, stacks included, and the number of collections.
type memory struct{ live, resident, collections uint64 }

func readMemory() memory {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	return memory{s[0].Value.Uint64(), s[1].Value.Uint64() - s[2].Value.Uint64(), s[3].Value.Uint64()}
}

// gcPercent returns by how many percent the heap may grow until the next collection.
func gcPercent(live uint64) int {
	return int(min(max(freeGrowth*100/max(live, 1), leastPercent), 100))
}

// burst tells when much memory was in use and is no more.
type burst struct {
	last  uint64 // collections at the last look
	quiet int    // looks without a collection
	done  uint64 // collections when memory was returned last
}

// isOver reports whether memory should be returned to the system, given what is used. It is called once a second. It
// reports so once after the last collection.
func (b *burst) isOver(m memory) bool {
	if b.quiet++; m.collections != b.last {
		b.last, b.quiet = m.collections, 0
	}
	return b.quiet >= quietTime && m.resident > keptMemory && m.collections != b.done
}

// returned records that memory was returned, which is a collection, too.
func (b *burst) returned(m memory) { b.last, b.done = m.collections, m.collections }

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
