package fsck

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// list is a sorted set, or a hash, whose entries are targets.
type list struct {
	key  string
	hash bool
	// on is the target of an entry, without its name. first is examined instead, if it is not nil.
	on    target
	first func(*look, entry)
}

// entry is a member of a sorted set with its score, or a field of a hash.
type entry struct {
	list
	name  string
	score float64
}

// sets returns sorted sets whose entries are targets of a kind, by key.
func sets(kind targetKind, keys ...string) []list {
	lists := make([]list, len(keys))
	for i, k := range keys {
		lists[i] = list{key: k, on: target{kind: kind, key: k}}
	}
	return lists
}

// inspectEntries examines the entries of lists. Short lists are read together, long ones piece by piece. Entries that
// are present throughout are not missed, whatever else changes.
func (c *checker) inspectEntries(ctx context.Context, lists []list) error {
	return groups(lists, func(part []list) error {
		r := c.read(ctx)
		sizes := make([]*redis.IntCmd, len(part))
		for i, of := range part {
			if sizes[i] = r.size(of.key); of.hash {
				sizes[i] = r.next().HLen(ctx, of.key)
			}
		}
		if err := r.done(); err != nil {
			return err
		}
		var short []func() []entry
		for i, of := range part {
			switch n := sizes[i].Val(); {
			case n > readSize:
				err := c.eachPiece(ctx, of, func(some []entry) error { return together(ctx, c, some, (*look).entryOf) })
				if err != nil {
					return err
				}
			case n > 0:
				short = append(short, of.queue(r))
			}
		}
		if err := r.done(); err != nil {
			return err
		}
		var all []entry
		for _, entries := range short {
			all = append(all, entries()...)
		}
		return together(ctx, c, all, (*look).entryOf)
	})
}

// entryOf examines an entry of a list.
func (l *look) entryOf(e entry) {
	l.on = e.on
	l.on.text = e.name
	if e.first != nil {
		e.first(l, e)
	} else {
		l.examine(l.on)
	}
}

// queue queues the read of a whole list.
func (l list) queue(r *reading) func() []entry {
	if l.hash {
		names := r.next().HKeys(r.ctx, l.key)
		return func() []entry {
			entries := make([]entry, len(names.Val()))
			for i, name := range names.Val() {
				entries[i] = entry{list: l, name: name}
			}
			return entries
		}
	}
	zs := r.zset(l.key)
	return func() []entry {
		entries := make([]entry, len(zs.Val()))
		for i, z := range zs.Val() {
			entries[i] = entry{l, z.Member.(string), z.Score}
		}
		return entries
	}
}

// eachPiece passes the entries of a list to do, many at a time.
func (c *checker) eachPiece(ctx context.Context, l list, do func([]entry) error) error {
	for cursor := uint64(0); ; {
		scan := c.rdb.Redis.ZScan
		if l.hash {
			scan = c.rdb.Redis.HScan
		}
		answer, next, err := scan(ctx, l.key, cursor, "", readSize).Result()
		if err != nil {
			return err
		}
		piece := make([]entry, 0, len(answer)/2)
		for i := 0; i+1 < len(answer); i += 2 {
			score, _ := strconv.ParseFloat(answer[i+1], 64) // 0 for the value of a field
			piece = append(piece, entry{l, answer[i], score})
		}
		if err := do(piece); err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// ordersOf returns the sorted sets of a container, or of the names of users or tags.
func ordersOf[T interface {
	OrderNames() []string
	Order(name string) string
}](in T) []string {
	var keys []string
	for _, order := range in.OrderNames() {
		keys = append(keys, in.Order(order))
	}
	return keys
}
