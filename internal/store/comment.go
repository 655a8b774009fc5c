package store

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// NewComment is a comment to post. Its text is checked already.
type NewComment struct {
	Topic    forum.TopicID
	Parent   forum.CommentID // 0 replies to the topic itself
	Content  string
	Format   forum.ContentFormat
	Mentions forum.Mentions
	// CreatedAt is the time of posting; 0 is now. A repetition's is another.
	CreatedAt forum.Time `json:"-"`
	// Source names the comment on the site that it is imported from; "" is none.
	Source string
	// Upvotes and Downvotes are counts that have no rows here: a base that the shown counts add to.
	Upvotes, Downvotes int
	// Key makes the call repeatable for a day; "" does not.
	Key string `json:"-"`
}

// CreateComment stores a reply and moves its topic to the top of its lists. It
// returns NOT_FOUND at topicId or parentId, LOCKED when the topic is deleted, BLOCKED when
// its author has blocked the viewer, who is no moderator, IDEMPOTENCY_CONFLICT when the key
// was used with other input.
func (s *Store) CreateComment(ctx context.Context, by *forum.Viewer, in NewComment) (forum.CommentID, error) {
	now := s.Now()
	record := newIdem(in.Key, in, now)
	if in.CreatedAt == 0 {
		in.CreatedAt = now
	}
	if err := s.bindKey(ctx, by.ID, in.Key, record, now); err != nil {
		return 0, fmt.Errorf("create comment: %w", err)
	}
	id, err := s.createComment(ctx, by, in, now)
	if err != nil {
		if forum.CodeOf(err) != "" {
			if free := s.unbindKey(ctx, by.ID, in.Key, record); free != nil {
				s.log.Warn("idempotency key stays bound", "error", free)
			}
		}
		return 0, fmt.Errorf("create comment: %w", err)
	}
	return id, nil
}

// script is what comment_create takes. A parent must be in the topic's partition. With
// quiet nobody is told, nor are they of imports.
func (in NewComment) script(by *forum.Viewer, now forum.Time, zone *time.Location, quiet bool) (keys []string, args []any) {
	p := in.Topic.Partition()
	k, rec := key.Idempotency(p, by.ID, "comment:"+in.Key), newIdem(in.Key, in, now).args()
	if in.Source != "" {
		k, rec = key.Source(p, "c", in.Source), sourceRecord
	}
	keys = []string{key.Sequence(p), key.Topic(in.Topic), key.TopicComments(in.Topic), key.TopicReplies(in.Topic), key.Dirty(p), key.Stats(p), k, key.CommentVotes(key.Topic(in.Topic)), key.Authors(in.Topic), key.Due(p)}
	if in.Parent != 0 {
		keys[3] = key.CommentReplies(in.Parent)
		keys = append(keys, key.Comment(in.Parent), key.CommentVotes(key.Comment(in.Parent)))
	}
	args = append([]any{key.CommentPrefix(p), int(p), forum.Partitions, forum.MaxID, int64(now)}, rec...)
	tasks, blockers := "", ""
	if in.Source == "" {
		blockers = key.UserPrefix(p)
		if !quiet {
			tasks = key.Task(p, "")
		}
	}
	args = append(args, int64(in.CreatedAt), key.Itoa(by.ID), key.Itoa(in.Topic), key.Itoa(in.Parent), flag(by.Has(forum.RoleModerator)), int(forum.DayOf(in.CreatedAt, zone)),
		tasks, int64(now+firstLease), flag(in.Mentions.Others(by.ID)), blockers, "content", in.Content, "format", string(in.Format))
	if in.Source != "" {
		args = append(args, "src", in.Source)
	}
	if len(in.Mentions) > 0 {
		args = append(args, "mentions", record.EncodeMentions(in.Mentions))
	}
	return keys, appendBase(args, in.Upvotes, in.Downvotes)
}

func (s *Store) createComment(ctx context.Context, by *forum.Viewer, in NewComment, now forum.Time) (forum.CommentID, error) {
	if in.Parent != 0 && in.Parent.Partition() != in.Topic.Partition() {
		return 0, forum.NotFound(forum.Input("parentId"), "parent", "")
	}
	keys, args := in.script(by, now, s.zone, s.bulk)
	s.step("comment_create")
	reply, err := s.rdb.Run(ctx, commentCreate, keys, args...).Slice()
	if err != nil {
		return 0, scriptError(err)
	}
	n, _ := reply[1].(int64)
	id := forum.CommentID(n)
	topic := record.ParseTopicState(in.Topic, reply[2:])
	comments := []record.CommentState{{ID: id, Rev: record.CommentLive, Live: topic.Open, Created: in.CreatedAt, Author: by.ID}}
	if reply[0] == int64(0) { // posted before: perhaps the first call never came to its indexes
		if comments, err = s.commentStates(ctx, []forum.CommentID{id}); err != nil {
			return 0, err
		}
	}
	rejected, err := s.indexAll(ctx, changes{topics: []record.TopicState{topic}, comments: comments, tell: in.telling(id, by, topic.Author, reply[2+len(record.TopicStateFields):])})
	if err != nil || !rejected {
		return id, err
	}
	// This call was the first to learn that the topic's category was deleted
	// while the topic was posted or moved: the topic went, or went back.
	if comments, err = s.commentStates(ctx, []forum.CommentID{id}); err != nil {
		return 0, err
	}
	if _, err := s.index(ctx, nil, comments); err != nil {
		return 0, err
	}
	if !comments[0].Live {
		return 0, forum.NotFound(forum.Input("topicId"), "topic", "")
	}
	return id, nil
}

// CommentChange is what changes in a comment.
type CommentChange struct {
	Content  string
	Mentions forum.Mentions
	Format   *forum.ContentFormat // nil leaves it as it is
	// Topic and Parent are where the comment stands; Topic 0 has that read.
	Topic  forum.TopicID
	Parent forum.CommentID
}

// UpdateComment edits a comment. It returns NOT_FOUND, FORBIDDEN when it is
// somebody else's and the viewer no moderator, LOCKED when it or its topic is
// deleted.
func (s *Store) UpdateComment(ctx context.Context, by *forum.Viewer, id forum.CommentID, c CommentChange) error {
	if c.Topic == 0 {
		at, err := s.place(ctx, id)
		if err != nil {
			return fmt.Errorf("update comment %d: %w", id, err)
		}
		c.Topic, c.Parent = at.topic, at.parent
	}
	p, task := id.Partition(), record.NotifyTask(forum.Subject{Comment: id})
	args := []any{key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()), int64(s.Now() + firstLease), task, "content", c.Content, "mentions", record.EncodeMentions(c.Mentions)}
	if c.Format != nil {
		args = append(args, "format", string(*c.Format))
	}
	s.step("comment_update")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, commentUpdate, []string{key.Comment(id), key.Topic(c.Topic), key.Due(p), key.Task(p, task)}, args...)
	about := queueConcern(ctx, b, forum.Subject{Comment: id}, commentPlace{topic: c.Topic, parent: c.Parent})
	b.Exec(ctx) // the commands bear their own errors
	reply, err := cmd.StringSlice()
	if err != nil {
		return fmt.Errorf("update comment %d: %w", id, scriptError(err))
	}
	acted(ctx, by, Act{Kind: ActCommentEdited, Author: forum.UserID(record.Atoi(reply[1])), Comment: id})
	s.tellNow(ctx, claimedTask{partition: p, name: task, token: reply[0]}, about)
	return nil
}

// DeleteComment makes a comment a tombstone; deleting it again changes nothing.
// It returns NOT_FOUND, FORBIDDEN.
func (s *Store) DeleteComment(ctx context.Context, by *forum.Viewer, id forum.CommentID) error {
	at, err := s.place(ctx, id)
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, err)
	}
	p := id.Partition()
	keys := []string{key.Comment(id), key.Topic(at.topic), key.Dirty(p), key.Stats(p), key.Authors(at.topic), key.Tombstones(at.topic)}
	if at.parent != 0 {
		keys = append(keys, key.Comment(at.parent))
	}
	s.step("comment_delete")
	reply, err := s.rdb.Run(ctx, commentDelete, keys, key.Itoa(id), key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()),
		key.Itoa(at.topic), int(forum.DayOf(at.created, s.zone))).Slice()
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, scriptError(err))
	}
	number := func(i int) int64 { text, _ := reply[i].(string); return record.Atoi(text) }
	acted(ctx, by, Act{Kind: ActCommentDeleted, Author: forum.UserID(number(1)), Comment: id})
	gone := record.CommentState{ID: id, Rev: number(0), Created: forum.Time(number(2)), Author: forum.UserID(number(1))}
	told, _ := reply[len(reply)-1].(string)
	gone.Told = record.ParseIDs[forum.UserID](told)
	if _, err := s.index(ctx, []record.TopicState{record.ParseTopicState(at.topic, reply[3:])}, []record.CommentState{gone}); err != nil {
		return fmt.Errorf("delete comment %d: %w", id, err)
	}
	return nil
}

type commentPlace struct {
	topic   forum.TopicID
	parent  forum.CommentID
	created forum.Time
}

// place reads where and when a comment was posted, which never changes.
func (s *Store) place(ctx context.Context, id forum.CommentID) (commentPlace, error) {
	names := []string{"topic", "parent", "created"}
	b := s.rdb.Batch()
	cmd := b.HMGet(ctx, key.Comment(id), names...)
	if err := b.Exec(ctx); err != nil {
		return commentPlace{}, err
	}
	f := record.HMGet(names, cmd)
	if f["topic"] == "" {
		return commentPlace{}, forum.NotFound(forum.Input("commentId"), "comment", "")
	}
	return commentPlace{forum.TopicID(f.Int("topic")), forum.CommentID(f.Int("parent")), f.Time("created")}, nil
}
