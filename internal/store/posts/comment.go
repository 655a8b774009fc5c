package posts

import (
	"context"
	"fmt"
	"time"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
	"agora/internal/store/script"
)

// NewComment is a comment to post. Its text is already validated.
type NewComment struct {
	Topic    forum.TopicID
	Parent   forum.CommentID // 0 replies to the topic itself
	Content  string
	Format   forum.ContentFormat
	Mentions forum.Mentions
	// CreatedAt is the time of posting; 0 means now. It differs when a call is repeated, so the idempotency
	// key does not cover it.
	CreatedAt forum.Time `json:"-"`
	// Held is set for a comment that waits for a moderator.
	Held bool
	// Source identifies an imported comment on its original site; "" for other comments.
	Source string
	// Upvotes and Downvotes are imported counts without voters here; the shown counts add to them.
	Upvotes, Downvotes int
	// Key is the idempotency key, valid for a day; "" for none.
	Key string `json:"-"`
	// ReadBack, if not nil, adds reads to the round trip that writes the indexes.
	ReadBack engine.ReadBack `json:"-"`
}

// CreateComment stores a reply and moves its topic to the top of its lists. It returns NOT_FOUND at topicId
// or parentId, LOCKED if the topic or the parent is deleted, BLOCKED if the topic's author has blocked the viewer, who
// is not a moderator, IDEMPOTENCY_CONFLICT if the key was used with other input.
func (s *Store) CreateComment(ctx context.Context, by *forum.Viewer, in NewComment) (forum.CommentID, error) {
	now := s.engine.Now()
	bound := binding(by.ID, in.Key, in, now)
	if in.CreatedAt == 0 {
		in.CreatedAt = now
	}
	if err := s.bindKey(ctx, bound); err != nil {
		return 0, fmt.Errorf("create comment: %w", err)
	}
	id, err := s.createComment(ctx, by, in, now)
	if err != nil {
		if forum.CodeOf(err) != "" {
			if free := s.unbindKey(ctx, bound); free != nil {
				s.engine.Log.Warn("idempotency key stays bound", "error", free)
			}
		}
		return 0, fmt.Errorf("create comment: %w", err)
	}
	return id, nil
}

// Script returns the call of comment_create. A parent must be in the topic's partition. No user is notified
// if silent is set, or of imports.
func (in NewComment) Script(by *forum.Viewer, now forum.Time, zone *time.Location, silent bool) script.CommentCreate {
	p := in.Topic.Partition()
	topic := key.Topic(in.Topic)
	c := script.CommentCreate{
		Creation:   engine.Creation(p, key.CommentPrefix(p)),
		Topic:      topic,
		Comments:   key.TopicComments(in.Topic),
		Siblings:   key.TopicReplies(in.Topic),
		Stats:      key.Stats(p),
		TopicVotes: key.CommentVotes(topic),
		Authors:    key.Authors(in.Topic),
		Due:        key.Due(p),
		Watchers:   key.Watchers(in.Topic),
		Waiting:    key.HeldComments(in.Topic),
		Created:    in.CreatedAt,
		Author:     by.ID,
		TopicID:    in.Topic,
		ParentID:   in.Parent,
		Held:       in.Held,
		Voted:      in.Votes() != nil,
		Day:        forum.DayOf(in.CreatedAt, zone),
		Lease:      now + engine.FirstLease,
		Mentions:   in.Mentions.Others(by.ID),
		SetText:    setText,
		Content:    in.Content,
	}
	c.Fields, c.Internals = divided(catalogue.Comment, in.fields())
	if in.Parent != 0 {
		c.Siblings = key.CommentReplies(in.Parent)
		c.Parent = key.Comment(in.Parent)
		c.ParentVotes = key.CommentVotes(c.Parent)
	}
	if in.Source != "" {
		c.Idempotency = engine.SourceRecord(key.Source(p, "c", in.Source), now)
		return c
	}
	c.Idempotency = engine.NewIdem(key.Idempotency(p, by.ID, "comment:"+in.Key), in.Key, in, now)
	c.Users = key.UserPrefix(p)
	if !silent {
		c.Tasks = key.Task(p, "")
	}
	return c
}

// Votes returns the imported votes; nil if there are none.
func (in NewComment) Votes() *record.CommentVotes {
	if in.Upvotes == 0 && in.Downvotes == 0 {
		return nil
	}
	return &record.CommentVotes{Net: in.Upvotes - in.Downvotes}
}

func (in NewComment) fields() script.Fields {
	f := script.Fields{"format", string(in.Format)}
	if in.Source != "" {
		f = append(f, "src", in.Source)
	}
	if len(in.Mentions) > 0 {
		f = append(f, "mentions", catalogue.EncodeMentions(in.Mentions))
	}
	return appendBase(f, in.Upvotes, in.Downvotes)
}

func (s *Store) createComment(ctx context.Context, by *forum.Viewer, in NewComment,
	now forum.Time) (forum.CommentID, error) {
	if in.Parent != 0 && in.Parent.Partition() != in.Topic.Partition() {
		return 0, forum.NotFound(forum.Path("parentId"), "parent")
	}
	call := in.Script(by, now, s.engine.Location, s.engine.Bulk)
	call.Rights, call.MayReply = s.rules.Rights(ctx, by), s.rules.MayReply(ctx, by)
	call.AtOnce = int64(s.engine.Limits.WatchersAtOnce)
	s.engine.Step("comment_create")
	created, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, record.ScriptError(err)
	}
	c, err := s.created(ctx, by, in, created, now)
	if err != nil {
		return 0, err
	}
	rejected, err := s.changes.Write(ctx, c)
	if err == nil && rejected {
		err = s.afterReject(ctx, created.ID)
	}
	if err != nil {
		return 0, err
	}
	return created.ID, nil
}

// created returns what a comment that was posted changes in lists and notifications.
func (s *Store) created(ctx context.Context, by *forum.Viewer, in NewComment, created script.CommentCreateResult,
	now forum.Time) (c change.Set, err error) {
	id := created.ID
	topic := record.NewTopicState(in.Topic, created.Topic)
	c = change.Set{ReadBack: in.ReadBack, Written: engine.Written{Topic: in.Topic, Comment: id, Author: by.ID}}
	if in.Held && created.New { // no other list has it
		c.Parts = []engine.Part{s.acts.HeldCase(forum.Subject{Comment: id}, topic.Category, in.Topic, now)}
		return c, nil
	}
	if created.New {
		topic.Changed = record.ChangedByComment
		topic.Fresh = created.Fresh && topic.Day == forum.DayOf(in.CreatedAt, s.engine.Location)
	}
	c.Topics = []record.TopicState{topic}
	c.Parts = s.notes.Announcing(in.notice(by.ID, created), created.Token, created.WatchToken, created.Watchers)
	c.Comments = []record.CommentState{{ID: id, Rev: record.CommentPosted, Live: topic.Public, Created: in.CreatedAt,
		Author: by.ID, Votes: in.Votes()}}
	if !created.New { // posted before: the first call may not have written its indexes
		c.Comments, err = record.CommentStates(ctx, s.engine.Client, []forum.CommentID{id})
	}
	return c, err
}

// afterReject indexes a comment again whose call was the first to find that the topic's category was deleted while the
// topic was posted or moved. If the topic was deleted, and not moved back, there is no such topic.
func (s *Store) afterReject(ctx context.Context, id forum.CommentID) error {
	comments, err := record.CommentStates(ctx, s.engine.Client, []forum.CommentID{id})
	if err != nil {
		return err
	}
	if _, err := s.changes.Write(ctx, change.Set{Comments: comments}); err != nil {
		return err
	}
	if !comments[0].Live {
		return forum.NotFound(forum.Path("topicId"), "topic")
	}
	return nil
}

// notice returns the comment, which was just posted, as far as notifications depend on it.
func (in NewComment) notice(by forum.UserID, created script.CommentCreateResult) notify.Notice {
	return notify.Notice{Subject: forum.Subject{Comment: created.ID}, Author: by, Created: in.CreatedAt,
		Mentions: in.Mentions,
		Answered: created.Answered, Host: created.Topic.Author, Posted: listing.MarkedTopic{ID: in.Topic,
			Number: created.Number}}
}

// CommentChange is a change to a comment.
type CommentChange struct {
	Content  string
	Mentions forum.Mentions
	Format   *forum.ContentFormat // nil leaves it as it is
	// Topic and Parent are where the comment was posted. If Topic is 0, they are read.
	Topic  forum.TopicID
	Parent forum.CommentID
	Edit
}

// UpdateComment edits a comment. It returns NOT_FOUND, FORBIDDEN if another user wrote it, LOCKED if it or its topic is
// not open, or is locked and the viewer does not moderate it.
func (s *Store) UpdateComment(ctx context.Context, by *forum.Viewer, id forum.CommentID, c CommentChange) error {
	if c.Topic == 0 {
		at, err := record.LocateComment(ctx, s.engine.Client, id)
		if err != nil {
			return fmt.Errorf("update comment %d: %w", id, err)
		}
		c.Topic, c.Parent = at.Topic, at.Parent
	}
	of := forum.Subject{Comment: id}
	err := s.revise(ctx, of, c.Edit, func(r script.Revise) error {
		p, task := id.Partition(), record.NotifyTask(of)
		call := script.CommentUpdate{
			SetText: setText, Evidence: acts.Evidence(of), Revise: r, CommentChanged: s.Changed(c.Topic),
			Comment: key.Comment(id), Topic: key.Topic(c.Topic), Due: key.Due(p), Task: key.Task(p, task),
			ID: id, Viewer: by.ID, Rights: s.rules.Rights(ctx, by), Now: s.engine.Now(),
			Lease: s.engine.Now() + engine.FirstLease, TaskName: task,
			Content: c.Content,
			Fields:  script.Fields{"mentions", catalogue.EncodeMentions(c.Mentions)},
		}
		if c.Format != nil {
			call.Fields = append(call.Fields, "format", string(*c.Format))
		}
		if c.Parent != 0 {
			call.Parent = key.Comment(c.Parent)
		}
		s.engine.Step("comment_update")
		b := s.engine.Client.Batch()
		cmd := b.Run(ctx, call)
		about := notify.QueueRecipients(ctx, b, of, record.CommentLocation{Topic: c.Topic, Parent: c.Parent})
		b.Exec(ctx) // each command has its own error
		updated, err := call.Result(cmd.Result())
		if err != nil {
			return err
		}
		s.notes.NotifyNow(ctx, engine.Task{Partition: p, Name: task, Token: updated.Token}, about)
		return nil
	})
	if err != nil {
		err = fmt.Errorf("update comment %d: %w", id, err)
	}
	return err
}

// DeleteComment turns a comment of the viewer into a tombstone; deleting it again changes nothing. It returns
// NOT_FOUND, FORBIDDEN if another user wrote it.
func (s *Store) DeleteComment(ctx context.Context, by *forum.Viewer, id forum.CommentID) error {
	return s.deleteComment(ctx, by, id, 0)
}

// PurgeComment deletes a comment that was hidden before a time; 0 is any.
func (s *Store) PurgeComment(ctx context.Context, id forum.CommentID, hiddenBefore forum.Time) error {
	return s.deleteComment(ctx, nil, id, hiddenBefore)
}

// deleteComment is DeleteComment. If by is nil, it deletes a comment that was hidden before a time instead.
func (s *Store) deleteComment(ctx context.Context, by *forum.Viewer, id forum.CommentID,
	hiddenBefore forum.Time) error {
	at, err := record.LocateComment(ctx, s.engine.Client, id)
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, err)
	}
	p := id.Partition()
	call := script.CommentDelete{
		Evidence:       acts.Evidence(forum.Subject{Comment: id}),
		KeepDeleted:    script.KeepDeleted{HastyWithin: forum.MergeEdits},
		Case:           key.Case(forum.Subject{Comment: id}),
		CommentChanged: s.Changed(at.Topic), Rights: s.rules.Rights(ctx, by),
		Comment: key.Comment(id), Topic: key.Topic(at.Topic), Dirty: key.Dirty(p), Stats: key.Stats(p),
		Authors: key.Authors(at.Topic), Tombstones: key.Tombstones(at.Topic),
		Revisions: key.Revisions(forum.Subject{Comment: id}), Texts: key.Texts(forum.Subject{Comment: id}),
		Watchers: key.Watchers(at.Topic), Due: key.Due(p), WatchTask: key.Task(p, record.WatchTask(id)),
		WatchName: record.WatchTask(id), Waiting: key.HeldComments(at.Topic),
		ID: id, Now: s.engine.Now(), HiddenBefore: hiddenBefore,
		Day: forum.DayOf(at.Created, s.engine.Location),
	}
	if by != nil {
		call.Viewer = by.ID
	}
	if at.Parent != 0 {
		call.Parent = key.Comment(at.Parent)
	}
	s.engine.Step("comment_delete")
	deleted, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("delete comment %d: %w", id, record.ScriptError(err))
	}
	tombstone := record.CommentState{ID: id, Rev: deleted.Rev, Deleted: true, Created: deleted.Created,
		Author: deleted.Author, Notified: record.ParseIDs[forum.UserID](deleted.Notified)}
	if deleted.Voted {
		tombstone.Votes = &record.CommentVotes{Rev: deleted.Votes}
	}
	topic := record.NewTopicState(at.Topic, deleted.Topic)
	if _, err := s.changes.Write(ctx, change.Set{Topics: []record.TopicState{topic},
		Comments: []record.CommentState{tombstone}}); err != nil {
		return fmt.Errorf("delete comment %d: %w", id, err)
	}
	return nil
}

// Changed returns what a script needs to note that a comment of a topic was changed.
func (s *Store) Changed(topic forum.TopicID) script.CommentChanged {
	return script.CommentChanged{Changes: key.Changes(topic), ChangedAt: s.engine.Now(),
		ChangesMost: forum.ChangedComments, ChangesLife: forum.ChangesLife}
}
