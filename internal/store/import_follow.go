package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// NewFollow is an edge to import: From follows To.
type NewFollow struct{ From, To forum.UserID }

// Follows makes users follow others, in a few pipelines, and reports for each edge whether it was new.
// Deleted users neither follow nor are followed, and no edge is set across a block.
func (im *Import) Follows(ctx context.Context, in []NewFollow) (created []bool, err error) {
	im.begin()
	defer func() { im.end(err) }()
	s := im.s
	created = make([]bool, len(in))
	b := s.rdb.Batch()
	cmds := make([]*redis.Cmd, len(in))
	for i, f := range in {
		cmds[i] = s.queueEdge(ctx, b, record.FollowEdge(f.From, forum.Target{User: f.To}), opSet, im.tick())
	}
	s.step("import_follows")
	b.Exec(ctx) // each command has its own error
	changes := make([]edgeChange, 0, len(in))
	var known []record.Edge
	seen := map[record.Edge]bool{}
	for i, f := range in {
		c, err := readEdge(cmds[i], record.FollowEdge(f.From, forum.Target{User: f.To}), opSet)
		switch forum.CodeOf(err) {
		case "":
		case forum.CodeBlocked, forum.CodeUnauthenticated:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("import follows: %w", err)
		}
		if created[i] = c.changed; c.changed {
			changes = append(changes, c)
		} else {
			known = append(known, c.edge)
			created[i] = !seen[c.edge] && im.ownEdge(c.is)
		}
		seen[c.edge] = true
	}
	if err := im.finishKnown(ctx, known); err != nil {
		return nil, fmt.Errorf("import follows: %w", err)
	}
	deleted, err := im.finishFollows(ctx, changes)
	if err != nil {
		return nil, fmt.Errorf("import follows: %w", err)
	}
	for i, f := range in {
		created[i] = created[i] && !deleted[f.To]
	}
	return created, nil
}

// finishKnown does the remaining work of edges that an earlier import left when it died.
func (im *Import) finishKnown(ctx context.Context, known []record.Edge) error {
	s := im.s
	b := s.rdb.Batch()
	names := []string{"n", "cursor"}
	tasks := make([]*redis.SliceCmd, len(known))
	for i, e := range known {
		tasks[i] = b.HMGet(ctx, key.Task(e.From.Partition(), e.Task()), names...)
	}
	if len(known) == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	for i, e := range known {
		task := record.HMGet(names, tasks[i])
		if task["n"] == "" {
			continue
		}
		is, err := s.edgeNow(ctx, e)
		is.notify = task["cursor"] == record.CursorNotify
		if err == nil {
			err = s.finishEdge(ctx, e, is, nil)
		}
		if err != nil {
			return err
		}
		s.finish(claimedTask{partition: e.From.Partition(), name: e.Task(), token: task["n"]})
	}
	return nil
}

// tick returns the current time in microseconds, increasing with each call, so that edges keep their order.
func (im *Import) tick() int64 {
	im.last = max(im.last+1, im.s.nowMicros())
	return im.last
}

// finishFollows writes the far sides together, and finishes edges to users with topics one by one. It
// returns the targets that are deleted.
func (im *Import) finishFollows(ctx context.Context, changes []edgeChange) (deleted map[forum.UserID]bool, err error) {
	s := im.s
	deleted = map[forum.UserID]bool{}
	if len(changes) == 0 {
		return deleted, nil
	}
	s.step("edge_far")
	b := s.rdb.Batch()
	fars := make([]*redis.Cmd, len(changes))
	topics := make([]*redis.IntCmd, len(changes))
	for i, c := range changes {
		fars[i] = s.queueFar(ctx, b, c.edge, c.is)
		topics[i] = b.Exists(ctx, c.edge.Source())
	}
	if err := b.Exec(ctx); err != nil {
		return nil, err
	}
	var idle []edgeChange
	for i, c := range changes {
		exists, err := fars[i].Bool()
		switch {
		case err != nil:
			return nil, err
		case !exists:
			deleted[c.edge.User()] = true
			err = s.endEdge(ctx, c.edge)
		case topics[i].Val() > 0:
			err = s.finishEdge(ctx, c.edge, c.is, c.home)
		default:
			idle = append(idle, c)
			continue
		}
		if err != nil {
			return nil, err
		}
		s.finish(c.task)
	}
	return deleted, im.finishIdle(ctx, idle)
}

// finishIdle is finishEdge for all edges to users without topics, together: homes that have topics are
// revalidated, each once.
func (im *Import) finishIdle(ctx context.Context, changes []edgeChange) error {
	if len(changes) == 0 {
		return nil
	}
	s := im.s
	b := s.rdb.Batch()
	homes := map[forum.UserID]*redis.IntCmd{}
	for _, c := range changes {
		s.queueMerge(ctx, b, c.edge, nil)
	}
	for _, c := range changes {
		homes[c.edge.From] = b.ZCard(ctx, key.Home(c.edge.From))
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	for id, topics := range homes {
		if topics.Val() > 0 {
			if err := s.revalidateHome(ctx, id); err != nil {
				return err
			}
		}
	}
	for _, c := range changes {
		s.finish(c.task)
	}
	return nil
}
