package pipeline

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// How long Redis works on a command, roughly: on one that reads an object or a few entries, on a script, and on each
// entry of a list or hash. These are estimates: only their proportions matter.
const (
	commandTime = 8 * time.Microsecond
	scriptTime  = 80 * time.Microsecond
	entryTime   = 300 * time.Nanosecond
)

// mostSeen is how many entries a range by index counts at most: most lists are much shorter than what is asked for.
const mostSeen = 100

type entriesKey struct{}

// Entries says that the batch's commands read about n more entries of lists and hashes than can be seen from them.
func (b *Batch) Entries(n int) { b.entries += n }

// withEntries returns a context for commands that read n entries more.
func withEntries(ctx context.Context, n int) context.Context {
	if n == 0 {
		return ctx
	}
	return context.WithValue(ctx, entriesKey{}, n)
}

// Time returns roughly how long Redis works on commands.
func Time(ctx context.Context, cmds []redis.Cmder) time.Duration {
	n, _ := ctx.Value(entriesKey{}).(int)
	scripts := 0
	for _, cmd := range cmds {
		switch cmd.Name() {
		case "evalsha", "eval":
			scripts++
		case "zrange", "zrevrange":
			n += ranged(cmd.Args())
		}
	}
	return time.Duration(len(cmds))*commandTime + time.Duration(scripts)*scriptTime + time.Duration(n)*entryTime
}

// ranged returns how many entries a ZRANGE or ZREVRANGE by index reads at most; 0 if that cannot be seen.
func ranged(args []any) int {
	if len(args) < 4 {
		return 0
	}
	from, ok1 := args[2].(int64)
	to, ok2 := args[3].(int64)
	if !ok1 || !ok2 || from < 0 || to < from {
		return 0
	}
	return min(int(to-from), mostSeen)
}
