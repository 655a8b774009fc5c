package paging

import (
	"slices"

	"agora/internal/forum"
)

// Merge reads one page of several lists as if they were one. It never reads more than the page can need:
// for a page as clients request it, one window of each list; with skip, or for more rows, first a share of
// each, and then only the lists that may still hold rows of the page.
//
//	m := NewMerge(lists, window, precedes)
//	for reads := m.Next(); len(reads) > 0; reads = m.Next() {
//		m.Add(pages of reads, in order)
//	}
//	page := m.Page()
type Merge[L any] struct {
	lists []L
	// precedes reports whether one row comes before another in the lists.
	precedes func(a, b forum.Row) bool
	window   forum.Window
	pages    []forum.Page
	wanted   []int // indexes of the lists that the last Next requested
	count    int   // rows requested of each in the last round
}

// ListRead is one page of one list that a Merge needs.
type ListRead[L any] struct {
	List   L
	Window forum.Window
}

// NewMerge prepares the page window of the merge of the lists, which must all have the same direction:
// precedes reports whether one row comes before another in them.
func NewMerge[L any](lists []L, window forum.Window, precedes func(a, b forum.Row) bool) *Merge[L] {
	return &Merge[L]{lists: lists, precedes: precedes, window: window, pages: make([]forum.Page, len(lists))}
}

// Next returns the reads that are needed next; none if the page is complete.
func (m *Merge[L]) Next() []ListRead[L] {
	if len(m.lists) == 0 {
		return nil
	}
	if m.wanted == nil {
		return m.first()
	}
	if !m.shares() {
		return nil
	}
	return m.more()
}

// shares reports whether the first round reads only a share of the rows of each list.
func (m *Merge[L]) shares() bool {
	return !m.window.Backward && (m.window.Skip > 0 || m.window.Count > forum.MaxPage)
}

func (m *Merge[L]) first() []ListRead[L] {
	w := m.window
	if m.shares() {
		w.Count = min(2*(w.Skip+w.Count)/len(m.lists)+10, w.Skip+w.Count)
	}
	w.Skip = 0
	m.count = w.Count
	reads := make([]ListRead[L], len(m.lists))
	for i, l := range m.lists {
		m.wanted = append(m.wanted, i)
		reads[i] = ListRead[L]{l, w}
	}
	return reads
}

// more reads on in the lists whose last row comes before the last row of the page: rows after it may belong
// to the page.
func (m *Merge[L]) more() []ListRead[L] {
	rows := m.rows()
	need := m.window.Skip + m.window.Count
	m.wanted = m.wanted[:0]
	m.count *= 2
	var reads []ListRead[L]
	for i, p := range m.pages {
		if p.Start+len(p.Rows) >= p.Total || len(p.Rows) == 0 {
			continue
		}
		end := p.Rows[len(p.Rows)-1]
		if len(rows) >= need && !m.precedes(end, rows[need-1]) {
			continue
		}
		m.wanted = append(m.wanted, i)
		reads = append(reads, ListRead[L]{m.lists[i],
			forum.Window{Count: m.count, After: &end.Position, Before: m.window.Before}})
	}
	return reads
}

// Add adds the pages that the last Next requested.
func (m *Merge[L]) Add(pages []forum.Page) {
	for n, i := range m.wanted {
		if m.pages[i].Rows == nil {
			m.pages[i] = pages[n]
			continue
		}
		if len(pages[n].Rows) == 0 { // the rest of the list was removed concurrently
			m.pages[i].Total = m.pages[i].Start + len(m.pages[i].Rows)
		}
		m.pages[i].Rows = append(m.pages[i].Rows, pages[n].Rows...)
	}
}

// Page returns the page of the merge.
func (m *Merge[L]) Page() forum.Page {
	rows := m.rows()
	w := m.window
	var page forum.Page
	ends := 0
	for _, p := range m.pages {
		page.Total += p.Total
		page.Hidden += p.Hidden
		page.Start += p.Start
		ends += p.Start + len(p.Rows)
	}
	from := 0
	switch {
	case w.Backward:
		from = max(len(rows)-w.Count, 0)
		page.Start = ends - (len(rows) - from)
		skip := min(max(w.Skip-page.Start, 0), len(rows)-from)
		from, page.Start = from+skip, page.Start+skip
		page.Rows = rows[from:]
	default:
		from = min(w.Skip, len(rows))
		page.Rows = rows[from:min(from+w.Count, len(rows))]
		page.Start += min(w.Skip, page.Total)
	}
	if w.Preceding {
		page.Preceding = m.preceding(rows[:from])
	}
	return page
}

// preceding returns the row before the page: the last of those before it, whether read as rows or before a part.
func (m *Merge[L]) preceding(before []forum.Row) *forum.Row {
	var preceding *forum.Row
	if len(before) > 0 {
		preceding = &before[len(before)-1]
	}
	for _, p := range m.pages {
		if p.Preceding != nil && (preceding == nil || m.precedes(*preceding, *p.Preceding)) {
			preceding = p.Preceding
		}
	}
	return preceding
}

// rows returns all rows read so far, in order. A topic that is moving from one category to another may be
// in both; it is returned once.
func (m *Merge[L]) rows() []forum.Row {
	var all []forum.Row
	for _, p := range m.pages {
		all = append(all, p.Rows...)
	}
	slices.SortFunc(all, func(a, b forum.Row) int {
		if m.precedes(a, b) {
			return -1
		}
		if m.precedes(b, a) {
			return 1
		}
		return 0
	})
	seen := make(map[int64]bool, len(all))
	return slices.DeleteFunc(all, func(r forum.Row) bool {
		twice := seen[r.ID]
		seen[r.ID] = true
		return twice
	})
}
