package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// NewTopic is a topic to post. Its texts are already validated.
type NewTopic struct {
	Author   forum.UserID
	Kind     forum.TopicKind
	Title    string
	Content  string
	Format   forum.ContentFormat
	Link     string
	Category forum.CategoryID
	Tags     forum.TopicTags
	Mentions forum.Mentions
	// CreatedAt is the time of posting; 0 means now. It differs when a call is repeated, so the idempotency
	// key does not cover it.
	CreatedAt forum.Time `json:"-"`
	// DeletedAt is not 0 for a topic that was deleted before it was imported.
	DeletedAt forum.Time
	// Source identifies an imported topic on its original site; "" for other topics.
	Source string
	// Upvotes, Downvotes and Clicks are imported counts without voters here; the shown counts add to them.
	Upvotes, Downvotes, Clicks int
	// Key is the idempotency key, valid for a day; "" for none.
	Key string `json:"-"`
}

// CreateTopic posts a topic and puts it into every list it belongs to. It returns NOT_FOUND at category if
// that was deleted concurrently, IDEMPOTENCY_CONFLICT if the key was used with other input, UNAUTHENTICATED
// if the author's account was deleted.
func (s *Store) CreateTopic(ctx context.Context, in NewTopic) (forum.TopicID, error) {
	now := s.Now()
	if in.CreatedAt == 0 {
		in.CreatedAt = now
	}
	call := in.script(now, s.bulk)
	s.step("topic_create")
	created, err := call.Result(s.rdb.Run(ctx, call).Result())
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", scriptError(err))
	}
	id := created.ID
	state := in.state(id, now)
	if !created.New { // posted before: the first call may not have written its indexes
		states, err := s.topicStates(ctx, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		state = states[0]
	}
	rejected, err := s.indexAll(ctx, changes{topics: []record.TopicState{state}, notify: in.notifyTask(id, created.Token)})
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", err)
	}
	if rejected {
		// Unless another call moved it on before its category was deleted.
		states, err := s.topicStates(ctx, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		if !states[0].Open {
			return 0, forum.NotFound(forum.Input("category"), "category", "")
		}
	}
	return id, nil
}

// script returns the call of topic_create. No user is notified if silent is set, or of imports.
func (in NewTopic) script(now forum.Time, silent bool) script.TopicCreate {
	p := in.partition()
	author := key.Author(p, in.Author)
	c := script.TopicCreate{
		Creation: creation(p, key.TopicPrefix(p)),
		Author:   author,
		Profile:  author + ":profile",
		Dirty:    key.Dirty(p),
		Stats:    key.Stats(p),
		Votes:    author + ":votes",
		Events:   key.Events(author + ":profile"),
		Due:      key.Due(p),
		Created:  in.CreatedAt,
		AuthorID: in.Author,
		Category: in.Category,
		State:    string(forum.TopicOpen),
		LogSize:  forum.VoteLog,
		Kept:     record.StreamKept,
		Lease:    now + firstLease,
		Fields:   in.fields(),
	}
	if in.Source != "" {
		c.Idempotency = sourceRecord(in.recordKey(), now)
	} else {
		c.Idempotency = newIdem(key.Idempotency(p, in.Author, "topic:"+in.Key), in.Key, in, now)
	}
	if in.DeletedAt != 0 {
		c.State = string(forum.TopicDeleted)
	}
	if in.authorVotes(now) {
		c.VoteExpires = record.ExpireAt(in.CreatedAt + forum.VotingWindow)
	}
	if in.Source == "" && !silent && in.Author != 0 && in.Mentions.Others(in.Author) {
		c.Tasks = key.Task(p, "")
	}
	return c
}

// creation returns the arguments with which a script creates an entity of a partition; prefix is the prefix
// of its key.
func creation(p forum.Partition, prefix string) script.Creation {
	return script.Creation{
		Sequence: key.Sequence(p), Prefix: prefix, Partition: p, Partitions: forum.Partitions,
		Largest: forum.MaxID,
	}
}

// authorVotes reports whether the author's own vote counts: for an ARTICLE that is posted here while voting
// is open. The counts of an imported one already include it.
func (in NewTopic) authorVotes(now forum.Time) bool {
	return in.Kind == forum.Article && in.Source == "" && in.Author != 0 && in.DeletedAt == 0 &&
		now < in.CreatedAt+forum.VotingWindow
}

// state returns the index state of the topic when it was just posted.
func (in NewTopic) state(id forum.TopicID, now forum.Time) record.TopicState {
	t := record.TopicState{ID: id, Rev: 1, Open: in.DeletedAt == 0, Created: in.CreatedAt, Active: in.CreatedAt,
		Category: in.Category,
		Author:   in.Author, Up: in.Upvotes, Down: in.Downvotes, Tags: in.Tags, DayComments: -1, DayBefore: -1}
	if t.Open {
		t.Fan = "1"
	}
	if in.authorVotes(now) {
		t.Up++
	}
	return t
}

func (in NewTopic) fields() script.Fields {
	f := script.Fields{"kind", string(in.Kind), "title", in.Title, "content", in.Content, "format", string(in.Format)}
	if in.Source != "" {
		f = append(f, "src", in.Source)
	}
	if in.DeletedAt != 0 {
		f = append(f, "deleted", int64(in.DeletedAt))
	}
	if in.Link != "" {
		f = append(f, "link", in.Link)
	}
	if len(in.Tags) > 0 {
		f = append(f, "tags", record.EncodeTags(in.Tags))
	}
	if len(in.Mentions) > 0 {
		f = append(f, "mentions", record.EncodeMentions(in.Mentions))
	}
	f = appendBase(f, in.Upvotes, in.Downvotes)
	if in.Clicks != 0 {
		f = append(f, "clicks", in.Clicks, "clickBase", in.Clicks)
	}
	return f
}

// appendBase adds imported votes: the base, and the shown count, which starts at the base.
func appendBase(f script.Fields, up, down int) script.Fields {
	if up != 0 {
		f = append(f, "up", up, "upBase", up)
	}
	if down != 0 {
		f = append(f, "down", down, "downBase", down)
	}
	return f
}

// TopicChange is a change to a topic; nil leaves a field unchanged.
type TopicChange struct {
	Title, Content, Link *string
	Format               *forum.ContentFormat
	Category             *forum.CategoryID
	// Mentions replace those of the text; they are set with Content and with Format.
	Mentions forum.Mentions
}

// UpdateTopic edits a topic. It returns NOT_FOUND, FORBIDDEN if another user posted the topic and the
// viewer is not a moderator, LOCKED if it is deleted. A move comes first: if its category was deleted
// concurrently, nothing else changes.
func (s *Store) UpdateTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, c TopicChange) error {
	if c.Category != nil {
		state, err := s.updateTopic(ctx, by, id, key.Itoa(*c.Category), nil)
		if err != nil {
			return err
		}
		editedTopic(ctx, by, state)
		rejected, err := s.index(ctx, []record.TopicState{state}, nil)
		if err != nil {
			return fmt.Errorf("update topic %d: %w", id, err)
		}
		if rejected {
			return forum.NotFound(forum.Input("category"), "category", "")
		}
	}
	if edits := c.fields(); len(edits) > 0 || c.Category == nil {
		state, err := s.updateTopic(ctx, by, id, "", edits)
		if err != nil {
			return err
		}
		if c.Category == nil { // otherwise already recorded
			editedTopic(ctx, by, state)
		}
	}
	return nil
}

func editedTopic(ctx context.Context, by *forum.Viewer, t record.TopicState) {
	forum.Acted(ctx, by, forum.Act{Kind: forum.ActTopicEdited, Author: t.Author, Topic: t.ID})
}

// fields returns the edits except that of the category.
func (c TopicChange) fields() script.Fields {
	var f script.Fields
	for name, value := range map[string]*string{"title": c.Title, "content": c.Content, "link": c.Link,
		"format": (*string)(c.Format)} {
		if value != nil {
			f = append(f, name, *value)
		}
	}
	if c.Content != nil || c.Format != nil {
		f = append(f, "mentions", record.EncodeMentions(c.Mentions))
	}
	return f
}

func (s *Store) updateTopic(
	ctx context.Context, by *forum.Viewer, id forum.TopicID, category string, edits script.Fields,
) (record.TopicState, error) {
	p, task := id.Partition(), record.NotifyTask(forum.Subject{Topic: id})
	call := script.TopicUpdate{
		Topic: key.Topic(id), Dirty: key.Dirty(p), Due: key.Due(p), Task: key.Task(p, task),
		ID: id, Viewer: by.ID, Moderator: by.Has(forum.RoleModerator), Now: s.Now(),
		Category: category, Lease: s.Now() + firstLease, TaskName: task, Fields: edits,
	}
	s.step("topic_update")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, call)
	about := queueRecipients(ctx, b, forum.Subject{Topic: id}, commentLocation{})
	b.Exec(ctx) // each command has its own error
	updated, err := call.Result(cmd.Result())
	if err != nil {
		return record.TopicState{}, fmt.Errorf("update topic %d: %w", id, scriptError(err))
	}
	s.notifyNow(ctx, claimedTask{partition: p, name: task, token: updated.Token}, about)
	return record.NewTopicState(id, updated.Topic), nil
}

// DeleteTopic deletes a topic permanently; deleting it again changes nothing. Its comments are removed from
// their authors' lists, and the topic from bookmarks: the first thousand of each immediately, the others by
// a task. It returns NOT_FOUND, FORBIDDEN.
func (s *Store) DeleteTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID) error {
	states, err := s.topicStates(ctx, []forum.TopicID{id})
	if err != nil {
		return fmt.Errorf("delete topic %d: %w", id, err)
	}
	p, author, name := id.Partition(), states[0].Author, record.RetractTask(id)
	call := script.TopicDelete{
		Unlist: unlisting(p, author), Topic: key.Topic(id), Dirty: key.Dirty(p), Due: key.Due(p),
		Task: key.Task(p, name),
		ID:   id, Viewer: by.ID, Moderator: by.Has(forum.RoleModerator), Now: s.Now(),
		Lease: s.Now() + firstLease, TaskName: name,
		AuthorID: author,
	}
	s.step("topic_delete")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, call)
	r := &retraction{s: s, ctx: ctx, id: id}
	r.find(b) // nothing is added after the deletion
	err = b.Exec(ctx)
	deleted, failed := call.Result(cmd.Result())
	if failed != nil {
		return fmt.Errorf("delete topic %d: %w", id, scriptError(failed))
	}
	forum.Acted(ctx, by, forum.Act{Kind: forum.ActTopicDeleted, Author: author, Topic: id})
	broken := err == nil && r.parse() != nil          // this pass would fail: retry it later as a task
	if deleted.Token == "0" || err != nil || broken { // another process has the task, or a worker gets it
		r = nil
	}
	c := changes{topics: []record.TopicState{record.NewTopicState(id, deleted.Topic)}, retraction: r}
	if r != nil {
		s.step("task_pass")
	}
	if _, err := s.indexAll(ctx, c); err != nil {
		return fmt.Errorf("delete topic %d: %w", id, err)
	}
	if deleted.Token == "0" || err != nil {
		return nil
	}
	if err := s.finishRetraction(ctx, claimedTask{partition: p, name: name, token: deleted.Token}, r); err != nil {
		s.log.Warn("task is left to a worker", "task", name, "error", err)
	}
	return nil
}

// unlisting returns the arguments with which a script removes a deleted topic from its author's profile.
func unlisting(p forum.Partition, author forum.UserID) script.Unlist {
	k := key.Author(p, author)
	return script.Unlist{
		Author: k, Profile: k + ":profile", Events: key.Events(k + ":profile"), Stats: key.Stats(p),
		Kept: record.StreamKept,
	}
}

// finishRetraction ends the task of a deletion, or saves the progress of its first pass; if r is nil, it
// runs that pass. The deletion is done even if the caller stops waiting: any process can finish the rest.
func (s *Store) finishRetraction(ctx context.Context, task claimedTask, r *retraction) error {
	if r == nil {
		return s.runTask(context.WithoutCancel(ctx), task, 1)
	}
	cursor, last := r.done()
	if last {
		s.finish(task)
		return nil
	}
	_, err := s.stepTask(ctx, task, cursor, s.Now(), true)
	return err
}

// RecordClicks counts that a visitor opened topics, each at most once in ClickLife, and reports which of
// them exist for the viewer. visitor is a hash that identifies the visitor.
func (s *Store) RecordClicks(ctx context.Context, by *forum.Viewer, visitor string,
	ids []forum.TopicID) ([]bool, error) {
	var viewer forum.UserID
	if by != nil {
		viewer = by.ID
	}
	b := s.rdb.Batch()
	clicks := make([]*redis.Cmd, len(ids))
	for i, id := range ids {
		clicks[i] = b.Run(ctx, script.TopicClick{
			Topic: key.Topic(id), Mark: key.Click(id, visitor),
			Life: int64(forum.ClickLife / time.Second), Viewer: viewer, Moderator: by.Has(forum.RoleModerator),
		})
	}
	if err := b.Exec(ctx); err != nil {
		return nil, fmt.Errorf("record clicks: %w", err)
	}
	found := make([]bool, len(ids))
	for i, click := range clicks {
		n, err := click.Int64()
		if err != nil {
			return nil, errors.Join(errors.New("record clicks"), err)
		}
		found[i] = n == 1
	}
	return found, nil
}
