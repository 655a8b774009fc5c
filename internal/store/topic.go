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
	keys, args := in.script(now, s.bulk)
	s.step("topic_create")
	reply, err := s.rdb.Run(ctx, topicCreate, keys, args...).Int64Slice()
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", scriptError(err))
	}
	id := forum.TopicID(reply[1])
	state := in.state(id, now)
	if reply[0] == 0 { // posted before: perhaps the first call never came to its indexes
		states, err := s.topicStates(ctx, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		state = states[0]
	}
	rejected, err := s.indexAll(ctx, changes{topics: []record.TopicState{state}, tell: in.telling(id, reply[2])})
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
func (in NewTopic) script(now forum.Time, quiet bool) (keys []string, args []any) {
	p := in.partition()
	k, rec := key.Idempotency(p, in.Author, "topic:"+in.Key), newIdem(in.Key, in, now).args()
	if in.Source != "" {
		k, rec = in.recordKey(), sourceRecord
	}
	state := forum.TopicOpen
	if in.DeletedAt != 0 {
		state = forum.TopicDeleted
	}
	keys = []string{key.Sequence(p), key.Author(p, in.Author), key.Author(p, in.Author) + ":profile", key.Dirty(p), key.Stats(p), k, key.Author(p, in.Author) + ":votes", key.Events(key.Author(p, in.Author) + ":profile"), key.Due(p)}
	args = append([]any{key.TopicPrefix(p), int(p), forum.Partitions, forum.MaxID, int64(now)}, rec...)
	args = append(args, int64(in.CreatedAt), key.Itoa(in.Author), key.Itoa(in.Category), string(state))
	voters := ""
	if in.authorVotes(now) {
		voters = record.ExpireAt(in.CreatedAt + forum.VotingWindow)
	}
	tasks := ""
	if in.Source == "" && !quiet && in.Author != 0 && in.Mentions.Others(in.Author) {
		tasks = key.Task(p, "")
	}
	return keys, append(append(args, voters, forum.VoteLog, streamKept, tasks, int64(now+firstLease)), in.fields()...)
}

// authorVotes tells whether the author's own vote counts: that of an ARTICLE which is
// posted here, while voting is open. What is imported has it among its points.
func (in NewTopic) authorVotes(now forum.Time) bool {
	return in.Kind == forum.Article && in.Source == "" && in.Author != 0 && in.DeletedAt == 0 && now < in.CreatedAt+forum.VotingWindow
}

// state is what the indexes need to know of the topic when it was just posted.
func (in NewTopic) state(id forum.TopicID, now forum.Time) record.TopicState {
	t := record.TopicState{ID: id, Rev: 1, Open: in.DeletedAt == 0, Created: in.CreatedAt, Active: in.CreatedAt, Category: in.Category,
		Author: in.Author, Up: in.Upvotes, Down: in.Downvotes, Tags: in.Tags, DayComments: -1, DayBefore: -1}
	if t.Open {
		t.Fan = "1"
	}
	if in.authorVotes(now) {
		t.Up++
	}
	return t
}

func (in NewTopic) fields() []any {
	f := []any{"kind", string(in.Kind), "title", in.Title, "content", in.Content, "format", string(in.Format)}
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
func appendBase(f []any, up, down int) []any {
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
		reply, err := s.updateTopic(ctx, by, id, key.Itoa(*c.Category), nil)
		if err != nil {
			return err
		}
		s.editedTopic(ctx, by, id, reply)
		rejected, err := s.index(ctx, []record.TopicState{record.ParseTopicState(id, reply)}, nil)
		if err != nil {
			return fmt.Errorf("update topic %d: %w", id, err)
		}
		if rejected {
			return forum.NotFound(forum.Input("category"), "category", "")
		}
	}
	if edits := c.fields(); len(edits) > 0 || c.Category == nil {
		reply, err := s.updateTopic(ctx, by, id, "", edits)
		if err != nil {
			return err
		}
		if c.Category == nil { // else it is noted already
			s.editedTopic(ctx, by, id, reply)
		}
	}
	return nil
}

func (s *Store) editedTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, reply []any) {
	acted(ctx, by, Act{Kind: ActTopicEdited, Author: record.ParseTopicState(id, reply).Author, Topic: id})
}

// fields are the edits but for the category, as field, value pairs.
func (c TopicChange) fields() []any {
	var f []any
	for name, value := range map[string]*string{"title": c.Title, "content": c.Content, "link": c.Link, "format": (*string)(c.Format)} {
		if value != nil {
			f = append(f, name, *value)
		}
	}
	if c.Content != nil || c.Format != nil {
		f = append(f, "mentions", record.EncodeMentions(c.Mentions))
	}
	return f
}

func (s *Store) updateTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, category string, edits []any) ([]any, error) {
	p, task := id.Partition(), record.NotifyTask(forum.Subject{Topic: id})
	args := append([]any{key.Itoa(id), key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()), category, int64(s.Now() + firstLease), task}, edits...)
	s.step("topic_update")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, topicUpdate, []string{key.Topic(id), key.Dirty(p), key.Due(p), key.Task(p, task)}, args...)
	about := queueConcern(ctx, b, forum.Subject{Topic: id}, commentPlace{})
	b.Exec(ctx) // the commands bear their own errors
	reply, err := cmd.Slice()
	if err != nil {
		return nil, fmt.Errorf("update topic %d: %w", id, scriptError(err))
	}
	n, _ := reply[len(record.TopicStateFields)].(string)
	s.tellNow(ctx, claimedTask{partition: p, name: task, token: n}, about)
	return reply, nil
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
	keys := []string{key.Topic(id), key.Author(p, author), key.Author(p, author) + ":profile", key.Dirty(p), key.Stats(p), key.Due(p), key.Task(p, name), key.Events(key.Author(p, author) + ":profile")}
	s.step("topic_delete")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, topicDelete, keys, key.Itoa(id), key.Itoa(by.ID), flag(by.Has(forum.RoleModerator)),
		int64(s.Now()), int64(s.Now()+firstLease), name, key.Itoa(author), streamKept)
	gone := &retraction{s: s, ctx: ctx, id: id}
	gone.find(b) // after the deletion nothing is added
	err = b.Exec(ctx)
	reply, failed := cmd.Slice()
	if failed != nil {
		return fmt.Errorf("delete topic %d: %w", id, scriptError(failed))
	}
	acted(ctx, by, Act{Kind: ActTopicDeleted, Author: author, Topic: id})
	n, _ := reply[0].(string)
	alone := err == nil && gone.parse() != nil // a pass that fails: it is to wait as others do
	if n == "0" || err != nil || alone {       // else the task is somebody else's, or left to a worker
		gone = nil
	}
	c := changes{topics: []record.TopicState{record.ParseTopicState(id, reply[1:])}, gone: gone}
	if gone != nil {
		s.step("task_pass")
	}
	if _, err := s.indexAll(ctx, c); err != nil {
		return fmt.Errorf("delete topic %d: %w", id, err)
	}
	if n == "0" || err != nil {
		return nil
	}
	if err := s.passedRetraction(ctx, claimedTask{partition: p, name: name, token: n}, gone); err != nil {
		s.log.Warn("task is left to a worker", "task", name, "error", err)
	}
	return nil
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
func (s *Store) RecordClicks(ctx context.Context, by *forum.Viewer, visitor string, ids []forum.TopicID) ([]bool, error) {
	viewer := "0"
	if by != nil {
		viewer = key.Itoa(by.ID)
	}
	b := s.rdb.Batch()
	clicks := make([]*redis.Cmd, len(ids))
	for i, id := range ids {
		clicks[i] = b.Run(ctx, topicClick, []string{key.Topic(id), key.Click(id, visitor)},
			int(forum.ClickLife/time.Second), viewer, flag(by.Has(forum.RoleModerator)))
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
