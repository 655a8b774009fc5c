package fsck

import (
	"context"
	"maps"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// This file says what is examined: all that the scan has found, from the objects as from the lists that have them.

// inspectPartitions examines the objects of all partitions, those of small partitions together.
func (c *checker) inspectPartitions(ctx context.Context) error {
	var some []forum.Partition
	size := 0
	for i := range forum.Partitions {
		p := forum.Partition(i)
		if c.keys.seen[p] {
			some, size = append(some, p), size+c.keys.objects(p)
		}
		if size < check.GroupSize && i < forum.Partitions-1 {
			continue
		}
		if err := c.inspectSome(ctx, some); err != nil {
			return err
		}
		some, size = some[:0], 0
	}
	return nil
}

// inspectSome examines the objects of some partitions: topics with their comments, then everything on its own.
func (c *checker) inspectSome(ctx context.Context, some []forum.Partition) error {
	topics, comments := of(&c.keys.topics, some), of(&c.keys.comments, some)
	if err := c.inspectTopics(ctx, topics, comments); err != nil {
		return err
	}
	var all []check.Target
	add := func(kind check.Kind, ids []int64) {
		for _, id := range ids {
			all = append(all, check.Target{Kind: kind, ID: id})
		}
	}
	users := of(&c.keys.users, some)
	for _, p := range some {
		all = append(all, check.Target{Kind: check.OnPartition, ID: int64(p)})
		for _, name := range c.keys.tasks[p] {
			all = append(all, check.Target{Kind: onTask, ID: int64(p), Text: name})
		}
	}
	add(check.OnUser, users)
	add(check.OnComment, comments)
	add(check.OnList, of(&c.keys.lists, some))
	c.report.Topics += len(topics)
	c.report.Comments += len(comments)
	c.report.Users += len(users)
	c.progress(int64(len(comments) + len(users)))
	return inspectEach(ctx, c, all, func(on check.Target) ([]check.Target, []check.List) {
		targets, lists := c.With(on)
		if on.Kind != check.OnComment { // which was examined with its topic
			targets = append(targets, on)
		}
		return targets, lists
	})
}

// inspectTopics examines topics, with all their comments, and the comments that no topic lists.
func (c *checker) inspectTopics(ctx context.Context, topics, comments []int64) error {
	covered := make([]bool, len(comments))
	if err := check.Groups(topics, func(ids []int64) error {
		c.progress(int64(len(ids)))
		var topics []*topicView
		if err := check.Together(ctx, c.Run, ids, func(l *check.Look, id int64) {
			l.On = check.Target{Kind: check.OnTopic, ID: id}
			topics = append(topics, c.topic(l))
		}); err != nil {
			return err
		}
		var all []listedComment
		for _, t := range topics {
			for _, m := range t.comments {
				all = append(all, listedComment{t, m})
				if at, ok := slices.BinarySearch(comments, int64(m.ID)); ok && m.topic == t.id {
					covered[at] = true
				}
			}
		}
		if err := inspectEach(ctx, c, topics, c.ofTopic); err != nil {
			return err
		}
		return inspectEach(ctx, c, all, c.ofComment)
	}); err != nil {
		return err
	}
	var stray []int64
	for at, id := range comments {
		if !covered[at] {
			stray = append(stray, id)
		}
	}
	return check.Together(ctx, c.Run, stray, func(l *check.Look, id int64) {
		l.Examine(check.Target{Kind: check.OnComment, ID: id})
	})
}

// inspectEach examines what is elsewhere because of each of all: targets, and entries of lists.
func inspectEach[T any](ctx context.Context, c *checker, all []T,
	elsewhere func(T) ([]check.Target, []check.List)) error {
	return check.Groups(all, func(part []T) error {
		var on []check.Target
		var lists []check.List
		for _, of := range part {
			targets, others := elsewhere(of)
			on, lists = append(on, targets...), append(lists, others...)
		}
		if err := check.Together(ctx, c.Run, on, (*check.Look).Examine); err != nil {
			return err
		}
		return c.InspectEntries(ctx, lists)
	})
}

// ofTopic returns the notifications, entries and voters of a topic.
func (c *checker) ofTopic(t *topicView) (on []check.Target, lists []check.List) {
	if t.f["tell"]+t.f["told"] != "" {
		on = append(on, notifyTarget(forum.Subject{Topic: t.id}))
	}
	if len(t.f) == 0 {
		return on, nil
	}
	for _, e := range derive.Topic(t.state(), c.Engine.Today()-1) {
		if e.Container.Category() == 0 || t.housed { // a topic in a lost category already has a finding
			on = append(on, entryTarget(e.Container, int64(t.id), ""))
		}
	}
	article := int64(0) // votes on articles are in the logs of voters
	if t.f["kind"] == string(forum.Article) {
		article = int64(t.id)
	}
	return on, voters(t.key(), article, &t.votes)
}

// listedComment is a comment that a topic lists.
type listedComment struct {
	t *topicView
	m *commentView
}

// ofComment returns the notifications, entry and voters of a comment.
func (c *checker) ofComment(of listedComment) (on []check.Target, lists []check.List) {
	t, m := of.t, of.m
	if m.notifies {
		on = append(on, notifyTarget(forum.Subject{Comment: m.ID}))
	}
	if len(t.f) == 0 {
		return on, nil
	}
	if m.Author != 0 && m.authorThere && m.topic == t.id {
		on = append(on, entryTarget(key.UserCommentsContainer(m.Author), int64(m.ID), ""))
	}
	return on, voters(m.key(), 0, &m.votes)
}

// inspectSite examines what is in no partition, and the lists that the scan has found.
func (c *checker) inspectSite(ctx context.Context) error {
	for id := range c.Objects[check.OnCategory] {
		targets, _ := c.With(check.Target{Kind: check.OnCategory, ID: id})
		for _, on := range targets {
			c.Later[on] = true
		}
	}
	if err := check.Together(ctx, c.Run, slices.Collect(maps.Keys(c.Later)), (*check.Look).Examine); err != nil {
		return err
	}
	if err := inspectEach(ctx, c, slices.Collect(maps.Keys(c.keys.indexes)), c.ofContainer); err != nil {
		return err
	}
	return c.InspectEntries(ctx, slices.Collect(maps.Values(c.Lists)))
}

// ofContainer returns the lists of a container and what is examined with it, and the index and the name of a tag.
func (c *checker) ofContainer(in key.Container) (on []check.Target, lists []check.List) {
	on, _ = c.With(check.Target{Kind: check.OnContainer, Key: string(in)})
	if day, ok := in.Day(); !ok || c.readable(day) {
		lists = indexLists(in)
	}
	if tag := in.Tag(); tag != 0 {
		on = append(on, check.Target{Kind: check.OnContainer, Key: string(in)},
			check.Target{Kind: onNamed, Key: string(key.TagNames), ID: int64(tag)})
	}
	return on, lists
}

// readable reports whether the rank of a day can still be read. Older ranks cannot be compared, because topics record two
// days only.
func (c *checker) readable(d forum.Day) bool { return d >= c.Engine.Today()-1 }

// notifyTarget is the target for the notifications of a topic or comment.
func notifyTarget(of forum.Subject) check.Target {
	return check.Target{Kind: "notify", Text: record.EncodeSubject(of)}
}
