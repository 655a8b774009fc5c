package moderation

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/listing"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/store/script"
)

// Moderation is what a moderator wants with a topic or comment.
type Moderation struct {
	// Action is LOCK, UNLOCK, HIDE or RESTORE; of a topic also PIN, UNPIN or MOVE.
	Action forum.ActKind
	forum.Grounds
	// Place is where a topic is pinned, or no longer.
	Place forum.PinPlace
	// Category is where a topic moves.
	Category forum.CategoryID
	// posts is the act on all posts of the author that this carries out; nil if it is an act of its own.
	posts *forum.Act
	// ReadBack, if not nil, adds reads to the round trip that writes the indexes.
	ReadBack engine.ReadBack
}

// Moderated is the result of an act on a topic or comment.
type Moderated struct {
	// Changed reports whether anything changed.
	Changed bool
	// Act is the act, or that in force if nothing changed; 0 if there is none.
	Act forum.ActID
	// Recorded is the act if anything changed, otherwise nil.
	Recorded *forum.Act
	// Written is the subject.
	engine.Written
}

// Moderate does what a moderator wants with a topic or comment, and records it. It returns NOT_FOUND for what is
// deleted or was hidden too long ago, FORBIDDEN if the viewer does not moderate it or its author has the same role or
// a higher one, SELF for what the viewer posted, unless it is pinned, INVALID for what cannot be done to the subject,
// LOCKED if a topic that is not listed is to be pinned, or a comment on one to be approved.
func (s *Store) Moderate(ctx context.Context, by *forum.Viewer, subject forum.Subject,
	m Moderation) (Moderated, error) {
	if subject.Comment != 0 {
		return s.moderateComment(ctx, by, subject.Comment, m)
	}
	return s.moderateTopic(ctx, by, subject.Topic, m)
}

func (s *Store) moderateTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID,
	m Moderation) (Moderated, error) {
	call := s.topicModerate(ctx, by, id, m)
	s.engine.Step("topic_moderate")
	b := s.engine.Client.Batch()
	cmd := b.Run(ctx, call)
	r := s.posts.Retraction(ctx, id)
	about := notify.QueueRecipients(ctx, b, forum.Subject{Topic: id}, record.CommentLocation{})
	r.Find(b)
	err := b.Exec(ctx)
	done, failed := call.Result(cmd.Result())
	if failed != nil {
		return Moderated{}, fmt.Errorf("moderate topic %d: %w", id, record.ScriptError(failed))
	}
	result := Moderated{Changed: done.Changed, Act: forum.ActID(record.Atoi(done.Act))}
	topic := record.NewTopicState(id, done.Topic)
	result.Author, result.Topic, result.Category = topic.Author, id, topic.Category
	c := change.Set{}
	if done.Changed {
		subject := forum.Subject{Topic: id}
		c.Parts = append(s.recorded(&result, m, subject, call.Act, done.Kind, done.Detail, done.Reverses),
			s.acts.CaseOf(subject, done.Case)...)
		told := engine.Task{Partition: id.Partition(), Name: record.NotifyTask(subject), Token: done.Tell}
		c.Parts = append(c.Parts, s.notes.Approved(told, about)...)
	}
	c.ReadBack, c.Written = m.ReadBack, result.Written
	err = s.posts.FollowUp(ctx, topic, r, done.States, done.Token, err, c)
	if m.Action == forum.ActRestore && forum.CodeOf(err) == forum.CodeNotFound { // it is hidden again
		err = forum.Invalid(forum.Path("subjectId"),
			"The topic's category was deleted. Move the topic to another one first.")
	}
	if err != nil {
		return Moderated{}, fmt.Errorf("moderate topic %d: %w", id, err)
	}
	if done.Changed && m.Action == forum.ActPin {
		if err := s.dropPins(ctx, by, topic, m.Place); err != nil {
			return Moderated{}, fmt.Errorf("end other pins: %w", err)
		}
	}
	return result, nil
}

// topicModerate returns the call of topic_moderate.
func (s *Store) topicModerate(ctx context.Context, by *forum.Viewer, id forum.TopicID,
	m Moderation) script.TopicModerate {
	p, name := id.Partition(), record.RetractTask(id)
	call := script.TopicModerate{
		Evidence: acts.Evidence(forum.Subject{Topic: id}),
		Case:     key.Case(forum.Subject{Topic: id}),
		Rights:   s.rules.Rights(ctx, by), Rank: m.rank(by,
			s.engine.Now()), CountTopic: change.CountingTopic(p), RaiseComments: posts.RaisingComments(id),
		Topic: key.Topic(id), Due: key.Due(p), Task: key.Task(p, name),
		ID: id, Viewer: by.ID, Action: string(m.Action), HiddenSince: s.engine.Now() - forum.HiddenLife,
		Lease: s.engine.Now() + engine.FirstLease, TaskName: name, Tasks: key.Task(p, ""), AllPosts: m.allPosts(),
	}
	switch m.Action {
	case forum.ActPin, forum.ActUnpin:
		call.Place = string(m.Place)
	case forum.ActMove:
		call.Category = key.Itoa(m.Category)
	}
	call.Creation, call.Act = s.acts.Recording(p, by, m.Grounds)
	return call
}

// recorded notes in the result the act that a script has recorded, and returns the part of the mutation that lists it;
// none for an act on all posts of the author, which was listed when it was recorded.
func (s *Store) recorded(result *Moderated, m Moderation, on forum.Subject, as script.Act, kind, detail,
	reverses string) []engine.Part {
	if m.posts != nil {
		return nil
	}
	a := acts.Recorded(key.Itoa(result.Act), forum.ActKind(kind), on, result.Author, as)[0]
	a.Detail, a.Reverses = detail, forum.ActID(record.Atoi(reverses))
	result.Recorded = a
	return s.acts.Listing(a)
}

func (s *Store) moderateComment(ctx context.Context, by *forum.Viewer, id forum.CommentID,
	m Moderation) (Moderated, error) {
	at, author, err := s.locateModerated(ctx, id)
	if err != nil {
		return Moderated{}, fmt.Errorf("moderate comment %d: %w", id, err)
	}
	call := s.commentModerate(ctx, by, id, at, m)
	call.AuthorRole, call.AuthorModerates = string(record.RoleAt(author, s.engine.Now())), author["moderates"]
	s.engine.Step("comment_moderate")
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return Moderated{}, fmt.Errorf("moderate comment %d: %w", id, record.ScriptError(err))
	}
	result := Moderated{Changed: done.Changed, Act: forum.ActID(record.Atoi(done.Act))}
	topic := record.NewTopicState(at.Topic, done.Topic)
	state := record.NewCommentState(id, done.Comment, topic)
	result.Author, result.Topic, result.Comment = state.Author, at.Topic, id
	c := change.Set{Topics: []record.TopicState{topic}}
	if done.Comment.State != string(forum.CommentHeld) {
		c.Comments = []record.CommentState{state}
	}
	if done.Changed {
		subject := forum.Subject{Comment: id}
		c.Parts = append(s.recorded(&result, m, subject, call.Act, done.Kind, "", done.Reverses),
			s.acts.CaseOf(subject, done.Case)...)
	}
	if done.Number != 0 {
		s.announce(&c, id, at, done, state)
	}
	c.ReadBack, c.Written = m.ReadBack, result.Written
	if _, err := s.changes.Write(ctx, c); err != nil {
		return Moderated{}, fmt.Errorf("moderate comment %d: %w", id, err)
	}
	return result, nil
}

// announce adds to changes whom a comment that was approved notifies.
func (s *Store) announce(c *change.Set, id forum.CommentID, at record.CommentLocation,
	done script.CommentModerateResult,
	state record.CommentState) {
	of := notify.Notice{Subject: forum.Subject{Comment: id}, Author: state.Author, Created: state.Created,
		Mentions: catalogue.DecodeMentions(done.Mentions), Answered: done.Answered, Host: done.Topic.Author,
		Posted: listing.MarkedTopic{ID: at.Topic, Number: done.Number}}
	c.Parts = append(c.Parts, s.notes.Announcing(of, done.Token, done.WatchToken, done.Watching)...)
}

// commentModerate returns the call of comment_moderate.
func (s *Store) commentModerate(ctx context.Context, by *forum.Viewer, id forum.CommentID, at record.CommentLocation,
	m Moderation) script.CommentModerate {
	p, topic := id.Partition(), key.Topic(at.Topic)
	call := script.CommentModerate{
		Evidence: acts.Evidence(forum.Subject{Comment: id}),
		Case:     key.Case(forum.Subject{Comment: id}),
		Rights:   s.rules.Rights(ctx, by), Rank: m.rank(by,
			s.engine.Now()), CommentChanged: s.posts.Changed(at.Topic), AllPosts: m.allPosts(),
		Comment: key.Comment(id), Topic: topic, Comments: key.TopicComments(at.Topic),
		Siblings: key.TopicReplies(at.Topic), Authors: key.Authors(at.Topic), Tombstones: key.Tombstones(at.Topic),
		TopicVotes: key.CommentVotes(topic), Stats: key.Stats(p), Due: key.Due(p),
		Waiting: key.HeldComments(at.Topic), Watchers: key.Watchers(at.Topic), WatchTask: key.Task(p,
			record.WatchTask(id)),
		ID: id, Viewer: by.ID, Action: string(m.Action), Day: forum.DayOf(at.Created, s.engine.Location),
		HiddenSince: s.engine.Now() - forum.HiddenLife, Lease: s.engine.Now() + engine.FirstLease,
		WatchName: record.WatchTask(id),
		Tasks:     key.Task(p, ""), AtOnce: int64(s.engine.Limits.WatchersAtOnce),
	}
	if at.Parent != 0 {
		call.Parent = key.Comment(at.Parent)
		call.Siblings, call.ParentVotes = key.CommentReplies(at.Parent), key.CommentVotes(call.Parent)
	}
	call.Creation, call.Act = s.acts.Recording(p, by, m.Grounds)
	return call
}

// locateModerated reads where a comment was posted, and the RankFields of its author, "" if there is no such account.
func (s *Store) locateModerated(ctx context.Context, id forum.CommentID) (at record.CommentLocation,
	author record.Fields,
	err error) {
	names := []string{"topic", "parent", "created", "author"}
	b := s.engine.Client.Batch()
	cmd := b.HMGet(ctx, key.Comment(id), names...)
	if err := b.Exec(ctx); err != nil {
		return at, nil, err
	}
	f := record.HMGet(names, cmd)
	if f["topic"] == "" {
		return at, nil, forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	}
	at = record.CommentLocation{Topic: forum.TopicID(f.Int("topic")), Parent: forum.CommentID(f.Int("parent")),
		Created: f.Time("created")}
	b = s.engine.Client.Batch()
	ranks := b.HMGet(ctx, key.User(forum.UserID(f.Int("author"))), acts.RankFields...)
	if err := b.Exec(ctx); err != nil {
		return at, nil, err
	}
	return at, record.HMGet(acts.RankFields, ranks), nil
}
