package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// retraction is one pass of the task of a deleted topic: it removes the topic from the bookmarks, and from what is
// watched, of up to taskPass users, and up to taskPass of its comments, from the number after cursor on, from their
// authors' lists. Comment numbers are unique, so a pass always continues where the last one ended. Bookmarks need no
// cursor: ended ones are not found again, and none are added. It has three pipelines, each of which may be sent with
// other commands.
type retraction struct {
	s      *Store
	ctx    context.Context
	id     forum.TopicID
	cursor string

	numbers     *redis.ZSliceCmd
	bookmarkers *redis.StringSliceCmd
	watchers    *redis.StringSliceCmd
	notified    *redis.SliceCmd // users notified by the topic itself
	comments    []forum.CommentID
	states      []*redis.SliceCmd
}

// find queues the first pipeline, which finds comments and bookmarks.
func (r *retraction) find(b *pipeline.Batch) {
	from := "-inf"
	if r.cursor != "" {
		from = "(" + r.cursor
	}
	r.numbers = b.ZRangeByScoreWithScores(r.ctx, key.TopicComments(r.id),
		&redis.ZRangeBy{Min: from, Max: "+inf", Count: taskPass})
	r.bookmarkers = b.ZRange(r.ctx, key.Bookmarkers(r.id), 0, taskPass-1)
	r.watchers = b.ZRange(r.ctx, key.Watchers(r.id), 0, taskPass-1)
	r.notified = b.HMGet(r.ctx, key.Topic(r.id), "told", "mentions")
}

// retractedFields are the fields of a comment that a retraction reads.
var retractedFields = append([]string{"rev", "author", "created", "told", "tell"}, record.CommentVoteFields...)

// parse parses the ids of the comments that were found.
func (r *retraction) parse() error {
	r.comments = r.comments[:0]
	for _, z := range r.numbers.Val() {
		id, err := forum.ParseID[forum.CommentID](z.Member.(string))
		if err != nil {
			return fmt.Errorf("comments of topic %d: %w", r.id, err)
		}
		r.comments = append(r.comments, id)
	}
	return nil
}

// drop queues the second pipeline, which ends the bookmarks and reads the comments.
func (r *retraction) drop(b *pipeline.Batch) error {
	if err := r.parse(); err != nil {
		return err
	}
	end := func(kind record.EdgeKind, found []string) {
		for _, by := range record.ParseIDs[forum.UserID](strings.Join(found, " ")) {
			r.s.queueEdge(r.ctx, b, record.Edge{From: by, Kind: kind, To: int64(r.id)}, opEndDangling, r.s.nowMicros())
		}
	}
	end(record.KeepTopic, r.bookmarkers.Val())
	end(record.WatchTopic, r.watchers.Val())
	for _, id := range r.comments {
		r.states = append(r.states, b.HMGet(r.ctx, key.Comment(id), retractedFields...))
	}
	return nil
}

// retracted returns the states of the comments for their authors' lists.
func (r *retraction) retracted() []record.CommentState {
	states := make([]record.CommentState, len(r.comments))
	for i, id := range r.comments {
		f := record.HMGet(retractedFields, r.states[i])
		states[i] = record.CommentState{ID: id, Rev: int64(f.Int("rev")), Created: f.Time("created"),
			Author: forum.UserID(f.Int("author")), Votes: record.ParseVotes(f),
			Notified: record.ParseIDs[forum.UserID](f["told"] + " " + f["tell"])}
	}
	return states
}

// forget queues the third pipeline, except the entries of the comments: it marks notifications of the topic
// as read and removes the users who had bookmarked it. This comes last, so that a pass that was interrupted
// finds the same bookmarks again.
func (r *retraction) forget(b *pipeline.Batch) error {
	f := record.HMGet([]string{"told", "mentions"}, r.notified)
	notified := record.ParseIDs[forum.UserID](f["told"])
	for _, m := range record.DecodeMentions(f["mentions"]) {
		if !slices.Contains(notified, m.User) {
			notified = append(notified, m.User)
		}
	}
	r.s.queueSeen(r.ctx, b, notified, forum.Subject{Topic: r.id})
	if found := r.bookmarkers.Val(); len(found) > 0 {
		b.ZRem(r.ctx, key.Bookmarkers(r.id), record.Anys(found)...)
	}
	if found := r.watchers.Val(); len(found) > 0 {
		b.ZRem(r.ctx, key.Watchers(r.id), record.Anys(found)...)
	}
	return nil
}

// done records that the comments are indexed. It returns where the next pass begins, and whether this was
// the last.
func (r *retraction) done() (cursor string, last bool) {
	for _, c := range r.retracted() {
		r.s.cleanComment(c)
	}
	found := r.numbers.Val()
	if len(found) > 0 {
		r.cursor = strconv.FormatFloat(found[len(found)-1].Score, 'f', -1, 64)
	}
	return r.cursor, len(found) < taskPass && len(r.bookmarkers.Val()) < taskPass &&
		len(r.watchers.Val()) < taskPass
}

// retract runs the task of a deleted topic.
func (s *Store) retract(ctx context.Context, id forum.TopicID, cursor string) (string, bool, error) {
	r := &retraction{s: s, ctx: ctx, id: id, cursor: cursor}
	b := s.rdb.Batch()
	r.find(b)
	if err := b.Exec(ctx); err != nil {
		return "", false, fmt.Errorf("comments and bookmarks of topic %d: %w", id, err)
	}
	s.step("drop_bookmarks")
	b = s.rdb.Batch()
	if err := r.drop(b); err != nil {
		return "", false, err
	}
	if b.Len() > 0 {
		if err := b.Exec(ctx); err != nil {
			return "", false, fmt.Errorf("end bookmarks of topic %d: %w", id, err)
		}
	}
	s.step("forget_bookmarkers")
	e := s.entries(ctx)
	for _, c := range r.retracted() {
		e.SetComment(c)
	}
	if err := s.write(ctx, e, follow{then: r.forget}); err != nil {
		return "", false, fmt.Errorf("comments of topic %d: %w", id, err)
	}
	cursor, last := r.done()
	return cursor, last, nil
}
