// Package paging cuts pages out of rows that were read: of lists, snapshots, rankings and
// homes, and of several lists as if they were one.
package paging

import (
	"strconv"

	"agora/internal/forum"
)

// Cut makes the page that begins at place start from rows that begin at place
// first, of a list of total rows.
func Cut(rows []forum.Row, first, start, total int, lead bool) forum.Page {
	page := forum.Page{Start: start, Total: total}
	before := min(max(start-first, 0), len(rows))
	page.Rows = rows[before:]
	if lead && before > 0 {
		page.Lead = &rows[before-1]
	}
	return page
}

// Bound is a position as scripts take it; "" and "" is none.
func Bound(p *forum.Position) (score, member string) {
	if p == nil {
		return "", ""
	}
	return strconv.FormatFloat(p.Score, 'g', -1, 64), p.Member
}

// Bounds are the places of a window's page among those from first to end.
func Bounds(w forum.Window, first, end int) (from, to int) {
	first = min(first, end)
	if w.Backward {
		return max(end-w.Count, first), end
	}
	return first, min(first+w.Count, end)
}
