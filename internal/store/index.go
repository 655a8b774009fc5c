package store

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// entries returns no entries of indexes.
func (s *Store) entries() *index.Entries { return index.New(s.Now(), s.zone) }

// follow is what is written in the pipeline of the indexes, after these.
type follow struct {
	logs     []voteLogEntry
	notify   *notifyTask // nil for none
	watch    *watchTask  // nil for none
	acts     []*forum.Act
	cases    []record.CaseState
	then     func(*pipeline.Batch) error
	readBack func(*Read) // last
}

// write sends all guards in one round trip, with what else is to be written; in another one the tags that they missed.
func (s *Store) write(ctx context.Context, e *index.Entries, f follow) error {
	b := s.rdb.Batch()
	e.Queue(ctx, b)
	for _, l := range f.logs {
		l.queue(ctx, b)
	}
	for _, c := range e.Deleted { // their notifications are marked as read
		s.queueSeen(ctx, b, c.Notified, forum.Subject{Comment: c.ID})
	}
	for _, a := range f.acts {
		s.queueAct(ctx, b, a)
	}
	for _, c := range f.cases {
		s.queueCase(ctx, b, c)
	}
	f.notify.queue(ctx, b, s.caps.Notes)
	f.watch.queue(ctx, b, s.caps.Notes) // after the stronger reasons
	if f.then != nil {
		if err := f.then(b); err != nil {
			return err
		}
	}
	if f.readBack != nil {
		f.readBack(&Read{s: s, b: b, ctx: ctx})
	}
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write indexes: %w", err)
	}
	missed := e.Missed()
	if len(missed) == 0 {
		return nil
	}
	s.step("index_tags")
	b = s.rdb.Batch()
	for i := range missed {
		missed[i].Queue(ctx, b, s.Now())
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write tags: %w", err)
	}
	return nil
}

// changes are changed entities, for the lists that hold them in other slots.
type changes struct {
	topics     []record.TopicState
	comments   []record.CommentState
	logs       []voteLogEntry // votes to record in logs
	notify     *notifyTask    // the users to notify; nil for none
	watch      *watchTask     // those who watch the topic; nil for none
	retraction *retraction    // cleanup after the deleted topic; nil if none was deleted
	acts       []*forum.Act   // what a moderator did
	cases      []record.CaseState
	// readBack adds reads to the round trip; nil for none. What it returns is called once: sent is false if the reads have no
	// replies, or may be out of date.
	readBack func(*Read) (end func(sent bool))
}

// entries adds the entries of the topics and comments to e.
func (c changes) entries(e *index.Entries) *index.Entries {
	for _, t := range c.topics {
		e.SetTopic(t)
	}
	for _, comment := range c.comments {
		e.SetComment(comment)
	}
	if c.retraction != nil {
		for _, comment := range c.retraction.comments {
			e.SetComment(comment)
		}
	}
	return e
}

// index writes changes into all lists in other slots, in one round trip, and removes the dirty marks. It is
// idempotent. A topic whose new category was deleted concurrently is withdrawn, which rejected reports.
func (s *Store) index(ctx context.Context, topics []record.TopicState,
	comments []record.CommentState) (rejected bool, err error) {
	return s.indexAll(ctx, changes{topics: topics, comments: comments})
}

// indexAll is index for all kinds of changes.
func (s *Store) indexAll(ctx context.Context, c changes) (rejected bool, err error) {
	if s.bulk {
		return false, nil
	}
	s.step("index")
	e := c.entries(s.entries())
	fans := &fanOut{s: s, ctx: ctx, retraction: c.retraction}
	read := func(b *pipeline.Batch) error { return fans.read(b, c.topics) }
	then := follow{logs: c.logs, notify: c.notify, watch: c.watch, acts: c.acts, cases: c.cases, then: read}
	if c.readBack != nil {
		end := func(bool) {}
		then.readBack = func(r *Read) { end = c.readBack(r) }
		defer func() { end(err == nil && !rejected) }()
	}
	if err := s.write(ctx, e, then); err != nil {
		return false, err
	}
	if fans.names, err = e.Names(); err != nil {
		return false, fmt.Errorf("names of tags: %w", err)
	}
	for _, comment := range c.comments {
		s.cleanComment(comment)
	}
	for _, a := range c.acts {
		s.cleanAct(a.ID)
	}
	for _, one := range c.cases {
		s.cleanCase(one)
	}
	for _, l := range c.logs {
		s.finish(l.task())
	}
	s.finishNotify(c.notify)
	if c.watch != nil && c.watch.whole {
		s.finish(c.watch.task)
	}
	accepted := make([]record.TopicState, 0, len(c.topics))
	for _, t := range c.topics {
		if t.Listed && t.Category != 0 && e.Refused(key.CategoryContainer(t.Category), t.ID) {
			rejected = true
			if err := s.reject(ctx, t); err != nil {
				return true, err
			}
			continue
		}
		accepted = append(accepted, t)
	}
	return rejected, s.fanOutTopics(ctx, accepted, fans)
}

// fanOutTopics does what follows once the indexes have accepted topics: it removes them from what they were
// in before and writes them into homes.
func (s *Store) fanOutTopics(ctx context.Context, topics []record.TopicState, fans *fanOut) error {
	current, err := fans.run(topics)
	if err != nil {
		return err
	}
	for i, t := range topics {
		switch {
		case current[i]:
			s.cleanTopic(t, s.listed.Due(fans.names, t), true)
		case !t.Leaves: // otherwise the sweeper removes it from what it has left
			s.cleanTopic(t, s.listed.Due(fans.names, t), false)
		}
	}
	return nil
}

// reject removes a topic from a deleted category again and indexes the resulting state.
func (s *Store) reject(ctx context.Context, t record.TopicState) error {
	s.step("reject")
	p := t.ID.Partition()
	task := record.RetractTask(t.ID)
	call := script.TopicReject{
		Enlist: enlisting(p), Topic: key.Topic(t.ID), Due: key.Due(p), Task: key.Task(p, task), HiddenItems: key.Hidden(p),
		Bookmarkers: key.Bookmarkers(t.ID), ID: t.ID, DeletedCategory: t.Category, TaskName: task,
	}
	call.Creation, call.Act = s.recording(p, nil, forum.Grounds{Reason: forum.ReasonOther})
	rejected, err := call.Result(s.rdb.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("remove topic %d from a deleted category: %w", t.ID, err)
	}
	_, err = s.index(ctx, []record.TopicState{record.NewTopicState(t.ID, rejected.Topic)}, nil)
	return err
}
