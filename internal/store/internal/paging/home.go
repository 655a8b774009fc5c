package paging

import (
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// HomeBound returns a position as homes store it.
func HomeBound(p *forum.Position) (score, member string) {
	if score, member = Bound(p); len(member) != 19 {
		return score, member
	}
	return score, record.HomeMember(member)
}

// HomeRow parses an entry of a home.
func HomeRow(m string, at float64) (forum.Row, error) {
	id, err := strconv.ParseInt(m, 16, 64)
	row := forum.Row{ID: id, CreatedAt: forum.Time(at)}
	row.Position = forum.Position{Score: at, Member: record.IndexMember(at, m)}
	return row, err
}

// HomeWindow returns a page of rows that starts at position start. The rows may include one more than
// requested, which shows that there are more.
func HomeWindow(rows []forum.Row, w forum.Window, start int) forum.Page {
	more := len(rows) > w.Count
	if w.Backward {
		if more {
			rows, start = rows[1:], max(start, 0)+1
		}
		return forum.Page{Rows: rows, Start: start, Total: start + len(rows) + OneIf(w.Before != nil)}
	}
	if more {
		rows = rows[:w.Count]
	}
	return forum.Page{Rows: rows, Start: start, Total: start + len(rows) + OneIf(more || w.Before != nil)}
}

// OneIf returns 1 if more is true, otherwise 0.
func OneIf(more bool) int {
	if more {
		return 1
	}
	return 0
}
