package store

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
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
	key, record := idemKey(p, by.ID, "comment:"+in.Key), newIdem(in.Key, in, now).args()
	if in.Source != "" {
		key, record = sourceKey(p, "c", in.Source), sourceRecord
	}
	keys = []string{seqKey(p), topicKey(in.Topic), topicCommentsKey(in.Topic), topicRepliesKey(in.Topic), dirtyKey(p), statsKey(p), key, talliesKey(topicKey(in.Topic)), authorsKey(in.Topic), dueKey(p)}
	if in.Parent != 0 {
		keys[3] = commentRepliesKey(in.Parent)
		keys = append(keys, commentKey(in.Parent), talliesKey(commentKey(in.Parent)))
	}
	args = append([]any{commentPrefix(p), int(p), forum.Partitions, forum.MaxID, int64(now)}, record...)
	tasks, blockers := "", ""
	if in.Source == "" {
		blockers = userPrefix(p)
		if !quiet {
			tasks = taskKey(p, "")
		}
	}
	args = append(args, int64(in.CreatedAt), itoa(by.ID), itoa(in.Topic), itoa(in.Parent), flag(by.Has(forum.RoleModerator)), int(forum.DayOf(in.CreatedAt, zone)),
		tasks, int64(now+firstLease), flag(in.Mentions.Others(by.ID)), blockers, "content", in.Content, "format", string(in.Format))
	if in.Source != "" {
		args = append(args, "src", in.Source)
	}
	if len(in.Mentions) > 0 {
		args = append(args, "mentions", encodeMentions(in.Mentions))
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
	topic := parseTopicState(in.Topic, reply[2:])
	comments := []commentState{{id: id, rev: commentLive, live: topic.open, created: in.CreatedAt, author: by.ID}}
	if reply[0] == int64(0) { // posted before: perhaps the first call never came to its indexes
		if comments, err = s.commentStates(ctx, []forum.CommentID{id}); err != nil {
			return 0, err
		}
	}
	rejected, err := s.indexAll(ctx, changes{topics: []topicState{topic}, comments: comments, tell: in.telling(id, by, topic.author, reply[2+len(topicStateFields):])})
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
	if !comments[0].live {
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
	p, task := id.Partition(), commentTellTask(id)
	args := []any{itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()), int64(s.Now() + firstLease), task, "content", c.Content, "mentions", encodeMentions(c.Mentions)}
	if c.Format != nil {
		args = append(args, "format", string(*c.Format))
	}
	s.step("comment_update")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, commentUpdate, []string{commentKey(id), topicKey(c.Topic), dueKey(p), taskKey(p, task)}, args...)
	about := queueConcern(ctx, b, forum.Subject{Comment: id}, commentPlace{topic: c.Topic, parent: c.Parent})
	b.Exec(ctx) // the commands bear their own errors
	reply, err := cmd.StringSlice()
	if err != nil {
		return fmt.Errorf("update comment %d: %w", id, scriptError(err))
	}
	acted(ctx, by, Act{Kind: ActCommentEdited, Author: forum.UserID(whole(reply[1])), Comment: id})
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
	keys := []string{commentKey(id), topicKey(at.topic), dirtyKey(p), statsKey(p), authorsKey(at.topic), tombstonesKey(at.topic)}
	if at.parent != 0 {
		keys = append(keys, commentKey(at.parent))
	}
	s.step("comment_delete")
	reply, err := s.rdb.Run(ctx, commentDelete, keys, itoa(id), itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()),
		itoa(at.topic), int(forum.DayOf(at.created, s.zone))).Slice()
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, scriptError(err))
	}
	number := func(i int) int64 { text, _ := reply[i].(string); return whole(text) }
	acted(ctx, by, Act{Kind: ActCommentDeleted, Author: forum.UserID(number(1)), Comment: id})
	gone := commentState{id: id, rev: number(0), created: forum.Time(number(2)), author: forum.UserID(number(1))}
	told, _ := reply[len(reply)-1].(string)
	gone.told = parseIDs[forum.UserID](told)
	if _, err := s.index(ctx, []topicState{parseTopicState(at.topic, reply[3:])}, []commentState{gone}); err != nil {
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
	cmd := b.HMGet(ctx, commentKey(id), names...)
	if err := b.Exec(ctx); err != nil {
		return commentPlace{}, err
	}
	f := hmget(names, cmd)
	if f["topic"] == "" {
		return commentPlace{}, forum.NotFound(forum.Input("commentId"), "comment", "")
	}
	return commentPlace{forum.TopicID(f.int("topic")), forum.CommentID(f.int("parent")), f.time("created")}, nil
}
