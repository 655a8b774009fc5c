package store

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// edgeState is the state of an edge on its user's side.
type edgeState struct {
	set bool
	// since is when the edge was set, or otherwise when the user's edges last changed, as Redis formats it.
	since string
	// notify is whether the user at the far end must be notified.
	notify bool
}

// edgeChange is the result of setting or ending an edge on its user's side.
type edgeChange struct {
	edge    record.Edge
	changed bool
	is      edgeState
	// task is the remaining work of the change, under the caller's lease.
	task claimedTask
	// home is the home of the edge's user after the change; nil if it was not read.
	home *homeView
}

// edgeOp is an operation on an edge, as scripts read it.
type edgeOp string

const (
	opSet edgeOp = "1"
	opEnd edgeOp = "0"
	// opEndBlocked ends a follow only while there is a block between the users, so that a late call does
	// not end a follow that was set after the block had ended.
	opEndBlocked edgeOp = "b"
	// opEndDangling ends an edge to a deleted target; the caller handles the far side.
	opEndDangling edgeOp = "d"
)

// queueEdge queues setting or ending an edge on its user's side; now is in microseconds.
func (s *Store) queueEdge(ctx context.Context, b *pipeline.Batch, e record.Edge, op edgeOp, now int64) *redis.Cmd {
	k, member := e.Near()
	counter, other, most, full := "", "", "", ""
	switch e.Kind {
	case record.FollowUser:
		counter, other = "following", member
	case record.KeepTopic:
		most, full = strconv.Itoa(s.caps.Bookmarks), "TOO_LONG_BOOKMARKS"
	case record.WatchTopic:
		most, full = strconv.Itoa(s.caps.Watched), "TOO_LONG_WATCHED"
	}
	p, task := e.From.Partition(), e.Task()
	call := script.EdgeSet{
		User: key.User(e.From), Near: k, Due: key.Due(p), Task: key.Task(p, task),
		Blocked: key.Blocked(e.From), Blockers: key.Blockers(e.From), Events: key.Events(k),
		Unread: key.Unread(e.From), Notes: key.Note(e.From), Full: full, Watched: e.Kind == record.WatchTopic,
		Member: member, Op: string(op), Now: now, Lease: s.Now() + firstLease, TaskName: task,
		Counter: counter, Other: other, Most: most, Home: !e.OnTopic(),
		Posts:  !s.silent && e.IsFollow(),
		Cursor: s.edgeCursor(e, op), Kept: record.StreamKept,
	}
	if e.Kind == record.KeepTopic {
		call.Hidden = key.HiddenBookmarks(e.From)
	}
	return b.Run(ctx, call)
}

// edgeCursor returns the cursor of the edge's task: a followed user is notified, except by an import.
func (s *Store) edgeCursor(e record.Edge, op edgeOp) string {
	if e.Kind == record.FollowUser && op == opSet && !s.silent {
		return record.CursorNotify
	}
	return ""
}

// readEdge reads the result of queueEdge.
func readEdge(cmd *redis.Cmd, e record.Edge, op edgeOp) (edgeChange, error) {
	set, err := script.EdgeSet{}.Result(cmd.Result())
	if err != nil {
		return edgeChange{}, record.ScriptError(err)
	}
	task := claimedTask{partition: e.From.Partition(), name: e.Task(), token: set.Token}
	is := edgeState{set: op == opSet, since: set.Time}
	return edgeChange{edge: e, changed: set.Changed, is: is, task: task}, nil
}

// setEdge sets or ends an edge on its user's side.
func (s *Store) setEdge(ctx context.Context, e record.Edge, op edgeOp) (edgeChange, error) {
	s.step("edge_set")
	b := s.rdb.Batch()
	cmd := s.queueEdge(ctx, b, e, op, s.nowMicros())
	var home *redis.Cmd
	if !e.OnTopic() {
		home = s.queueView(ctx, b, e.From, true)
	}
	b.Exec(ctx) // the command has its own error
	c, err := readEdge(cmd, e, op)
	if err == nil && home != nil {
		c.home = readView(e.From, home)
	}
	return c, err
}

// edgeNow reads the current state of an edge. A deleted user has no edges.
func (s *Store) edgeNow(ctx context.Context, e record.Edge) (edgeState, error) {
	k, member := e.Near()
	b := s.rdb.Batch()
	// In this order: the edge is no older than the time, so that ending it as of that time does not end a
	// newer one.
	user := record.Get(ctx, b, key.User(e.From), "state", "etime")
	score := b.ZScore(ctx, k, member)
	if err := b.Exec(ctx); err != nil {
		return edgeState{}, err
	}
	f := user()
	if score.Err() != nil || f["state"] != catalogue.UserActive {
		return edgeState{since: f["etime"]}, nil
	}
	return edgeState{set: true, since: record.FormatMicros(score.Val())}, nil
}

// queueFar queues writing the far side.
func (s *Store) queueFar(ctx context.Context, b *pipeline.Batch, e record.Edge, is edgeState) *redis.Cmd {
	far := e.Far()
	counter, since := "", ""
	if e.Kind == record.FollowUser {
		counter = "followers"
	}
	if is.set {
		since = is.since
	}
	cmd := b.Run(ctx, script.EdgeFar{
		Far: far.Key, LeftBy: key.Ended(far.Key), EndKey: far.Target, Member: far.Member, Since: since,
		Changed: is.since, Sort: far.Sort, Counter: counter,
		Now: s.nowMicros(), Memory: forum.RemovalLife, Keep: key.EndedLife,
	})
	if e.Kind == record.FollowTag { // its name and bookkeeping stay for its followers too
		(&index.Tag{ID: forum.TagID(e.To)}).Queue(ctx, b, s.Now())
	}
	return cmd
}

// finishEdge does the remaining work of a change to an edge. It is idempotent, and several runs may be
// concurrent. home is the home of the edge's user after the change, nil if it was not read.
func (s *Store) finishEdge(ctx context.Context, e record.Edge, is edgeState, home *homeView) error {
	switch e.Kind {
	case record.BlockUser:
		return s.finishBlock(ctx, e, is)
	case record.KeepTopic, record.WatchTopic:
		_, err := s.writeFar(ctx, e, is, func(*pipeline.Batch) {})
		return err
	}
	if !is.set {
		return s.finishEnd(ctx, e, is, home)
	}
	var newest *redis.StringSliceCmd
	var view *redis.Cmd
	exists, err := s.writeFar(ctx, e, is, func(b *pipeline.Batch) {
		// After the far side, because topics posted from now on find the follower there.
		newest = b.ZRevRange(ctx, e.Source(), 0, int64(s.sizes.Home))
		if home == nil {
			view = s.queueView(ctx, b, e.From, true)
		}
	})
	if err != nil || !exists {
		return err
	}
	if home == nil {
		home = readView(e.From, view)
	}
	// Even without topics, because the home may hold topics that the source has just lost.
	return s.backfill(ctx, e, newest.Val(), home)
}

// finishEnd is finishEdge for the end of following.
func (s *Store) finishEnd(ctx context.Context, e record.Edge, is edgeState, home *homeView) error {
	l := s.revalidation(ctx, e.From, home)
	if _, err := s.writeFar(ctx, e, is, func(b *pipeline.Batch) { l.readSources(b) }); err != nil {
		return err
	}
	return s.finishRevalidations(ctx, s.rdb.Batch(), l)
}

// writeFar writes the far side of an edge, after notifying the followed user if needed, and with the
// commands that then queues. An edge to a deleted target is ended.
func (s *Store) writeFar(ctx context.Context, e record.Edge, is edgeState,
	then func(*pipeline.Batch)) (exists bool, err error) {
	s.step("edge_far")
	b := s.rdb.Batch()
	if is.set && is.notify {
		note{to: e.User(), reason: forum.NotifyFollow, actor: e.From, subject: forum.Subject{User: e.From},
			created: forum.Time(record.Atoi(is.since) / 1000)}.queue(ctx, b, s.caps.Notes)
	}
	var state *redis.StringCmd
	if is.notify { // read after the notification, because the account may be deleted concurrently
		state = b.HGet(ctx, key.User(e.From), "state")
	}
	far := s.queueFar(ctx, b, e, is)
	then(b)
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("write edge %s: %w", e.Task(), err)
	}
	if is.notify && state.Val() != catalogue.UserActive {
		b := s.rdb.Batch()
		s.queueSeen(ctx, b, []forum.UserID{e.User()}, forum.Subject{User: e.From})
		if err := b.Exec(ctx); err != nil {
			return false, fmt.Errorf("write edge %s: %w", e.Task(), err)
		}
	}
	result, err := far.Int64()
	switch {
	case err == nil && result == 0:
		err = s.endEdge(ctx, e)
	case err == nil && result > 1 && e.Kind == record.KeepTopic: // it was hidden meanwhile
		b := s.rdb.Batch()
		queueHidden(ctx, b, e.From, e.Topic(), result-1, true)
		err = b.Exec(ctx)
	}
	return result > 0, err
}

// endEdge ends an edge and does the remaining work.
func (s *Store) endEdge(ctx context.Context, e record.Edge) error {
	c, err := s.setEdge(ctx, e, opEnd)
	if err != nil || !c.changed {
		return err
	}
	return s.finishChange(ctx, c)
}

// finishChange does the remaining work of a change and ends its task.
func (s *Store) finishChange(ctx context.Context, c edgeChange) error {
	if err := s.finishEdge(ctx, c.edge, c.is, c.home); err != nil {
		return err
	}
	s.finish(c.task)
	return nil
}

// runEdge runs the task of an edge.
func (s *Store) runEdge(ctx context.Context, e record.Edge, cursor string) error {
	is, err := s.edgeNow(ctx, e)
	if err != nil {
		return err
	}
	is.notify = cursor == record.CursorNotify
	return s.finishEdge(ctx, e, is, nil)
}

// changeEdge performs a mutation: the change, and its remaining work if that can be done now.
func (s *Store) changeEdge(ctx context.Context, e record.Edge, want bool) (changed bool, err error) {
	op := opEnd
	if want {
		op = opSet
	}
	c, err := s.setEdge(ctx, e, op)
	if err != nil || !c.changed {
		return false, err
	}
	c.is.notify = s.edgeCursor(e, op) == record.CursorNotify
	// The change is done even if the caller stops waiting; any process can finish it.
	if err := s.finishChange(context.WithoutCancel(ctx), c); err != nil {
		s.log.Warn("task is left to a worker", "task", c.task.name, "error", err)
	}
	return true, nil
}
