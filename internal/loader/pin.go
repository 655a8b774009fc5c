package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
)

// pinKey is the pinned topics of a timeline; only their ids if bare.
type pinKey struct {
	timeline forum.Timeline
	bare     bool
}

func readPins(r *store.Read, keys []pinKey) func() ([][]forum.Row, error) {
	gets := make([]func() ([][]forum.Row, error), len(keys))
	for i, k := range keys {
		gets[i] = r.Moderation.Pins([]forum.Timeline{k.timeline}, k.bare)
	}
	return func() ([][]forum.Row, error) {
		all := make([][]forum.Row, len(keys))
		for i, get := range gets {
			found, err := get()
			if err != nil {
				return nil, err
			}
			all[i] = found[0]
		}
		return all, nil
	}
}

// Timelines reads one page of each of several timelines. First pages begin with the pinned topics, which are read in
// the pipeline of the page.
func (l *Loaders) Timelines(ctx context.Context, timelines []forum.Timeline,
	windows []forum.Window) ([]*forum.Page, []error) {
	var keys []pinKey
	var of []int
	unpinned := make([]forum.Window, len(windows))
	for i, t := range timelines {
		unpinned[i] = windows[i]
		if !t.HasPins() {
			continue
		}
		var first bool
		if unpinned[i], first = windows[i].Unpinned(); first {
			keys, of = append(keys, pinKey{t.AllKinds(), windows[i].Bare}), append(of, i)
		}
	}
	l.pins.ask(keys)
	pages, errs := l.withoutPins(ctx, timelines, unpinned)
	pins, failed := l.pins.many(ctx, keys)
	for n, i := range of {
		if kinds := timelines[i].Kinds; kinds != 0 {
			found, lost := l.kinds(ctx, IDs[forum.TopicID](&forum.Page{Rows: pins[n]}))
			errs = addError(errs, len(timelines), i, first(lost))
			pins[n] = rowsOfKinds(pins[n], kinds, found)
		}
		pages[i] = pages[i].WithPins(pins[n], windows[i].Count)
		errs = addError(errs, len(timelines), i, at(failed, n))
	}
	shown := make([]*forum.Page, len(pages))
	for i := range pages {
		shown[i] = unpinned[i].Shown(&pages[i])
	}
	return shown, errs
}

// askKindsOfPins queues the kinds of pinned topics, if these were read, so that they are read with the kinds of others.
func (l *Loaders) askKindsOfPins(of pinKey) {
	if c := l.pins.cells[of]; c != nil && c.come {
		l.topicHandles.ask(l.Topics(IDs[forum.TopicID](&forum.Page{Rows: c.value})))
	}
}

// rowsOfKinds returns the rows of some kinds. of are the kinds of all rows.
func rowsOfKinds(rows []forum.Row, kinds forum.TopicKinds, of []forum.TopicKind) []forum.Row {
	var kept []forum.Row
	for i, row := range rows {
		if of[i] != "" && kinds.Has(of[i]) {
			kept = append(kept, row)
		}
	}
	return kept
}
