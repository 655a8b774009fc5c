package store_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"agora/internal/store"
	"agora/internal/store/listing"
	"agora/internal/test/testlevel"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
	"agora/internal/test/must"
)

// fill sets the rows of the list.
func (x *site) fill(l listing.List, rows []forum.Row) {
	x.t.Helper()
	pipe := x.rdb.Pipeline()
	pipe.Del(x.ctx, l.Key)
	for _, r := range rows {
		pipe.ZAdd(x.ctx, l.Key, redis.Z{Score: r.Score, Member: r.Member})
	}
	must.Do(pipe.Exec(x.ctx))(x.t)
}

// ordered sorts rows in the order of the list.
func ordered(rows []forum.Row, desc bool) []forum.Row {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b forum.Row) int {
		if desc {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Member, b.Member))
	})
	return sorted
}

// wantedPage returns the expected page for a window of the whole list.
func wantedPage(all []forum.Row, desc bool, w forum.Window) forum.Page {
	precedes := func(a, b forum.Position) bool {
		if desc {
			a, b = b, a
		}
		return a.Score < b.Score || a.Score == b.Score && a.Member < b.Member
	}
	from, to := min(w.Skip, len(all)), len(all)
	for from < to && w.After != nil && !precedes(*w.After, all[from].Position) {
		from++
	}
	for to > from && w.Before != nil && !precedes(all[to-1].Position, *w.Before) {
		to--
	}
	if w.Backward {
		from = max(from, to-w.Count)
	} else {
		to = min(to, from+w.Count)
	}
	return forum.Page{Rows: slices.Clone(all[from:to]), Start: from, Total: len(all)}
}

// samePage compares pages; the start of a page without rows matters only at the edges of the list.
func samePage(a, b forum.Page) bool {
	return slices.Equal(a.Rows, b.Rows) && a.Total == b.Total && (a.Start == b.Start || len(a.Rows) == 0) &&
		a.HasNext() == b.HasNext() && a.HasPrevious() == b.HasPrevious()
}

// drawRows draws entries of a list with many equal scores. Ids are greater than from.
func drawRows(t *rapid.T, l listing.List, from int64, most int) []forum.Row {
	scores := rapid.SliceOfN(rapid.IntRange(0, 4), 0, most).Draw(t, "scores")
	times := rapid.SliceOfN(rapid.IntRange(1, 3), len(scores), len(scores)).Draw(t, "times")
	rows := make([]forum.Row, len(scores))
	for i, score := range scores {
		id := from + int64(i)*37%1009 + 1 // unique, in no order
		rows[i] = forum.Row{ID: id, Position: forum.Position{Score: float64(score), Member: fmt.Sprint(id)}}
		if l.Packed {
			rows[i].CreatedAt = forum.Time(times[i])
			rows[i].Member = record.Member(rows[i].CreatedAt, id)
		}
	}
	return rows
}

// pagedLists returns one list of each kind and direction.
func pagedLists() []listing.List {
	var lists []listing.List
	for _, desc := range []bool{false, true} {
		for _, packed := range []bool{false, true} {
			name := fmt.Sprintf("list:%t:%t", desc, packed)
			lists = append(lists, listing.List{Name: name, Key: name, Newest: desc, Packed: packed})
		}
	}
	return lists
}

// drawWindow draws a window; its cursors are of present or removed rows.
func drawWindow(t *rapid.T, rows []forum.Row) forum.Window {
	w := forum.Window{Count: rapid.IntRange(1, 12).Draw(t, "count"), Backward: rapid.Bool().Draw(t, "backward")}
	cursor := func(name string) *forum.Position {
		if len(rows) == 0 || !rapid.Bool().Draw(t, name) {
			return nil
		}
		p := rapid.SampledFrom(rows).Draw(t, name+" row").Position
		if rapid.Bool().Draw(t, name+" gone") {
			p.Member += "5"
		}
		return &p
	}
	if rapid.Bool().Draw(t, "skipping") {
		w.Skip = rapid.IntRange(0, len(rows)+5).Draw(t, "skip")
	} else {
		w.After, w.Before = cursor("after"), cursor("before")
	}
	return w
}

func TestPageAgreesWithModel(t *testing.T) {
	testlevel.LongSequential(t)
	x := newSite(t)
	for _, l := range pagedLists() {
		rapid.Check(t, func(rt *rapid.T) {
			rows := drawRows(rt, l, 0, 30)
			x.fill(l, rows)
			all := ordered(rows, l.Newest)
			for range 5 {
				w := drawWindow(rt, rows)
				if got, want := x.page(l, w), wantedPage(all, l.Newest, w); !samePage(got, want) {
					rt.Fatalf("Page(%s, %+v) = %+v; want %+v", l.Name, w, got, want)
				}
			}
		})
	}
}

// One page is one round trip.
func TestPagesAreOneRoundTrip(t *testing.T) {
	x := newSite(t)
	var usage store.Usage
	r := x.Read(store.WithUsage(t.Context(), &usage))
	after := &forum.Position{Score: 1, Member: "1"}
	for _, l := range pagedLists() {
		r.Listing.Page(l, forum.Window{Count: 3})
		r.Listing.Page(l, forum.Window{Count: 3, After: after})
	}
	wantOK(t, "Exec", r.Exec())
	if got := usage.RoundTrips.Load(); got != 1 {
		t.Errorf("round trips = %d; want 1", got)
	}
	// Two commands for an open window, one script for a bounded one.
	if got := usage.Commands.Load(); got != 12 {
		t.Errorf("commands = %d; want 12", got)
	}
}
