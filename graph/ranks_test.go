package graph_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"
)

// formulas are the orders' keys, computed from the fields that an edge shows of its topic.
var formulas = map[string]struct {
	formula string
	terms   func(p place) map[string]float64
}{
	"CREATED": {"createdAt", func(p place) map[string]float64 { return map[string]float64{"createdAt": unix(p.Node.CreatedAt)} }},
	"ACTIVE":  {"lastActiveAt", func(p place) map[string]float64 { return map[string]float64{"lastActiveAt": unix(p.Node.LastActiveAt)} }},
	"SCORE": {"createdAt + 432 * net", func(p place) map[string]float64 {
		return map[string]float64{"createdAt": unix(p.Node.CreatedAt), "votes": 432 * float64(p.Node.Votes.Net)}
	}},
	"HOT": {"sign(net) * log10(max(|net|, 1)) + (createdAt - 1134028003) / 45000", func(p place) map[string]float64 {
		votes := math.Copysign(math.Log10(math.Max(math.Abs(float64(p.Node.Votes.Net)), 1)), float64(p.Node.Votes.Net))
		return map[string]float64{"createdAt": (unix(p.Node.CreatedAt) - 1134028003) / 45000, "votes": votes}
	}},
	"TOP": {"up - down", func(p place) map[string]float64 {
		return map[string]float64{"up": float64(p.Node.Votes.Up), "down": -float64(p.Node.Votes.Down)}
	}},
	"CONTROVERSIAL": {"(up + down) / max(|net|, 1)", func(p place) map[string]float64 {
		of := math.Max(math.Abs(float64(p.Node.Votes.Net)), 1)
		return map[string]float64{"up": float64(p.Node.Votes.Up) / of, "down": float64(p.Node.Votes.Down) / of}
	}},
	"REPLIES_TODAY": {"comments of the day", func(p place) map[string]float64 {
		return map[string]float64{"comments": float64(p.Node.CommentCountToday)}
	}},
}

func unix(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// almostEqual reports whether two figures are equal within what the schema promises.
func almostEqual(a, b float64) bool { return math.Abs(a-b) <= 1e-6 }

// wantExplained checks what a whole list shows of its rows: ranks from 1, scores that match the formula, terms that
// add up to them, rows in order.
func wantExplained(t *testing.T, timeline, order string, desc bool, all page) {
	t.Helper()
	if all.TotalCount != len(all.Edges) || all.PageInfo.HasNextPage || all.PageInfo.HasPreviousPage {
		t.Errorf("%s: %d edges of %d, pageInfo %+v; want all, and no neighbours", timeline, len(all.Edges),
			all.TotalCount, all.PageInfo)
	}
	of := formulas[order]
	for i, p := range all.Edges {
		sum, want := 0.0, 0.0
		wanted := of.terms(p)
		for _, term := range p.Explanation.Terms {
			sum += term.Value
			if value, ok := wanted[term.Name]; !ok || !almostEqual(value, term.Value) {
				t.Errorf("%s: term %s = %v; want those of %v", timeline, term.Name, term.Value, wanted)
			}
		}
		for _, value := range wanted {
			want += value
		}
		if !almostEqual(p.Score, sum) || !almostEqual(p.Score, want) || len(p.Explanation.Terms) != len(wanted) ||
			p.Explanation.Formula != of.formula {
			t.Errorf("%s: row %d = %+v; want the score %v by the formula %s", timeline, i, p, want, of.formula)
		}
		if p.Rank != i+1 {
			t.Errorf("%s: row %d has the rank %d; want %d", timeline, i, p.Rank, i+1)
		}
		if i > 0 && p.above(all.Edges[i-1]) == desc {
			t.Errorf("%s: row %d, %+v, comes after %+v", timeline, i, p, all.Edges[i-1])
		}
		if !desc && p.Explanation.VotesToPass != nil {
			t.Errorf("%s: votesToPass = %d in an order that ascends; want none", timeline, *p.Explanation.VotesToPass)
		}
	}
}

// above reports whether p has a higher score than q, or the same and was posted later.
func (p place) above(q place) bool {
	switch {
	case !almostEqual(p.Score, q.Score):
		return p.Score > q.Score
	case !p.Node.CreatedAt.Equal(q.Node.CreatedAt):
		return p.Node.CreatedAt.After(q.Node.CreatedAt)
	}
	return p.Node.Number > q.Node.Number
}

// wantSamePages checks that all ways to page through a list return the same ranks, scores, explanations and votes to
// pass.
func (l *pagingFixture) wantSamePages(t *testing.T, timeline string, all page, size int) {
	t.Helper()
	compare := func(args string, from, to int) page {
		t.Helper()
		page := l.page(timeline, args)
		wantEqual(t, timeline+" "+args, page.Edges, all.Edges[from:to])
		if page.PageInfo.HasPreviousPage != (from > 0) || page.PageInfo.HasNextPage != (to < all.TotalCount) ||
			page.TotalCount != all.TotalCount {
			t.Errorf("%s %s: %d rows, %+v; want rows %d to %d of %d", timeline, args, page.TotalCount, page.PageInfo, from, to,
				all.TotalCount)
		}
		return page
	}
	n := all.TotalCount
	cursor := ""
	for from := 0; from < n; from += size {
		to := min(from+size, n)
		compare(fmt.Sprintf("first: %d, skip: %d", size, from), from, to)
		page := compare(strings.TrimSuffix(fmt.Sprintf("first: %d, after: %q", size, cursor), `, after: ""`), from, to)
		compare(fmt.Sprintf("last: %d, before: %q", 100, page.PageInfo.StartCursor), 0, from)
		cursor = page.PageInfo.EndCursor
	}
	cursor = ""
	for to := n; to > 0; to -= size {
		from := max(to-size, 0)
		page := compare(strings.TrimSuffix(fmt.Sprintf("last: %d, before: %q", size, cursor), `, before: ""`), from, to)
		if cursor != "" {
			compare(fmt.Sprintf("last: 1, after: %q, before: %q", page.PageInfo.StartCursor, cursor), to-min(1, to-from-1), to)
		}
		cursor = page.PageInfo.StartCursor
	}
	compare(fmt.Sprintf("last: %d, skip: %d", size, n-2), max(n-size, n-2), n)
	compare(fmt.Sprintf("last: %d, skip: 1", size), n-size, n)
	compare(fmt.Sprintf("first: 1, skip: %d", n+1), n, n)
}

// wantSparsePages checks that pages with few selected fields return the same: no cursors, no length of the list.
func (l *pagingFixture) wantSparsePages(t *testing.T, timeline string, all page, size int) {
	t.Helper()
	n := len(all.Edges)
	for at := 0; at < n; at += size {
		for args, want := range map[string][]place{
			fmt.Sprintf("first: %d, skip: %d", size, at): all.Edges[at:min(at+size, n)],
			fmt.Sprintf("last: %d", n-at):                all.Edges[at:],
		} {
			x := l.pages(timeline, `ranks: topics(`+args+`) { edges { rank node { id } } } votes: topics(`+args+`) { edges { rank explanation { votesToPass } } }
				scores: topics(`+args+`) { edges { score node { id } } }`)
			for i, p := range want {
				var rank, score, votes place
				rank.Rank, rank.Node.ID = p.Rank, p.Node.ID
				score.Score, score.Node.ID = p.Score, p.Node.ID
				votes.Rank, votes.Explanation.VotesToPass = p.Rank, p.Explanation.VotesToPass
				wantEqual(t, timeline+" "+args+": sparse edges",
					[]place{x["ranks"].Edges[i], x["scores"].Edges[i], x["votes"].Edges[i]}, []place{rank, score, votes})
			}
		}
	}
}

func TestRanksAndScoresOfEveryOrder(t *testing.T) {
	testlevel.Usual(t)
	l := newPagingFixture(t, 1, 23, 2)
	for _, owner := range owners {
		for order := range formulas {
			for _, direction := range []string{"DESC", "ASC"} {
				timeline := ordered(owner, order, direction, "")
				if order == "REPLIES_TODAY" {
					timeline, direction = "dayRank", "DESC"
				}
				all := l.page(timeline, "first: 100")
				if len(all.Edges) < 9 {
					t.Fatalf("%s: %d rows; the test shows little", timeline, len(all.Edges))
				}
				wantExplained(t, timeline, order, direction == "DESC", all)
				l.wantSamePages(t, timeline, all, 8)
				l.wantSparsePages(t, timeline, all, 10)
			}
		}
	}
	profile := `user(by: {login: "voter00"}) { profile`
	all := l.page(profile, "first: 100")
	wantExplained(t, profile, "CREATED", true, all)
	l.wantSamePages(t, profile, all, 8)
	for _, order := range []string{"ACTIVE", "SCORE", "HOT"} { // the end of one category is before a page of the other
		timeline := ordered(owners[2], order, "DESC", "")
		l.wantSamePages(t, timeline, l.page(timeline, "first: 100"), 1)
	}
}
