package homes

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// HomePart is the part of a page that the home itself holds. Topics below its watermark are read from its
// sources.
type HomePart struct {
	owner     forum.UserID
	window    forum.Window
	rows      []forum.Row // one more than requested, if there are that many
	watermark string
	skipped   int // rows already skipped, of window.Skip
	position  int
}

// HomePart reads the part of a page that a home holds. Its rows have positions like those of other
// timelines. A home that has not followed the site's changes of who sees a category, which are as many as rooms says,
// counts as one that is not kept.
func (r Read) HomePart(owner forum.UserID, w forum.Window, rooms int64) func() (*HomePart, error) {
	afterScore, afterMember := paging.HomeBound(w.After)
	beforeScore, beforeMember := paging.HomeBound(w.Before)
	call := script.HomePage{
		Home: key.Home(owner), Owner: key.User(owner), AfterScore: afterScore, AfterMember: afterMember,
		BeforeScore: beforeScore, BeforeMember: beforeMember, Most: int64(w.Count + 1),
		Skip: int64(w.Skip), Backward: w.Backward,
	}
	call.FenceBefore, call.Fence, call.FenceNext = fences(r.read.Engine.Now(), owner.Partition())
	cmd := r.read.Batch.Run(r.read.Ctx, call)
	return func() (*HomePart, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		part, err := call.Result(cmd.Result())
		if err != nil {
			return nil, fmt.Errorf("page of the home of user %d: %w", owner, err)
		}
		h := &HomePart{owner: owner, window: w, watermark: part.Watermark, skipped: int(part.Left),
			position: int(part.Position)}
		if record.Atoi(part.Rooms) != rooms {
			h.watermark, h.skipped, h.position = record.HomeNotKept, 0, 0
			return h, nil
		}
		for _, of := range part.Rows {
			row, err := paging.HomeRow(of.Member, of.Score)
			if err != nil {
				return nil, fmt.Errorf("page of the home of user %d: %w", owner, err)
			}
			h.rows = append(h.rows, row)
		}
		return h, nil
	}
}

// Whole reports whether the page ends within the home, or nothing is below the home.
func (h *HomePart) Whole() bool {
	w := h.window
	if h.watermark == "" {
		return true
	}
	if w.Backward {
		return w.Before != nil && w.Before.Member > h.watermark
	}
	return len(h.rows) > w.Count || w.Before != nil && w.Before.Member > h.watermark
}

// Kept reports whether the home is stored at all.
func (h *HomePart) Kept() bool { return h.watermark != record.HomeNotKept }

// Page returns the page, if the part is whole.
func (h *HomePart) Page() forum.Page {
	position := h.position
	if len(h.rows) == 0 && h.window.After != nil {
		position = max(position, 1) // the row at the cursor comes before it
	}
	return paging.HomeWindow(h.rows, h.window, position)
}

// FinishHome reads the rest of a page from the sources of a home: in as many round trips as a merge takes,
// and one for the sources. A home that is not kept is filled by a task.
func (s *Store) FinishHome(ctx context.Context, h *HomePart) (forum.Page, error) {
	v, err := s.viewHome(ctx, h.owner, false)
	if err != nil || !v.active {
		return forum.Page{}, err
	}
	w := h.window
	if w.Backward {
		rows, err := s.openRows(ctx, v, forum.Window{Count: w.Count + 1, Backward: true, After: w.After,
			Before: w.Before})
		return paging.HomeWindow(rows, w, paging.OneIf(w.After != nil)), err
	}
	rows := h.rows
	if len(rows) > 0 {
		w.After = &rows[len(rows)-1].Position
	} else if _, created, err := record.ParseMember(h.watermark); err == nil && h.skipped > 0 {
		w.After = &forum.Position{Score: float64(created), Member: h.watermark + "!"} // just above the watermark
	}
	skip := w.Skip - h.skipped
	more, err := s.openRows(ctx, v, forum.Window{Count: skip + w.Count + 1 - len(rows), After: w.After,
		Before: w.Before})
	if err != nil {
		return forum.Page{}, err
	}
	rows = append(rows, more[min(skip, len(more)):]...)
	position := h.position
	if h.window.After != nil || w.Skip > 0 {
		position = max(position, 1)
	}
	if !h.Kept() {
		err = s.WakeHome(ctx, h.owner)
	}
	return paging.HomeWindow(rows, h.window, position), err
}

// openRows reads rows of the merge of a home's sources, except those of authors in a block with its owner:
// as many as requested, if there are that many.
func (s *Store) openRows(ctx context.Context, v HomeView, w forum.Window) ([]forum.Row, error) {
	var rows []forum.Row
	for {
		want := w.Count - len(rows)
		ask := w
		ask.Count = want
		page, err := s.merged(ctx, v.lists("home"), ask)
		if err != nil {
			return nil, err
		}
		ids := make([]int64, len(page.Rows))
		for i, row := range page.Rows {
			ids[i] = row.ID
		}
		blocked, err := s.blockedTopics(ctx, v, ids)
		if err != nil {
			return nil, err
		}
		var open []forum.Row
		for _, row := range page.Rows {
			if !blocked[row.ID] {
				open = append(open, row)
			}
		}
		if w.Backward {
			rows = append(open, rows...)
		} else {
			rows = append(rows, open...)
		}
		if len(page.Rows) < want || len(rows) >= w.Count {
			return rows, nil
		}
		if w.Backward {
			w.Before = &page.Rows[0].Position
		} else {
			w.After = &page.Rows[len(page.Rows)-1].Position
		}
	}
}
