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

// retraction is a pass of the task of a deleted topic: it takes the topic out of the
// bookmarks of up to taskPass users, and up to taskPass of its comments, from the number after
// cursor on, out of their authors' lists. Numbers are unique, so that a pass always goes on
// where the last one ended. Bookmarks need no cursor: those that were ended are not found
// again, and none are added. It has three pipelines, each of which may go out with others.
type retraction struct {
	s      *Store
	ctx    context.Context
	id     forum.TopicID
	cursor string

	numbers     *redis.ZSliceCmd
	bookmarkers *redis.StringSliceCmd
	notified    *redis.SliceCmd // by the topic itself
	comments    []forum.CommentID
	states      []*redis.SliceCmd
}

// find queues the first pipeline: which comments and bookmarks there are.
func (r *retraction) find(b *pipeline.Batch) {
	from := "-inf"
	if r.cursor != "" {
		from = "(" + r.cursor
	}
	r.numbers = b.ZRangeByScoreWithScores(r.ctx, key.TopicComments(r.id),
		&redis.ZRangeBy{Min: from, Max: "+inf", Count: taskPass})
	r.bookmarkers = b.ZRange(r.ctx, key.Bookmarkers(r.id), 0, taskPass-1)
	r.notified = b.HMGet(r.ctx, key.Topic(r.id), "told", "mentions")
}

// retractedFields are the fields of a comment that a retraction reads.
var retractedFields = []string{"rev", "author", "created", "told", "tell"}

// parse reads the ids of the comments that were found.
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

// drop queues the second pipeline: it ends the bookmarks and reads the comments.
func (r *retraction) drop(b *pipeline.Batch) error {
	if err := r.parse(); err != nil {
		return err
	}
	for _, by := range record.ParseIDs[forum.UserID](strings.Join(r.bookmarkers.Val(), " ")) {
		e := record.Edge{From: by, Kind: record.KeepTopic, To: int64(r.id)}
		r.s.queueEdge(r.ctx, b, e, opEndDangling, r.s.nowMicros())
	}
	for _, id := range r.comments {
		r.states = append(r.states, b.HMGet(r.ctx, key.Comment(id), retractedFields...))
	}
	return nil
}

// gone are the comments as their authors' lists have to know them.
func (r *retraction) gone() []record.CommentState {
	states := make([]record.CommentState, len(r.comments))
	for i, id := range r.comments {
		f := record.HMGet(retractedFields, r.states[i])
		states[i] = record.CommentState{ID: id, Rev: int64(f.Int("rev")), Created: f.Time("created"),
			Author:   forum.UserID(f.Int("author")),
			Notified: record.ParseIDs[forum.UserID](f["told"] + " " + f["tell"])}
	}
	return states
}

// forget queues the third pipeline but for the entries of the comments: notifications of the
// topic are marked as read, and those who had bookmarked it are forgotten. Only now: a pass
// that was cut off finds the same bookmarks again.
func (r *retraction) forget(b *pipeline.Batch) error {
	f := record.HMGet([]string{"told", "mentions"}, r.notified)
	told := record.ParseIDs[forum.UserID](f["told"])
	for _, m := range record.DecodeMentions(f["mentions"]) {
		if !slices.Contains(told, m.User) {
			told = append(told, m.User)
		}
	}
	r.s.queueSeen(r.ctx, b, told, forum.Subject{Topic: r.id})
	if found := r.bookmarkers.Val(); len(found) > 0 {
		b.ZRem(r.ctx, key.Bookmarkers(r.id), anys(found)...)
	}
	return nil
}

// done notes that the comments are indexed. It returns where the next pass begins, and
// whether there is none.
func (r *retraction) done() (cursor string, last bool) {
	for _, c := range r.gone() {
		r.s.clean(c.ID.Partition(), "c:"+key.Itoa(c.ID), key.Comment(c.ID), c.Rev)
	}
	found := r.numbers.Val()
	if len(found) > 0 {
		r.cursor = strconv.FormatFloat(found[len(found)-1].Score, 'f', -1, 64)
	}
	return r.cursor, len(found) < taskPass && len(r.bookmarkers.Val()) < taskPass
}

// retract is a run of the task of a deleted topic.
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
	e := s.entries()
	for _, c := range r.gone() {
		e.setComment(c)
	}
	if err := e.write(ctx, s, r.forget); err != nil {
		return "", false, fmt.Errorf("comments of topic %d: %w", id, err)
	}
	cursor, last := r.done()
	return cursor, last, nil
}
