package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Comments by votes stand as they stood when their first page was read. The first page
// is ranked from the list and from the votes on its comments, two commands; if anybody
// may want the next page, the ranking is kept under its own hash, so that equal ones
// are kept once. Cursors name the ranking and a place in it.

// rankedPage reads a page of comments by votes. The list is read up to RankedComments,
// the votes whole: as many entries as the list has comments with votes.
func (r *Read) rankedPage(l List, w forum.Window) func() (forum.Page, error) {
	if w.Bounded() {
		return r.keptPage(l, w)
	}
	members := r.b.ZRevRange(r.ctx, l.key, 0, forum.RankedComments-1)
	tally := r.b.HGetAll(r.ctx, l.tally)
	return func() (forum.Page, error) {
		if r.err != nil {
			return forum.Page{}, r.err
		}
		ids := make([]forum.CommentID, len(members.Val()))
		for i, m := range members.Val() {
			id, err := forum.ParseID[forum.CommentID](m)
			if err != nil {
				return forum.Page{}, fmt.Errorf("entry of %s: %w", l.key, err)
			}
			ids[i] = id
		}
		slices.Reverse(ids)
		k := record.PackRanking(l.key, forum.RankComments(l.ranked, ids, parseTallies(tally.Val())))
		from, to := 0, min(w.Count, len(ids))
		if w.Backward {
			from, to = max(len(ids)-w.Count, 0), len(ids)
		}
		page := rankedRows(k, from, to, len(ids), r.s.Now())
		if !w.Bare && len(ids) > 0 {
			page.Ranking = &k
		}
		return page, nil
	}
}

// keptPage reads a page of a ranking that was kept.
func (r *Read) keptPage(l List, w forum.Window) func() (forum.Page, error) {
	sum, after, before, since, err := rankedBounds(w)
	if err != nil {
		return func() (forum.Page, error) { return forum.Page{}, err }
	}
	kept := r.b.Get(r.ctx, key.Ranking(l.key, sum))
	return func() (forum.Page, error) {
		if r.err != nil {
			return forum.Page{}, r.err
		}
		k := forum.Ranking{List: l.key, Sum: sum, IDs: kept.Val()}
		if k.IDs == "" || r.s.Now() >= since+forum.Time(forum.SnapshotLife.Milliseconds()) {
			return forum.Page{}, w.CursorExpired()
		}
		total := len(k.IDs) / record.RankingRow
		from, to := pageOf(w, after+1, min(before, total))
		return rankedRows(k, from, to, total, since), nil
	}
}

// pageOf are the places of a window's page among those from first to end.
func pageOf(w forum.Window, first, end int) (from, to int) {
	first = min(first, end)
	if w.Backward {
		return max(end-w.Count, first), end
	}
	return first, min(first+w.Count, end)
}

// rankedBounds reads what the cursors of a window say: the ranking, the places between
// which the page lies, and when its reader began.
func rankedBounds(w forum.Window) (sum string, after, before int, since forum.Time, err error) {
	after, before = -1, forum.RankedComments
	for _, bound := range []struct {
		field string
		at    *forum.Position
		place *int
	}{{"after", w.After, &after}, {"before", w.Before, &before}} {
		if bound.at == nil {
			continue
		}
		of, place, ok := strings.Cut(bound.at.Member, ".")
		n, bad := strconv.Atoi(place)
		if !ok || bad != nil || n < 0 || n > forum.RankedComments || len(of) != 2*record.RankingSum || sum != "" && of != sum {
			return "", 0, 0, 0, forum.CursorInvalid(bound.field)
		}
		sum, *bound.place, since = of, n, max(since, forum.Time(bound.at.Score))
	}
	return sum, after, before, since, nil
}

// rankedRows is a page of a ranking whose reader began at since.
func rankedRows(k forum.Ranking, from, to, total int, since forum.Time) forum.Page {
	p := forum.Page{Start: from, Total: total, Rows: make([]forum.Row, 0, max(to-from, 0))}
	for at := from; at < to; at++ {
		id := binary.BigEndian.Uint32([]byte(k.IDs[at*record.RankingRow:][:record.RankingRow]))
		p.Rows = append(p.Rows, forum.Row{ID: int64(id), Position: forum.Position{Score: float64(since), Member: k.Sum + "." + strconv.Itoa(at)}})
	}
	return p
}

// Keep keeps rankings for as long as those who began with them may go on. Where Redis
// refuses to store them their cursors expire at once.
func (r *Read) Keep(ks []forum.Ranking) func() ([]struct{}, error) {
	for _, k := range ks {
		r.optional = append(r.optional, r.b.Set(r.ctx, key.Ranking(k.List, k.Sum), k.IDs, forum.SnapshotLife+forum.SnapshotEvery))
	}
	return func() ([]struct{}, error) { return make([]struct{}, len(ks)), r.err }
}

// parseTallies reads the votes on the comments of a list.
func parseTallies(f map[string]string) map[forum.CommentID]forum.Tally {
	tallies := make(map[forum.CommentID]forum.Tally, len(f))
	for id, votes := range f {
		n, err := forum.ParseID[forum.CommentID](id)
		if err != nil {
			continue
		}
		up, down, _ := strings.Cut(votes, " ")
		tallies[n] = forum.Tally{Up: int(record.Atoi(up)), Down: int(record.Atoi(down))}
	}
	return tallies
}
