package check

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// List is a sorted set, or a hash, whose entries are targets.
type List struct {
	Key  string
	Hash bool
	// On is the target of an entry, without its name. First is examined instead, if it is not nil.
	On    Target
	First func(*Look, Entry)
}

// Entry is a member of a sorted set with its score, or a field of a hash.
type Entry struct {
	List
	Name  string
	Score float64
}

// Sets returns sorted sets whose entries are targets of a kind, by key.
func Sets(kind Kind, keys ...string) []List {
	lists := make([]List, len(keys))
	for i, k := range keys {
		lists[i] = List{Key: k, On: Target{Kind: kind, Key: k}}
	}
	return lists
}

// InspectEntries examines the entries of lists. Short lists are read together, long ones piece by piece. Entries that
// are present throughout are not missed, whatever else changes.
func (run *Run) InspectEntries(ctx context.Context, lists []List) error {
	return Groups(lists, func(part []List) error {
		r := run.Read(ctx)
		sizes := make([]*redis.IntCmd, len(part))
		for i, of := range part {
			if sizes[i] = r.Size(of.Key); of.Hash {
				sizes[i] = r.Next().HLen(ctx, of.Key)
			}
		}
		if err := r.Done(); err != nil {
			return err
		}
		var short []func() []Entry
		for i, of := range part {
			switch n := sizes[i].Val(); {
			case n > readSize:
				err := run.eachPiece(ctx, of,
					func(some []Entry) error { return Together(ctx, run, some, (*Look).EntryOf) })
				if err != nil {
					return err
				}
			case n > 0:
				short = append(short, of.queue(r))
			}
		}
		if err := r.Done(); err != nil {
			return err
		}
		var all []Entry
		for _, entries := range short {
			all = append(all, entries()...)
		}
		return Together(ctx, run, all, (*Look).EntryOf)
	})
}

// EntryOf examines an entry of a list.
func (l *Look) EntryOf(e Entry) {
	l.On = e.On
	l.On.Text = e.Name
	first := e.First
	if first == nil {
		first = l.entries[e.On.Kind]
	}
	if first != nil {
		first(l, e)
	} else {
		l.Examine(l.On)
	}
}

// queue queues the read of a whole list.
func (of List) queue(r *Reading) func() []Entry {
	if of.Hash {
		names := r.Next().HKeys(r.Ctx, of.Key)
		return func() []Entry {
			entries := make([]Entry, len(names.Val()))
			for i, name := range names.Val() {
				entries[i] = Entry{List: of, Name: name}
			}
			return entries
		}
	}
	zs := r.ZSet(of.Key)
	return func() []Entry {
		entries := make([]Entry, len(zs.Val()))
		for i, z := range zs.Val() {
			entries[i] = Entry{of, z.Member.(string), z.Score}
		}
		return entries
	}
}

// eachPiece passes the entries of a list to do, many at a time.
func (run *Run) eachPiece(ctx context.Context, of List, do func([]Entry) error) error {
	for cursor := uint64(0); ; {
		scan := run.Engine.Client.Redis.ZScan
		if of.Hash {
			scan = run.Engine.Client.Redis.HScan
		}
		answer, next, err := scan(ctx, of.Key, cursor, "", readSize).Result()
		if err != nil {
			return err
		}
		piece := make([]Entry, 0, len(answer)/2)
		for i := 0; i+1 < len(answer); i += 2 {
			score, _ := strconv.ParseFloat(answer[i+1], 64) // 0 for the value of a field
			piece = append(piece, Entry{of, answer[i], score})
		}
		if err := do(piece); err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}
