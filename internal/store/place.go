package store

import (
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/internal/record"
)

// Member is how a topic stands in the list.
func (l List) Member(t forum.Row) string {
	if l.packed {
		return record.Member(t.CreatedAt, t.ID)
	}
	return strconv.FormatInt(t.ID, 10)
}

// Precedes tells whether one row stands before another in the list.
func (l List) Precedes(a, b forum.Row) bool {
	if l.desc {
		a, b = b, a
	}
	return a.Score < b.Score || a.Score == b.Score && a.Member < b.Member
}

// CreatedPosition is where a topic stands in every list by time of posting.
func CreatedPosition(t forum.Row) forum.Position {
	return forum.Position{Score: float64(t.CreatedAt), Member: record.Member(t.CreatedAt, t.ID)}
}

// Position finds where something stands in a list; nil if it does not.
func (r *Read) Position(l List, m string) func() (*forum.Position, error) {
	cmd := r.b.ZScore(r.ctx, l.key, m)
	return func() (*forum.Position, error) {
		if r.err != nil {
			return nil, r.err
		}
		if cmd.Err() != nil {
			return nil, nil
		}
		return &forum.Position{Score: cmd.Val(), Member: m}, nil
	}
}
