package store

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/division"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// entries collects the writes to indexes: one guard per container.
type entries struct {
	lists   *division.View
	now     forum.Time
	zone    *time.Location
	of      map[key.Container]*containerEntries
	list    []*containerEntries
	tags    []tagEntry
	logs    []voteLogEntry
	notify  *notifyTask           // nil for none
	deleted []record.CommentState // their notifications are marked as read
}

type containerEntries struct {
	of  key.Container
	set script.IndexSet
	cmd *redis.Cmd
}

func (s *Store) entries(ctx context.Context) *entries {
	return &entries{lists: s.lists.View(ctx), now: s.Now(), zone: s.zone, of: map[key.Container]*containerEntries{}}
}

// in returns the collected entries of a container.
func (e *entries) in(c key.Container, orders []string) *containerEntries {
	ce := e.of[c]
	if ce == nil {
		ce = &containerEntries{of: c, set: script.IndexSet{
			Revisions: c.Revisions(), Removed: c.Removed(), Closed: c.Closed(), Division: c.Division(),
			Events: c.Events(), Now: e.now, Memory: forum.RemovalLife, Kept: streamKept,
		}}
		for _, o := range orders {
			ce.set.Orders = append(ce.set.Orders, c.Order(o))
		}
		if day, ok := c.Day(); ok {
			ce.set.Expires = record.ExpireAt(day.Ends(e.zone))
		}
		e.of[c] = ce
		e.list = append(e.list, ce)
	}
	return ce
}

// set puts an entry into the orders of a container, or of the parts of a divided one, that have a score for it, or
// removes it if there are no scores.
func (e *entries) set(c key.Container, orders []string, id, rev int64, m string, scores ...string) {
	if len(scores) == 0 {
		scores = make([]string, len(orders))
	}
	index, part := e.lists.Targets(c, id)
	for _, to := range [...]key.Container{index, part} {
		if to != "" {
			ce := e.in(to, orders)
			ce.set.Entries = append(ce.set.Entries, script.IndexSetEntry{ID: id, Rev: rev, Member: m, Scores: scores})
		}
	}
}

// write sends all guards in one round trip, followed by what then queues.
func (e *entries) write(ctx context.Context, s *Store, then func(*pipeline.Batch) error) error {
	b := s.rdb.Batch()
	for _, ce := range e.list {
		ce.cmd = b.Run(ctx, ce.set)
	}
	for _, t := range e.tags { // after the index, which shows whether any topic has the tag
		t.queue(ctx, b, e.now)
	}
	for _, l := range e.logs {
		l.queue(ctx, b)
	}
	for _, c := range e.deleted {
		s.queueSeen(ctx, b, c.Notified, forum.Subject{Comment: c.ID})
	}
	e.notify.queue(ctx, b, s.caps.Notes)
	if err := then(b); err != nil {
		return err
	}
	if b.Len() == 0 {
		return nil
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write indexes: %w", err)
	}
	return e.writeParts(ctx, s)
}

// writeParts writes the entries that belong in parts of which this process did not know, because their index is being
// divided since.
func (e *entries) writeParts(ctx context.Context, s *Store) error {
	missed := &entries{now: e.now, zone: e.zone, of: map[key.Container]*containerEntries{}}
	for _, ce := range e.list {
		for i, entry := range ce.set.Entries {
			parts := ce.result(i)
			if parts <= 1 {
				continue
			}
			if part := ce.of.Part(entry.ID, int(parts)); !e.of[part].has(entry.ID) {
				to := missed.in(part, part.OrderNames())
				to.set.Entries = append(to.set.Entries, entry)
			}
		}
	}
	if len(missed.list) == 0 {
		return nil
	}
	s.step("index_parts")
	b := s.rdb.Batch()
	for _, ce := range missed.list {
		ce.cmd = b.Run(ctx, ce.set)
	}
	if err := b.Exec(ctx); err != nil {
		return fmt.Errorf("write parts of indexes: %w", err)
	}
	e.list = append(e.list, missed.list...)
	return nil
}

// has reports whether an entry of the topic is written; ce may be nil.
func (ce *containerEntries) has(id int64) bool {
	return ce != nil && slices.ContainsFunc(ce.set.Entries, func(e script.IndexSetEntry) bool { return e.ID == id })
}

// result returns what the guard answered to entry number i; 0 if it failed.
func (ce *containerEntries) result(i int) int64 {
	results, err := ce.cmd.Int64Slice()
	if err != nil || i >= len(results) {
		return 0
	}
	return results[i]
}

// refused reports whether an index was closed to a topic.
func (e *entries) refused(c key.Container, id forum.TopicID) bool {
	for _, ce := range e.list {
		if whole, _ := ce.of.Whole(); whole != c {
			continue
		}
		for i, entry := range ce.set.Entries {
			if entry.ID == int64(id) && ce.result(i) < 0 {
				return true
			}
		}
	}
	return false
}

func (e *entries) setTopic(c key.Container, t record.TopicState) {
	e.set(c, key.TopicOrders, int64(t.ID), t.Rev, t.Member(), t.Scores()...)
}

func (e *entries) dropTopic(c key.Container, t record.TopicState) {
	e.set(c, key.TopicOrders, int64(t.ID), t.Rev, t.Member())
}

// setTags puts the topic into the indexes of its tags, or removes it from them.
func (e *entries) setTags(t record.TopicState) {
	for _, tag := range t.Tags {
		if t.Open {
			e.setTopic(key.TagContainer(tag.ID), t)
			e.tags = append(e.tags, tagEntry{tag.ID, tag.Name})
		} else {
			e.dropTopic(key.TagContainer(tag.ID), t)
			e.tags = append(e.tags, tagEntry{id: tag.ID})
		}
	}
}

// setDays puts the topic into the ranks of the two latest days with comments, as far as these can still be
// read.
func (e *entries) setDays(t record.TopicState) {
	oldest := forum.DayOf(e.now, e.zone) - 1
	for i, comments := range []int{t.DayComments, t.DayBefore} {
		day := t.Day - forum.Day(i)
		if t.Day == 0 || comments < 0 || day < oldest {
			continue
		}
		if t.Open && comments > 0 {
			e.set(key.DayContainer(day), key.DayOrders, int64(t.ID), t.Rev, t.Member(), strconv.Itoa(comments))
		} else {
			e.set(key.DayContainer(day), key.DayOrders, int64(t.ID), t.Rev, t.Member())
		}
	}
}

func (e *entries) setComment(c record.CommentState) {
	if !c.Live && len(c.Notified) > 0 {
		e.deleted = append(e.deleted, c)
	}
	if c.Author == 0 {
		return
	}
	list, m := key.UserCommentsContainer(c.Author), record.Member(c.Created, int64(c.ID))
	if c.Live {
		e.set(list, key.CommentOrders, int64(c.ID), record.CommentLive, m, record.FormatScore(float64(c.Created)))
	} else {
		e.set(list, key.CommentOrders, int64(c.ID), record.CommentDeleted, m)
	}
}

// changes are changed entities, for the lists that hold them in other slots.
type changes struct {
	topics     []record.TopicState
	comments   []record.CommentState
	logs       []voteLogEntry // votes to record in logs
	notify     *notifyTask    // the users to notify; nil for none
	retraction *retraction    // cleanup after the deleted topic; nil if none was deleted
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
	e := s.entries(ctx)
	e.logs, e.notify = c.logs, c.notify
	for _, t := range c.topics {
		e.indexTopic(t)
	}
	for _, comment := range c.comments {
		e.setComment(comment)
	}
	fans := &fanOut{s: s, ctx: ctx, retraction: c.retraction}
	if err := e.write(ctx, s, func(b *pipeline.Batch) error { return fans.read(b, c.topics) }); err != nil {
		return false, err
	}
	for _, comment := range c.comments {
		s.clean(comment.ID.Partition(), "c:"+key.Itoa(comment.ID), key.Comment(comment.ID), comment.Rev)
	}
	for _, l := range c.logs {
		s.finish(l.task())
	}
	s.finishNotify(c.notify)
	accepted := make([]record.TopicState, 0, len(c.topics))
	for _, t := range c.topics {
		if t.Open && t.Category != 0 && e.refused(key.CategoryContainer(t.Category), t.ID) {
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
			s.cleanTopic(t)
		case !t.Leaves: // otherwise the sweeper removes it from what it has left
			s.clean(t.ID.Partition(), "t:"+key.Itoa(t.ID), key.Topic(t.ID), t.Rev)
		}
	}
	return nil
}

// indexTopic puts the topic into all containers that it belongs to, or removes it from them.
func (e *entries) indexTopic(t record.TopicState) {
	if t.Open {
		e.setTopic(key.FrontContainer, t)
		if t.Category != 0 {
			e.setTopic(key.CategoryContainer(t.Category), t)
		}
	} else {
		e.dropTopic(key.FrontContainer, t)
		if t.Category != 0 {
			e.dropTopic(key.CategoryContainer(t.Category), t)
		}
	}
	e.setTags(t)
	e.setDays(t)
}

// leave removes a topic from the tags that it lost and the categories it was moved from. That must follow
// its acceptance by the new category: until then an old category cannot be deleted.
func (e *entries) leave(t record.TopicState) {
	for _, old := range t.Left {
		e.dropTopic(key.CategoryContainer(old), t)
	}
	for _, old := range t.LeftTags {
		e.dropTopic(key.TagContainer(old), t)
		e.tags = append(e.tags, tagEntry{id: old})
	}
}

// reject removes a topic from a deleted category again and indexes the resulting state.
func (s *Store) reject(ctx context.Context, t record.TopicState) error {
	s.step("reject")
	p := t.ID.Partition()
	task := record.RetractTask(t.ID)
	call := script.TopicReject{
		Unlist: unlisting(p, t.Author), Topic: key.Topic(t.ID), Dirty: key.Dirty(p), Due: key.Due(p),
		Task:        key.Task(p, task),
		Bookmarkers: key.Bookmarkers(t.ID), ID: t.ID, DeletedCategory: t.Category, Now: s.Now(), TaskName: task,
	}
	rejected, err := call.Result(s.rdb.Run(ctx, call).Result())
	if err != nil {
		return fmt.Errorf("remove topic %d from a deleted category: %w", t.ID, err)
	}
	_, err = s.index(ctx, []record.TopicState{record.NewTopicState(t.ID, rejected.Topic)}, nil)
	return err
}
