package listing_test

import (
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// fill sets the rows of the list.
func fill(x *storetest.Site, l listing.List, rows []forum.Row) {
	x.T.Helper()
	pipe := x.Redis.Pipeline()
	pipe.Del(x.Ctx, l.Key)
	for _, r := range rows {
		pipe.ZAdd(x.Ctx, l.Key, redis.Z{Score: r.Score, Member: r.Member})
	}
	must.Do(pipe.Exec(x.Ctx))(x.T)
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

func TestPageAgreesWithModel(t *testing.T) {
	testlevel.LongSequential(t)
	x := storetest.New(t)
	for _, l := range pagedLists() {
		rapid.Check(t, func(rt *rapid.T) {
			rows := drawRows(rt, l, 0, 30)
			fill(x, l, rows)
			all := storetest.Ordered(rows, l.Newest)
			for range 5 {
				w := storetest.DrawWindow(rt, rows)
				if got, want := x.Page(l, w), storetest.WantedPage(all, l.Newest, w); !storetest.SamePage(got, want) {
					rt.Fatalf("Page(%s, %+v) = %+v; want %+v", l.Name, w, got, want)
				}
			}
		})
	}
}

// One page is one round trip.
func TestPagesAreOneRoundTrip(t *testing.T) {
	x := storetest.New(t)
	var usage store.Usage
	r := x.Read(store.WithUsage(t.Context(), &usage))
	after := &forum.Position{Score: 1, Member: "1"}
	for _, l := range pagedLists() {
		r.Listing.Page(l, forum.Window{Count: 3})
		r.Listing.Page(l, forum.Window{Count: 3, After: after})
	}
	storetest.WantOK(t, "Exec", r.Exec())
	if got := usage.RoundTrips.Load(); got != 1 {
		t.Errorf("round trips = %d; want 1", got)
	}
	// Two commands for an open window, one script for a bounded one.
	if got := usage.Commands.Load(); got != 12 {
		t.Errorf("commands = %d; want 12", got)
	}
}
