package paging

import (
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// HomeBound is a position as homes have it.
func HomeBound(p *forum.Position) (score, member string) {
	if score, member = Bound(p); len(member) != 19 {
		return score, member
	}
	return score, record.HomeMember(member)
}

// HomeRow reads an entry of a home.
func HomeRow(m string, at float64) (forum.Row, error) {
	id, err := strconv.ParseInt(m, 16, 64)
	row := forum.Row{ID: id, CreatedAt: forum.Time(at)}
	row.Position = forum.Position{Score: at, Member: record.IndexMember(at, m)}
	return row, err
}

// HomeWindow makes a page of rows, of which one may be more than wanted: that tells that
// there are more.
func HomeWindow(rows []forum.Row, w forum.Window, place int) forum.Page {
	more := len(rows) > w.Count
	if w.Backward {
		if more {
			rows, place = rows[1:], max(place, 0)+1
		}
		return forum.Page{Rows: rows, Start: place, Total: place + len(rows) + OneIf(w.Before != nil)}
	}
	if more {
		rows = rows[:w.Count]
	}
	return forum.Page{Rows: rows, Start: place, Total: place + len(rows) + OneIf(more || w.Before != nil)}
}

// OneIf is 1 if there is more, else 0.
func OneIf(more bool) int {
	if more {
		return 1
	}
	return 0
}
