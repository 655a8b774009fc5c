package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

const (
	// consumeMost is the maximum number of changes in a call of a consumer.
	consumeMost = 200
	// turnReads is how often a turn in a slot reads changes, before other slots have theirs.
	turnReads = 10
)

// errTurnLost is the error of a turn whose lease has expired, or whose consumer was removed.
var errTurnLost = errors.New("another process has the slot")

// turn is the work of a consumer in a slot. Its holder has a lease, as with tasks.
type turn struct {
	s          *Engine
	c          *consumer
	slot, name string
	token      string
	position   int64 // all changes up to this one are handled or set aside
	walk       int64 // number from which the walk goes on; 0 if it is done
	numbers    int64 // how many it asks for next; walkNumbers at least
	seq        int64 // number of the last change when the turn began
	aside      map[string]*setAside
	unsaved    map[string]bool // objects in aside, or removed from there, that Redis does not know
	size       int             // of the next call
	lost       bool
}

// entry is a change that was read. at is its number, or the number of the object in a walk.
type entry struct {
	Change
	object string
	at     int64
}

// serveSlots has a turn of a consumer in each of some slots.
func (s *Engine) serveSlots(ctx context.Context, c *consumer, slots []string) {
	for _, slot := range slots {
		err := s.serve(ctx, c, slot)
		if ctx.Err() != nil {
			return
		}
		if unlessLost(err) != nil { // it must not hold up the others; the lease expires
			s.LogFailure(ctx, s.Log, "a consumer of changes cannot go on", "consumer", c.name, "slot", slot, "error", err)
		}
	}
}

// serve has a turn in a slot, if no process holds it.
func (s *Engine) serve(ctx context.Context, c *consumer, slot string) error {
	t, err := s.claimTurn(ctx, c, slot)
	if err != nil || t == nil {
		return err
	}
	if err := t.retry(ctx); err != nil {
		return err
	}
	for range turnReads {
		until, err := t.next(ctx)
		if err != nil {
			return err
		}
		if until > 0 {
			return t.move(ctx, until)
		}
	}
	return t.move(ctx, s.Now())
}

// claimTurn returns a turn in a slot, nil if another process holds it.
func (s *Engine) claimTurn(ctx context.Context, c *consumer, slot string) (*turn, error) {
	t := &turn{s: s, c: c, slot: slot, name: c.in(slot), size: consumeMost, aside: map[string]*setAside{},
		unsaved: map[string]bool{}}
	call := script.ConsumerClaim{Consumers: key.Consumers(slot), Feed: key.Feed(slot), Consumer: t.name, Now: s.Now(),
		Lease: s.Now() + record.TaskLease}
	is, err := call.Result(s.Client.Run(ctx, call).Result())
	if err != nil {
		return nil, fmt.Errorf("claim the changes in %s: %w", slot, err)
	}
	if is.Token == "" {
		return nil, nil
	}
	t.token, t.position, t.walk, t.seq = is.Token, is.Position, is.Walk, is.Seq
	if is.Aside > 0 {
		err = t.readAside(ctx)
	}
	return t, err
}

// move notes how far the turn is, and holds the slot until a time.
func (t *turn) move(ctx context.Context, until forum.Time) error {
	call := script.ConsumerMove{Consumers: key.Consumers(t.slot), Feed: key.Feed(t.slot), Aside: key.Aside(t.slot, t.name),
		Consumer: t.name, Token: t.token, Position: t.position, Walk: t.walk, Retry: t.due(), Lease: until}
	for object := range t.unsaved {
		call.Rows = append(call.Rows, object, t.aside[object].row())
	}
	held, err := t.s.Client.Run(ctx, call).Bool()
	switch {
	case err != nil:
		return fmt.Errorf("note how far a consumer is: %w", err)
	case !held:
		t.lost = true
		return errTurnLost
	}
	clear(t.unsaved)
	return nil
}

// hold notes how far the turn is, and renews the lease.
func (t *turn) hold(ctx context.Context) error { return t.move(ctx, t.s.Now()+record.TaskLease) }

// next reads and handles changes, or objects of the walk. until is 0 if the turn may go on, otherwise the time from which
// the slot may be claimed, which the caller notes with the progress.
func (t *turn) next(ctx context.Context) (until forum.Time, err error) {
	read := t.readFeed
	walking := t.walk > 0
	if walking {
		read = t.readWalk
	}
	entries, to, more, err := read(ctx)
	if err != nil {
		return 0, err
	}
	for entries = t.follow(entries); len(entries) > 0; {
		n := min(t.size, len(entries))
		failure := t.call(ctx, changesOf(entries[:n]))
		switch {
		case t.lost || ctx.Err() != nil:
			return 0, errTurnLost
		case failure == nil:
			t.size, entries = min(2*t.size, consumeMost), entries[n:]
		case n > 1:
			t.size = n / 2
		case len(t.aside) >= asideMost:
			return t.s.Now() + asideFull, nil
		default:
			t.setAside(entries[0], failure)
		}
		if entries = t.follow(entries); len(entries) > 0 {
			t.advance(walking, entries[0].at)
			if err := t.hold(ctx); err != nil {
				return 0, err
			}
		}
	}
	t.advance(walking, to)
	if !more {
		return t.s.Now(), nil
	}
	return 0, t.hold(ctx)
}

// advance notes that everything before a number is handled or set aside.
func (t *turn) advance(walking bool, to int64) {
	if walking {
		t.walk = to
	} else {
		t.position = to - 1
	}
}

func changesOf(entries []entry) []Change {
	changes := make([]Change, len(entries))
	for i, e := range entries {
		changes[i] = e.Change
	}
	return changes
}

// call passes changes to the consumer, and renews the lease meanwhile. If it is lost, the context of the consumer ends.
func (t *turn) call(ctx context.Context, changes []Change) error {
	within, cancel := context.WithCancel(ctx)
	defer cancel()
	defer t.s.keepLease(within, func(ctx context.Context) (bool, error) {
		err := t.hold(ctx)
		if t.lost {
			cancel()
		}
		return !t.lost, unlessLost(err)
	})()
	t.s.Step("consume")
	err := t.c.handle(within, changes)
	if err != nil && within.Err() == nil {
		t.c.failures.Add(1)
	}
	return err
}

func unlessLost(err error) error {
	if errors.Is(err, errTurnLost) {
		return nil
	}
	return err
}

// readFeed reads changes. to is the number that follows the last; if there are no more, the last in the slot.
func (t *turn) readFeed(ctx context.Context) (entries []entry, to int64, more bool, err error) {
	rows, err := t.s.Client.Redis.ZRangeByScoreWithScores(ctx, key.Feed(t.slot), &redis.ZRangeBy{
		Min: "(" + key.Itoa(t.position), Max: "+inf", Count: consumeMost}).Result()
	if err != nil {
		return nil, 0, false, fmt.Errorf("read changes: %w", err)
	}
	last := t.position
	for _, row := range rows {
		last = int64(row.Score)
		object, rest, _ := strings.Cut(row.Member.(string), " ")
		word, _, _ := strings.Cut(rest, " ")
		if c, ok := parseChange(t.slot, object, word, last); ok && follows(t.name, object, c) {
			entries = append(entries, entry{c, object, last})
		}
	}
	if more = len(rows) == consumeMost; !more {
		last = max(last, t.seq) // after a fail-over the last numbers may have no change
	}
	return entries, last + 1, more, nil
}
