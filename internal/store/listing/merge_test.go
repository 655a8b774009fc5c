package listing_test

import (
	"fmt"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

// drawLists draws up to six packed lists with rows of their own.
func drawLists(rt *rapid.T, desc bool) (lists []listing.List, rows map[string][]forum.Row, all []forum.Row) {
	rows = map[string][]forum.Row{}
	for n := range rapid.IntRange(0, 6).Draw(rt, "lists") {
		key := fmt.Sprint("list", n)
		l := listing.List{Name: "merge", Key: key, Newest: desc, Packed: true}
		lists = append(lists, l)
		rows[key] = drawRows(rt, l, int64(2000*n), rapid.SampledFrom([]int{0, 5, 40, 300}).Draw(rt, "most"))
		above := rapid.IntRange(0, 5).Draw(rt, "above") // lists that do not overlap
		for i := range rows[key] {
			rows[key][i].Score += float64(above)
		}
		all = append(all, rows[key]...)
		rows[key] = storetest.Ordered(rows[key], desc)
	}
	return lists, rows, storetest.Ordered(all, desc)
}

func TestMergeAgreesWithModel(t *testing.T) {
	testlevel.LongSequential(t)
	rapid.Check(t, func(rt *rapid.T) {
		desc := rapid.Bool().Draw(rt, "desc")
		lists, rows, all := drawLists(rt, desc)
		w := storetest.DrawWindow(rt, all)
		page, rounds := storetest.Merged(lists, w, func(r listing.ListRead) forum.Page {
			return storetest.WantedPage(rows[r.List.Key], desc, r.Window)
		})
		if want := storetest.WantedPage(all, desc, w); !storetest.SamePage(page, want) {
			rt.Fatalf("merge of %d lists, %+v = %+v; want %+v", len(lists), w, page, want)
		}
		// Each round doubles the rows requested of a list; skip + count of them suffice.
		most := 1
		if w.Skip > 0 && !w.Backward {
			most = 1 + bits.Len(uint(w.Skip+w.Count))
		}
		if rounds > most {
			rt.Fatalf("merge of %d lists, %+v took %d rounds; want at most %d", len(lists), w, rounds, most)
		}
	})
}

// The worst skew: all rows of a deep page are in one of fifty lists.
func TestMergeOfSkewedListsTakesFewRounds(t *testing.T) {
	testlevel.Sequential(t)
	const long = 10_200
	lists := make([]listing.List, forum.MaxTabCategories)
	rows := map[string][]forum.Row{}
	for n := range lists {
		lists[n] = listing.List{Name: "merge", Key: fmt.Sprint("list", n), Packed: true}
		rows[lists[n].Key] = []forum.Row{{ID: int64(1_000_000 + n),
			Position: forum.Position{Score: 1e9, Member: record.Member(1, int64(1_000_000+n))}}}
	}
	for i := range long {
		rows["list7"] = append(rows["list7"],
			forum.Row{ID: int64(i + 1), Position: forum.Position{Score: float64(i),
				Member: record.Member(1, int64(i+1))}})
	}
	rows["list7"] = storetest.Ordered(rows["list7"], false)
	asked := 0
	page, rounds := storetest.Merged(lists, forum.Window{Count: 20, Skip: forum.MaxSkip},
		func(r listing.ListRead) forum.Page {
			p := storetest.WantedPage(rows[r.List.Key], false, r.Window)
			asked += len(p.Rows)
			return p
		})
	if page.Start != forum.MaxSkip || len(page.Rows) != 20 || page.Rows[0].ID != forum.MaxSkip+1 {
		t.Errorf("page = start %d, %d rows from %d; want 20 rows from position %d", page.Start, len(page.Rows),
			page.Rows[0].ID, forum.MaxSkip)
	}
	if rounds > 6 || asked > long+100 {
		t.Errorf("the merge took %d rounds and %d rows; want at most 6 and %d", rounds, asked, long+100)
	}
}

// A topic that is moving is in two lists; it is shown once.
func TestMergeShowsAMovingTopicOnce(t *testing.T) {
	row := forum.Row{ID: 7, Position: forum.Position{Score: 5, Member: record.Member(1, 7)}}
	lists := []listing.List{{Name: "m", Key: "a", Packed: true}, {Name: "m", Key: "b", Packed: true}}
	page, _ := storetest.Merged(lists, forum.Window{Count: 10}, func(listing.ListRead) forum.Page {
		return forum.Page{Rows: []forum.Row{row}, Total: 1}
	})
	if len(page.Rows) != 1 {
		t.Errorf("rows = %v; want the topic once", page.Rows)
	}
}

// Lists that shrink between rounds do not make the merge continue forever.
func TestMergeEndsWhenListsShrink(t *testing.T) {
	l := listing.List{Name: "m", Key: "a", Packed: true}
	calls := 0
	_, rounds := storetest.Merged([]listing.List{l, {Name: "m", Key: "b", Packed: true}},
		forum.Window{Count: 10, Skip: 500},
		func(listing.ListRead) forum.Page {
			calls++
			if calls > 2 {
				return forum.Page{}
			}
			rows := []forum.Row{{ID: int64(calls), Position: forum.Position{Score: 1,
				Member: record.Member(1, int64(calls))}}}
			return forum.Page{Rows: rows, Total: 1000}
		})
	if rounds > 2 {
		t.Errorf("rounds = %d; want 2", rounds)
	}
}
