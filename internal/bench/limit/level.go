package limit

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"
)

// level is the commands of one level of an answer: one pipeline. Keys are made
// in one buffer, and arguments stand in one slab, so that a command costs little
// more than its reply.
type level struct {
	ctx   context.Context
	keys  []byte
	ends  []int  // of each key
	slots []*any // where each key is an argument
	names []string
	slab  []any
	cmds  []redis.Cmder
}

var levels = sync.Pool{New: func() any { return &level{slab: make([]any, 0, 4096)} }}

func newLevel(ctx context.Context) *level {
	l := levels.Get().(*level)
	l.ctx = ctx
	return l
}

// next empties the level for the one that follows. What it has read stays.
func (l *level) next() {
	l.keys, l.ends, l.slots, l.slab, l.cmds = l.keys[:0], l.ends[:0], l.slots[:0], l.slab[:0], l.cmds[:0]
}

// free gives the level back.
func (l *level) free() {
	l.next()
	l.ctx = nil
	levels.Put(l)
}

// args makes the arguments of a command on the key that was appended to keys last.
func (l *level) args(name string, rest ...any) []any {
	if cap(l.slab)-len(l.slab) < len(rest)+2 {
		l.slab = make([]any, 0, 4096+len(rest))
	}
	from := len(l.slab)
	l.slab = append(append(l.slab, name, nil), rest...)
	args := l.slab[from:len(l.slab):len(l.slab)]
	l.slots = append(l.slots, &args[1])
	l.ends = append(l.ends, len(l.keys))
	return args
}

// hmget reads fields; those that are not there are "".
func (l *level) hmget(fields []any) *redis.StringSliceCmd {
	// A StringSliceCmd reads the reply without an interface for each value.
	cmd := redis.NewStringSliceCmd(l.ctx, l.args("hmget", fields...)...)
	l.cmds = append(l.cmds, cmd)
	return cmd
}

func (l *level) strings(name string, rest ...any) *redis.StringSliceCmd {
	cmd := redis.NewStringSliceCmd(l.ctx, l.args(name, rest...)...)
	l.cmds = append(l.cmds, cmd)
	return cmd
}

func (l *level) zcard() *redis.IntCmd {
	cmd := redis.NewIntCmd(l.ctx, l.args("zcard")...)
	l.cmds = append(l.cmds, cmd)
	return cmd
}

// send sends the level and waits for its replies.
func (l *level) send(rdb redis.UniversalClient) error {
	if len(l.cmds) == 0 {
		return nil
	}
	if cap(l.names) < len(l.ends) {
		l.names = make([]string, 2*len(l.ends))
	}
	all, from := string(l.keys), 0
	for i, end := range l.ends {
		l.names[:cap(l.names)][i] = all[from:end]
		*l.slots[i] = &l.names[:cap(l.names)][i]
		from = end
	}
	pipe := rdb.Pipeline()
	if err := pipe.BatchProcess(l.ctx, l.cmds...); err != nil {
		return err
	}
	_, err := pipe.Exec(l.ctx)
	return err
}
