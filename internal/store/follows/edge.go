package follows

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/script"
)

// EdgeState is the state of an edge on its user's side.
type EdgeState struct {
	set bool
	// Since is when the edge was set, or otherwise when the user's edges last changed, as Redis formats it.
	Since string
	// Notify is whether the user at the target must be notified.
	Notify bool
}

// EdgeChange is the result of setting or ending an edge on its user's side.
type EdgeChange struct {
	Edge    record.Edge
	Changed bool
	Is      EdgeState
	// Task is the remaining work of the change, under the caller's lease.
	Task engine.Task
	// Home is the home of the edge's user after the change; nil if it was not read.
	Home *homes.HomeView
}

// EdgeOp is an operation on an edge, as scripts read it.
type EdgeOp string

const (
	// OpSet sets an edge, and opEnd ends it.
	OpSet EdgeOp = "1"
	opEnd EdgeOp = "0"
	// opEndBlocked ends a follow only while there is a block between the users, so that a late call does
	// not end a follow that was set after the block had ended.
	opEndBlocked EdgeOp = "b"
	// OpEndDangling ends an edge to a deleted target; the caller handles the reverse side.
	OpEndDangling EdgeOp = "d"
)

// QueueEdge queues setting or ending an edge on its user's side; now is in microseconds.
func (s *Store) QueueEdge(ctx context.Context, b *pipeline.Batch, e record.Edge, op EdgeOp, now int64) *redis.Cmd {
	k, member := e.Own()
	counter, other, most, full := "", "", "", ""
	switch e.Kind {
	case record.FollowUser:
		counter, other = "following", member
	case record.KeepTopic:
		most, full = strconv.Itoa(s.engine.Limits.Bookmarks), "TOO_LONG_BOOKMARKS"
	case record.WatchTopic:
		most, full = strconv.Itoa(s.engine.Limits.Watched), "TOO_LONG_WATCHED"
	}
	p, task := e.From.Partition(), e.Task()
	call := script.EdgeSet{
		User: key.User(e.From), Edges: k, Due: key.Due(p), Task: key.Task(p, task),
		Blocked: key.Blocked(e.From), Blockers: key.Blockers(e.From), Events: key.Events(k),
		Unread: key.Unread(e.From), Notes: key.Note(e.From), Full: full, Watched: e.Kind == record.WatchTopic,
		Member: member, Op: string(op), Now: now, Lease: s.engine.Now() + engine.FirstLease, TaskName: task,
		Counter: counter, Other: other, Most: most, Home: !e.OnTopic(),
		Posts:  !s.engine.Silent && e.IsFollow(),
		Cursor: s.edgeCursor(e, op), Kept: record.StreamKept,
	}
	if e.Kind == record.KeepTopic {
		call.Hidden = key.HiddenBookmarks(e.From)
	}
	return b.Run(ctx, call)
}

// edgeCursor returns the cursor of the edge's task: a followed user is notified, except by an import.
func (s *Store) edgeCursor(e record.Edge, op EdgeOp) string {
	if e.Kind == record.FollowUser && op == OpSet && !s.engine.Silent {
		return record.CursorNotify
	}
	return ""
}

// ReadEdge reads the result of QueueEdge.
func ReadEdge(cmd *redis.Cmd, e record.Edge, op EdgeOp) (EdgeChange, error) {
	set, err := script.EdgeSet{}.Result(cmd.Result())
	if err != nil {
		return EdgeChange{}, record.ScriptError(err)
	}
	task := engine.Task{Partition: e.From.Partition(), Name: e.Task(), Token: set.Token}
	is := EdgeState{set: op == OpSet, Since: set.Time}
	return EdgeChange{Edge: e, Changed: set.Changed, Is: is, Task: task}, nil
}

// setEdge sets or ends an edge on its user's side.
func (s *Store) setEdge(ctx context.Context, e record.Edge, op EdgeOp) (EdgeChange, error) {
	s.engine.Step("edge_set")
	b := s.engine.Client.Batch()
	cmd := s.QueueEdge(ctx, b, e, op, s.engine.NowMicros())
	var home *redis.Cmd
	if !e.OnTopic() {
		home = s.homes.QueueView(ctx, b, e.From, true)
	}
	b.Exec(ctx) // the command has its own error
	c, err := ReadEdge(cmd, e, op)
	if err == nil && home != nil {
		c.Home = s.homes.ReadView(ctx, e.From, home)
	}
	return c, err
}

// EdgeNow reads the current state of an edge. A deleted user has no edges.
func (s *Store) EdgeNow(ctx context.Context, e record.Edge) (EdgeState, error) {
	k, member := e.Own()
	b := s.engine.Client.Batch()
	// In this order: the edge is no older than the time, so that ending it as of that time does not end a
	// newer one.
	user := record.Get(ctx, b, key.User(e.From), "state", "etime")
	score := b.ZScore(ctx, k, member)
	if err := b.Exec(ctx); err != nil {
		return EdgeState{}, err
	}
	f := user()
	if score.Err() != nil || f["state"] != catalogue.UserActive {
		return EdgeState{Since: f["etime"]}, nil
	}
	return EdgeState{set: true, Since: record.FormatMicros(score.Val())}, nil
}

// QueueReverse queues writing the reverse side.
func (s *Store) QueueReverse(ctx context.Context, b *pipeline.Batch, e record.Edge, is EdgeState) *redis.Cmd {
	reverse := e.Reverse()
	counter, since := "", ""
	if e.Kind == record.FollowUser {
		counter = "followers"
	}
	if is.set {
		since = is.Since
	}
	call := script.EdgeReverse{
		Reverse: reverse.Key, LeftBy: key.Ended(reverse.Key), EndKey: reverse.Target, Member: reverse.Member, Since: since,
		ChangedAt: is.Since, Sort: reverse.Sort, Counter: counter,
		Now: s.engine.NowMicros(), Memory: forum.RemovalLife, Keep: key.EndedLife,
	}
	if e.Kind == record.FollowUser {
		call.Unread, call.Notes = key.Unread(e.User()), key.Note(e.User())
	}
	cmd := b.Run(ctx, call)
	if e.Kind == record.FollowTag { // its name and bookkeeping stay for its followers too
		(&index.Tag{ID: forum.TagID(e.To)}).Queue(ctx, b, s.engine.Now())
	}
	return cmd
}

// FinishEdge does the remaining work of a change to an edge. It is idempotent, and several runs may be
// concurrent. home is the home of the edge's user after the change, nil if it was not read.
func (s *Store) FinishEdge(ctx context.Context, e record.Edge, is EdgeState, home *homes.HomeView) error {
	switch e.Kind {
	case record.BlockUser:
		return s.finishBlock(ctx, e, is)
	case record.KeepTopic, record.WatchTopic:
		_, err := s.writeReverse(ctx, e, is, func(*pipeline.Batch) {})
		return err
	}
	if !is.set {
		return s.finishEnd(ctx, e, is, home)
	}
	var newest *redis.StringSliceCmd
	var view *redis.Cmd
	exists, err := s.writeReverse(ctx, e, is, func(b *pipeline.Batch) {
		// After the reverse side, because topics posted from now on find the follower there.
		newest = b.ZRevRange(ctx, e.Source(), 0, int64(s.engine.Limits.Home))
		if home == nil {
			view = s.homes.QueueView(ctx, b, e.From, true)
		}
	})
	if err != nil || !exists {
		return err
	}
	if home == nil {
		home = s.homes.ReadView(ctx, e.From, view)
	}
	// Even without topics, because the home may hold topics that the source has just lost.
	return s.homes.Backfill(ctx, e, newest.Val(), home)
}

// finishEnd is FinishEdge for the end of following.
func (s *Store) finishEnd(ctx context.Context, e record.Edge, is EdgeState, home *homes.HomeView) error {
	l := s.homes.Revalidation(ctx, e.From, home)
	if _, err := s.writeReverse(ctx, e, is, func(b *pipeline.Batch) { l.ReadSources(b) }); err != nil {
		return err
	}
	return s.homes.FinishRevalidations(ctx, s.engine.Client.Batch(), l)
}

// writeReverse writes the reverse side of an edge, after notifying the followed user if needed, and with the
// commands that then queues. An edge to a deleted target is ended.
func (s *Store) writeReverse(ctx context.Context, e record.Edge, is EdgeState,
	then func(*pipeline.Batch)) (exists bool, err error) {
	s.engine.Step("edge_reverse")
	b := s.engine.Client.Batch()
	reverse := s.QueueReverse(ctx, b, e, is)
	if is.set && is.Notify { // after the reverse side, which shows whether the user is still followed
		notify.Note{To: e.User(), Reason: forum.NotifyFollow, Actor: e.From, Subject: forum.Subject{User: e.From},
			Created: forum.Time(record.Atoi(is.Since) / 1000)}.Queue(ctx, b, s.engine.Limits.Notifications, s.engine.Now())
	}
	then(b)
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("write edge %s: %w", e.Task(), err)
	}
	result, err := reverse.Int64()
	switch {
	case err == nil && result == 0:
		err = s.EndEdge(ctx, e)
	case err == nil && result > 1 && e.Kind == record.KeepTopic: // it was hidden meanwhile
		b := s.engine.Client.Batch()
		QueueHidden(ctx, b, e.From, e.Topic(), result-1, true)
		err = b.Exec(ctx)
	}
	return result > 0, err
}

// EndEdge ends an edge and does the remaining work.
func (s *Store) EndEdge(ctx context.Context, e record.Edge) error {
	c, err := s.setEdge(ctx, e, opEnd)
	if err != nil || !c.Changed {
		return err
	}
	return s.finishChange(ctx, c)
}

// finishChange does the remaining work of a change and ends its task.
func (s *Store) finishChange(ctx context.Context, c EdgeChange) error {
	if err := s.FinishEdge(ctx, c.Edge, c.Is, c.Home); err != nil {
		return err
	}
	s.engine.Finish(c.Task)
	return nil
}

// RunEdge runs the task of an edge.
func (s *Store) RunEdge(ctx context.Context, e record.Edge, cursor string) error {
	is, err := s.EdgeNow(ctx, e)
	if err != nil {
		return err
	}
	is.Notify = cursor == record.CursorNotify
	return s.FinishEdge(ctx, e, is, nil)
}

// changeEdge performs a mutation: the change, and its remaining work if that can be done now.
func (s *Store) changeEdge(ctx context.Context, e record.Edge, want bool) (changed bool, err error) {
	op := opEnd
	if want {
		op = OpSet
	}
	c, err := s.setEdge(ctx, e, op)
	if err != nil || !c.Changed {
		return false, err
	}
	c.Is.Notify = s.edgeCursor(e, op) == record.CursorNotify
	// The change is done even if the caller stops waiting; any process can finish it.
	if err := s.finishChange(context.WithoutCancel(ctx), c); err != nil {
		s.engine.Log.Warn("task is left to a worker", "task", c.Task.Name, "error", err)
	}
	return true, nil
}
