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

// changes are changed topics and comments, for the lists that hold them in other slots, and what else a mutation has
// changed.
type changes struct {
	topics   []record.TopicState
	comments []record.CommentState
	parts    []part
	leaving  leaving // cleanup after a topic that is not listed any more, or again; nil for none
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
	if c.leaving != nil {
		for _, comment := range c.leaving.States() {
			e.SetComment(comment)
		}
	}
	return e
}

// indexAll writes changes into all lists in other slots, in one round trip, and removes the dirty marks. It is
// idempotent. A topic whose new category was deleted concurrently is withdrawn, which rejected reports.
func (s *Store) indexAll(ctx context.Context, c changes) (rejected bool, err error) {
	if s.bulk {
		return false, nil
	}
	s.step("index")
	e := c.entries(s.entries())
	fans := s.fanOut(ctx, c.leaving)
	end := func(bool) {}
	defer func() { end(err == nil && !rejected) }()
	err = s.write(ctx, e, func(b *pipeline.Batch) {
		queueParts(ctx, b, c.parts)
		fans.read(b, c.topics)
		if c.readBack != nil {
			end = c.readBack(s.readIn(ctx, b))
		}
	})
	if err != nil {
		return false, err
	}
	if fans.names, err = e.Names(); err != nil {
		return false, fmt.Errorf("names of tags: %w", err)
	}
	for _, comment := range c.comments {
		s.cleanComment(comment)
	}
	for _, p := range c.parts {
		p.Written()
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

// sweepTopics and sweepComments write the indexes of topics and comments in their current state. They remove the marks of
// those that do not exist.
func (s *Store) sweepTopics(ctx context.Context, p forum.Partition, ids []forum.TopicID) error {
	all, err := s.topicStates(ctx, ids)
	if err != nil {
		return err
	}
	live := all[:0]
	for _, t := range all {
		if t.Rev != 0 {
			live = append(live, t)
		} else if err := s.dropMark(ctx, p, "t:"+key.Itoa(t.ID)); err != nil {
			return err
		}
	}
	_, err = s.indexAll(ctx, changes{topics: live})
	return err
}

func (s *Store) sweepComments(ctx context.Context, p forum.Partition, ids []forum.CommentID) error {
	all, err := s.commentStates(ctx, ids)
	if err != nil {
		return err
	}
	live := all[:0]
	for _, c := range all {
		if c.Rev != 0 {
			live = append(live, c)
		} else if err := s.dropMark(ctx, p, "c:"+key.Itoa(c.ID)); err != nil {
			return err
		}
	}
	_, err = s.indexAll(ctx, changes{comments: live})
	return err
}

// cleanTopic removes the dirty mark of a topic that is indexed, once the entries of its tags in their list are written.
// If homes is set, it was removed from everything it has left, and its homes were also written, or left to a task.
func (s *Store) cleanTopic(t record.TopicState, names []index.Name, homes bool) {
	m := marked(t.ID.Partition(), "t:"+key.Itoa(t.ID), key.Topic(t.ID), t.Rev)
	if len(names) > 0 {
		m.first = func(ctx context.Context, b *pipeline.Batch) {
			for i := range names {
				names[i].Queue(ctx, b, s.Now())
			}
		}
		m.wrote = func() { s.listed.Wrote(names) }
	}
	if homes {
		m.mark.Fan, m.mark.Left = t.Fan, t.Leaves
	}
	s.cleanLater(m)
}

// cleanComment removes the dirty mark of a comment that is indexed.
func (s *Store) cleanComment(c record.CommentState) {
	m := marked(c.ID.Partition(), "c:"+key.Itoa(c.ID), key.Comment(c.ID), c.Rev)
	m.mark.Votes = c.VotesRev()
	s.cleanLater(m)
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
	_, err = s.indexAll(ctx, changes{topics: []record.TopicState{record.NewTopicState(t.ID, rejected.Topic)}})
	return err
}

// enlisting returns the arguments with which a script adds a topic to its author's profile, or removes it.
func enlisting(p forum.Partition) script.Enlist {
	return script.Enlist{Stats: key.Stats(p), Users: key.UserPrefix(p), Kept: record.StreamKept}
}
