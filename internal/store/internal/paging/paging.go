// Package paging cuts pages out of rows: of lists, snapshots, rankings and homes, and of several lists as
// if they were one.
package paging

import (
	"strconv"

	"agora/internal/forum"
)

// Cut returns the page that begins at position start, from rows that begin at position first, of a list of
// total rows.
func Cut(rows []forum.Row, first, start, total int, preceding bool) forum.Page {
	page := forum.Page{Start: start, Total: total}
	before := min(max(start-first, 0), len(rows))
	page.Rows = rows[before:]
	if preceding && before > 0 {
		page.Preceding = &rows[before-1]
	}
	return page
}

// Bound returns a position as script arguments; "" and "" for none.
func Bound(p *forum.Position) (score, member string) {
	if p == nil {
		return "", ""
	}
	return strconv.FormatFloat(p.Score, 'g', -1, 64), p.Member
}

// Bounds returns the positions of a window's page among those from first to end.
func Bounds(w forum.Window, first, end int) (from, to int) {
	first = min(first, end)
	if w.Backward {
		return max(end-w.Count, first), end
	}
	return first, min(first+w.Count, end)
}
