package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// A new consumer walks over the objects of a slot by the numbers of their ids. What is changed meanwhile waits in the
// feed, so what is created meanwhile need not be met.

const (
	// walkNumbers is how many numbers a walk reads at once.
	walkNumbers = 100
	// walkMost is how many it passes at once where there are none, as among ids that are reserved.
	walkMost = 1024
)

// sequencesIn returns the keys of the last numbers that were given to objects of a slot.
func sequencesIn(slot string) []string {
	switch slot {
	case "{cat}:":
		return []string{key.CategorySequence, key.TabSequence, key.SectionActSequence}
	case "{mod}:":
		return []string{key.SiteActSequence}
	}
	return []string{slot + "seq"}
}

// namesIn returns the names that objects of a slot with a number may have, in the order in which they come to be.
func namesIn(slot int, number int64) []string {
	id, act := number, number+forum.MaxID
	switch {
	case slot < forum.Partitions:
		id = number*forum.Partitions + int64(slot)
		act = id
	case key.FeedSlots[slot] == "{mod}:":
		act = number + forum.MaxSectionActID
	}
	names := []string{"u:", "t:", "c:", "r:u", "r:t", "r:c"}
	for i := range names {
		names[i] += key.Itoa(id)
	}
	return append(names, "m:"+key.Itoa(act))
}

// objectsFrom returns what the consumer follows of a slot with so many numbers from one on, and the keys by which they
// exist.
func (t *turn) objectsFrom(number, numbers int64) (entries []entry, keys []string) {
	slot := slices.Index(key.FeedSlots, t.slot)
	for n := number; n < number+numbers; n++ {
		for _, object := range namesIn(slot, n) {
			if c, ok := parseChange(t.slot, object, "", 0); ok && follows(t.name, object, c) {
				entries, keys = append(entries, entry{c, object, n}), append(keys, objectKey(t.slot, c, object))
			}
		}
	}
	return entries, keys
}

// readWalk reads the next objects of the walk. to is the number from which it goes on; 0 if it is done. After numbers
// without objects it asks for more at once.
func (t *turn) readWalk(ctx context.Context) (found []entry, to int64, more bool, err error) {
	numbers := max(t.numbers, walkNumbers)
	entries, keys := t.objectsFrom(t.walk, numbers)
	b := t.s.Client.Batch()
	var last []*redis.StringCmd
	for _, k := range sequencesIn(t.slot) {
		last = append(last, b.Get(ctx, k))
	}
	any := b.Exists(ctx, keys...)
	var there []*redis.IntCmd
	if numbers == walkNumbers {
		for _, k := range keys {
			there = append(there, b.Exists(ctx, k))
		}
	}
	if err := b.Exec(ctx); err != nil {
		return nil, 0, false, fmt.Errorf("read objects: %w", err)
	}
	for _, cmd := range last {
		if t.walk+numbers <= record.Atoi(cmd.Val()) {
			to = t.walk + numbers
		}
	}
	switch {
	case any.Val() == 0:
		t.numbers = min(2*numbers, walkMost)
		return nil, to, true, nil
	case numbers > walkNumbers: // each is asked for next
		t.numbers = walkNumbers
		return nil, t.walk, true, nil
	}
	for i, e := range entries {
		if there[i].Val() > 0 {
			found = append(found, e)
		}
	}
	return found, to, true, nil
}
