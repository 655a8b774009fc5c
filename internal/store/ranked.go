package store

import (
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/record"
)

// Comments by votes keep the order they had when their first page was read. The first page is ranked from
// the list and from the votes on its comments, with two commands. If a next page may follow, the ranking is
// stored under its own hash, so that equal rankings are stored once. Cursors contain the ranking and a
// position in it.

// rankedPage reads a page of comments by votes. It reads the list up to RankedComments entries, and all
// votes: as many entries as the list has comments with votes.
func (r *Read) rankedPage(l List, w forum.Window) func() (forum.Page, error) {
	if w.Bounded() {
		return r.keptPage(l, w)
	}
	members := r.b.ZRevRange(r.ctx, l.key, 0, forum.RankedComments-1)
	votes := r.b.HGetAll(r.ctx, l.votes)
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
		k := record.PackRanking(l.key, forum.RankComments(l.ranked, ids, record.ParseCommentVotes(votes.Val())))
		from, to := 0, min(w.Count, len(ids))
		if w.Backward {
			from, to = max(len(ids)-w.Count, 0), len(ids)
		}
		page := paging.RankingRows(k, from, to, len(ids), r.s.Now())
		if !w.Bare && len(ids) > 0 {
			page.Ranking = &k
		}
		return page, nil
	}
}

// keptPage reads a page of a stored ranking.
func (r *Read) keptPage(l List, w forum.Window) func() (forum.Page, error) {
	sum, after, before, since, err := paging.RankingBounds(w)
	if err != nil {
		return func() (forum.Page, error) { return forum.Page{}, err }
	}
	r.b.FromMasters() // it may have been stored just now
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
		from, to := paging.Bounds(w, after+1, min(before, total))
		return paging.RankingRows(k, from, to, total, since), nil
	}
}

// Keep stores rankings for as long as readers who began with them may continue. If Redis refuses to store
// them, their cursors expire immediately.
func (r *Read) Keep(ks []forum.Ranking) func() ([]struct{}, error) {
	for _, k := range ks {
		r.optional = append(r.optional,
			r.b.Set(r.ctx, key.Ranking(k.List, k.Sum), k.IDs, forum.SnapshotLife+forum.SnapshotEvery))
	}
	return func() ([]struct{}, error) { return make([]struct{}, len(ks)), r.err }
}
