package listing_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
)

// best sorts topics in the expected order of a snapshot, by the formulas of the schema.
func best(t forum.Timeline, topics []planted) []planted {
	key := func(p planted) float64 {
		if t.Order == forum.ByControversial {
			return float64(p.up+p.down) / max(math.Abs(float64(p.up-p.down)), 1)
		}
		return float64(p.up - p.down)
	}
	sorted := slices.Clone(topics)
	slices.SortFunc(sorted, func(a, b planted) int {
		if t.Direction == forum.Descending {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a.created, b.created), cmp.Compare(a.id, b.id))
	})
	return sorted[:min(len(sorted), 1000)]
}

// Behaviours A43, X29: TOP is by net votes, CONTROVERSIAL by its formula, both ways; ties are ordered by
// time of posting, then by id, even of different lengths.
func TestSnapshotsFollowTheirFormulas(t *testing.T) {
	x := storetest.New(t)
	topics := plants(x.Engine.Now(), 300)
	plant(x, key.FrontContainer, topics...)
	for _, order := range []forum.TopicOrderField{forum.ByTop, forum.ByControversial} {
		for _, direction := range []forum.OrderDirection{forum.Ascending, forum.Descending} {
			tl := storetest.Ranking(order, direction)
			for _, backward := range []bool{false, true} {
				if got, want := walkSnapshot(x, tl, 70, backward), best(tl, topics); !slices.Equal(got, want) {
					t.Errorf("%s, from the end %t = %v; want %v", tl.Name(), backward, got, want)
				}
			}
		}
	}
}

// A snapshot has the first thousand of all topics, with one more or less than a pass of a thousand.
func TestSnapshotKeepsAThousand(t *testing.T) {
	x := storetest.New(t)
	for _, n := range []int{999, 1000, 1001, 2001} {
		x.Clock.Advance(forum.SnapshotEvery)
		storetest.WantOK(t, "FLUSHALL", x.Redis.FlushAll(t.Context()).Err())
		topics := make([]planted, n)
		for i := range topics {
			topics[i] = planted{id: forum.TopicID(i + 1), created: x.Engine.Now() - forum.Time(i), up: i * 31 % 997,
				down: i % 3}
		}
		plant(x, key.FrontContainer, topics...)
		for _, tl := range []forum.Timeline{storetest.Ranking(forum.ByTop, forum.Descending),
			storetest.Ranking(forum.ByControversial, forum.Ascending)} {
			want := best(tl, topics)
			if got := walkSnapshot(x, tl, 100, false); !slices.Equal(got, want) {
				t.Errorf("%s of %d topics has %d, from %v; want %d, from %v", tl.Name(), n, len(got), got[0], len(want),
					want[0])
			}
			last := x.Snapshot(tl, forum.Window{Count: 3, Backward: true})
			if last.Total != min(n, 1000) || !slices.Equal(standing(last), want[len(want)-3:]) {
				t.Errorf("the end of %s of %d topics = %v of %d; want %v", tl.Name(), n, standing(last), last.Total,
					want[len(want)-3:])
			}
		}
	}
}

// Every window shows the expected rows: cursors that cross each other and positions beyond the end show
// none.
func TestSnapshotPagesAgreeWithModel(t *testing.T) {
	x := storetest.New(t)
	tl := storetest.Ranking(forum.ByTop, forum.Descending)
	rapid.Check(t, func(rt *rapid.T) {
		n, size := x.Listing.SnapshotNow(), rapid.IntRange(0, 12).Draw(rt, "size")
		rows := make([]forum.Row, size)
		for i := range rows {
			rows[i] = forum.Row{ID: int64(i + 1), CreatedAt: x.Engine.Now() - 1, Up: 50 - i, Down: i,
				Position: *positionAt(n, i)}
		}
		storetest.WantOK(x.T, "SET", x.Redis.Set(x.Ctx, key.Snapshot(tl, n), record.PackSnapshot(x.Engine.Now(), rows),
			0).Err())
		for range 10 {
			w, from, to := drawPlaces(rt, n, size)
			page := x.ReadSnapshot(tl, n, w)
			if page == nil || !slices.Equal(page.Rows, rows[from:to]) || page.Total != size || len(page.Rows) > 0 &&
				page.Start != from || page.AsOf != x.Engine.Now() {
				rt.Fatalf("page %+v of %d = %+v; want positions %d to %d", w, size, page, from, to)
			}
			if preceding := w.Preceding && from > 0 && from < to; preceding && (page.Preceding == nil || *page.Preceding != rows[from-1]) {
				rt.Fatalf("page %+v of %d is led by %+v; want position %d", w, size, page.Preceding, from-1)
			}
		}
		// A forged cursor shows less, and does no harm.
		if page := x.ReadSnapshot(tl, n,
			forum.Window{Count: 5, Backward: true, Before: positionAt(n, size+9)}); len(page.Rows) > 5 {
			rt.Fatalf("a page before a missing position = %+v", page)
		}
	})
}

// drawPlaces draws a window, and returns the positions of a list that it shows.
func drawPlaces(rt *rapid.T, n int64, size int) (w forum.Window, from, to int) {
	w = forum.Window{Count: rapid.IntRange(1, 6).Draw(rt, "count"), Backward: rapid.Bool().Draw(rt, "backward"),
		Preceding: rapid.Bool().Draw(rt, "preceding")}
	from, to = 0, size
	switch rapid.IntRange(0, 2).Draw(rt, "bounds") {
	case 1:
		w.Skip = rapid.SampledFrom([]int{0, 1, 2, 5, size, size + 1, 40, forum.MaxSkip}).Draw(rt, "skip")
		from = min(w.Skip, size)
	case 2:
		if at := rapid.IntRange(-1, size+2).Draw(rt, "after"); at >= 0 {
			w.After, from = positionAt(n, at), min(at+1, size)
		}
		if at := rapid.IntRange(-1, size).Draw(rt, "before"); at >= 0 {
			w.Before, to = positionAt(n, at), min(at, size)
		}
		to = max(to, from)
	}
	if w.Backward {
		return w, max(from, to-w.Count), to
	}
	return w, from, min(to, from+w.Count)
}

// Cursors contain one snapshot and a position in it; anything else is no cursor.
func TestSnapshotOf(t *testing.T) {
	tests := []struct {
		name string
		w    forum.Window
		n    int64
		code forum.Code
	}{
		{"none", forum.Window{}, 0, ""},
		{"after", forum.Window{After: positionAt(7, 0)}, 7, ""},
		{"before", forum.Window{Before: positionAt(7, 999)}, 7, ""},
		{"both", forum.Window{After: positionAt(7, 3), Before: positionAt(7, 2)}, 7, ""},
		{"of two snapshots", forum.Window{After: positionAt(7, 3), Before: positionAt(8, 5)}, 0,
			forum.CodeCursorInvalid},
		{"beyond the cap", forum.Window{After: positionAt(7, 1000)}, 0, forum.CodeCursorInvalid},
		{"below", forum.Window{After: positionAt(7, -1)}, 0, forum.CodeCursorInvalid},
		{"no minute", forum.Window{After: positionAt(0, 1)}, 0, forum.CodeCursorInvalid},
		{"of a live order", forum.Window{After: &forum.Position{Score: 5, Member: record.Member(1, 2)}}, 0,
			forum.CodeCursorInvalid},
	}
	for _, tt := range tests {
		n, err := listing.SnapshotOf(tt.w)
		if got := forum.CodeOf(err); got != tt.code || tt.code == "" && n != tt.n {
			t.Errorf("SnapshotOf(%s) = %d, %v; want %d, code %q", tt.name, n, err, tt.n, tt.code)
		}
	}
}
