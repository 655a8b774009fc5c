package loader

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	_ "agora/internal/test/testseed"
)

// Whatever the kinds of topics are, pages of some of them that are walked by their cursors, in both directions, show
// each of these topics once, in order.
func TestPagesOfKindsShowEachTopicOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 5, 99, 100, 101, 1000, 1001, 2500}).Draw(t, "topics")
		every := rapid.IntRange(1, 1500).Draw(t, "one in")
		count := rapid.SampledFrom([]int{1, 2, 20, 100}).Draw(t, "first")
		backward := rapid.Bool().Draw(t, "backward")
		var want []int64
		for id := range int64(n) {
			if id%int64(every) == 0 {
				want = append(want, id)
			}
		}
		var got []int64
		w := forum.Window{Count: count, Backward: backward}
		for page := 0; ; page++ {
			if page > n+1 {
				t.Fatal("the walk does not end")
			}
			budget := rapid.IntRange(0, forum.KindsPerResponse).Draw(t, "budget")
			p := sift(n, every, w, budget)
			ids := IDs[int64](&p)
			more := p.HasNext()
			if backward {
				slices.Reverse(ids)
				more = p.HasPrevious()
			}
			got = append(got, ids...)
			if !more {
				break
			}
			if backward {
				w.Before = p.Examined.First
			} else {
				w.After = p.Examined.Last
			}
		}
		if backward {
			slices.Reverse(got)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("walked %v; want %v", got, want)
		}
	})
}

// sift reads a page of every so many of n topics.
func sift(n, every int, w forum.Window, budget int) forum.Page {
	s := sifting{w: w, need: w.Skip + w.Count}
	for {
		part, ok := s.window(&budget)
		if !ok {
			return s.page()
		}
		if part.Count < 1 || s.examined+part.Count > forum.KindsExamined {
			panic("a part of " + strconv.Itoa(part.Count) + " topics")
		}
		from, to := 0, n
		if part.After != nil {
			from = int(part.After.Score) + 1
		}
		if part.Before != nil {
			to = int(part.Before.Score)
		}
		p := forum.Page{Total: n}
		if part.Backward {
			from = max(from, to-part.Count)
		}
		to = min(to, from+part.Count)
		var of []bool
		for id := from; id < to; id++ {
			p.Rows = append(p.Rows, forum.Row{ID: int64(id), Position: forum.Position{Score: float64(id), Member: "m"}})
			of = append(of, id%every == 0)
		}
		p.Start = from
		s.add(p, of)
	}
}
