package fsck

import (
	"context"
	"maps"
	"slices"

	"agora/internal/forum"
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
		if size < groupSize && i < forum.Partitions-1 {
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
	var all []target
	add := func(kind targetKind, ids []int64) {
		for _, id := range ids {
			all = append(all, target{kind: kind, id: id})
		}
	}
	users := of(&c.keys.users, some)
	for _, p := range some {
		all = append(all, target{kind: onPartition, id: int64(p)})
		for _, name := range c.keys.tasks[p] {
			all = append(all, target{kind: onTask, id: int64(p), text: name})
		}
	}
	add(onUser, users)
	add(onCounted, comments)
	add(onList, of(&c.keys.lists, some))
	c.report.Topics += len(topics)
	c.report.Comments += len(comments)
	c.report.Users += len(users)
	c.progress(int64(len(comments) + len(users)))
	return inspectEach(ctx, c, all, ofObject)
}

// ofObject returns what is examined of a partition, or of an object other than a topic.
func ofObject(on target) ([]target, []list) {
	switch on.kind {
	case onPartition:
		return []target{on}, partitionLists(forum.Partition(on.id))
	case onUser:
		all := []target{on}
		for _, kind := range []targetKind{onNotes, onSocial, onHome, onKarma} {
			all = append(all, target{kind: kind, id: on.id})
		}
		for _, names := range []key.Names{key.UserNames, key.Applicants} {
			all = append(all, target{kind: onNamed, key: string(names), id: on.id})
		}
		return all, userLists(forum.UserID(on.id))
	case onList:
		return []target{on}, []list{edgeList(key.ListMembers(forum.ListID(on.id)))}
	default:
		return []target{on}, nil
	}
}

// partitionLists returns the lists of a partition whose entries are examined one by one.
func partitionLists(p forum.Partition) []list {
	lists := sets(onMark, key.Dirty(p))
	for k, kind := range map[string]targetKind{key.Hidden(p): onHiddenItem, key.Due(p): onTask, key.Dead(p): onTask} {
		lists = append(lists, list{key: k, on: target{kind: kind, id: int64(p)}})
	}
	return lists
}

// userLists returns the lists of a user whose entries are examined one by one.
func userLists(id forum.UserID) []list {
	lists := indexLists(key.UserCommentsContainer(id))
	for _, of := range slices.Concat(nearSets, farSets) {
		lists = append(lists, edgeList(of(id)))
	}
	bookmark := target{kind: onBookmark, id: int64(id)}
	return append(lists, list{key: key.Bookmarks(id), on: bookmark}, list{key: key.HiddenBookmarks(id), on: bookmark},
		list{key: key.VoteLog(id), on: target{kind: onLogged, id: int64(id)}},
		list{key: key.Karma(id), hash: true, on: target{kind: onCounted, key: key.Karma(id)}})
}

// inspectTopics examines topics, with all their comments, and the comments that no topic lists.
func (c *checker) inspectTopics(ctx context.Context, topics, comments []int64) error {
	covered := make([]bool, len(comments))
	if err := groups(topics, func(ids []int64) error {
		c.progress(int64(len(ids)))
		var topics []*topicView
		if err := together(ctx, c, ids, func(l *look, id int64) {
			l.on = target{kind: onTopic, id: id}
			topics = append(topics, l.topic())
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
		return inspectEach(ctx, c, all, ofComment)
	}); err != nil {
		return err
	}
	var stray []int64
	for at, id := range comments {
		if !covered[at] {
			stray = append(stray, id)
		}
	}
	return c.examineAll(ctx, target{kind: onComment}, stray)
}

// inspectEach examines what is elsewhere because of each of all: targets, and entries of lists.
func inspectEach[T any](ctx context.Context, c *checker, all []T, elsewhere func(T) ([]target, []list)) error {
	return groups(all, func(part []T) error {
		var on []target
		var lists []list
		for _, of := range part {
			targets, others := elsewhere(of)
			on, lists = append(on, targets...), append(lists, others...)
		}
		if err := together(ctx, c, on, (*look).examine); err != nil {
			return err
		}
		return c.inspectEntries(ctx, lists)
	})
}

// ofTopic returns the notifications, entries and voters of a topic.
func (c *checker) ofTopic(t *topicView) (on []target, lists []list) {
	if t.f["tell"]+t.f["told"] != "" {
		on = append(on, notifyTarget(forum.Subject{Topic: t.id}))
	}
	if len(t.f) == 0 {
		return on, nil
	}
	for _, e := range derive.Topic(t.state(), c.s.Engine.Today()-1) {
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
func ofComment(of listedComment) (on []target, lists []list) {
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
	site := []target{{kind: onLayout}, {kind: onCatalogue}, {kind: onRules}}
	for kind, of := range map[targetKind]map[forum.Subject]bool{onCase: c.keys.cases, onEvidence: c.keys.evidence} {
		for on := range of {
			site = append(site, target{kind: kind, text: record.EncodeActSubject(on)})
		}
	}
	for _, id := range c.keys.categories {
		site = append(site, target{kind: onModerators, id: id})
	}
	if err := together(ctx, c, site, (*look).examine); err != nil {
		return err
	}
	if err := c.examineAll(ctx, target{kind: onAct}, c.keys.acts); err != nil {
		return err
	}
	if err := inspectEach(ctx, c, slices.Collect(maps.Keys(c.keys.indexes)), c.ofContainer); err != nil {
		return err
	}
	lists := slices.Concat(sets(onMark, key.SharedActMarks...), nameLists(key.UserNames),
		nameLists(key.Applicants), nameLists(key.TagNames),
		[]list{{key: key.QueueRevisions, hash: true, on: target{kind: onQueued, key: key.QueueRevisions}}})
	if err := c.inspectEntries(ctx, lists); err != nil {
		return err
	}
	return inspectEach(ctx, c, slices.Sorted(maps.Keys(c.keys.found)), func(k string) ([]target, []list) {
		if kind := c.keys.found[k]; kind != onEdge {
			return nil, sets(kind, k)
		}
		return nil, []list{edgeList(k)}
	})
}

// ofContainer returns a container and its lists, and the name of a tag.
func (c *checker) ofContainer(in key.Container) (on []target, lists []list) {
	if day, ok := in.Day(); !ok || c.readable(day) {
		on, lists = append(on, target{kind: onContainer, key: string(in)}), indexLists(in)
	}
	if tag := in.Tag(); tag != 0 {
		on = append(on, target{kind: onNamed, key: string(key.TagNames), id: int64(tag)})
	}
	return on, lists
}

// readable reports whether the rank of a day can still be read. Older ranks cannot be compared, because topics record two
// days only.
func (c *checker) readable(d forum.Day) bool { return d >= c.s.Engine.Today()-1 }
