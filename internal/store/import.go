package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Import writes what another site held, with the scripts of the mutations, many
// at a time in one pipeline. What has the same Source ("site:id") is written
// once, however often and from however many processes it is asked for: each
// script keeps a record of it beside what it makes, for ever.
type Import struct {
	s *Store
	// used are the folded logins that this import has given out or met.
	used map[string]bool
	// last is the time that the last edge was given, in microseconds.
	last int64
	// given are those of the present call of Users.
	given []string
	// began is when the present batch was first tried, in microseconds; 0 if the batch
	// before was written.
	began int64
	// again says that the present batch was tried before, without success.
	again bool
}

// Import begins an import. It is for one goroutine.
func (s *Store) Import() *Import {
	patient := *s
	patient.waitForClean, patient.silent = true, true
	return &Import{s: &patient, used: map[string]bool{}}
}

// siteOf is the part of a Source that names the site: what stands before the colon.
func siteOf(source string) string {
	name, _, _ := strings.Cut(source, ":")
	return name
}

// sourceLife is how long a record of an import counts: for ever. Lua can tell
// whole numbers apart up to there.
const sourceLife = 1 << 52

// sourceRecord is the record of an import, at a key.
func sourceRecord(key string, now forum.Time) script.Idempotency {
	return script.Idempotency{Record: key, Now: now, Input: record.SourceInput, Life: sourceLife}
}

// Imported is what became of a record.
type Imported[ID ~int64] struct {
	// ID is what it is here.
	ID ID
	// Known reports whether it was imported before: not by a try of the same batch whose
	// answer was lost.
	Known bool
	// Err is why it could not be imported: a *forum.Error.
	Err error

	topic record.TopicState
	// stored says that it was there, by whomever: its state is to be read.
	stored bool
}

// Posted reports whether a topic was imported before.
func (im *Import) Posted(ctx context.Context, in NewTopic) (bool, error) {
	b := im.s.rdb.Batch()
	records := []*redis.StringCmd{
		b.Get(ctx, key.Source(in.Author.Partition(), "t", in.Source)),
		b.Get(ctx, key.Source(key.PartitionOfSource(in.Source), "t", in.Source)),
	}
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("import topics: %w", err)
	}
	for _, r := range records {
		if id, _, ok := record.ParseSourceRecord(r.Val()); ok {
			taken, err := im.s.rdb.Redis.HExists(ctx, key.Topic(forum.TopicID(id)), "rejected").Result()
			return !taken, err
		}
	}
	return false, nil
}

// Topics posts topics, in one pipeline and one more for those that are known or
// whose authors are gone. A topic whose author is gone is the ghost's.
func (im *Import) Topics(ctx context.Context, in []NewTopic) (made []Imported[forum.TopicID], err error) {
	im.begin()
	defer func() { im.end(err) }()
	made = make([]Imported[forum.TopicID], len(in))
	all := make([]int, len(in))
	for i := range in {
		all[i] = i
	}
	gone, err := im.createTopics(ctx, in, all, made)
	if err != nil {
		return nil, err
	}
	for _, i := range gone {
		in[i].Author = 0
	}
	if _, err := im.createTopics(ctx, in, gone, made); err != nil {
		return nil, err
	}
	var known []int
	var ids []forum.TopicID
	for i := range made {
		if made[i].Known {
			known, ids = append(known, i), append(ids, made[i].ID)
		}
	}
	states, err := im.s.topicStates(ctx, ids)
	if err != nil {
		return nil, err
	}
	for n, i := range known {
		made[i].topic = states[n]
	}
	if im.again {
		err = countOwn(ctx, im, made, func(i int) string { return in[i].recordKey() })
	}
	return made, err
}

// createTopics posts those of the topics that which names, and returns those
// whose authors are gone.
func (im *Import) createTopics(ctx context.Context, in []NewTopic, which []int,
	made []Imported[forum.TopicID]) (gone []int, err error) {
	if len(which) == 0 {
		return nil, nil
	}
	s, now := im.s, im.s.Now()
	b := s.rdb.Batch()
	cmds := make([]*redis.Cmd, len(which))
	for n, i := range which {
		cmds[n] = b.Run(ctx, in[i].script(now, true))
	}
	s.step("import_topics")
	b.Exec(ctx) // each command has its own error
	for n, i := range which {
		posted, err := script.TopicCreate{}.Result(cmds[n].Result())
		if err != nil {
			err = scriptError(err)
			switch forum.CodeOf(err) {
			case "":
				return nil, fmt.Errorf("import topics: %w", err)
			case forum.CodeUnauthenticated:
				gone = append(gone, i)
			default:
				made[i] = Imported[forum.TopicID]{Err: err}
			}
			continue
		}
		t := in[i]
		made[i] = Imported[forum.TopicID]{ID: posted.ID, Known: !posted.New, topic: t.state(posted.ID, now)}
	}
	return gone, nil
}

// NewReply is a comment to import, and who wrote it.
type NewReply struct {
	Author forum.UserID // 0 is the ghost
	NewComment
}

// Comments posts comments, in one pipeline and one or two more for those that are
// known. Comments of one topic keep their order.
func (im *Import) Comments(ctx context.Context, in []NewReply) (made []Imported[forum.CommentID], err error) {
	im.begin()
	defer func() { im.end(err) }()
	s, now := im.s, im.s.Now()
	b := s.rdb.Batch()
	cmds := make([]*redis.Cmd, len(in))
	for i, c := range in {
		// Nobody's rights matter: a topic that takes comments is open.
		cmds[i] = b.Run(ctx, c.script(&forum.Viewer{ID: c.Author, Role: forum.RoleUser}, now, s.zone, true))
	}
	s.step("import_comments")
	b.Exec(ctx) // each command has its own error
	made = make([]Imported[forum.CommentID], len(in))
	for i, cmd := range cmds {
		posted, err := script.CommentCreate{}.Result(cmd.Result())
		if err != nil {
			if err = scriptError(err); forum.CodeOf(err) == "" {
				return nil, fmt.Errorf("import comments: %w", err)
			}
			made[i] = Imported[forum.CommentID]{Err: err}
			continue
		}
		made[i] = Imported[forum.CommentID]{
			ID: posted.ID, Known: !posted.New, stored: !posted.New,
			topic: record.NewTopicState(in[i].Topic, posted.Topic),
		}
	}
	if im.again {
		err = countOwn(ctx, im, made, func(i int) string { return key.Source(in[i].Topic.Partition(), "c", in[i].Source) })
	}
	return made, err
}

// Publish writes topics and comments that were imported into all lists. Of a
// topic, the latest state that is known counts.
func (im *Import) Publish(ctx context.Context, topics []Imported[forum.TopicID], comments []Imported[forum.CommentID],
	of []NewReply) error {
	latest := map[forum.TopicID]record.TopicState{}
	see := func(t record.TopicState) {
		if t.ID != 0 && t.Rev >= latest[t.ID].Rev {
			latest[t.ID] = t
		}
	}
	for _, t := range topics {
		see(t.topic)
	}
	var states []record.CommentState
	var known []forum.CommentID
	for i, c := range comments {
		see(c.topic)
		switch {
		case c.Err != nil:
		case c.stored:
			known = append(known, c.ID)
		default:
			states = append(states, record.CommentState{ID: c.ID, Rev: record.CommentLive, Live: c.topic.Open,
				Created: of[i].CreatedAt, Author: of[i].Author})
		}
	}
	before, err := im.s.commentStates(ctx, known)
	if err != nil {
		return err
	}
	states = append(states, before...)
	ordered := make([]record.TopicState, 0, len(latest))
	for _, t := range latest {
		ordered = append(ordered, t)
	}
	for len(ordered)+len(states) > 0 {
		nt, nc := min(len(ordered), publishBatch), min(len(states), publishBatch)
		if _, err := im.s.index(ctx, ordered[:nt], states[:nc]); err != nil {
			return fmt.Errorf("import: %w", err)
		}
		ordered, states = ordered[nt:], states[nc:]
	}
	return nil
}

// publishBatch is the most topics, and the most comments, whose lists are written
// in one pipeline.
const publishBatch = 500
