// Package commentpage reads the pages of comments that are more than a range of a sorted set: by votes, around a
// number, and as trees.
package commentpage

import (
	"context"
	"embed"
	"fmt"
	"strconv"
	"sync"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Reader queues reads in a batch. Its methods return functions that return the results once the batch was sent.
type Reader struct {
	Batch *pipeline.Batch
	Now   forum.Time
	// Err returns the error of the batch.
	Err func() error
	// Charge charges the ranking of comments before it is done; nil if nobody does.
	Charge func(work int) error
}

// RankedCost is what ranking a comment costs, as a byte of a text; see text.RenderCost.
const RankedCost = 64

type result = func() (forum.Page, error)

func failed(err error) result {
	return func() (forum.Page, error) { return forum.Page{}, err }
}

// List is a list of comments.
type List struct {
	// Key is the list by number. Rankings are stored beside it.
	Key string
	// Newest reports whether the highest number comes first.
	Newest bool
	// Ranked is an order by votes, "" for those by number; Votes is the key of the votes.
	Ranked forum.CommentOrder
	Votes  string
	// Entries is how many comments and votes such a list usually has, if these are many.
	Entries int
}

// Around queues the page of a list by number in whose middle the comment with that number is, or would be.
func (r Reader) Around(ctx context.Context, l List, number, most int) result {
	call := script.ListAround{List: l.Key, Descending: l.Newest, Number: int64(number), Most: int64(most)}
	cmd := r.Batch.Run(ctx, call)
	return func() (forum.Page, error) {
		if err := r.Err(); err != nil {
			return forum.Page{}, err
		}
		found, err := call.Result(cmd.Result())
		if err != nil {
			return forum.Page{}, fmt.Errorf("page of %s: %w", l.Key, err)
		}
		rows, err := rowsOf(l.Key, found.Rows)
		return forum.Page{Rows: rows, Start: int(found.First), Total: int(found.Total)}, err
	}
}

func rowsOf(list string, scored []script.Scored) ([]forum.Row, error) {
	rows := make([]forum.Row, len(scored))
	for i, of := range scored {
		id, err := forum.ParseID[forum.CommentID](of.Member)
		if err != nil {
			return nil, fmt.Errorf("entry of %s: %w", list, err)
		}
		rows[i] = forum.Row{ID: int64(id), Position: forum.Position{Score: of.Score, Member: of.Member}}
	}
	return rows, nil
}

// Ranked queues a page of a list by votes. The first page is ranked from the list and from the votes on its comments,
// with two commands: the list up to RankedComments entries, and as many votes as the list has comments with votes. If
// a next page may follow, the ranking is stored under its own hash, so that equal rankings are stored once. Cursors
// contain the ranking and a position in it.
func (r Reader) Ranked(ctx context.Context, l List, w forum.Window) result {
	if w.Bounded() {
		return r.kept(ctx, l, w)
	}
	voted := pipeline.Shared(r.Batch, "ranked "+l.Key, func() func() (voted, error) { return r.voted(ctx, l) })
	return func() (forum.Page, error) {
		v, err := voted()
		if err != nil {
			return forum.Page{}, err
		}
		if err := r.charge(len(v.ids)); err != nil {
			return forum.Page{}, err
		}
		return r.first(w, record.PackRanking(l.Key, forum.RankComments(l.Ranked, v.ids, v.votes))), nil
	}
}

// voted is a list by number, and the votes on its comments.
type voted struct {
	ids   []forum.CommentID
	votes map[forum.CommentID]forum.VoteCount
}

// voted queues the comments of a list, up to the latest RankedComments, and their votes.
func (r Reader) voted(ctx context.Context, l List) func() (voted, error) {
	r.Batch.Entries(l.Entries)
	members := r.Batch.ZRevRange(ctx, l.Key, 0, forum.RankedComments-1)
	votes := r.Batch.HGetAll(ctx, l.Votes)
	return sync.OnceValues(func() (voted, error) {
		if err := r.Err(); err != nil {
			return voted{}, err
		}
		ids := make([]forum.CommentID, len(members.Val()))
		for i, m := range members.Val() {
			id, err := forum.ParseID[forum.CommentID](m)
			if err != nil {
				return voted{}, fmt.Errorf("entry of %s: %w", l.Key, err)
			}
			ids[len(ids)-1-i] = id
		}
		return voted{ids, record.ParseCommentVotes(votes.Val())}, nil
	})
}

// charge charges the ranking of so many comments.
func (r Reader) charge(comments int) error {
	if r.Charge == nil {
		return nil
	}
	return r.Charge(RankedCost * comments)
}

// first returns the page of a ranking that was just made.
func (r Reader) first(w forum.Window, k forum.Ranking) forum.Page {
	total := len(k.IDs) / record.RankingRow
	from := min(w.Skip, total)
	to := min(from+w.Count, total)
	if w.Backward {
		from, to = max(total-w.Count, from), total
	}
	return keeping(paging.RankingRows(k, from, to, total, r.Now), w, k)
}

// keeping adds to a page the ranking that its cursors refer to.
func keeping(page forum.Page, w forum.Window, k forum.Ranking) forum.Page {
	if !w.Bare && k.IDs != "" {
		page.Ranking = &k
	}
	return page
}

// kept queues a page of a stored ranking.
func (r Reader) kept(ctx context.Context, l List, w forum.Window) result {
	sum, after, before, since, err := paging.RankingBounds(w)
	if err != nil {
		return failed(err)
	}
	r.Batch.FromMasters() // it may have been stored just now
	stored := r.Batch.Get(ctx, key.Ranking(l.Key, sum))
	return func() (forum.Page, error) {
		if err := r.Err(); err != nil {
			return forum.Page{}, err
		}
		k := forum.Ranking{List: l.Key, Sum: sum, IDs: stored.Val()}
		if k.IDs == "" || r.Now >= since+forum.Time(forum.SnapshotLife.Milliseconds()) {
			return forum.Page{}, w.CursorExpired()
		}
		total := len(k.IDs) / record.RankingRow
		from, to := paging.Bounds(w, after+1, min(before, total))
		return paging.RankingRows(k, from, to, total, since), nil
	}
}

// Nearest queues the search for the live comment of a topic that is nearest to a number, among the next forum.MaxLooked
// ones after it, or before it if backward; 0 if there is none. Comments of the user except do not count; 0 is no user.
func (r Reader) Nearest(ctx context.Context, topic forum.TopicID, number int64, backward bool,
	except forum.UserID) func() (forum.CommentID, error) {
	call := script.CommentFind{
		Comments: key.TopicComments(topic), Tombstones: key.Tombstones(topic), Authors: key.Authors(topic),
		Beyond: "(" + strconv.FormatInt(number, 10), Backward: backward, Most: forum.MaxLooked,
	}
	if except != 0 {
		call.Except = fmt.Sprintf("%08x", int64(except))
	}
	cmd := r.Batch.Run(ctx, call)
	return func() (forum.CommentID, error) {
		if err := r.Err(); err != nil {
			return 0, err
		}
		found, err := call.Result(cmd.Result())
		return found.ID, err
	}
}
