package follows

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/homes"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// blocking is the work of setting a block. In each slot, following ends after the block is known there, so
// that no new follow can begin after it: the user's own follow with the truth, the other user's with the
// reverse side. Then both homes lose the topics that came through categories and tags.
type blocking struct {
	s            *Store
	ctx          context.Context // for the steps after the truth is written
	e            record.Edge
	mine, theirs *homes.Revalidation
	own, other   EdgeChange // follows that were ended
}

// follows returns the edges that a block ends: the user's own follow and the other user's.
func (k *blocking) follows() (own, other record.Edge) {
	return record.Edge{From: k.e.From, Kind: record.FollowUser, To: k.e.To},
		record.Edge{From: k.e.User(), Kind: record.FollowUser, To: int64(k.e.From)}
}

// run performs the mutation. It reports whether anything changed.
func (k *blocking) run(ctx context.Context) (changed bool, err error) {
	k.s.engine.Step("edge_set")
	b := k.s.engine.Client.Batch()
	truth := k.s.QueueEdge(ctx, b, k.e, OpSet, k.s.engine.NowMicros())
	end := k.queueOwn(b)
	b.Exec(ctx) // each command has its own error
	c, err := ReadEdge(truth, k.e, OpSet)
	if err != nil || !c.Changed {
		return false, err
	}
	if err = end(); err == nil {
		err = k.finish(c.Is)
	}
	// The change is done even if the caller stops waiting; any process can finish it.
	if err != nil {
		k.s.engine.Log.Warn("task is left to a worker", "task", c.Task.Name, "error", err)
		return true, nil
	}
	k.s.engine.Finish(c.Task)
	return true, nil
}

// queueOwn queues the end of the user's own follow and the read of the user's home.
func (k *blocking) queueOwn(b *pipeline.Batch) func() error {
	own, _ := k.follows()
	cmd := k.s.QueueEdge(k.ctx, b, own, opEndBlocked, k.s.engine.NowMicros())
	view := k.s.homes.QueueView(k.ctx, b, k.e.From, true)
	return func() (err error) {
		k.own, err = ReadEdge(cmd, own, opEndBlocked)
		k.mine = k.s.homes.Revalidation(k.ctx, k.e.From, k.s.homes.ReadView(k.ctx, k.e.From, view))
		return err
	}
}

// finish does the work that remains once the truth is written and the user's own follow has ended.
func (k *blocking) finish(is EdgeState) error {
	_, other := k.follows()
	var end *redis.Cmd
	exists, err := k.s.writeReverse(k.ctx, k.e, is, func(b *pipeline.Batch) {
		end = k.s.QueueEdge(k.ctx, b, other, opEndBlocked, k.s.engine.NowMicros())
		if k.own.Changed {
			k.s.QueueReverse(k.ctx, b, k.own.Edge, k.own.Is)
		}
		k.theirs.ReadAgain(b)
		k.theirs.ReadSources(b, k.e.From)
		k.mine.ReadSources(b)
	})
	if err != nil || !exists {
		return err
	}
	if k.other, err = ReadEdge(end, other, opEndBlocked); err != nil {
		return err
	}
	k.s.engine.Step("block_unfollow")
	b := k.s.engine.Client.Batch()
	if k.other.Changed {
		k.s.QueueReverse(k.ctx, b, k.other.Edge, k.other.Is)
	}
	if err := k.s.homes.FinishRevalidations(k.ctx, b, k.mine, k.theirs); err != nil {
		return fmt.Errorf("homes of users %d and %d: %w", k.e.From, k.e.User(), err)
	}
	for _, c := range []EdgeChange{k.own, k.other} {
		if c.Changed {
			k.s.engine.Finish(c.Task)
		}
	}
	return nil
}

// finishBlock is FinishEdge for a block. When a block ends, both homes get back the topics of categories
// and tags that it hid.
func (s *Store) finishBlock(ctx context.Context, e record.Edge, is EdgeState) error {
	if !is.set {
		_, err := s.writeReverse(ctx, e, is, func(*pipeline.Batch) {})
		if err != nil {
			return err
		}
		return errors.Join(s.homes.FillHome(ctx, e.From), s.homes.FillHome(ctx, e.User()))
	}
	k := &blocking{s: s, ctx: ctx, e: e}
	s.engine.Step("edge_set")
	b := s.engine.Client.Batch()
	end := k.queueOwn(b)
	theirs := s.homes.QueueView(ctx, b, e.User(), true)
	if err := b.Exec(ctx); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	k.theirs = s.homes.Revalidation(ctx, e.User(), s.homes.ReadView(ctx, e.User(), theirs))
	return k.finish(is)
}
