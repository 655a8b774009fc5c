package store

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// Repairer is what package fsck needs of a store in addition to reads: the limits that the data must obey,
// and the repairs, which use the store's own scripts and guards. All of them are idempotent.
type Repairer struct{ s *Store }

// Repairer returns the store's repairer.
func (s *Store) Repairer() Repairer { return Repairer{s} }

// Redis returns the store's client.
func (r Repairer) Redis() *pipeline.Client { return r.s.Engine.Client }

// Unmoderate ends that a user moderates a category that was deleted.
func (r Repairer) Unmoderate(ctx context.Context, user forum.UserID, id forum.CategoryID) error {
	b := r.s.Engine.Client.Batch()
	r.s.Acts.QueueUnmoderate(ctx, b, user, id)
	return b.Exec(ctx)
}

// settleRounds is the maximum number of rounds of Repairer.Flush.
const settleRounds = 1000

// Flush is like Store.Flush, but continues when Redis refuses something: unswept reports what is left. err
// is another failure, such as a lost connection.
func (r Repairer) Flush(ctx context.Context) (unswept, err error) {
	s := r.s
	s.Engine.Cleaner.Flush()
	whole := s.with(func(e *engine.Engine) { e.Bulk, e.WaitForClean = false, true })
	for range settleRounds {
		n, err := whole.Engine.SweepUntil(ctx, s.Engine.Now())
		s.Engine.Cleaner.Flush()
		if err != nil && (!RefusedByRedis(err) || ctx.Err() != nil) {
			return nil, err
		}
		if unswept = err; n == 0 {
			break
		}
	}
	s.shared.stats.forget()
	return unswept, whole.Engine.Drain(ctx, false)
}

// RefusedByRedis reports whether Redis answered a command with an error, such as WRONGTYPE:
// other commands may succeed.
func RefusedByRedis(err error) bool {
	return pipeline.Answered(err) || forum.CodeOf(err) != ""
}

// FlushMarks removes the dirty marks of entities whose indexes are already written.
func (r Repairer) FlushMarks() { r.s.Engine.Cleaner.Flush() }

// ListAct adds an act to the lists that have it.
func (r Repairer) ListAct(ctx context.Context, id forum.ActID) error {
	return r.s.Acts.SweepActs(ctx, id.Partition(), []forum.ActID{id})
}

// CarryOut hides or restores the posts that an act hides or restores.
func (r Repairer) CarryOut(ctx context.Context, id forum.ActID) error {
	return r.s.Moderation.CarryOutAct(ctx, id)
}

// SweepUser abandons a registration or change of e-mail that takes too long.
func (r Repairer) SweepUser(ctx context.Context, id forum.UserID) error {
	_, err := r.s.Accounts.SweepUser(ctx, id)
	return err
}

// ClaimLooks makes the claims on the looks of a user's login those of this version.
func (r Repairer) ClaimLooks(ctx context.Context, id forum.UserID) error {
	if err := r.s.Accounts.ClaimLooks(ctx, []forum.UserID{id}); err != nil {
		return err
	}
	return r.SweepUser(ctx, id)
}

// Reindex writes the indexes of topics and comments of a partition.
func (r Repairer) Reindex(ctx context.Context, p forum.Partition, topics []forum.TopicID,
	comments []forum.CommentID) error {
	if err := r.s.Change.SweepTopics(ctx, p, topics); err != nil {
		return err
	}
	return r.s.Change.SweepComments(ctx, p, comments)
}

// NameTag sets the name of a tag, "" for none, as long as it has topics or followers, and lists it.
func (r Repairer) NameTag(ctx context.Context, id forum.TagID, name string) error {
	tag := index.Tag{ID: id, Name: name, Again: true}
	return index.Relist(ctx, r.s.Engine.Client, &tag, r.s.Engine.Now())
}

// WriteReverse writes the reverse side of an edge from the user's side, as the edge's task would.
func (r Repairer) WriteReverse(ctx context.Context, e record.Edge) error {
	if e.Kind == record.ListUser {
		return r.s.Follows.WriteListed(ctx, e.From, e.List, []forum.UserID{e.User()})
	}
	return homes.IgnoreBusy(r.s.Follows.RunEdge(ctx, e, ""))
}

// EndEdge ends an edge, on both sides.
func (r Repairer) EndEdge(ctx context.Context, e record.Edge) error {
	if e.Kind != record.ListUser {
		return homes.IgnoreBusy(r.s.Follows.EndEdge(ctx, e))
	}
	users, t, err := r.s.Follows.ChangeMembers(ctx, e.From, e.List, nil, []forum.UserID{e.User()})
	if forum.CodeOf(err) == forum.CodeNotFound { // reported as a finding of the list
		return nil
	}
	if err == nil && t.Token != "0" {
		r.s.Follows.WriteListedNow(ctx, e.From, e.List, users, t)
	}
	return err
}

// FinishAccountCleanup ends the edges of a deleted account, as its task would.
func (r Repairer) FinishAccountCleanup(ctx context.Context, id forum.UserID) error {
	for {
		if _, done, err := r.s.Accounts.RunAccountCleanup(ctx, id, ""); err != nil || done {
			return err
		}
	}
}
