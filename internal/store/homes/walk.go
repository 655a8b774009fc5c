package homes

import (
	"context"
	"math"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
)

// A walk is the first thousand topics of a live timeline as they were when a reader began with it, so that all pages
// that follow show each topic once. It is taken, stored and read like a snapshot, by its timeline and a number, but one
// serves only the readers who begin within WalkEvery.

// WalkNow returns the number of the walks that begin now.
func (s *Store) WalkNow() int64 { return int64(s.engine.Now()) / forum.WalkEvery.Milliseconds() }

// WalkPage reads a page of the timeline's walk number n; nil if it does not exist or is too old.
func (r Read) WalkPage(t forum.Timeline, n int64, w forum.Window) func() (*forum.Page, error) {
	w.Bare = false // its rows are numbered anyway
	get := listing.On(r.read).SnapshotPage(t, n, w)
	head := r.read.Batch.GetRange(r.read.Ctx, key.Snapshot(t, n), record.SnapshotHead,
		record.SnapshotHead+record.SnapshotRow-1)
	return func() (*forum.Page, error) {
		page, err := get()
		if page == nil || err != nil {
			return page, err
		}
		page.Walk = n
		for i := range page.Rows {
			page.Rows[i] = walkRow(page.Rows[i])
		}
		if page.Preceding != nil {
			preceding := walkRow(*page.Preceding)
			page.Preceding = &preceding
		}
		first := head.Val()
		if packed := r.read.Engine.Unkept.Get(key.Snapshot(t, n)); first == "" && packed != "" {
			first = packed[record.SnapshotHead:]
		}
		if len(first) >= record.SnapshotRow {
			row := walkRow(record.UnpackSnapshotRow(first))
			page.First = &row
		}
		return page, nil
	}
}

// walkRow returns a row with the score that is stored in place of its votes.
func walkRow(r forum.Row) forum.Row {
	r.Score = math.Float64frombits(uint64(uint32(r.Up))<<32 | uint64(uint32(r.Down)))
	r.Member = record.Member(r.CreatedAt, r.ID)
	r.Up, r.Down = 0, 0
	return r
}

// walkedCost is how many microseconds of a core it takes to read a topic of a walk.
const walkedCost = 3

// TakeWalk is TakeSnapshot for a walk. tab are the categories of a tab, users the members of a list.
func (s *Store) TakeWalk(ctx context.Context, t forum.Timeline, n int64, tab []forum.CategoryID,
	users []forum.UserID) error {
	return s.lists.EnsureSnapshot(ctx, t, n, func(ctx context.Context) (string, error) {
		now := s.engine.Now()
		rows, err := s.walkRows(ctx, t, tab, users)
		pipeline.Owe(ctx, walkedCost*len(rows))
		for i, r := range rows {
			bits := math.Float64bits(r.Score)
			rows[i].Up, rows[i].Down = int(int32(bits>>32)), int(int32(bits))
		}
		return record.PackSnapshot(now, rows[:min(len(rows), forum.SnapshotSize)]), err
	})
}

// walkRows reads the first topics of a live timeline.
func (s *Store) walkRows(ctx context.Context, t forum.Timeline, tab []forum.CategoryID,
	users []forum.UserID) ([]forum.Row, error) {
	w := forum.Window{Count: forum.SnapshotSize}
	switch t.Kind {
	case forum.ListTimeline:
		page, err := s.merged(ctx, listing.ProfileLists(t, users), w)
		return page.Rows, err
	case forum.HomeTimeline:
		r := s.engine.Read(ctx)
		get := On(r).HomePart(forum.UserID(t.Owner), w, s.rules.Current(ctx).Epochs)
		if err := r.Exec(); err != nil {
			return nil, err
		}
		part, err := get()
		if err != nil {
			return nil, err
		}
		if part.Whole() {
			return part.Page().Rows, nil
		}
		page, err := s.FinishHome(ctx, part)
		return page.Rows, err
	}
	page, err := s.merged(ctx, listing.TimelineLists(t, tab), w)
	return page.Rows, err
}

// Ahead is a list of topics and the row before which they are counted; nil counts all.
type Ahead struct {
	List listing.List
	Row  *forum.Row
}

// CountAhead counts how many topics of lists come before rows: those with equal scores do not.
func (r Read) CountAhead(of []Ahead) func() ([]int, error) {
	cmds := make([]*redis.IntCmd, len(of))
	for i, a := range of {
		from, to := "-inf", "+inf"
		if a.Row != nil && a.List.Newest {
			from, _ = paging.Bound(&a.Row.Position)
			from = "(" + from
		} else if a.Row != nil {
			to, _ = paging.Bound(&a.Row.Position)
			to = "(" + to
		}
		cmds[i] = r.read.Batch.ZCount(r.read.Ctx, a.List.Key, from, to)
	}
	return func() ([]int, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		counts := make([]int, len(of))
		for i, cmd := range cmds {
			counts[i] = int(cmd.Val())
		}
		return counts, nil
	}
}
