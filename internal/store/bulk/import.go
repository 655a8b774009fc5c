package bulk

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/change"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/posts"
	"agora/internal/store/script"
)

// Import writes the content of another site with the scripts of the mutations, many objects in one
// pipeline. An object with a given Source ("site:id") is written once, however often and by however many
// processes it is imported: each script keeps a record of it forever, next to what it creates.
type Import struct {
	s *Store
	// used are the folded logins that this import has assigned or found in use.
	used map[string]bool
	// last is the time of the last edge, in microseconds.
	last int64
	// assigned are the folded logins that the current call of Users has assigned.
	assigned []string
	// began is when the current batch was first tried, 0 if the previous batch was written; after is last at that time.
	began forum.Time
	after int64
	// retry is whether the current batch was tried before and failed.
	retry bool
}

// Begin begins an import, for use by one goroutine.
func (s *Store) Begin() *Import {
	return &Import{s: s, used: map[string]bool{}}
}

// siteOf returns the part of a Source that identifies the site: the text before the colon.
func siteOf(source string) string {
	name, _, _ := strings.Cut(source, ":")
	return name
}

// Imported is the result of importing an object.
type Imported[ID ~int64] struct {
	// ID is its id in this site.
	ID ID
	// Known reports whether it was imported before, except by an earlier try of the same batch whose reply
	// was lost.
	Known bool
	// Err is why it was not imported: a *forum.Error.
	Err error

	topic record.TopicState
	// stored is whether it existed already, even if from an earlier try: its state must be read.
	stored bool
}

// Pinned returns how many topics are pinned in a category, or on the front if it is 0.
func (im *Import) Pinned(ctx context.Context, category forum.CategoryID) (int, error) {
	in := key.FrontContainer
	if category != 0 {
		in = key.CategoryContainer(category)
	}
	n, err := im.s.engine.Client.Redis.ZCard(ctx, in.Order(key.OrderPinned)).Result()
	if err != nil {
		return 0, fmt.Errorf("count pinned topics: %w", err)
	}
	return int(n), nil
}

// Posted reports whether a topic was imported before.
func (im *Import) Posted(ctx context.Context, in posts.NewTopic) (bool, error) {
	b := im.s.engine.Client.Batch()
	records := []*redis.StringCmd{
		b.Get(ctx, key.Source(in.Author.Partition(), "t", in.Source)),
		b.Get(ctx, key.Source(key.PartitionOfSource(in.Source), "t", in.Source)),
	}
	if err := b.Exec(ctx); err != nil {
		return false, fmt.Errorf("import topics: %w", err)
	}
	for _, r := range records {
		if id, _, ok := record.ParseSourceRecord(r.Val()); ok {
			rejected, err := im.s.engine.Client.Redis.HExists(ctx, key.Internal(key.Topic(forum.TopicID(id))),
				"rejected").Result()
			return !rejected, err
		}
	}
	return false, nil
}

// Topics posts topics, in one pipeline and one more for those that are known or whose authors are deleted.
// The ghost becomes the author of these.
func (im *Import) Topics(ctx context.Context, in []posts.NewTopic) (imported []Imported[forum.TopicID], err error) {
	im.begin()
	defer func() { im.end(err) }()
	imported = make([]Imported[forum.TopicID], len(in))
	all := make([]int, len(in))
	for i := range in {
		all[i] = i
	}
	orphans, err := im.createTopics(ctx, in, all, imported)
	if err != nil {
		return nil, err
	}
	for _, i := range orphans {
		in[i].Author = 0
	}
	if _, err := im.createTopics(ctx, in, orphans, imported); err != nil {
		return nil, err
	}
	var known []int
	var ids []forum.TopicID
	for i := range imported {
		if imported[i].Known {
			known, ids = append(known, i), append(ids, imported[i].ID)
		}
	}
	states, err := record.TopicStates(ctx, im.s.engine.Client, ids)
	if err != nil {
		return nil, err
	}
	for n, i := range known {
		imported[i].topic = states[n]
	}
	if im.retry {
		err = countOwn(ctx, im, imported, func(i int) string { return in[i].RecordKey() })
	}
	return imported, err
}

// createTopics posts the topics with the indexes in which, and returns the indexes of those whose authors
// are deleted.
func (im *Import) createTopics(ctx context.Context, in []posts.NewTopic, which []int,
	imported []Imported[forum.TopicID]) (orphans []int, err error) {
	if len(which) == 0 {
		return nil, nil
	}
	s, now := im.s, im.s.engine.Now()
	b := s.engine.Client.Batch()
	cmds := make([]*redis.Cmd, len(which))
	for n, i := range which {
		cmds[n] = b.Run(ctx, in[i].Script(now, true))
	}
	s.engine.Step("import_topics")
	b.Exec(ctx) // each command has its own error
	for n, i := range which {
		posted, err := script.TopicCreate{}.Result(cmds[n].Result())
		if err != nil {
			err = record.ScriptError(err)
			switch forum.CodeOf(err) {
			case "":
				return nil, fmt.Errorf("import topics: %w", err)
			case forum.CodeUnauthenticated:
				orphans = append(orphans, i)
			default:
				imported[i] = Imported[forum.TopicID]{Err: err}
			}
			continue
		}
		t := in[i]
		imported[i] = Imported[forum.TopicID]{ID: posted.ID, Known: !posted.New, topic: t.State(posted.ID, now)}
	}
	return orphans, nil
}

// NewReply is a comment to import, with its author.
type NewReply struct {
	Author forum.UserID // 0 is the ghost
	posts.NewComment
}

// Comments posts comments, in one pipeline and up to two more for known comments. Comments of one topic
// keep their order.
func (im *Import) Comments(ctx context.Context, in []NewReply) (imported []Imported[forum.CommentID], err error) {
	im.begin()
	defer func() { im.end(err) }()
	s, now := im.s, im.s.engine.Now()
	b := s.engine.Client.Batch()
	cmds := make([]*redis.Cmd, len(in))
	for i, c := range in {
		// No author needs rights: an import adds to topics that are open or locked.
		cmds[i] = b.Run(ctx, c.Script(&forum.Viewer{ID: c.Author, Role: forum.RoleUser}, now, s.engine.Location, true))
	}
	s.engine.Step("import_comments")
	b.Exec(ctx) // each command has its own error
	imported = make([]Imported[forum.CommentID], len(in))
	for i, cmd := range cmds {
		posted, err := script.CommentCreate{}.Result(cmd.Result())
		if err != nil {
			if err = record.ScriptError(err); forum.CodeOf(err) == "" {
				return nil, fmt.Errorf("import comments: %w", err)
			}
			imported[i] = Imported[forum.CommentID]{Err: err}
			continue
		}
		imported[i] = Imported[forum.CommentID]{
			ID: posted.ID, Known: !posted.New, stored: !posted.New,
			topic: record.NewTopicState(in[i].Topic, posted.Topic),
		}
	}
	if im.retry {
		err = countOwn(ctx, im, imported, func(i int) string {
			return key.Source(in[i].Topic.Partition(), "c", in[i].Source)
		})
	}
	return imported, err
}

// Publish writes imported topics and comments into all lists, with the latest known state of each topic.
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
			states = append(states, record.CommentState{ID: c.ID, Rev: record.CommentPosted, Live: c.topic.Public,
				Created: of[i].CreatedAt, Author: of[i].Author, Votes: of[i].Votes()})
		}
	}
	before, err := record.CommentStates(ctx, im.s.engine.Client, known)
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
		if _, err := im.s.changes.Write(ctx, change.Set{Topics: ordered[:nt], Comments: states[:nc]}); err != nil {
			return fmt.Errorf("import: %w", err)
		}
		ordered, states = ordered[nt:], states[nc:]
	}
	return nil
}

// publishBatch is the maximum number of topics, and of comments, whose lists are written in one pipeline.
const publishBatch = 500
