package store

import (
	"context"
	"errors"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Repairer is what package fsck needs of a store beside its reads: what the data are held
// to, and the ways through the store's own scripts and guards by which it repairs them. All
// of them may be repeated.
type Repairer struct{ s *Store }

// Repairer returns the store's repairer.
func (s *Store) Repairer() Repairer { return Repairer{s} }

// Redis is the client of the store.
func (r Repairer) Redis() *pipeline.Client { return r.s.rdb }

// Sizes are those of homes.
func (r Repairer) Sizes() Sizes { return r.s.sizes }

// Caps are those of what only its user sees.
func (r Repairer) Caps() Caps { return r.s.caps }

// PendingLife is how long a registration may take.
func (r Repairer) PendingLife() time.Duration { return r.s.pendingLife }

// NowMicros is the time by the store's clock in microseconds, which edges bear.
func (r Repairer) NowMicros() int64 { return r.s.nowMicros() }

// settleRounds is the most rounds of Repairer.Flush.
const settleRounds = 1000

// Flush is Store.Flush that goes on when Redis refuses something: unswept says what is
// left. err is another failure, such as a lost connection.
func (r Repairer) Flush(ctx context.Context) (unswept, err error) {
	s := r.s
	s.cleaner.flush()
	whole := *s
	whole.bulk, whole.waitForClean = false, true
	for range settleRounds {
		n, err := whole.sweep(ctx, s.Now())
		s.cleaner.flush()
		if err != nil && (!RefusedByRedis(err) || ctx.Err() != nil) {
			return nil, err
		}
		if unswept = err; n == 0 {
			break
		}
	}
	s.stats.forget()
	return unswept, nil
}

// RefusedByRedis reports whether Redis answered a command with an error, such as WRONGTYPE:
// other commands may succeed.
func RefusedByRedis(err error) bool {
	return pipeline.Answered(err) || forum.CodeOf(err) != ""
}

// FlushMarks writes the marks that are held back that something is clean.
func (r Repairer) FlushMarks() { r.s.cleaner.flush() }

// DropMark drops a mark of the partition that says that indexes lag behind.
func (r Repairer) DropMark(ctx context.Context, p forum.Partition, mark string) error {
	return r.s.dropMark(ctx, p, mark)
}

// SweepMarks does what marks of a partition stand for.
func (r Repairer) SweepMarks(ctx context.Context, p forum.Partition, marks []string) error {
	_, err := r.s.sweepMarks(ctx, p, marks)
	return err
}

// SweepUser gives up a registration or change of e-mail that takes too long.
func (r Repairer) SweepUser(ctx context.Context, id forum.UserID) error {
	_, err := r.s.sweepUser(ctx, id)
	return err
}

// SweepCategory finishes the deletion of a category, or gives it up.
func (r Repairer) SweepCategory(ctx context.Context, id string) error {
	return r.s.sweepCategory(ctx, id)
}

// Reindex writes the indexes of topics and comments of a partition.
func (r Repairer) Reindex(ctx context.Context, p forum.Partition, topics []forum.TopicID,
	comments []forum.CommentID) error {
	return r.s.reindex(ctx, p, topics, comments)
}

// CloseIndex closes an empty index.
func (r Repairer) CloseIndex(ctx context.Context, c key.Container) error {
	return r.s.rdb.Run(ctx, script.IndexClose{Closed: c.Closed(), Order: c.Order(key.OrderCreated)}).Err()
}

// RaiseSequence raises a sequence to a number that was given out.
func (r Repairer) RaiseSequence(ctx context.Context, sequence string, to int64) error {
	return r.s.rdb.Run(ctx, script.SeqRaise{Sequence: sequence, Given: to}).Err()
}

// SetClaim makes value the claim at a key, unless there is one.
func (r Repairer) SetClaim(ctx context.Context, claim, value string) error {
	return r.s.rdb.Run(ctx, script.ClaimSet{Claim: claim, Value: value}).Err()
}

// ReleaseClaim deletes a claim if it has the value.
func (r Repairer) ReleaseClaim(ctx context.Context, claim, value string) error {
	return r.s.rdb.Run(ctx, script.ClaimRelease{Claim: claim, Value: value}).Err()
}

// NameTag gives a tag a name, "" for none, as long as it has topics or followers.
func (r Repairer) NameTag(ctx context.Context, id forum.TagID, name string) error {
	b := r.s.rdb.Batch()
	tagEntry{id, name}.queue(ctx, b, r.s.Now())
	return b.Exec(ctx)
}

// WriteFar writes the far side of an edge by the user's, as the edge's task would.
func (r Repairer) WriteFar(ctx context.Context, e record.Edge) error {
	if e.Kind == record.ListUser {
		return r.s.tellListed(ctx, e.From, e.List, []forum.UserID{e.User()})
	}
	return unlessRestless(r.s.runEdge(ctx, e, ""))
}

// EndEdge ends an edge, on both sides.
func (r Repairer) EndEdge(ctx context.Context, e record.Edge) error {
	if e.Kind != record.ListUser {
		return unlessRestless(r.s.endEdge(ctx, e))
	}
	users, t, err := r.s.changeMembers(ctx, e.From, e.List, nil, []forum.UserID{e.User()})
	if forum.CodeOf(err) == forum.CodeNotFound { // the list's finding
		return nil
	}
	if err == nil && t.token != "0" {
		r.s.notifyListedNow(ctx, e.From, e.List, users, t)
	}
	return err
}

// FinishAccountCleanup ends what a deleted account has with others, as its task would.
func (r Repairer) FinishAccountCleanup(ctx context.Context, id forum.UserID) error {
	for {
		if _, done, err := r.s.runAccountCleanup(ctx, id, ""); err != nil || done {
			return err
		}
	}
}

// FillHome fills a home up. A home that changes all the time is left to the next round.
func (r Repairer) FillHome(ctx context.Context, id forum.UserID) error {
	return unlessRestless(r.s.fillHome(ctx, id))
}

// RevalidateHome takes out of a home what none of its sources holds, likewise.
func (r Repairer) RevalidateHome(ctx context.Context, id forum.UserID) error {
	return unlessRestless(r.s.revalidateHome(ctx, id))
}

// unlessRestless passes over a home that changes all the time.
func unlessRestless(err error) error {
	if errors.Is(err, errHomeBusy) {
		return nil
	}
	return err
}
