package change

import (
	"context"
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/engine"
	"agora/internal/store/homes"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Set are changed topics and comments, for the lists that hold them in other slots, and what else a mutation has
// changed.
type Set struct {
	Topics   []record.TopicState
	Comments []record.CommentState
	Parts    []engine.Part
	Leaving  homes.Leaving // cleanup after a topic that is not listed any more, or again; nil for none
	// ReadBack, if not nil, reads what was written for the answer.
	ReadBack engine.ReadBack
	Written  engine.Written
}

// entries adds the entries of the topics and comments to e.
func (c Set) entries(e *index.Entries) *index.Entries {
	for _, t := range c.Topics {
		e.SetTopic(t)
	}
	for _, comment := range c.Comments {
		e.SetComment(comment)
	}
	if c.Leaving != nil {
		for _, comment := range c.Leaving.States() {
			e.SetComment(comment)
		}
	}
	return e
}

// Write writes changes into all lists in other slots, in one round trip, and removes the dirty marks. It is
// idempotent. A topic whose new category was deleted concurrently is withdrawn, which rejected reports. One that has
// not the audience of its category is given it before.
func (s *Store) Write(ctx context.Context, c Set) (rejected bool, err error) {
	if s.engine.Bulk {
		return false, nil
	}
	return s.write(ctx, c, 0)
}

func (s *Store) write(ctx context.Context, c Set, tries int) (rejected bool, err error) {
	if c.Topics, err = s.classifyTopics(ctx, c.Topics); err != nil {
		return false, err
	}
	s.engine.Step("index")
	e := c.entries(s.engine.Entries())
	fans := s.homes.FanOut(ctx, c.Leaving)
	end := func(bool) {}
	defer func() { end(err == nil && !rejected) }()
	err = s.engine.WriteIndexes(ctx, e, func(b *pipeline.Batch) {
		engine.QueueParts(ctx, b, c.Parts)
		fans.Read(b, c.Topics)
		if c.ReadBack != nil {
			end = c.ReadBack(s.engine.ReadIn(ctx, b), c.Written)
		}
	})
	if err != nil {
		return false, err
	}
	for _, comment := range c.Comments {
		s.CleanComment(comment)
	}
	for _, p := range c.Parts {
		p.Written()
	}
	accepted := make([]record.TopicState, 0, len(c.Topics))
	var outdated []record.TopicState
	for _, t := range c.Topics {
		switch closed, old := e.Refused(t); {
		case closed:
			rejected = true
			if err := s.reject(ctx, t); err != nil {
				return true, err
			}
		case old:
			outdated = append(outdated, t)
		default:
			accepted = append(accepted, t)
		}
	}
	if err := s.fanOutTopics(ctx, accepted, fans); err != nil || outdated == nil {
		return rejected, err
	}
	again, err := s.writeOutdated(ctx, outdated, tries)
	return rejected || again, err
}

// SweepTopics writes the indexes of topics in their current state. It removes the marks of those that do not exist.
func (s *Store) SweepTopics(ctx context.Context, p forum.Partition, ids []forum.TopicID) error {
	all, err := record.TopicStates(ctx, s.engine.Client, ids)
	if err != nil {
		return err
	}
	live := all[:0]
	for _, t := range all {
		if t.Rev != 0 {
			live = append(live, t)
		} else if err := s.engine.DropMark(ctx, p, "t:"+key.Itoa(t.ID)); err != nil {
			return err
		}
	}
	_, err = s.Write(ctx, Set{Topics: live})
	return err
}

// SweepComments is SweepTopics for comments.
func (s *Store) SweepComments(ctx context.Context, p forum.Partition, ids []forum.CommentID) error {
	all, err := record.CommentStates(ctx, s.engine.Client, ids)
	if err != nil {
		return err
	}
	live := all[:0]
	for _, c := range all {
		if c.Rev != 0 {
			live = append(live, c)
		} else if err := s.engine.DropMark(ctx, p, "c:"+key.Itoa(c.ID)); err != nil {
			return err
		}
	}
	_, err = s.Write(ctx, Set{Comments: live})
	return err
}

// cleanTopic removes the dirty mark of a topic that is indexed. If homes is set, it was removed from everything it has
// left, and its homes were also written, or left to a task.
func (s *Store) cleanTopic(t record.TopicState, homes bool) {
	m := engine.Marked(t.ID.Partition(), "t:"+key.Itoa(t.ID), key.Topic(t.ID), t.Rev)
	if homes {
		m.Mark.Fan, m.Mark.Left = t.Fan, t.HasFormer
	}
	s.engine.Later(m)
}

// CleanComment removes the dirty mark of a comment that is indexed.
func (s *Store) CleanComment(c record.CommentState) {
	m := engine.Marked(c.ID.Partition(), "c:"+key.Itoa(c.ID), key.Comment(c.ID), c.Rev)
	m.Mark.Votes = c.VotesRev()
	s.engine.Later(m)
}

// fanOutTopics does what follows once the indexes have accepted topics: it removes them from what they were
// in before and writes them into homes.
func (s *Store) fanOutTopics(ctx context.Context, topics []record.TopicState, fans *homes.FanOut) error {
	current, err := fans.Run(topics)
	if err != nil {
		return err
	}
	for i, t := range topics {
		switch {
		case current[i]:
			s.cleanTopic(t, true)
		case !t.HasFormer: // otherwise the sweeper removes it from what it has left
			s.cleanTopic(t, false)
		}
	}
	return nil
}

// reject removes a topic from a deleted category again and indexes the resulting state.
func (s *Store) reject(ctx context.Context, t record.TopicState) error {
	s.engine.Step("reject")
	p := t.ID.Partition()
	task := record.RetractTask(t.ID)
	call := script.TopicReject{
		CountTopic: CountingTopic(p), Topic: key.Topic(t.ID), Due: key.Due(p), Task: key.Task(p,
			task), HiddenItems: key.Hidden(p),
		Bookmarkers: key.Bookmarkers(t.ID), ID: t.ID, DeletedCategory: t.Category, TaskName: task,
	}
	call.Creation, call.Act = s.acts.Recording(p, nil, forum.Grounds{Reason: forum.ReasonOther})
	rejected, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("remove topic %d from a deleted category: %w", t.ID, err)
	}
	_, err = s.Write(ctx, Set{Topics: []record.TopicState{record.NewTopicState(t.ID, rejected.Topic)}})
	return err
}

// CountingTopic returns the arguments with which a script adds a topic to its author's profile, or removes it.
func CountingTopic(p forum.Partition) script.CountTopic {
	return script.CountTopic{Stats: key.Stats(p), Users: key.UserPrefix(p), Kept: record.StreamKept}
}
