package loader

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/listing"
)

// placeKey is a topic in a list.
type placeKey struct {
	list   listing.List
	member string
}

func readPositions(r *store.Read, keys []placeKey) func() ([]*forum.Position, error) {
	gets := make([]func() (*forum.Position, error), len(keys))
	for i, k := range keys {
		gets[i] = r.Listing.Position(k.list, k.member)
	}
	return func() ([]*forum.Position, error) {
		positions := make([]*forum.Position, len(keys))
		for i, get := range gets {
			var err error
			if positions[i], err = get(); err != nil {
				return nil, err
			}
		}
		return positions, nil
	}
}

// Positions reads where topics are now in live timelines: each on a page of its own, nil if it is no longer there.
// With ranked, it also reads the rank and the row before it.
func (l *Loaders) Positions(ctx context.Context, timelines []forum.Timeline, topics []forum.Row,
	ranked bool) ([]*forum.Page, []error) {
	pages := make([]*forum.Page, len(topics))
	lists, errs := l.timelineLists(ctx, timelines, listing.TimelineLists)
	var keys []placeKey
	var topicOf []int // of each key
	for i, t := range topics {
		if timelines[i].Order == forum.ByCreated { // the key never changes
			pages[i] = &forum.Page{Rows: []forum.Row{t}}
			pages[i].Rows[0].Position = listing.CreatedPosition(t)
			continue
		}
		for _, list := range lists[i] {
			keys, topicOf = append(keys, placeKey{list, list.Member(t)}), append(topicOf, i)
		}
	}
	found, missed := l.positions.many(ctx, keys)
	for n, i := range topicOf {
		errs = addError(errs, len(topics), i, at(missed, n))
		if found[n] != nil {
			pages[i] = &forum.Page{Rows: []forum.Row{topics[i]}}
			pages[i].Rows[0].Position = *found[n]
		}
	}
	if !ranked {
		return pages, errs
	}
	return l.ranks(ctx, timelines, lists, pages, errs)
}

// ranks reads the rank of the one row of each page, and the row before it.
func (l *Loaders) ranks(ctx context.Context, timelines []forum.Timeline, lists [][]listing.List, pages []*forum.Page,
	errs []error) ([]*forum.Page, []error) {
	var keys []pageKey
	var pageOf []int // of each key
	for i, p := range pages {
		if p == nil || !timelines[i].Counted() {
			continue
		}
		before := l.window(forum.Window{Count: 1, Backward: true, Before: &p.Rows[0].Position})
		for _, list := range lists[i] {
			keys, pageOf = append(keys, pageKey{list: list, window: before}), append(pageOf, i)
		}
	}
	found, missed := l.readPages(ctx, keys)
	for n, i := range pageOf {
		errs = addError(errs, len(pages), i, at(missed, n))
		p, rows := pages[i], found[n].page.Rows
		p.Start += found[n].page.Start + len(rows) // as many rows of this list come before
		if len(rows) > 0 {
			row := rows[0]
			if p.Preceding == nil || keys[n].list.Precedes(*p.Preceding, row) {
				p.Preceding = &row
			}
		}
	}
	return pages, errs
}
