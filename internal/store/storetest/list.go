package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
)

// Merged reads a page of the merge of lists and returns the number of rounds of reads.
func Merged(lists []listing.List, w forum.Window, read func(listing.ListRead) forum.Page) (page forum.Page,
	rounds int) {
	m := listing.NewMerge(lists, w)
	for reads := m.Next(); len(reads) > 0; reads = m.Next() {
		pages := make([]forum.Page, len(reads))
		for i, r := range reads {
			pages[i] = read(r)
		}
		m.Add(pages)
		rounds++
	}
	return m.Page(), rounds
}

// Names returns the members of an order of a list of names, without ids, with their scores.
func (x *Site) Names(list key.Names, order string) string {
	x.T.Helper()
	all := must.Do(x.Redis.ZRangeWithScores(x.Ctx, list.Order(order), 0, -1).Result())(x.T)
	var shown []string
	for _, z := range all {
		fold, _, err := record.ParseNameMember(z.Member.(string))
		WantOK(x.T, "ParseNameMember", err)
		shown = append(shown, fmt.Sprintf("%s %.0f", fold, z.Score))
	}
	return strings.Join(shown, ", ")
}

// Ordered sorts rows in the order of the list.
func Ordered(rows []forum.Row, desc bool) []forum.Row {
	sorted := slices.Clone(rows)
	slices.SortFunc(sorted, func(a, b forum.Row) int {
		if desc {
			a, b = b, a
		}
		return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Member, b.Member))
	})
	return sorted
}

// WantedPage returns the expected page for a window of the whole list.
func WantedPage(all []forum.Row, desc bool, w forum.Window) forum.Page {
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

// SamePage compares pages; the start of a page without rows matters only at the edges of the list.
func SamePage(a, b forum.Page) bool {
	return slices.Equal(a.Rows, b.Rows) && a.Total == b.Total && (a.Start == b.Start || len(a.Rows) == 0) &&
		a.HasNext() == b.HasNext() && a.HasPrevious() == b.HasPrevious()
}

// DrawWindow draws a window; its cursors are of present or removed rows.
func DrawWindow(t *rapid.T, rows []forum.Row) forum.Window {
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

// Ranking returns a timeline of the front that is read from snapshots.
func Ranking(order forum.TopicOrderField, direction forum.OrderDirection) forum.Timeline {
	t := forum.Timeline{Kind: forum.FrontTimeline, Order: order, Direction: direction}
	if order == forum.ByTop {
		t.Period = forum.PeriodAll
	}
	return t
}

// ReadSnapshot reads a page of a snapshot; nil if it does not exist.
func (x *Site) ReadSnapshot(t forum.Timeline, n int64, w forum.Window) *forum.Page {
	x.T.Helper()
	r := x.Read(x.Ctx)
	return site.Sent(x.T, r, r.Listing.SnapshotPage(t, n, w))
}

// Snapshot reads the current minute's snapshot, taking it if it does not exist.
func (x *Site) Snapshot(t forum.Timeline, w forum.Window, tab ...forum.CategoryID) *forum.Page {
	x.T.Helper()
	n := x.Listing.SnapshotNow()
	if page := x.ReadSnapshot(t, n, w); page != nil {
		return page
	}
	WantOK(x.T, "TakeSnapshot", x.Listing.TakeSnapshot(x.Ctx, t, n, tab))
	page := x.ReadSnapshot(t, n, w)
	if page == nil {
		x.T.Fatalf("the snapshot of %s does not exist after it was taken", t.Name())
	}
	return page
}

// Watched opens a process that calls before for every command before sending it.
func (x *Site) Watched(before func(redis.Cmder)) *store.Store {
	x.T.Helper()
	client := x.Server.Client(x.T)
	client.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		for _, cmd := range cmds {
			before(cmd)
		}
		return next(ctx, cmds)
	}))
	s := must.Do(store.Open(x.Ctx, store.Over(client), store.Layout{}, store.WithClock(x.Clock.Now)))(x.T)
	x.T.Cleanup(s.Close)
	return s
}

// HomePageOf reads a page of a home as clients do.
func (x *Site) HomePageOf(id forum.UserID, w forum.Window) forum.Page {
	x.T.Helper()
	r := x.Read(x.Ctx)
	part := site.Sent(x.T, r, r.Homes.HomePart(id, w, x.Rules.Current(x.Ctx).Epochs))
	if part.Whole() {
		return part.Page()
	}
	return must.Do(x.Homes.FinishHome(x.Ctx, part))(x.T)
}
