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

// NewTopic is a topic to post. Its texts are checked already.
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
	// CreatedAt is the time of posting; 0 is now. A repetition's is another.
	CreatedAt forum.Time `json:"-"`
	// DeletedAt is not 0 in a topic that was deleted before it was imported.
	DeletedAt forum.Time
	// Source names the topic on the site that it is imported from; "" is none.
	Source string
	// Upvotes, Downvotes and Clicks are counts that have no rows here: a base that the shown counts add to.
	Upvotes, Downvotes, Clicks int
	// Key makes the call repeatable for a day; "" does not.
	Key string `json:"-"`
}

// CreateTopic posts a topic and puts it into every list it belongs to. It
// returns NOT_FOUND at category when that was deleted meanwhile,
// IDEMPOTENCY_CONFLICT when the key was used with other input, UNAUTHENTICATED
// when the author's account is gone.
func (s *Store) CreateTopic(ctx context.Context, in NewTopic) (forum.TopicID, error) {
	now := s.Now()
	if in.CreatedAt == 0 {
		in.CreatedAt = now
	}
	call := in.script(now, s.bulk)
	s.step("topic_create")
	made, err := call.Result(s.rdb.Run(ctx, call).Result())
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", scriptError(err))
	}
	id := made.ID
	state := in.state(id, now)
	if !made.New { // posted before: perhaps the first call never came to its indexes
		states, err := s.topicStates(ctx, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		state = states[0]
	}
	rejected, err := s.indexAll(ctx, changes{topics: []record.TopicState{state}, notify: in.notifyTask(id, made.Token)})
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", err)
	}
	if rejected {
		// Unless somebody moved it on, before its category went.
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

// script is what topic_create takes. With quiet nobody is told, nor are they of imports.
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
		Kept:     streamKept,
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

// creation is what a script takes to make an entity of a partition; prefix begins the keys
// of such entities.
func creation(p forum.Partition, prefix string) script.Creation {
	return script.Creation{
		Sequence: key.Sequence(p), Prefix: prefix, Partition: p, Partitions: forum.Partitions,
		Largest: forum.MaxID,
	}
}

// authorVotes reports whether the author's own vote counts: that of an ARTICLE which is
// posted here, while voting is open. What is imported has it among its points.
func (in NewTopic) authorVotes(now forum.Time) bool {
	return in.Kind == forum.Article && in.Source == "" && in.Author != 0 && in.DeletedAt == 0 &&
		now < in.CreatedAt+forum.VotingWindow
}

// state is what the indexes need to know of the topic when it was just posted.
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

// appendBase adds imported votes: the base, and the count shown, which is base + set.
func appendBase(f script.Fields, up, down int) script.Fields {
	if up != 0 {
		f = append(f, "up", up, "upBase", up)
	}
	if down != 0 {
		f = append(f, "down", down, "downBase", down)
	}
	return f
}

// TopicChange is what changes in a topic; nil leaves a field as it is.
type TopicChange struct {
	Title, Content, Link *string
	Format               *forum.ContentFormat
	Category             *forum.CategoryID
	// Mentions are those of the text, in place of what they were; they go with Content
	// and with Format.
	Mentions forum.Mentions
}

// UpdateTopic edits a topic. It returns NOT_FOUND, FORBIDDEN when the topic is
// somebody else's and the viewer no moderator, LOCKED when it is deleted. A move
// comes first: when its category was deleted meanwhile, nothing else changes.
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
		if c.Category == nil { // else it is noted already
			editedTopic(ctx, by, state)
		}
	}
	return nil
}

func editedTopic(ctx context.Context, by *forum.Viewer, t record.TopicState) {
	forum.Acted(ctx, by, forum.Act{Kind: forum.ActTopicEdited, Author: t.Author, Topic: t.ID})
}

// fields are the edits but for the category.
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
	b.Exec(ctx) // the commands bear their own errors
	updated, err := call.Result(cmd.Result())
	if err != nil {
		return record.TopicState{}, fmt.Errorf("update topic %d: %w", id, scriptError(err))
	}
	s.notifyNow(ctx, claimedTask{partition: p, name: task, token: updated.Token}, about)
	return record.NewTopicState(id, updated.Topic), nil
}

// DeleteTopic deletes a topic for good; deleting it again changes nothing. Its
// comments leave their authors' lists, and it leaves bookmarks: the first thousand of
// each at once, the others by a task. It returns NOT_FOUND, FORBIDDEN.
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
	gone := &retraction{s: s, ctx: ctx, id: id}
	gone.find(b) // after the deletion nothing is added
	err = b.Exec(ctx)
	deleted, failed := call.Result(cmd.Result())
	if failed != nil {
		return fmt.Errorf("delete topic %d: %w", id, scriptError(failed))
	}
	forum.Acted(ctx, by, forum.Act{Kind: forum.ActTopicDeleted, Author: author, Topic: id})
	alone := err == nil && gone.parse() != nil       // a pass that fails: it is to wait as others do
	if deleted.Token == "0" || err != nil || alone { // else the task is somebody else's, or left to a worker
		gone = nil
	}
	c := changes{topics: []record.TopicState{record.NewTopicState(id, deleted.Topic)}, retraction: gone}
	if gone != nil {
		s.step("task_pass")
	}
	if _, err := s.indexAll(ctx, c); err != nil {
		return fmt.Errorf("delete topic %d: %w", id, err)
	}
	if deleted.Token == "0" || err != nil {
		return nil
	}
	if err := s.passedRetraction(ctx, claimedTask{partition: p, name: name, token: deleted.Token}, gone); err != nil {
		s.log.Warn("task is left to a worker", "task", name, "error", err)
	}
	return nil
}

// unlisting is what a script takes to take a deleted topic out of its author's profile.
func unlisting(p forum.Partition, author forum.UserID) script.Unlist {
	k := key.Author(p, author)
	return script.Unlist{
		Author: k, Profile: k + ":profile", Events: key.Events(k + ":profile"), Stats: key.Stats(p),
		Kept: streamKept,
	}
}

// passedRetraction ends the task of a deletion, or saves how far its first pass has come;
// nil is a pass that is still to be made. The deletion is done, whether the caller waits on
// or not: what is left any process can finish.
func (s *Store) passedRetraction(ctx context.Context, task claimedTask, gone *retraction) error {
	if gone == nil {
		return s.runTask(context.WithoutCancel(ctx), task, 1)
	}
	cursor, last := gone.done()
	if last {
		s.finish(task)
		return nil
	}
	_, err := s.stepTask(ctx, task, cursor, s.Now(), true)
	return err
}

// RecordClicks counts that a visitor opened topics, each once in ClickLife, and
// tells which of them are there for the viewer. visitor is a hash that tells
// visitors apart.
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
