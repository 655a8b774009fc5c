package paging

import (
	"slices"

	"agora/internal/forum"
)

// Newest removes duplicates, of topics that were moving while they were read, and keeps only the newest
// topics.
func Newest(rows []forum.Row) []forum.Row {
	slices.SortFunc(rows, func(a, b forum.Row) int { return -compareAge(a, b) })
	rows = slices.CompactFunc(rows, func(a, b forum.Row) bool { return a.ID == b.ID })
	return rows[:min(len(rows), forum.SnapshotCandidates)]
}

func compareAge(a, b forum.Row) int {
	if a.CreatedAt != b.CreatedAt {
		return int(a.CreatedAt - b.CreatedAt)
	}
	return int(a.ID - b.ID)
}

// Rank sorts topics in the timeline's order. Ties are ordered by time of posting, then by id.
func Rank(t forum.Timeline, rows []forum.Row) {
	key := func(r forum.Row) float64 { return float64(r.Up - r.Down) }
	if t.Order == forum.ByControversial {
		key = func(r forum.Row) float64 { return forum.Controversy(r.Up, r.Down) }
	}
	slices.SortFunc(rows, func(a, b forum.Row) int {
		order := compareAge(a, b)
		switch ka, kb := key(a), key(b); {
		case ka < kb:
			order = -1
		case ka > kb:
			order = 1
		}
		if t.Direction == forum.Descending {
			return -order
		}
		return order
	})
}

// CountAfter returns how many rows are topics posted after a time.
func CountAfter(rows []forum.Row, since forum.Time) int {
	n := 0
	for _, row := range rows {
		n += OneIf(row.CreatedAt > since)
	}
	return n
}
