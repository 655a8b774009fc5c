package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// blocking is the work of setting a block. In each slot, following ends after the block is known there, so
// that no new follow can begin after it: the user's own follow with the truth, the other user's with the
// far side. Then both homes lose the topics that came through categories and tags.
type blocking struct {
	s            *Store
	ctx          context.Context // for the steps after the truth is written
	e            record.Edge
	mine, theirs *revalidation
	own, other   edgeChange // follows that were ended
}

// follows returns the edges that a block ends: the user's own follow and the other user's.
func (k *blocking) follows() (own, other record.Edge) {
	return record.Edge{From: k.e.From, Kind: record.FollowUser, To: k.e.To},
		record.Edge{From: k.e.User(), Kind: record.FollowUser, To: int64(k.e.From)}
}

// run performs the mutation. It reports whether anything changed.
func (k *blocking) run(ctx context.Context) (changed bool, err error) {
	k.s.step("edge_set")
	b := k.s.rdb.Batch()
	truth := k.s.queueEdge(ctx, b, k.e, opSet, k.s.nowMicros())
	end := k.queueOwn(b)
	b.Exec(ctx) // each command has its own error
	c, err := readEdge(truth, k.e, opSet)
	if err != nil || !c.changed {
		return false, err
	}
	if err = end(); err == nil {
		err = k.finish(c.is)
	}
	// The change is done even if the caller stops waiting; any process can finish it.
	if err != nil {
		k.s.log.Warn("task is left to a worker", "task", c.task.name, "error", err)
		return true, nil
	}
	k.s.finish(c.task)
	return true, nil
}

// queueOwn queues the end of the user's own follow and the read of the user's home.
func (k *blocking) queueOwn(b *pipeline.Batch) func() error {
	own, _ := k.follows()
	cmd := k.s.queueEdge(k.ctx, b, own, opEndBlocked, k.s.nowMicros())
	view := k.s.queueView(k.ctx, b, k.e.From, true)
	return func() (err error) {
		k.own, err = readEdge(cmd, own, opEndBlocked)
		k.mine = k.s.revalidation(k.ctx, k.e.From, readView(k.e.From, view))
		return err
	}
}

// finish does the work that remains once the truth is written and the user's own follow has ended.
func (k *blocking) finish(is edgeState) error {
	_, other := k.follows()
	var end *redis.Cmd
	exists, err := k.s.writeFar(k.ctx, k.e, is, func(b *pipeline.Batch) {
		end = k.s.queueEdge(k.ctx, b, other, opEndBlocked, k.s.nowMicros())
		if k.own.changed {
			k.s.queueFar(k.ctx, b, k.own.edge, k.own.is)
		}
		k.theirs.readAgain(b)
		k.theirs.readSources(b, k.e.From)
		k.mine.readSources(b)
	})
	if err != nil || !exists {
		return err
	}
	if k.other, err = readEdge(end, other, opEndBlocked); err != nil {
		return err
	}
	k.s.step("block_unfollow")
	b := k.s.rdb.Batch()
	if k.other.changed {
		k.s.queueFar(k.ctx, b, k.other.edge, k.other.is)
	}
	if err := k.s.finishRevalidations(k.ctx, b, k.mine, k.theirs); err != nil {
		return fmt.Errorf("homes of users %d and %d: %w", k.e.From, k.e.User(), err)
	}
	for _, c := range []edgeChange{k.own, k.other} {
		if c.changed {
			k.s.finish(c.task)
		}
	}
	return nil
}

// finishBlock is finishEdge for a block. When a block ends, both homes get back the topics of categories
// and tags that it hid.
func (s *Store) finishBlock(ctx context.Context, e record.Edge, is edgeState) error {
	if !is.set {
		_, err := s.writeFar(ctx, e, is, func(*pipeline.Batch) {})
		if err != nil {
			return err
		}
		return errors.Join(s.fillHome(ctx, e.From), s.fillHome(ctx, e.User()))
	}
	k := &blocking{s: s, ctx: ctx, e: e}
	s.step("edge_set")
	b := s.rdb.Batch()
	end := k.queueOwn(b)
	theirs := s.queueView(ctx, b, e.User(), true)
	if err := b.Exec(ctx); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	k.theirs = s.revalidation(ctx, e.User(), readView(e.User(), theirs))
	return k.finish(is)
}
