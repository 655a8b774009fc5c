package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

const (
	// asideMost is the maximum number of objects that a consumer sets aside in a slot. With one more it waits: it is not a
	// change that is wrong.
	asideMost = 100
	// asideFull is how long it waits then, in ms.
	asideFull = 10_000
	// asideAtOnce is how many of them it tries again in a turn.
	asideAtOnce = 10
)

// setAside is an object whose changes a consumer could not handle.
type setAside struct {
	due      forum.Time // when it is tried again
	attempts int
	since    forum.Time
	changes  []Change
	failure  string
}

// row returns the row of the catalogue; "" for nil.
func (a *setAside) row() string {
	if a == nil {
		return ""
	}
	changes := make([]string, len(a.changes))
	for i, c := range a.changes {
		changes[i] = strings.TrimSuffix(key.Itoa(c.Number)+":"+c.Word+":"+c.Details, ":")
	}
	return catalogue.AsideRow.Format("due", a.due, "attempts", a.attempts, "since", a.since, "changes",
		strings.Join(changes, ","), "failure", a.failure)
}

// parseAside parses what is set aside of an object of a slot.
func parseAside(slot, object, row string) (*setAside, bool) {
	is, ok := catalogue.AsideRow.Parse(row)
	if !ok {
		return nil, false
	}
	a := &setAside{due: forum.Time(is.Int("due")), attempts: int(is.Int("attempts")), since: forum.Time(is.Int("since")),
		failure: is.Text("failure")}
	for text := range strings.SplitSeq(is.Text("changes"), ",") {
		number, word, _ := strings.Cut(text, ":")
		n, err := strconv.ParseInt(number, 10, 64)
		c, known := parseChange(slot, object, word, n)
		if err != nil || !known {
			return nil, false
		}
		a.changes = append(a.changes, c)
	}
	return a, true
}

// readAside reads what is set aside in the slot. What is no such row is removed.
func (t *turn) readAside(ctx context.Context) error {
	rows, err := t.s.Client.Redis.HGetAll(ctx, key.Aside(t.slot, t.name)).Result()
	if err != nil {
		return fmt.Errorf("read what is set aside: %w", err)
	}
	for object, row := range rows {
		if a, ok := parseAside(t.slot, object, row); ok {
			t.aside[object] = a
		} else {
			t.unsaved[object] = true
		}
	}
	return nil
}

// due returns when the first object is tried again; 0 if none is set aside.
func (t *turn) due() (first forum.Time) {
	for _, a := range t.aside {
		if first == 0 || a.due < first {
			first = max(a.due, 1)
		}
	}
	return first
}

// setAside sets a change aside, which could not be handled.
func (t *turn) setAside(e entry, failure error) {
	now := t.s.Now()
	t.aside[e.object] = &setAside{due: now + backoff(1), attempts: 1, since: now, failure: shortened(failure.Error())}
	t.unsaved[e.object] = true
	t.s.LogFailure(context.Background(), t.s.Log, "a change is set aside and will be tried again", "consumer", t.c.name,
		"object", t.slot+e.object, "error", failure)
}

// follow adds changes of objects that are set aside to these, and returns the others.
func (t *turn) follow(entries []entry) []entry {
	return slices.DeleteFunc(entries, func(e entry) bool {
		a := t.aside[e.object]
		if a == nil {
			return false
		}
		if n := len(a.changes); n > 0 && a.changes[n-1].Number >= e.Number {
			return true // a former holder has set it aside
		}
		if e.Word == "" {
			a.changes = slices.DeleteFunc(a.changes, func(c Change) bool { return c.Word == "" })
		}
		a.changes = append(a.changes, e.Change)
		t.unsaved[e.object] = true
		return true
	})
}

// retry tries some of the objects again that are set aside and due.
func (t *turn) retry(ctx context.Context) error {
	var objects []string
	for object, a := range t.aside {
		if a.due <= t.s.Now() {
			objects = append(objects, object)
		}
	}
	slices.SortFunc(objects, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.aside[a].due, t.aside[b].due), strings.Compare(a, b))
	})
	for _, object := range objects[:min(len(objects), asideAtOnce)] {
		a := t.aside[object]
		failure := t.call(ctx, slices.Clone(a.changes))
		switch {
		case t.lost || ctx.Err() != nil:
			return errTurnLost
		case failure == nil:
			delete(t.aside, object)
		default:
			a.attempts++
			a.due, a.failure = t.s.Now()+backoff(a.attempts), shortened(failure.Error())
		}
		t.unsaved[object] = true
		if err := t.hold(ctx); err != nil {
			return err
		}
	}
	return nil
}
