package posts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// retraction is one pass of the task of a topic that was deleted, hidden or restored: up to TaskPass of its comments
// leave their authors' lists, or return there. It also visits users who bookmarked or watch the topic: both end if it
// was deleted; if it was hidden, the notifications of its comments are marked as read, and its bookmarks do not count.
// A pass continues where the last one ended. It has three pipelines, each of which may be sent with other commands.
type retraction struct {
	s    *Store
	ctx  context.Context
	id   forum.TopicID
	from record.RetractCursor

	topic    record.TopicState
	comments []record.CommentState
	next     string // number of the last comment, where the next pass begins
	// These read users of this pass, those of them who bookmarked the topic, and those who watch it.
	bookmarks, watches func() (forum.Page, error)
	bookmarkers        []forum.Row
	watchers           []forum.Row
	notified           func() record.Fields  // users notified by the topic itself
	held               *redis.StringSliceCmd // comments that are held
	erased             bool                  // those of a deleted topic were erased, all of them
}

// Retraction returns the first pass of the task of a topic.
func (s *Store) Retraction(ctx context.Context, id forum.TopicID) *retraction {
	return &retraction{s: s, ctx: ctx, id: id}
}

// Find queues reading the users, with the script that raises the revisions of the comments.
func (r *retraction) Find(b *pipeline.Batch) {
	read := r.s.engine.ReadIn(r.ctx, b)
	page := func(key string, after *forum.Position) func() (forum.Page, error) {
		return listing.On(read).Page(listing.List{Name: key, Key: key},
			forum.Window{Count: engine.TaskPass, After: after, Uncounted: true})
	}
	r.bookmarks = page(key.Bookmarkers(r.id), r.from.Bookmark)
	r.watches = page(key.Watchers(r.id), r.from.Watch)
	r.held = b.ZRange(r.ctx, key.HeldComments(r.id), 0, heldPass-1)
	r.notified = record.Get(r.ctx, b, key.Topic(r.id), "told", "tell", "mentions", "hidden")
}

// raisedFields are what the script raise_comments returns of each comment.
var raisedFields = append([]string{"id", "number"}, script.CommentStateFields...)

// parse takes the topic and the states of comments that the script has returned, and the users that were read with it.
func (r *retraction) parse(topic record.TopicState, states []string) error {
	r.topic, r.next = topic, r.from.Comment
	bookmarkers, failed := r.bookmarks()
	watchers, err := r.watches()
	if err = errors.Join(failed, err); err != nil {
		return fmt.Errorf("users of topic %d: %w", r.id, err)
	}
	r.bookmarkers, r.watchers = bookmarkers.Rows, watchers.Rows
	r.comments = make([]record.CommentState, 0, len(states)/len(raisedFields))
	for values := range slices.Chunk(states, len(raisedFields)) {
		f := record.Fields{}
		for i, name := range raisedFields[:len(values)] {
			f[name] = values[i]
		}
		id, err := forum.ParseID[forum.CommentID](f["id"])
		if err != nil {
			return fmt.Errorf("comments of topic %d: %w", r.id, err)
		}
		r.next = f["number"]
		r.comments = append(r.comments, record.ParseCommentState(id, f, topic))
	}
	return nil
}

// States returns the comments.
func (r *retraction) States() []record.CommentState { return r.comments }

// Drop queues what follows for the users.
func (r *retraction) Drop(b *pipeline.Batch) {
	end := func(kind record.EdgeKind, found []forum.Row) {
		for _, row := range found {
			e := record.Edge{From: forum.UserID(row.ID), Kind: kind, To: int64(r.id)}
			r.s.follows.QueueEdge(r.ctx, b, e, follows.OpEndDangling, r.s.engine.NowMicros())
		}
	}
	switch {
	case r.topic.Deleted:
		end(record.KeepTopic, r.bookmarkers)
		end(record.WatchTopic, r.watchers)
		return
	default:
		for _, row := range r.watchers {
			to := forum.UserID(row.ID)
			b.Run(r.ctx, script.NoteHidden{User: key.User(to), Unread: key.Unread(to), Notes: key.Note(to), Topic: r.id,
				Rev:    r.topic.Rev,
				Hidden: r.notified().Time("hidden"), Now: r.s.engine.Now()})
		}
	}
	for _, row := range r.bookmarkers {
		follows.QueueHidden(r.ctx, b, forum.UserID(row.ID), r.id, r.topic.Rev, !r.topic.Listed)
	}
}

// Forget queues the last pipeline, except the entries of the comments: it says why notifications of the topic are
// withheld, and removes the users who had bookmarked a deleted one. This comes last, so that a pass that was
// interrupted finds the same bookmarks again.
func (r *retraction) Forget(b *pipeline.Batch) {
	f := r.notified()
	notified := record.ParseIDs[forum.UserID](f["told"] + " " + f["tell"])
	for _, m := range catalogue.DecodeMentions(f["mentions"]) {
		if !slices.Contains(notified, m.User) {
			notified = append(notified, m.User)
		}
	}
	why := record.HiddenTopic
	switch {
	case r.topic.Listed:
		why = record.Shown
	case r.topic.Deleted:
		why = record.DeletedSubject
	}
	r.s.notes.QueueSeen(r.ctx, b, notified, forum.Subject{Topic: r.id}, why, record.Revisions{Topic: r.topic.Rev})
	if len(r.bookmarkers) > 0 && r.topic.Deleted {
		b.ZRem(r.ctx, key.Bookmarkers(r.id), members(r.bookmarkers)...)
	}
	if len(r.watchers) > 0 && r.topic.Deleted {
		b.ZRem(r.ctx, key.Watchers(r.id), members(r.watchers)...)
	}
}

func members(rows []forum.Row) []any {
	found := make([]any, len(rows))
	for i, row := range rows {
		found[i] = row.Position.Member
	}
	return found
}

// heldPass is how many held comments a pass erases.
const heldPass = 50

// erase erases the comments that are held on a deleted topic, which nobody can approve any more. A request leaves that
// to a worker.
func (r *retraction) erase() error {
	if !r.topic.Deleted {
		return nil
	}
	found := r.held.Val()
	for _, id := range record.ParseIDs[forum.CommentID](strings.Join(found, " ")) {
		r.s.engine.Step("erase_held")
		if err := r.s.deleteComment(r.ctx, nil, id, 0); err != nil && forum.CodeOf(err) != forum.CodeNotFound {
			return err
		}
	}
	if r.erased = len(found) < heldPass; len(found) > 0 { // also what is no such comment
		return r.s.engine.Client.Redis.ZRem(r.ctx, key.HeldComments(r.id), record.Anys(found)...).Err()
	}
	return nil
}

// done records that the comments are indexed. It returns where the next pass begins, and whether this was
// the last.
func (r *retraction) done() (cursor string, last bool) {
	for _, c := range r.comments {
		r.s.changes.CleanComment(c)
	}
	next := record.RetractCursor{Comment: r.next, Bookmark: lastOf(r.bookmarkers, r.from.Bookmark),
		Watch: lastOf(r.watchers, r.from.Watch)}
	return next.String(), max(len(r.comments), len(r.bookmarkers), len(r.watchers)) < engine.TaskPass &&
		(!r.topic.Deleted || r.erased || len(r.held.Val()) == 0)
}

// lastOf returns the position of the last row, before if there is none.
func lastOf(rows []forum.Row, before *forum.Position) *forum.Position {
	if len(rows) == 0 {
		return before
	}
	return &rows[len(rows)-1].Position
}

// retract runs the task of a topic that was deleted, hidden or restored.
func (s *Store) retract(ctx context.Context, id forum.TopicID, cursor string) (string, bool, error) {
	from, err := record.ParseRetractCursor(cursor)
	if err != nil {
		return "", false, err
	}
	r := &retraction{s: s, ctx: ctx, id: id, from: from}
	call := script.TopicRaiseComments{RaiseComments: RaisingComments(id), Topic: key.Topic(id), After: from.Comment}
	b := s.engine.Client.Batch()
	cmd := b.Run(ctx, call)
	r.Find(b)
	if err := b.Exec(ctx); err != nil {
		return "", false, fmt.Errorf("comments and bookmarks of topic %d: %w", id, err)
	}
	found, err := call.Result(cmd.Result())
	if err == nil {
		err = r.parse(record.NewTopicState(id, found.Topic), found.States)
	}
	if err != nil {
		return "", false, err
	}
	s.engine.Step("drop_bookmarks")
	b = s.engine.Client.Batch()
	r.Drop(b)
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return "", false, fmt.Errorf("end bookmarks of topic %d: %w", id, err)
		}
	}
	s.engine.Step("forget_bookmarkers")
	e := s.engine.Entries()
	for _, c := range r.comments {
		e.SetComment(c)
	}
	if err := s.engine.WriteIndexes(ctx, e, r.Forget); err != nil {
		return "", false, fmt.Errorf("comments of topic %d: %w", id, err)
	}
	if err := r.erase(); err != nil {
		return "", false, fmt.Errorf("held comments of topic %d: %w", id, err)
	}
	next, last := r.done()
	return next, last, nil
}
