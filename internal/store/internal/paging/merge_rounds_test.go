package paging

import (
	"testing"

	"agora/internal/forum"
)

// rounds returns how many rounds of reads a merge of n lists takes for a page of count rows after skip, if one list has
// all of its rows.
func rounds(n, skip, count int) (rounds int) {
	before := func(a, b forum.Row) bool { return a.ID < b.ID }
	lists := make([]int64, n) // where each begins
	for i := range lists {
		lists[i] = int64(i) * 1_000_000
	}
	m := NewMerge(lists, forum.Window{Count: count, Skip: skip}, before)
	for reads := m.Next(); len(reads) > 0; reads = m.Next() {
		rounds++
		pages := make([]forum.Page, len(reads))
		for i, r := range reads {
			from := r.List
			if r.Window.After != nil {
				from = int64(r.Window.After.Score) + 1
			}
			pages[i] = forum.Page{Start: int(from - r.List), Total: 1_000_000}
			for k := range int64(r.Window.Count) {
				row := forum.Row{ID: from + k}
				row.Position.Score = float64(row.ID)
				pages[i].Rows = append(pages[i].Rows, row)
			}
		}
		m.Add(pages)
	}
	return rounds
}

// Numbered pages of merged timelines take few rounds, and so do pages of some kinds, which are read in up to three
// parts of 1,000 topics in all.
func TestMergesTakeFewRounds(t *testing.T) {
	for _, tt := range []struct {
		name         string
		lists        int
		skips, kinds int // more round trips than one
	}{
		{"one list", 1, 0, 5},
		{"a tab", forum.MaxTabCategories, 4, 16},
		{"a list of users", forum.MaxListMembers, 7, 18},
	} {
		for _, rows := range []int{2, 20, 101, 150, 333, 334, 1000, 5000, forum.MaxSkip + forum.MaxPage} {
			count := min(rows-1, forum.MaxPage)
			if got := rounds(tt.lists, rows-count, count) - 1; got > tt.skips {
				t.Errorf("%s: the page that ends at %d takes %d more rounds; want at most %d", tt.name, rows, got, tt.skips)
			}
			trips := -1
			part := max(rows, min(4*rows, 100), 20)
			for examined := 0; part > 0 && examined < forum.KindsExamined; part = max(300, 3*examined) {
				part = min(part, forum.KindsExamined-examined)
				trips += rounds(tt.lists, 0, part) + 1
				examined += part
			}
			if trips > tt.kinds {
				t.Errorf("%s: %d rows of some kinds take %d more; want at most %d", tt.name, rows, trips, tt.kinds)
			}
		}
	}
}
