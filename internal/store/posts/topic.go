package posts

import (
	"cmp"
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
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
	// Locked is set for an imported topic that accepts no posts. PinnedFront and PinnedCategory are
	// since when an imported one is pinned; 0 if it is not. An idempotency key covers the JSON of the input, which must
	// stay as version 0.1.0 wrote it, so that a call is known when it is repeated after an upgrade.
	Locked         bool       `json:"-"`
	PinnedFront    forum.Time `json:"DeletedAt"`
	PinnedCategory forum.Time `json:"-"`
	// Held is set for a topic that waits for a moderator.
	Held bool
	// Source identifies an imported topic on its original site; "" for other topics.
	Source string
	// Upvotes, Downvotes and Clicks are imported counts without voters here; the shown counts add to them.
	Upvotes, Downvotes, Clicks int
	// Access is that to its category, as it is known when the topic is posted.
	Access forum.CategoryAccess `json:"-"`
	// Key is the idempotency key, valid for a day; "" for none.
	Key string `json:"-"`
	// ReadBack, if not nil, adds reads to the round trip that writes the indexes.
	ReadBack engine.ReadBack `json:"-"`
}

// CreateTopic posts a topic and puts it into every list it belongs to. It returns NOT_FOUND at category if
// that was deleted concurrently, IDEMPOTENCY_CONFLICT if the key was used with other input, UNAUTHENTICATED
// if the author's account was deleted.
func (s *Store) CreateTopic(ctx context.Context, in NewTopic) (forum.TopicID, error) {
	now := s.engine.Now()
	if in.CreatedAt == 0 {
		in.CreatedAt = now
	}
	in.Access = s.rules.Current(ctx).In(in.Category)
	call := in.Script(now, s.engine.Bulk)
	s.engine.Step("topic_create")
	created, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", record.ScriptError(err))
	}
	id := created.ID
	state := in.State(id, now)
	if !created.New { // posted before: the first call may not have written its indexes
		states, err := record.TopicStates(ctx, s.engine.Client, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		state = states[0]
	}
	c := change.Set{Topics: []record.TopicState{state}, ReadBack: in.ReadBack,
		Written: engine.Written{Topic: id, Author: in.Author, Category: in.Category}}
	if in.Held && created.New {
		c.Parts = append(c.Parts, s.acts.HeldCase(forum.Subject{Topic: id}, in.Category, 0, now))
	}
	c.Parts = append(c.Parts, s.notes.Notifying(notify.Notice{Subject: forum.Subject{Topic: id}, Author: in.Author,
		Created:  in.CreatedAt,
		Mentions: in.Mentions}, created.Token)...)
	rejected, err := s.changes.Write(ctx, c)
	if err != nil {
		return 0, fmt.Errorf("create topic: %w", err)
	}
	if rejected {
		// Unless another call moved it on before its category was deleted.
		states, err := record.TopicStates(ctx, s.engine.Client, []forum.TopicID{id})
		if err != nil {
			return 0, fmt.Errorf("create topic: %w", err)
		}
		if states[0].Deleted {
			return 0, forum.NotFound(forum.Path("category"), "category")
		}
	}
	return id, nil
}

// Script returns the call of topic_create. No user is notified if silent is set, or of imports.
func (in NewTopic) Script(now forum.Time, silent bool) script.TopicCreate {
	p := in.partition()
	author := key.Author(p, in.Author)
	c := script.TopicCreate{
		Creation: engine.Creation(p, key.TopicPrefix(p)),
		Author:   author,
		Profile:  author + ":profile",
		Stats:    key.Stats(p),
		Votes:    author + ":votes",
		Events:   key.Events(author + ":profile"),
		Due:      key.Due(p),
		Created:  in.CreatedAt,
		AuthorID: in.Author,
		Category: in.Category,
		Audience: string(cmp.Or(in.Access.Sees, forum.Public)),
		State:    string(forum.TopicOpen),
		LogSize:  forum.VoteLog,
		Kept:     record.StreamKept,
		Lease:    now + engine.FirstLease,
		Imported: in.Source != "",
		SetText:  setText,
		Content:  in.Content,
	}
	if in.Access.Epoch != 0 {
		c.Epoch = key.Itoa(in.Access.Epoch)
	}
	c.Fields, c.Internals = divided(catalogue.Topic, in.fields())
	if in.Source != "" {
		c.Idempotency = engine.SourceRecord(in.RecordKey(), now)
	} else {
		c.Idempotency = engine.NewIdem(key.Idempotency(p, in.Author, "topic:"+in.Key), in.Key, in, now)
	}
	if in.Held {
		c.State = string(forum.TopicHeld)
	} else if in.Locked {
		c.State = string(forum.TopicLocked)
	}
	if in.authorVotes(now) {
		c.VoteExpires = record.ExpireAt(in.CreatedAt + forum.VotingWindow)
	}
	if in.Source == "" && !silent && in.Author != 0 && in.Mentions.Others(in.Author) {
		c.Tasks = key.Task(p, "")
	}
	return c
}

// authorVotes reports whether the author's own vote counts: for an ARTICLE that is posted here while voting
// is open. The counts of an imported one already include it.
func (in NewTopic) authorVotes(now forum.Time) bool {
	return in.Kind == forum.Article && in.Source == "" && in.Author != 0 &&
		now < in.CreatedAt+forum.VotingWindow
}

// State returns the index state of the topic when it was just posted.
func (in NewTopic) State(id forum.TopicID, now forum.Time) record.TopicState {
	audience := cmp.Or(in.Access.Sees, forum.Public)
	t := record.TopicState{ID: id, Rev: 1, Listed: !in.Held, Public: !in.Held && audience == forum.Public,
		Audience: audience, Epoch: in.Access.Epoch, Created: in.CreatedAt,
		Active:   in.CreatedAt,
		Category: in.Category, PinnedFront: in.PinnedFront, PinnedCategory: in.PinnedCategory,
		Author: in.Author, Up: in.Upvotes, Down: in.Downvotes, Tags: in.Tags, DayComments: -1, DayBefore: -1}
	if t.Public {
		t.Fan = "1"
	}
	if in.authorVotes(now) {
		t.Up++
	}
	return t
}

func (in NewTopic) fields() script.Fields {
	f := script.Fields{"kind", string(in.Kind), "title", in.Title,
		"format", string(in.Format)}
	if in.Source != "" {
		f = append(f, "src", in.Source)
	}
	if in.PinnedFront != 0 {
		f = append(f, "pinFront", int64(in.PinnedFront))
	}
	if in.PinnedCategory != 0 {
		f = append(f, "pinCategory", int64(in.PinnedCategory))
	}
	if in.Link != "" {
		f = append(f, "link", in.Link)
	}
	if len(in.Tags) > 0 {
		f = append(f, "tags", catalogue.EncodeTags(in.Tags))
	}
	if len(in.Mentions) > 0 {
		f = append(f, "mentions", catalogue.EncodeMentions(in.Mentions))
	}
	f = appendBase(f, in.Upvotes, in.Downvotes)
	if in.Clicks != 0 {
		f = append(f, "clicks", in.Clicks, "clickBase", in.Clicks)
	}
	return f
}

// setText says which texts are in the hashes of their posts.
var setText = script.SetText{Short: catalogue.MaxShort}

// divided returns which of the fields of a new object are in the hash that is shown, and which in the internal one.
func divided[T any](of *catalogue.Table[T], f script.Fields) (shown, internals script.Fields) {
	for i := 0; i < len(f); i += 2 {
		if of.IsInternal(f[i].(string)) {
			internals = append(internals, f[i], f[i+1])
		} else {
			shown = append(shown, f[i], f[i+1])
		}
	}
	return shown, internals
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
	Edit
	// Why is why a moderator changes the topic of another.
	Why forum.Grounds
}

// UpdateTopic edits a topic. It returns NOT_FOUND, FORBIDDEN if another user posted the topic whom the viewer does not
// outrank as a moderator, or at content if a moderator changes the text of another, INVALID at reason without one for
// the topic of another, LOCKED if it is not open, or is locked and the viewer does not moderate it. A move comes first:
// if its category was deleted concurrently, nothing else changes.
func (s *Store) UpdateTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, c TopicChange) error {
	if c.Category != nil {
		state, acts, err := s.updateTopic(ctx, by, id, key.Itoa(*c.Category), c, nil)
		if err != nil {
			return err
		}
		rejected, err := s.changes.Write(ctx, change.Set{Topics: []record.TopicState{state},
			Parts: s.acts.Listing(acts...)})
		if err != nil {
			return fmt.Errorf("update topic %d: %w", id, err)
		}
		if rejected {
			return forum.NotFound(forum.Path("category"), "category")
		}
	}
	if edits := c.fields(); len(edits) > 0 || c.Category == nil {
		_, acts, err := s.updateTopic(ctx, by, id, "", c, edits)
		if err != nil {
			return err
		}
		if acts != nil {
			if err := s.engine.WriteParts(ctx, s.acts.Listing(acts...)); err != nil {
				return fmt.Errorf("update topic %d: %w", id, err)
			}
		}
	}
	return nil
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
	if c.changesText() {
		f = append(f, "mentions", catalogue.EncodeMentions(c.Mentions))
	}
	return f
}

// changesText reports whether the text or its format changes.
func (c TopicChange) changesText() bool { return c.Content != nil || c.Format != nil }

func (s *Store) updateTopic(ctx context.Context, by *forum.Viewer, id forum.TopicID, category string, c TopicChange,
	edits script.Fields) (state record.TopicState, listed []*forum.Act, err error) {
	of, kind := forum.Subject{Topic: id}, forum.ActEdit
	if category != "" {
		kind = forum.ActMove
	}
	err = s.revise(ctx, of, c.Edit, func(r script.Revise) error {
		p, task := id.Partition(), record.NotifyTask(of)
		call := script.TopicUpdate{
			Rights: s.rules.Rights(ctx, by), Rank: acts.Rank(by,
				s.engine.Now()), Users: key.UserPrefix(p), Text: c.changesText(),
			SetText: setText, Evidence: acts.Evidence(of), Revise: r, Topic: key.Topic(id), Due: key.Due(p), Task: key.Task(p, task),
			ID: id, Viewer: by.ID, Category: category, Lease: s.engine.Now() + engine.FirstLease, TaskName: task,
			Fields: edits,
		}
		call.Creation, call.Act = s.acts.Recording(p, by, c.Why)
		s.engine.Step("topic_update")
		b := s.engine.Client.Batch()
		cmd := b.Run(ctx, call)
		about := notify.QueueRecipients(ctx, b, of, record.CommentLocation{})
		b.Exec(ctx) // each command has its own error
		updated, err := call.Result(cmd.Result())
		if err != nil {
			return err
		}
		state = record.NewTopicState(id, updated.Topic)
		listed = acts.Recorded(updated.Act, kind, of, state.Author, call.Act)
		s.notes.NotifyNow(ctx, engine.Task{Partition: p, Name: task, Token: updated.Token}, about)
		return nil
	})
	if err != nil {
		err = fmt.Errorf("update topic %d: %w", id, err)
	}
	return state, listed, err
}

// partition returns the topic's partition: its author's, or without an author that of its source.
func (in NewTopic) partition() forum.Partition {
	if in.Author == 0 {
		return key.PartitionOfSource(in.Source)
	}
	return in.Author.Partition()
}

// RecordKey returns the key of the topic's import record.
func (in NewTopic) RecordKey() string { return key.Source(in.partition(), "t", in.Source) }
