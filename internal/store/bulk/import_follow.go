package bulk

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
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
	b := s.engine.Client.Batch()
	cmds := make([]*redis.Cmd, len(in))
	for i, f := range in {
		cmds[i] = s.follows.QueueEdge(ctx, b, record.FollowEdge(f.From, forum.Target{User: f.To}), follows.OpSet, im.tick())
	}
	s.engine.Step("import_follows")
	b.Exec(ctx) // each command has its own error
	changes := make([]follows.EdgeChange, 0, len(in))
	var known []record.Edge
	seen := map[record.Edge]bool{}
	for i, f := range in {
		c, err := follows.ReadEdge(cmds[i], record.FollowEdge(f.From, forum.Target{User: f.To}), follows.OpSet)
		switch forum.CodeOf(err) {
		case "":
		case forum.CodeBlocked, forum.CodeUnauthenticated:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("import follows: %w", err)
		}
		if created[i] = c.Changed; c.Changed {
			changes = append(changes, c)
		} else {
			known = append(known, c.Edge)
			created[i] = !seen[c.Edge] && im.ownEdge(c.Is)
		}
		seen[c.Edge] = true
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
	b := s.engine.Client.Batch()
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
		is, err := s.follows.EdgeNow(ctx, e)
		is.Notify = task["cursor"] == record.CursorNotify
		if err == nil {
			err = s.follows.FinishEdge(ctx, e, is, nil)
		}
		if err != nil {
			return err
		}
		s.engine.Finish(engine.Task{Partition: e.From.Partition(), Name: e.Task(), Token: task["n"]})
	}
	return nil
}

// tick returns the current time in microseconds, increasing with each call, so that edges keep their order.
func (im *Import) tick() int64 {
	im.last = max(im.last+1, im.s.engine.NowMicros())
	return im.last
}

// finishFollows writes the reverse sides together, and finishes edges to users with topics one by one. It
// returns the targets that are deleted.
func (im *Import) finishFollows(ctx context.Context, changes []follows.EdgeChange) (deleted map[forum.UserID]bool, err error) {
	s := im.s
	deleted = map[forum.UserID]bool{}
	if len(changes) == 0 {
		return deleted, nil
	}
	s.engine.Step("edge_reverse")
	b := s.engine.Client.Batch()
	fars := make([]*redis.Cmd, len(changes))
	topics := make([]*redis.IntCmd, len(changes))
	for i, c := range changes {
		fars[i] = s.follows.QueueReverse(ctx, b, c.Edge, c.Is)
		topics[i] = b.Exists(ctx, c.Edge.Source())
	}
	if err := b.Exec(ctx); err != nil {
		return nil, err
	}
	var idle []follows.EdgeChange
	for i, c := range changes {
		exists, err := fars[i].Bool()
		switch {
		case err != nil:
			return nil, err
		case !exists:
			deleted[c.Edge.User()] = true
			err = s.follows.EndEdge(ctx, c.Edge)
		case topics[i].Val() > 0:
			err = s.follows.FinishEdge(ctx, c.Edge, c.Is, c.Home)
		default:
			idle = append(idle, c)
			continue
		}
		if err != nil {
			return nil, err
		}
		s.engine.Finish(c.Task)
	}
	return deleted, im.finishIdle(ctx, idle)
}

// finishIdle is FinishEdge for all edges to users without topics, together: homes that have topics are
// revalidated, each once.
func (im *Import) finishIdle(ctx context.Context, changes []follows.EdgeChange) error {
	if len(changes) == 0 {
		return nil
	}
	s := im.s
	b := s.engine.Client.Batch()
	homes := map[forum.UserID]*redis.IntCmd{}
	for _, c := range changes {
		s.homes.QueueMerge(ctx, b, c.Edge, nil)
	}
	for _, c := range changes {
		homes[c.Edge.From] = b.ZCard(ctx, key.Home(c.Edge.From))
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	for id, topics := range homes {
		if topics.Val() > 0 {
			if err := s.homes.RevalidateHome(ctx, id); err != nil {
				return err
			}
		}
	}
	for _, c := range changes {
		s.engine.Finish(c.Task)
	}
	return nil
}
