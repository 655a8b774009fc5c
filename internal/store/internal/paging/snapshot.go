package paging

import (
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// PositionOf returns the position number in a cursor, or otherwise if there is no cursor.
func PositionOf(p *forum.Position, otherwise int) int {
	if p == nil {
		return otherwise
	}
	n, _ := strconv.Atoi(p.Member)
	return n
}

// SnapshotOf returns the number of the snapshot that a window's cursors contain; 0 if there are no cursors.
// It returns CURSOR_INVALID if they contain two.
func SnapshotOf(w forum.Window) (int64, error) {
	var n int64
	for _, bound := range []struct {
		field string
		at    *forum.Position
	}{{"after", w.After}, {"before", w.Before}} {
		if bound.at == nil {
			continue
		}
		position, err := strconv.Atoi(bound.at.Member)
		of := int64(bound.at.Score)
		if err != nil || position < 0 || position >= forum.SnapshotSize || of < 1 || n != 0 && of != n {
			return 0, forum.CursorInvalid(bound.field)
		}
		n = of
	}
	return n, nil
}

// SnapshotPage is the part of a snapshot that was read: packed rows from position first on.
type SnapshotPage struct {
	N     int64
	AsOf  forum.Time
	First int
	Rows  string
	Total int
}

// Page cuts the page of a window out of the rows.
func (p SnapshotPage) Page(w forum.Window) *forum.Page {
	after, before := PositionOf(w.After, -1)+1, min(PositionOf(w.Before, p.Total), p.Total)
	from, to := Bounds(w, min(after+w.Skip, before), before)
	if w.Backward {
		from, to = Bounds(w, after, before)
		from = min(max(from, w.Skip), to)
	}
	rows := make([]forum.Row, 0, max(to-p.First, 0)) // the page may be beyond what was read
	for at := p.First; at < to; at++ {
		rows = append(rows, p.row(at))
	}
	page := Cut(rows, p.First, from, p.Total, w.Preceding)
	page.AsOf = p.AsOf
	return &page
}

// row unpacks the entry at a position.
func (p SnapshotPage) row(at int) forum.Row {
	row := record.UnpackSnapshotRow(p.Rows[(at-p.First)*record.SnapshotRow:])
	row.Position = forum.Position{Score: float64(p.N), Member: strconv.Itoa(at)}
	return row
}
