// Package index collects the entries of topics and comments in indexes, and the calls of the guards that write them.
package index

import (
	"context"
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

// Entries are entries to be set in indexes, or removed from them: one call of a guard for each container.
type Entries struct {
	lists *division.View
	now   forum.Time
	zone  *time.Location
	of    map[key.Container]*container
	all   []*container
	tags  []Tag
	karma []record.CommentState // comments whose votes are counted
	// Deleted are comments that are not live any more, and that users were notified of.
	Deleted []record.CommentState
}

type container struct {
	of  key.Container
	set script.IndexSet
	cmd *redis.Cmd
}

// New returns no entries. zone is that in which days begin.
func New(lists *division.View, now forum.Time, zone *time.Location) *Entries {
	return &Entries{lists: lists, now: now, zone: zone, of: map[key.Container]*container{}}
}

// in returns the collected entries of a container.
func (e *Entries) in(c key.Container, orders []string) *container {
	ce := e.of[c]
	if ce == nil {
		ce = &container{of: c, set: script.IndexSet{
			Revisions: c.Revisions(), Removed: c.Removed(), Closed: c.Closed(), Division: c.Division(),
			Events: c.Events(), Now: e.now, Memory: forum.RemovalLife, Kept: record.StreamKept,
		}}
		for _, o := range orders {
			ce.set.Orders = append(ce.set.Orders, c.Order(o))
		}
		if day, ok := c.Day(); ok {
			ce.set.Expires = record.ExpireAt(day.Ends(e.zone))
		}
		e.of[c] = ce
		e.all = append(e.all, ce)
	}
	return ce
}

// set puts an entry into the orders of a container, or of the parts of a divided one, that have a score for it, or
// removes it if there are no scores.
func (e *Entries) set(c key.Container, orders []string, entry script.IndexSetEntry) {
	if len(entry.Scores) == 0 {
		entry.Scores = make([]string, len(orders))
	}
	index, part := e.lists.Targets(c, entry.ID)
	for _, to := range [...]key.Container{index, part} {
		if to != "" {
			ce := e.in(to, orders)
			ce.set.Entries = append(ce.set.Entries, entry)
		}
	}
}

// Empty reports whether there are no entries.
func (e *Entries) Empty() bool { return len(e.all) == 0 }

// Queue queues all guards, and what follows them.
func (e *Entries) Queue(ctx context.Context, b *pipeline.Batch) {
	for _, ce := range e.all {
		ce.cmd = b.Run(ctx, ce.set)
	}
	for _, c := range e.karma {
		QueueKarma(ctx, b, c.Author, c.ID, c.Karma())
	}
	for i := range e.tags { // after the index, which shows whether any topic has the tag
		e.tags[i].Queue(ctx, b, e.now)
	}
}

// QueueKarma queues the guard that counts the votes on a comment in its author's karma.
func QueueKarma(ctx context.Context, b *pipeline.Batch, author forum.UserID, id forum.CommentID,
	v record.CommentVotes) {
	b.Run(ctx, script.KarmaSet{User: key.User(author), Votes: key.Karma(author), Comment: id, Rev: v.Rev,
		Net: int64(v.Net)})
}

// Missed returns the entries that belong in parts of which this process did not know, because their index is being
// divided since; nil if there are none. Refused considers them, too.
func (e *Entries) Missed() *Entries {
	missed := New(&division.View{}, e.now, e.zone)
	for _, ce := range e.all {
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
	if len(missed.all) == 0 {
		return nil
	}
	e.all = append(e.all, missed.all...)
	return missed
}

// has reports whether an entry of the topic is written; ce may be nil.
func (ce *container) has(id int64) bool {
	return ce != nil && slices.ContainsFunc(ce.set.Entries, func(e script.IndexSetEntry) bool { return e.ID == id })
}

// result returns what the guard answered to entry number i; 0 if it failed.
func (ce *container) result(i int) int64 {
	results, err := ce.cmd.Int64Slice()
	if err != nil || i >= len(results) {
		return 0
	}
	return results[i]
}

// Refused reports whether an index was closed to a topic.
func (e *Entries) Refused(c key.Container, id forum.TopicID) bool {
	for _, ce := range e.all {
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

// setIn puts a topic into all orders of a container.
func (e *Entries) setIn(c key.Container, t record.TopicState) {
	entry := entryOf(t)
	entry.Scores, entry.Only = t.Scores(c), t.Changed
	e.set(c, key.TopicOrders, entry)
}

// dropFrom removes it.
func (e *Entries) dropFrom(c key.Container, t record.TopicState) {
	e.set(c, key.TopicOrders, entryOf(t))
}

// entryOf returns an entry of a topic without scores.
func entryOf(t record.TopicState) script.IndexSetEntry {
	return script.IndexSetEntry{ID: int64(t.ID), Rev: t.Rev, Member: t.Member()}
}

// setTags puts the topic into the indexes of its tags, or removes it from them.
func (e *Entries) setTags(t record.TopicState) {
	for _, tag := range t.Tags {
		if t.Listed {
			e.setIn(key.TagContainer(tag.ID), t)
			e.tags = append(e.tags, Tag{ID: tag.ID, Name: tag.Name})
		} else {
			e.dropFrom(key.TagContainer(tag.ID), t)
			e.tags = append(e.tags, Tag{ID: tag.ID})
		}
	}
}

// setDays puts the topic into the ranks of the two latest days with comments, as far as these can still be
// read.
func (e *Entries) setDays(t record.TopicState) {
	oldest := forum.DayOf(e.now, e.zone) - 1
	for i, comments := range []int{t.DayComments, t.DayBefore} {
		day := t.Day - forum.Day(i)
		if t.Day == 0 || comments < 0 || day < oldest {
			continue
		}
		entry := entryOf(t)
		if t.Listed && comments > 0 {
			entry.Scores = []string{strconv.Itoa(comments)}
		}
		e.set(key.DayContainer(day), key.DayOrders, entry)
	}
}

// SetComment puts the comment into the list of its author's comments, or removes it.
func (e *Entries) SetComment(c record.CommentState) {
	if !c.Live && len(c.Notified) > 0 {
		e.Deleted = append(e.Deleted, c)
	}
	if c.Author == 0 {
		return
	}
	if c.Votes != nil {
		e.karma = append(e.karma, c)
	}
	entry := script.IndexSetEntry{ID: int64(c.ID), Rev: c.Rev, Member: record.Member(c.Created, int64(c.ID))}
	if c.Live {
		entry.Scores = []string{record.FormatScore(float64(c.Created))}
	}
	e.set(key.UserCommentsContainer(c.Author), key.CommentOrders, entry)
}

// SetTopic puts the topic into all containers that it belongs to, or removes it from them.
func (e *Entries) SetTopic(t record.TopicState) {
	if t.Listed {
		e.setIn(key.FrontContainer, t)
		if t.Category != 0 {
			e.setIn(key.CategoryContainer(t.Category), t)
		}
	} else {
		e.dropFrom(key.FrontContainer, t)
		if t.Category != 0 {
			e.dropFrom(key.CategoryContainer(t.Category), t)
		}
	}
	e.setTags(t)
	e.setDays(t)
}

// Leave removes a topic from the tags that it lost and the categories it was moved from. That must follow
// its acceptance by the new category: until then an old category cannot be deleted.
func (e *Entries) Leave(t record.TopicState) {
	for _, old := range t.Left {
		e.dropFrom(key.CategoryContainer(old), t)
	}
	for _, old := range t.LeftTags {
		e.dropFrom(key.TagContainer(old), t)
		e.tags = append(e.tags, Tag{ID: old})
	}
}

// SetPart puts the topic into a part of an index.
func (e *Entries) SetPart(part key.Container, t record.TopicState) { e.setIn(part, t) }
