package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"agora/internal/forum"
	"github.com/redis/go-redis/v9"
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
	rejected, err := s.indexAll(ctx, changes{topics: []topicState{state}, tell: in.telling(id, reply[2])})
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", err)
	}
	if rejected {
		// Unless somebody moved it on, before its category went.
		states, err := s.topicStates(ctx, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		if !states[0].open {
			return 0, forum.NotFound(forum.Input("category"), "category", "")
		}
	}
	return id, nil
}

// script is what topic_create takes. With quiet nobody is told, nor are they of imports.
func (in NewTopic) script(now forum.Time, quiet bool) (keys []string, args []any) {
	p := in.partition()
	key, record := idemKey(p, in.Author, "topic:"+in.Key), newIdem(in.Key, in, now).args()
	if in.Source != "" {
		key, record = in.recordKey(), sourceRecord
	}
	state := forum.TopicOpen
	if in.DeletedAt != 0 {
		state = forum.TopicDeleted
	}
	keys = []string{seqKey(p), authorKey(p, in.Author), authorKey(p, in.Author) + ":profile", dirtyKey(p), statsKey(p), key, authorKey(p, in.Author) + ":votes", eventsKey(authorKey(p, in.Author) + ":profile"), dueKey(p)}
	args = append([]any{topicPrefix(p), int(p), forum.Partitions, forum.MaxID, int64(now)}, record...)
	args = append(args, int64(in.CreatedAt), itoa(in.Author), itoa(in.Category), string(state))
	voters := ""
	if in.authorVotes(now) {
		voters = expireAt(in.CreatedAt + forum.VotingWindow)
	}
	tasks := ""
	if in.Source == "" && !quiet && in.Author != 0 && in.Mentions.Others(in.Author) {
		tasks = taskKey(p, "")
	}
	return keys, append(append(args, voters, forum.VoteLog, streamKept, tasks, int64(now+firstLease)), in.fields()...)
}

// authorVotes tells whether the author's own vote counts: that of an ARTICLE which is
// posted here, while voting is open. What is imported has it among its points.
func (in NewTopic) authorVotes(now forum.Time) bool {
	return in.Kind == forum.Article && in.Source == "" && in.Author != 0 && in.DeletedAt == 0 && now < in.CreatedAt+forum.VotingWindow
}

// state is what the indexes need to know of the topic when it was just posted.
func (in NewTopic) state(id forum.TopicID, now forum.Time) topicState {
	t := topicState{id: id, rev: 1, open: in.DeletedAt == 0, created: in.CreatedAt, active: in.CreatedAt, category: in.Category,
		author: in.Author, up: in.Upvotes, down: in.Downvotes, tags: in.Tags, dayComments: -1, dayBefore: -1}
	if t.open {
		t.fan = "1"
	}
	if in.authorVotes(now) {
		t.up++
	}
	return t
}

// expireAt is when Redis drops what the rules end at t, in Unix seconds.
func expireAt(t forum.Time) string {
	return strconv.FormatInt((int64(t)+forum.ExpiryGrace.Milliseconds()+999)/1000, 10)
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
		f = append(f, "tags", encodeTags(in.Tags))
	}
	if len(in.Mentions) > 0 {
		f = append(f, "mentions", encodeMentions(in.Mentions))
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
		reply, err := s.updateTopic(ctx, by, id, itoa(*c.Category), nil)
		if err != nil {
			return err
		}
		s.editedTopic(ctx, by, id, reply)
		rejected, err := s.index(ctx, []topicState{parseTopicState(id, reply)}, nil)
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
	acted(ctx, by, Act{Kind: ActTopicEdited, Author: parseTopicState(id, reply).author, Topic: id})
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
		f = append(f, "mentions", encodeMentions(c.Mentions))
	}
	return f
}

func (s *Store) updateTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, category string, edits []any) ([]any, error) {
	p, task := id.Partition(), topicTellTask(id)
	args := append([]any{itoa(id), itoa(by.ID), flag(by.Has(forum.RoleModerator)), int64(s.Now()), category, int64(s.Now() + firstLease), task}, edits...)
	s.step("topic_update")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, topicUpdate, []string{topicKey(id), dirtyKey(p), dueKey(p), taskKey(p, task)}, args...)
	about := queueConcern(ctx, b, forum.Subject{Topic: id}, commentPlace{})
	b.Exec(ctx) // the commands bear their own errors
	reply, err := cmd.Slice()
	if err != nil {
		return nil, fmt.Errorf("update topic %d: %w", id, scriptError(err))
	}
	n, _ := reply[len(topicStateFields)].(string)
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
	p, author, name := id.Partition(), states[0].author, retractTask(id)
	keys := []string{topicKey(id), authorKey(p, author), authorKey(p, author) + ":profile", dirtyKey(p), statsKey(p), dueKey(p), taskKey(p, name), eventsKey(authorKey(p, author) + ":profile")}
	s.step("topic_delete")
	b := s.rdb.Batch()
	cmd := b.Run(ctx, topicDelete, keys, itoa(id), itoa(by.ID), flag(by.Has(forum.RoleModerator)),
		int64(s.Now()), int64(s.Now()+firstLease), name, itoa(author), streamKept)
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
	c := changes{topics: []topicState{parseTopicState(id, reply[1:])}, gone: gone}
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

// authorKey is the hash of an author beside what they wrote. It is the user's
// own hash; for the ghost, who has none, it is a key that never exists.
func authorKey(p forum.Partition, id forum.UserID) string { return userPrefix(p) + itoa(id) }

// RecordClicks counts that a visitor opened topics, each once in ClickLife, and
// tells which of them are there for the viewer. visitor is a hash that tells
// visitors apart.
func (s *Store) RecordClicks(ctx context.Context, by *forum.Viewer, visitor string, ids []forum.TopicID) ([]bool, error) {
	viewer := "0"
	if by != nil {
		viewer = itoa(by.ID)
	}
	b := s.rdb.Batch()
	clicks := make([]*redis.Cmd, len(ids))
	for i, id := range ids {
		clicks[i] = b.Run(ctx, topicClick, []string{topicKey(id), clickKey(id, visitor)},
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
