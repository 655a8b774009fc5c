package loader

import (
	"context"
	"strconv"

	"agora/internal/forum"
)

// A timeline of some kinds is read from the one of all kinds: rows are read and looked up until there are enough of
// these kinds, or KindsExamined were examined. Then the page is short, and its end is where the next one begins.

// isOfKinds reports whether the timeline shows only some kinds.
// sifting is a page of a timeline of some kinds, as far as it was read.
type sifting struct {
	t    forum.Timeline
	w    forum.Window
	need int // number of rows, with those to skip
	rows []forum.Row
	at   []forum.Position // of the rows, for cursors
	// first and last are the outermost positions that were examined, in the order of the timeline.
	first, last *forum.Position
	before      bool // there are rows before the first
	more        bool // there are rows beyond what was examined, in the direction of reading
	examined    int
	asOf        forum.Time
	walk        int64
	started     bool
}

// A page is chosen from up to three parts: the first has chunkRows rows for each that is needed, within bounds, the
// second has nextChunk or three times as many, and the third what is left of KindsExamined.
const (
	chunkRows            = 4
	minChunk, firstChunk = 20, 100
	nextChunk            = 300
)

// window returns the next part to examine; ok is false if the page is complete.
func (s *sifting) window(budget *int) (w forum.Window, ok bool) {
	if s.started && (!s.more || len(s.rows) >= s.need) {
		return w, false
	}
	count := max(s.need, min(max(chunkRows*s.need, minChunk), firstChunk))
	if s.started {
		if *budget <= 0 {
			return w, false
		}
		count = max(nextChunk, 3*s.examined)
	}
	count = min(count, forum.KindsExamined-s.examined)
	if count <= 0 {
		return w, false
	}
	*budget -= count
	w = forum.Window{Count: count, Backward: s.w.Backward, After: s.w.After, Before: s.w.Before,
		Walk: s.w.Walk}
	if s.started && s.w.Backward {
		w.Before = s.first
	} else if s.started {
		w.After = s.last
	}
	return w, true
}

// add adds what was examined, and which of its rows are of the kinds.
func (s *sifting) add(p forum.Page, of []bool) {
	var kept []forum.Row
	var keptAt []forum.Position
	at := make([]forum.Position, len(p.Rows))
	for i, row := range p.Rows {
		at[i] = row.Position
		if p.Walk != 0 {
			at[i] = forum.Position{Score: float64(p.Walk), Member: strconv.Itoa(p.Start + i)}
		}
		if of[i] {
			kept, keptAt = append(kept, row), append(keptAt, at[i])
		}
	}
	s.examined += len(p.Rows)
	if s.w.Backward {
		s.rows, s.at, s.more = append(kept, s.rows...), append(keptAt, s.at...), p.HasPrevious()
	} else {
		s.rows, s.at, s.more = append(s.rows, kept...), append(s.at, keptAt...), p.HasNext()
	}
	if n := len(p.Rows); n > 0 {
		if s.first == nil || s.w.Backward {
			s.first = &at[0]
		}
		if s.last == nil || !s.w.Backward {
			s.last = &at[n-1]
		}
	} else {
		s.more = false
	}
	if !s.started {
		s.before, s.asOf, s.walk = p.HasPrevious(), p.AsOf, p.Walk
		if s.w.Backward {
			s.before = p.HasNext()
		}
	}
	s.started = true
}

// page returns the page.
func (s *sifting) page() forum.Page {
	e := &forum.Examined{First: s.first, Last: s.last, Previous: s.before, Next: s.more}
	p := forum.Page{Examined: e, AsOf: s.asOf, Walk: s.walk}
	if s.w.Backward {
		from := max(0, len(s.rows)-s.w.Count)
		p.Rows, e.At = s.rows[from:], s.at[from:]
		e.Previous, e.Next = s.more || len(p.Rows) < len(s.rows), s.before
		if len(p.Rows) == s.w.Count {
			e.First = &e.At[0]
		}
		return p
	}
	from := min(s.w.Skip, len(s.rows))
	to := min(from+s.w.Count, len(s.rows))
	p.Rows, e.At = s.rows[from:to], s.at[from:to]
	e.Next, e.Previous = s.more || from+len(p.Rows) < len(s.rows), s.before || from > 0
	if len(p.Rows) == s.w.Count {
		e.Last = &e.At[len(e.At)-1]
	}
	if len(p.Rows) > 0 {
		e.First = &e.At[0]
	}
	if s.w.Preceding && from > 0 {
		p.Preceding = &s.rows[from-1]
	}
	return p
}

// ofKinds reads one page of each of several timelines of some kinds, with the kinds of the topics. It takes two more
// steps of reads for each further part that is examined.
func (l *Loaders) ofKinds(ctx context.Context, timelines []forum.Timeline,
	windows []forum.Window) ([]forum.Page, []error) {
	all := make([]sifting, len(timelines))
	var errs []error
	for i, t := range timelines {
		all[i] = sifting{t: t, w: windows[i], need: windows[i].Skip + windows[i].Count}
		if windows[i].Backward && windows[i].Skip > 0 {
			errs = addError(errs, len(timelines), i,
				forum.BadInput([]string{"skip"}, "skip cannot be combined with last for some kinds."))
			all[i].started = true
		}
	}
	for {
		var which []int
		var ts []forum.Timeline
		var ws []forum.Window
		for i := range all {
			if w, ok := all[i].window(&l.kindsBudget); ok && at(errs, i) == nil {
				which, ts, ws = append(which, i), append(ts, all[i].t.AllKinds()), append(ws, w)
			}
		}
		if len(which) == 0 {
			break
		}
		parts, failed := l.withoutPins(ctx, ts, ws)
		for _, i := range which {
			l.askKindsOfPins(pinKey{all[i].t.AllKinds(), all[i].w.Bare})
		}
		of, lost := l.areOfKinds(ctx, all, which, parts)
		for n, i := range which {
			errs = addError(errs, len(timelines), i, at(failed, n))
			errs = addError(errs, len(timelines), i, at(lost, n))
			all[i].add(parts[n], of[n])
		}
	}
	pages := make([]forum.Page, len(timelines))
	for i := range all {
		pages[i] = all[i].page()
	}
	return pages, errs
}

// areOfKinds reports which rows of parts of timelines are of their kinds.
func (l *Loaders) areOfKinds(ctx context.Context, all []sifting, which []int, parts []forum.Page) ([][]bool, []error) {
	var ids []forum.TopicID
	for i := range parts {
		ids = append(ids, IDs[forum.TopicID](&parts[i])...)
	}
	kinds, failed := l.kinds(ctx, ids)
	of := make([][]bool, len(parts))
	var errs []error
	for n, p := range parts {
		for range p.Rows {
			of[n] = append(of[n], kinds[0] != "" && all[which[n]].t.Kinds.Has(kinds[0]))
			errs = addError(errs, len(parts), n, at(failed, 0))
			kinds, failed = kinds[1:], failed[min(1, len(failed)):]
		}
	}
	return of, errs
}

// kinds reads the kinds of topics; "" for one that does not exist.
func (l *Loaders) kinds(ctx context.Context, ids []forum.TopicID) ([]forum.TopicKind, []error) {
	topics := l.Topics(ids)
	errs := l.NeedTopics(ctx, topics)
	kinds := make([]forum.TopicKind, len(ids))
	for i, t := range topics {
		kinds[i] = t.Kind
	}
	return kinds, errs
}

// KindsOf is kinds for a caller outside a response.
func (l *Loaders) KindsOf(ctx context.Context, ids []forum.TopicID) ([]forum.TopicKind, error) {
	kinds, errs := l.kinds(ctx, ids)
	return kinds, first(errs)
}
