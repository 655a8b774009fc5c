// Package index collects the entries of topics and comments in indexes, and the calls of the guards that write them.
package index

import (
	"cmp"
	"context"
	"embed"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Entries are entries to be set in indexes, or removed from them.
type Entries struct {
	now   forum.Time
	zone  *time.Location
	of    map[key.Container]*container
	all   []*container
	tags  []Tag
	karma []record.CommentState // comments whose votes are counted
	gone  []record.CommentState // comments that are not live any more, and that users were notified of
}

// container are the entries of one container.
type container struct {
	of      key.Container
	orders  []string
	entries []entry
	cmd     *redis.Cmd // the call of the guard
	first   int        // the number of its first entry in that call
}

// entry is an entry with its score in each order; without any, it is removed.
type entry struct {
	script.IndexSetEntry
	scores []string
}

// New returns no entries. zone is that in which days begin.
func New(now forum.Time, zone *time.Location) *Entries {
	return &Entries{now: now, zone: zone, of: map[key.Container]*container{}}
}

// set puts an entry into the orders of a container that have a score for it, or removes it if there are no scores.
func (e *Entries) set(c key.Container, orders []string, of entry) {
	if len(of.scores) == 0 {
		of.scores = make([]string, len(orders))
	}
	ce := e.of[c]
	if ce == nil {
		ce = &container{of: c, orders: orders}
		e.of[c] = ce
		e.all = append(e.all, ce)
	}
	ce.entries = append(ce.entries, of)
}

// Empty reports whether there are no entries.
func (e *Entries) Empty() bool { return len(e.all) == 0 }

// callEntries is the maximum number of entries of several containers in one call of the guard: Redis does nothing else
// meanwhile.
const callEntries = 64

// Queue queues all guards, and what follows them. Containers of one slot are one call; outside a cluster, all are.
func (e *Entries) Queue(ctx context.Context, b *pipeline.Batch) {
	calls := map[string][]*container{}
	var order []string
	for _, ce := range e.all {
		slot := ""
		if b.OneSlot() {
			slot, _, _ = strings.Cut(string(ce.of), "}") // of the container's keys
		}
		if calls[slot] == nil {
			order = append(order, slot)
		}
		calls[slot] = append(calls[slot], ce)
	}
	for _, slot := range order {
		e.queue(ctx, b, calls[slot])
	}
	for _, c := range e.karma {
		QueueKarma(ctx, b, c.Author, c.ID, c.Karma())
	}
	for _, c := range e.gone {
		for _, id := range c.Notified {
			b.Run(ctx, script.NoteSeen{User: key.User(id), Unread: key.Unread(id), Notes: key.Note(id), Now: e.now,
				Why:        string(c.Withheld),
				CommentRev: c.Rev, TopicRev: c.TopicRev, Subjects: []string{record.EncodeSubject(forum.Subject{Comment: c.ID})}})
		}
	}
	for i := range e.tags { // after the index, which shows whether any topic has the tag
		e.tags[i].Queue(ctx, b, e.now)
	}
}

// queue queues the guard of containers.
func (e *Entries) queue(ctx context.Context, b *pipeline.Batch, all []*container) {
	for len(all) > 0 {
		set := script.IndexSet{Now: e.now, Memory: forum.RemovalLife, Kept: record.StreamKept}
		n := 0
		for n < len(all) && (n == 0 || len(set.Entries)+len(all[n].entries) <= callEntries) {
			all[n].first = len(set.Entries)
			e.add(&set, all[n])
			n++
		}
		cmd := b.Run(ctx, set)
		for _, ce := range all[:n] {
			ce.cmd = cmd
		}
		all = all[n:]
	}
}

// add adds a container to a call of the guard.
func (e *Entries) add(set *script.IndexSet, ce *container) {
	c := ce.of
	row := script.IndexSetContainer{Revisions: c.Revisions(), Removed: c.Removed(), Orders: int64(len(ce.orders)),
		Entries: int64(len(ce.entries))}
	if day, ok := c.Day(); ok {
		row.Expires = record.ExpireAt(day.Ends(e.zone))
	}
	set.Containers = append(set.Containers, row)
	set.Marks = append(set.Marks, script.IndexSetMark{Closed: c.Closed(), Events: c.Events()})
	for _, o := range ce.orders {
		set.Orders = append(set.Orders, c.Order(o))
	}
	for _, of := range ce.entries {
		set.Entries = append(set.Entries, of.IndexSetEntry)
		set.Scores = append(set.Scores, of.scores...)
	}
}

// QueueKarma queues the guard that counts the votes on a comment in its author's karma.
func QueueKarma(ctx context.Context, b *pipeline.Batch, author forum.UserID, id forum.CommentID,
	v record.CommentVotes) {
	b.Run(ctx, script.KarmaSet{User: key.User(author), Votes: key.Karma(author), Comment: id, Rev: v.Rev,
		Net: int64(v.Net)})
}

// result returns what the guard answered to entry number i; 0 if it failed.
func (ce *container) result(i int) int64 {
	results, err := ce.cmd.Int64Slice()
	if i += ce.first; err != nil || i >= len(results) {
		return 0
	}
	return results[i]
}

// Refused reports whether the index of a category refused a topic: because it is closed for good, or because the rules
// of the category have changed since the topic was given its audience.
func (e *Entries) Refused(t record.TopicState) (closed, outdated bool) {
	ce := e.of[key.CategoryContainer(t.Category)]
	if ce == nil || !t.Listed || t.Category == 0 {
		return false, false
	}
	for i, of := range ce.entries {
		if of.ID == int64(t.ID) {
			closed, outdated = closed || ce.result(i) == -1, outdated || ce.result(i) == -2
		}
	}
	return closed, outdated
}

// dropFrom removes a topic from a container.
func (e *Entries) dropFrom(c key.Container, t record.TopicState) {
	e.set(c, key.TopicOrders, entryOf(t))
}

// entryOf returns an entry of a topic without scores.
func entryOf(t record.TopicState) entry {
	of := entry{IndexSetEntry: script.IndexSetEntry{ID: int64(t.ID), Rev: t.Rev, Member: t.Member()}}
	if t.Epoch != 0 {
		of.Epoch = key.Itoa(t.Epoch)
	}
	return of
}

// SetComment puts the comment into the list of its author's comments, or removes it.
func (e *Entries) SetComment(c record.CommentState) {
	if (!c.Live || c.Rev > record.CommentPosted) && len(c.Notified) > 0 { // it was hidden, deleted or restored
		e.gone = append(e.gone, c)
	}
	if c.Author == 0 {
		return
	}
	if c.Votes != nil {
		e.karma = append(e.karma, c)
	}
	var of entry
	of.IndexSetEntry = script.IndexSetEntry{ID: int64(c.ID), Rev: c.Rev, Member: record.Member(c.Created, int64(c.ID))}
	in := key.UserCommentsContainer(c.Author)
	of.scores = derive.CommentIn(c, in)
	e.set(in, key.CommentOrders, of)
}

// SetTopic puts the topic into all containers that it belongs to, or removes it from them.
func (e *Entries) SetTopic(t record.TopicState) {
	for _, d := range derive.Topic(t, forum.DayOf(e.now, e.zone)-1) {
		of := entryOf(t)
		if of.scores = d.Scores; d.Scores != nil {
			of.Only = t.Changed
		}
		if day, ok := d.Container.Day(); ok {
			e.setDay(t, day, of)
		} else {
			e.set(d.Container, key.TopicOrders, of)
		}
	}
	if !t.Fresh { // otherwise its tags have the same topics as before
		e.nameTags(t)
	}
}

// nameTags writes the names of the tags of a topic, or removes those that no topic has any more.
func (e *Entries) nameTags(t record.TopicState) {
	for _, tag := range t.Tags {
		if t.Public {
			e.nameTag(tag.ID, tag.Name)
		} else {
			e.nameTag(tag.ID, "")
		}
	}
}

func (e *Entries) nameTag(id forum.TagID, name string) {
	i := slices.IndexFunc(e.tags, func(t Tag) bool { return t.ID == id })
	if i < 0 {
		i, e.tags = len(e.tags), append(e.tags, Tag{ID: id})
	}
	e.tags[i].Name = cmp.Or(name, e.tags[i].Name)
}

// SetTags puts the topic into the indexes of its tags only, and removes it from those of its former tags. Names returns
// their entries in the list of tags.
func (e *Entries) SetTags(t record.TopicState) {
	for _, d := range derive.Topic(t, forum.DayOf(e.now, e.zone)-1) {
		if d.Container.Tag() != 0 {
			of := entryOf(t)
			of.scores = d.Scores
			e.set(d.Container, key.TopicOrders, of)
		}
	}
	e.nameTags(t)
	e.leaveTags(t)
}

// Untag has Names return the entries of tags that topics have left.
func (e *Entries) Untag(tags ...forum.TagID) {
	for _, id := range tags {
		e.nameTag(id, "")
	}
}

// setDay puts the topic into the rank of a day, unless that has its count.
func (e *Entries) setDay(t record.TopicState, day forum.Day, of entry) {
	commented := day == t.Day && t.Changed == record.ChangedByComment
	if t.Fresh && !commented {
		return
	}
	if of.Only = ""; commented && t.DayComments > 1 {
		of.Only = "0" // its one order; the revision before was ranked, too
	}
	e.set(key.DayContainer(day), key.DayOrders, of)
}

// Leave removes a topic from the tags that it lost and the categories it was moved from. That must follow
// its acceptance by the new category: until then an old category cannot be deleted.
func (e *Entries) Leave(t record.TopicState) {
	for _, old := range t.Former {
		e.dropFrom(key.CategoryContainer(old), t)
	}
	e.leaveTags(t)
}

func (e *Entries) leaveTags(t record.TopicState) {
	for _, old := range t.FormerTags {
		e.dropFrom(key.TagContainer(old), t)
		e.nameTag(old, "")
	}
}
