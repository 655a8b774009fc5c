package fsck

import (
	"context"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// topicFields are the fields of a topic that are checked; its content is not.
var topicFields = catalogue.Topic.Names("content")

// topicView is a topic as read from its keys at one time.
type topicView struct {
	id         forum.TopicID
	f          record.Fields
	mark       forum.Time // of the dirty mark, 0 for none
	votes      votesView
	listed     []redis.Z              // :comments
	replies    []redis.Z              // :replies
	tombstones []redis.Z              // :gone
	authors    []redis.Z              // :authors
	held       []redis.Z              // :held
	waiting    []func() record.Fields // the comments in held
	comments   []*commentView
	voted      []string // comments named in the vote counts
	author     record.Fields
	profile    *redis.FloatCmd
	category   *redis.IntCmd
	record     *redis.StringCmd // of the import
	hiddenItem *redis.FloatCmd  // its entry among the hidden items

	voteSize int64
}

func (t *topicView) on() target  { return target{kind: onTopic, id: int64(t.id)} }
func (t *topicView) key() string { return key.Topic(t.id) }

// housed reports whether the topic's category exists, if it has one.
func (t *topicView) housed() bool { return t.f.Int("category") == 0 || t.category.Val() == 1 }

func (t *topicView) shown() bool { return listed(t.f["state"]) }

// inspectTopics checks a group of topics with all their comments. It passes the ids of these to
// covered, if not nil.
func (c *checker) inspectTopics(ctx context.Context, ids []forum.TopicID, covered func(forum.CommentID)) error {
	topics, before, err := c.readTopics(ctx, ids)
	if err != nil {
		return err
	}
	if err := c.readLists(ctx, topics); err != nil {
		return err
	}
	if err := c.readComments(ctx, topics); err != nil {
		return err
	}
	if err := c.readHeld(ctx, topics); err != nil {
		return err
	}
	if err := c.readVoted(ctx, topics); err != nil {
		return err
	}
	if err := c.readTopicOwners(ctx, topics); err != nil {
		return err
	}
	_, after, err := c.readTopics(ctx, ids)
	if err != nil {
		return err
	}
	for i, t := range topics {
		for _, cm := range t.comments {
			if covered != nil && cm.topic == t.id {
				covered(cm.id)
			}
		}
		if !maps.Equal(before[i], after[i]) {
			c.busy[t.on()] = true // all changes of a topic or its comments show in these fields, except votes on comments
			continue
		}
		c.checkTopic(t)
	}
	if covered == nil {
		return nil
	}
	if err := groups(notifyTargets(topics), func(on []target) error { return c.inspectNotify(ctx, on) }); err != nil {
		return err
	}
	if err := groups(c.entriesOf(topics), func(refs []entryRef) error { return c.inspectEntries(ctx, refs) }); err != nil {
		return err
	}
	return c.inspectVoters(ctx, topics)
}

// readTopics reads the hashes of topics, with their marks and vote counts.
func (c *checker) readTopics(ctx context.Context,
	ids []forum.TopicID) (topics []*topicView, stamps []record.Fields, err error) {
	r := c.read(ctx)
	hashes := make([]func() record.Fields, len(ids))
	marks := make([]*redis.FloatCmd, len(ids))
	votes := make([]func(record.Fields), len(ids))
	commentVotes := make([]*redis.IntCmd, len(ids))
	for i, id := range ids {
		t := &topicView{id: id}
		hashes[i] = r.hmget(key.Topic(id), topicFields)
		marks[i] = r.next().ZScore(ctx, key.Dirty(id.Partition()), "t:"+key.Itoa(id))
		votes[i] = t.votes.queue(r, key.Topic(id))
		commentVotes[i] = r.next().HLen(ctx, key.CommentVotes(key.Topic(id)))
		topics = append(topics, t)
	}
	if err := r.done(); err != nil {
		return nil, nil, err
	}
	for i, t := range topics {
		t.f, t.mark, t.voteSize = hashes[i](), forum.Time(marks[i].Val()), commentVotes[i].Val()
		votes[i](t.f)
		stamp := maps.Clone(t.f)
		delete(stamp, "clicks")
		stamps = append(stamps, stamp)
	}
	return topics, stamps, nil
}

// readLists reads the lists of comments in chunks. The first two only grow at their end; changes of
// the others show in the topic's revision.
func (c *checker) readLists(ctx context.Context, topics []*topicView) error {
	const piece = 1000
	left := topics
	for from := int64(0); len(left) > 0; from += piece {
		r := c.read(ctx)
		cmds := make([][5]*redis.ZSliceCmd, len(left))
		for i, t := range left {
			for n, key := range []string{key.TopicComments(t.id), key.TopicReplies(t.id), key.Tombstones(t.id),
				key.Authors(t.id), key.HeldComments(t.id)} {
				cmds[i][n] = r.next().ZRangeWithScores(ctx, key, from, from+piece-1)
			}
		}
		if err := r.done(); err != nil {
			return err
		}
		var more []*topicView
		for i, t := range left {
			whole := true
			for n, list := range []*[]redis.Z{&t.listed, &t.replies, &t.tombstones, &t.authors, &t.held} {
				*list = append(*list, cmds[i][n].Val()...)
				whole = whole && len(cmds[i][n].Val()) < piece
			}
			if !whole {
				more = append(more, t)
			}
		}
		left = more
	}
	return nil
}

func (c *checker) readTopicOwners(ctx context.Context, topics []*topicView) error {
	r := c.read(ctx)
	owners := make([]func() record.Fields, len(topics))
	for i, t := range topics {
		author := forum.UserID(t.f.Int("author"))
		owners[i] = r.hmget(key.User(author), []string{"state"})
		t.profile = r.next().ZScore(ctx, key.Author(t.id.Partition(), author)+":profile",
			record.Member(t.f.Time("created"), int64(t.id)))
		t.category = r.next().Exists(ctx, key.Category(forum.CategoryID(t.f.Int("category"))))
		t.hiddenItem = r.next().ZScore(ctx, key.Hidden(t.id.Partition()), "t:"+key.Itoa(t.id))
		t.record = r.next().Get(ctx, key.Source(t.id.Partition(), "t", t.f["src"]))
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, t := range topics {
		t.author = owners[i]()
	}
	return nil
}

func (c *checker) checkTopic(t *topicView) {
	if t.f["state"] == "" {
		c.checkLostTopic(t)
		return
	}
	if t.f["state"] == string(forum.TopicHeld) { // its case is checked later, though it may be lost
		c.keys.cases[forum.Subject{Topic: t.id}] = true
	}
	c.checkTopicFields(t)
	c.checkTopicOwners(t)
	c.checkHiddenItem(t.on(), t.key(), "t:"+key.Itoa(t.id), t.f.Time("hidden"), t.hiddenItem)
	c.checkTopicVotes(t)
	c.checkTags(t)
	c.checkThread(t)
	c.checkHeld(t)
}

// checkLostTopic reports the remaining keys of a topic without a hash.
func (c *checker) checkLostTopic(t *topicView) {
	if len(t.listed)+len(t.replies) > 0 {
		c.add(t.on(), RuleOrphanKey, key.TopicComments(t.id), fix{}, "there is no topic %d, but %d entries", t.id,
			len(t.listed)+len(t.replies))
	}
	for key, entries := range map[string][]redis.Z{key.Tombstones(t.id): t.tombstones, key.Authors(t.id): t.authors,
		key.HeldComments(t.id): t.held} {
		if len(entries) > 0 {
			c.add(t.on(), RuleOrphanKey, key, remove(key), "there is no topic %d, but %d entries", t.id, len(entries))
		}
	}
	if n := t.votes.setUp + t.votes.setDown; n > 0 {
		c.add(t.on(), RuleOrphanKey, key.Upvoters(t.key()), fix{}, "there is no topic %d, but %d votes", t.id, n)
	}
	if key := key.CommentVotes(t.key()); t.voteSize > 0 {
		c.add(t.on(), RuleOrphanKey, key, remove(key), "there is no topic %d, but %d vote counts", t.id, t.voteSize)
	}
}

func (c *checker) checkTopicFields(t *topicView) {
	f := t.f
	bad := catalogue.Topic.Wrong(f, "content")
	need := func(name string, ok bool) {
		if !ok && !slices.Contains(bad, name) {
			bad = append(bad, name)
		}
	}
	state := forum.TopicState(f["state"])
	deleted := state == forum.TopicDeleted
	need("title", f["title"] != "" || deleted)
	need("link", f["link"] != "" || f["kind"] != string(forum.Article) || f["src"] != "" || deleted)
	need("link", f["link"] == "" || f["kind"] != string(forum.Status))
	need("deleted", (f["deleted"] == "") == !deleted)
	need("hidden", (f["hidden"] != "") == (state == forum.TopicHidden))
	need("locked", f["locked"] == "" || !t.shown() && !deleted)
	need("held", f["held"] == "" || state == forum.TopicHidden)
	for _, name := range bad {
		c.add(t.on(), RuleTopicFields, t.key(), fix{}, "%s is %q in a %s of kind %q", name, f[name], f["state"], f["kind"])
	}
	if base := f.Int("clickBase"); base > 0 && f.Int("clicks") < base {
		show := set(t.key(), "clicks", base)
		c.add(t.on(), RuleClickBase, t.key(), show, "%s clicks, of which %s are imported", f["clicks"], f["clickBase"])
	}
	if f.Int("active") < f.Int("created") {
		c.add(t.on(), RuleTopicActive, t.key(), c.setActive(t, f.Time("created")), "active %s, created %s", f["active"],
			f["created"])
	}
}

// setActive sets the time of last activity, with a mark so that the indexes follow. It returns no
// fix while the indexes would have the topic deleted; see reindex.
func (c *checker) setActive(t *topicView, active forum.Time) fix {
	if !t.housed() {
		return fix{}
	}
	return fix{watch: []string{t.key()}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.HSet(ctx, t.key(), "active", int64(active))
		pipe.HIncrBy(ctx, key.Internal(t.key()), "rev", 1)
		pipe.ZAddNX(ctx, key.Dirty(t.id.Partition()), redis.Z{Score: float64(c.s.Now()), Member: "t:" + key.Itoa(t.id)})
	}}
}

func (c *checker) checkTopicOwners(t *topicView) {
	f, author := t.f, forum.UserID(t.f.Int("author"))
	there := isAuthor(t.author["state"])
	if author != 0 && !there {
		c.add(t.on(), RuleTopicAuthor, t.key(), fix{}, "user %d does not exist", author)
	}
	home := author.Partition()
	if author == 0 {
		home = key.PartitionOfSource(f["src"])
	}
	if home != t.id.Partition() {
		c.add(t.on(), RuleTopicPartition, t.key(), fix{}, "is of user %d and %q, which are in partition %d", author, f["src"],
			home)
	}
	if f["src"] != "" && f["rejected"] == "" {
		c.checkImported(t.on(), t.key(), "t", int64(t.id), f["src"], t.record.Val(), "")
	}
	score, listed := t.profile.Val(), t.profile.Err() == nil
	if there && t.shown() && (!listed || forum.Time(score) != f.Time("created")) {
		key := key.Profile(author)
		enter := fix{watch: []string{t.key(), key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZAdd(ctx, key, redis.Z{Score: float64(f.Time("created")),
				Member: record.Member(f.Time("created"), int64(t.id))})
		}}
		c.add(t.on(), RuleProfileMissing, key, enter, "topic %d, created %s, is listed: %t, at %.0f", t.id, f["created"],
			listed, score)
	}
	if t.mark != 0 && t.mark+lagLife > c.s.Now() {
		return // just posted or moved: the index of the category decides
	}
	if f["left"]+f["leftTags"] != "" {
		again := fix{run: func(ctx context.Context) error { return c.reindex(ctx, t.id) }}
		c.add(t.on(), RuleTopicLeft, t.key(), again, "records as left %q and the tags %q at revision %s", f["left"],
			f["leftTags"], f["rev"])
	}
	c.checkFanOut(t)
	c.checkTopicCategory(t)
}

// checkFanOut checks whether the topic's fan-out was done. The script that records a fan-out also
// marks the topic, and the mark is not removed before the record.
func (c *checker) checkFanOut(t *topicView) {
	fan, noted := t.f["fan"]
	again := fix{run: func(ctx context.Context) error { return c.reindex(ctx, t.id) }}
	switch {
	case noted && (!t.f.IsWhole("fan", 1) || t.f.Int("fan") > t.f.Int("rev")):
		c.add(t.on(), RuleTopicFanOut, t.key(), again, "a fan-out is pending for revision %q of %s", fan, t.f["rev"])
	case noted && t.mark == 0:
		c.add(t.on(), RuleTopicFanOut, t.key(), again, "a fan-out is pending for revision %s, but there is no mark", fan)
	}
}

func (c *checker) checkTopicCategory(t *topicView) {
	category := t.f.Int("category")
	status, there := t.f["kind"] == string(forum.Status), t.category.Val() == 1
	if !t.shown() || category != 0 && there && !status || category == 0 && status {
		return
	}
	if t.f["kind"] == string(forum.Discussion) {
		c.add(t.on(), RuleTopicCategory, t.key(), fix{}, "a discussion in category %d, which does not exist", category)
		return
	}
	if category != 0 {
		out := fix{watch: []string{t.key()}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			record.Set(ctx, pipe, t.key(), "category", "0", "left", key.Itoa(forum.CategoryID(category))+" ", "fan",
				t.f.Int("rev")+1)
			pipe.HIncrBy(ctx, key.Internal(t.key()), "rev", 1)
			pipe.ZAddNX(ctx, key.Dirty(t.id.Partition()), redis.Z{Score: float64(c.s.Now()), Member: "t:" + key.Itoa(t.id)})
		}}
		c.add(t.on(), RuleTopicCategory, t.key(), out, "of kind %s in category %d, which exists: %t", t.f["kind"],
			category, there)
	}
}
