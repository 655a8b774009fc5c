package limit

import (
	"context"
	"sync"

	"github.com/redis/go-redis/v9"

	"agora/bench/keys"
)

// tuned is a level in which a command costs little more than its reply: keys are built in one buffer, arguments are
// in one slab as pointers into it, replies are read without an interface for each value, and all of it is reused.
type tuned struct {
	ctx   context.Context
	rdb   redis.UniversalClient
	keys  []byte
	ends  []int  // of each key
	slots []*any // of each key as an argument
	names []string
	slab  []any
	cmds  []redis.Cmder
}

var tunedLevels = sync.Pool{New: func() any { return &tuned{slab: make([]any, 0, 4096)} }}

func newTuned(ctx context.Context, rdb redis.UniversalClient) level {
	l := tunedLevels.Get().(*tuned)
	l.ctx, l.rdb = ctx, rdb
	return l
}

// next empties the level for the next one. What it has read stays valid.
func (l *tuned) next() {
	l.keys, l.ends, l.slots, l.slab, l.cmds = l.keys[:0], l.ends[:0], l.slots[:0], l.slab[:0], l.cmds[:0]
}

func (l *tuned) free() {
	l.next()
	l.ctx, l.rdb = nil, nil
	tunedLevels.Put(l)
}

// args returns the arguments of a command on the last key appended to keys. The name is a constant: converting it to
// an interface does not allocate.
func (l *tuned) args(name any, rest ...any) []any {
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

func (l *tuned) strings(name any, rest ...any) *redis.StringSliceCmd {
	cmd := redis.NewStringSliceCmd(l.ctx, l.args(name, rest...)...)
	l.cmds = append(l.cmds, cmd)
	return cmd
}

func (l *tuned) zcard() *redis.IntCmd {
	cmd := redis.NewIntCmd(l.ctx, l.args("zcard")...)
	l.cmds = append(l.cmds, cmd)
	return cmd
}

func (l *tuned) hash(of key, id int64, names fields) hash {
	l.keys = of(l.keys, id)
	return hash{tuned: l.strings("hmget", names.any...)}
}

func (l *tuned) count(of key, id int64) *redis.IntCmd {
	l.keys = of(l.keys, id)
	return l.zcard()
}

func (l *tuned) first(of key, id int64, n int) *redis.StringSliceCmd {
	l.keys = of(l.keys, id)
	return l.strings("zrange", 0, n-1)
}

func (l *tuned) after(of key, id int64, score string, n int) *redis.StringSliceCmd {
	l.keys = of(l.keys, id)
	return l.strings("zrange", "("+score, "+inf", "byscore", "limit", 0, n)
}

func (l *tuned) front(n int) (*redis.IntCmd, *redis.StringSliceCmd) {
	l.keys = append(l.keys, keys.Front...)
	total := l.zcard()
	l.keys = append(l.keys, keys.Front...)
	return total, l.strings("zrevrange", 0, n-1)
}

func (l *tuned) send() error {
	if len(l.cmds) == 0 {
		return nil
	}
	defer l.next()
	if cap(l.names) < len(l.ends) {
		l.names = make([]string, 2*len(l.ends))
	}
	all, from := string(l.keys), 0
	for i, end := range l.ends {
		l.names[:cap(l.names)][i] = all[from:end]
		*l.slots[i] = &l.names[:cap(l.names)][i]
		from = end
	}
	pipe := l.rdb.Pipeline()
	if err := pipe.BatchProcess(l.ctx, l.cmds...); err != nil {
		return err
	}
	_, err := pipe.Exec(l.ctx)
	return err
}
