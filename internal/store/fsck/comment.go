package fsck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var commentFields = catalogue.Comment.Names("content")

// commentView is a comment as read from its keys, without its text, because there may be a million
// of them.
type commentView struct {
	id, parent         forum.CommentID
	topic              forum.TopicID
	author             forum.UserID
	authorThere        bool
	depth, number, rev int
	replies            int
	created            forum.Time
	deleted, remains   bool // remains: has text or mentions left
	gone               bool // deleted or hidden: it does not count
	hidden             forum.Time
	hiddenItem         *redis.FloatCmd // its entry among the hidden items
	votes              votesView
	commentVotes       [2]*redis.StringCmd // its entries in the vote counts of topic and parent
	voteSize           int64
	voted              []string  // comments named in its own vote counts
	listed             []redis.Z // :replies
	bad                string    // malformed fields
	source, record     string    // of the import
	notifies           bool      // has sent or pending notifications
}

func (m *commentView) key() string { return key.Comment(m.id) }

// decode sets the checked fields from a comment's hash.
func (m *commentView) decode(f record.Fields, length int64) {
	m.topic, m.parent = forum.TopicID(f.Int("topic")), forum.CommentID(f.Int("parent"))
	m.author = forum.UserID(f.Int("author"))
	m.depth, m.number, m.rev, m.replies = f.Int("depth"), f.Int("floor"), f.Int("rev"), f.Int("replies")
	m.created = f.Time("created")
	m.deleted, m.hidden = f["deleted"] != "", f.Time("hidden")
	state := forum.CommentState(f["state"])
	m.gone = m.deleted || state != "" && !state.Live()
	m.remains = length > 0 || f["mentions"] != ""
	m.source, m.notifies = f["src"], f["tell"]+f["told"] != ""
	bad := func(name string, ok bool) {
		if !ok {
			m.bad += fmt.Sprintf("%s is %q; ", name, f[name])
		}
	}
	for _, name := range catalogue.Comment.Wrong(f, "content") {
		bad(name, false)
	}
	// One that is held, or was when it was deleted, has no number, and is in no list that leads here.
	bad("floor", m.number > 0)
	bad("state", state == "" || !m.deleted && state != forum.CommentHeld)
	bad("hidden", (m.hidden != 0) == (state == forum.CommentHidden))
	bad("locked", f["locked"] == "" || state == forum.CommentHidden)
}

// readComments reads the comments that topics list, in chunks.
func (c *checker) readComments(ctx context.Context, topics []*topicView) error {
	const piece = 100
	var all []*commentView
	for _, t := range topics {
		for _, z := range t.listed {
			id, err := forum.ParseID[forum.CommentID](z.Member.(string))
			if err == nil && id.Partition() == t.id.Partition() { // otherwise checkList reports it
				t.comments = append(t.comments, &commentView{id: id})
			}
		}
		all = append(all, t.comments...)
	}
	for part := range slices.Chunk(all, piece) {
		if err := c.readPart(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) readPart(ctx context.Context, part []*commentView) error {
	r := c.read(ctx)
	after := make([]func(), len(part))
	for i, m := range part {
		hash := r.hmget(m.key(), commentFields)
		length := r.next().Do(ctx, "hstrlen", m.key(), "content")
		long := r.next().Exists(ctx, key.Text(m.key()))
		replies := r.next().ZRangeWithScores(ctx, key.CommentReplies(m.id), 0, -1)
		voted := r.next().HLen(ctx, key.CommentVotes(m.key()))
		m.hiddenItem = r.next().ZScore(ctx, key.Hidden(m.id.Partition()), "c:"+key.Itoa(m.id))
		after[i] = func() {
			n, _ := length.Int64()
			m.decode(hash(), n+long.Val())
			m.listed, m.voteSize = replies.Val(), voted.Val()
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, f := range after {
		f()
	}
	if err := c.readCommentVotes(ctx, part); err != nil {
		return err
	}
	states := map[forum.UserID]*redis.StringCmd{}
	records := map[int]*redis.StringCmd{}
	for i, m := range part {
		if states[m.author] == nil {
			states[m.author] = r.next().HGet(ctx, key.User(m.author), "state")
		}
		if m.source != "" {
			records[i] = r.next().Get(ctx, key.Source(m.id.Partition(), "c", m.source))
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, m := range part {
		m.authorThere = isAuthor(states[m.author].Val())
		if records[i] != nil {
			m.record = records[i].Val()
		}
	}
	return nil
}

// thread is a topic's comments with their relations.
type thread struct {
	*topicView
	known    map[forum.CommentID]*commentView
	children map[forum.CommentID][]*commentView // by parent, 0 for the topic
}

// checkThread checks the comments of a topic: the lists, and each comment.
func (c *checker) checkThread(v *topicView) {
	t := thread{v, map[forum.CommentID]*commentView{}, map[forum.CommentID][]*commentView{}}
	numbers := map[int]forum.CommentID{}
	live, highest, newest := 0, 0, forum.Time(0)
	for _, m := range t.comments {
		if m.topic != t.id {
			continue
		}
		t.known[m.id] = m
		t.children[m.parent] = append(t.children[m.parent], m)
		if other, taken := numbers[m.number]; taken {
			c.add(t.on(), RuleCommentNumber, m.key(), fix{}, "number %d is also that of comment %d", m.number, other)
		}
		numbers[m.number] = m.id
		if !m.gone {
			live++
		}
		highest, newest = max(highest, m.number), max(newest, m.created)
	}
	c.checkList(t)
	c.checkUnread(t)
	c.checkDays(t)
	c.checkNamed(t, t.key(), 0, t.voted)
	if t.f.Int("comments") != live {
		c.add(t.on(), RuleTopicComments, t.key(), set(t.key(), "comments", live), "counts %s; %d are live", t.f["comments"],
			live)
	}
	if t.f.Int("floor") < highest {
		c.add(t.on(), RuleTopicNumber, t.key(), set(t.key(), "floor", highest), "last number %s; %d is in use", t.f["floor"],
			highest)
	}
	if t.f.Time("active") < newest {
		c.add(t.on(), RuleTopicActive, t.key(), c.setActive(t.topicView, newest), "active %s; a comment is of %d",
			t.f["active"], newest)
	}
	c.checkChildren(t, RuleTopicReplies, key.TopicReplies(t.id), t.replies, 0)
	for _, m := range t.comments {
		if t.known[m.id] == m {
			c.checkComment(t, m)
		}
	}
}

// checkList compares a topic's list with the comments that belong to it.
func (c *checker) checkList(t thread) {
	key := key.TopicComments(t.id)
	for _, z := range t.listed {
		name := z.Member.(string)
		id, _ := forum.ParseID[forum.CommentID](name)
		m := t.known[id]
		switch {
		case m == nil:
			out := fix{watch: []string{t.key(), key},
				do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, key, name) }}
			c.add(t.on(), RuleTopicList, key, out, "%q is not a comment of this topic", name)
		case int(z.Score) != m.number:
			c.add(t.on(), RuleTopicList, key, enter(t.id, key, m), "comment %s is at %.0f, not its number %d", name,
				z.Score, m.number)
		}
	}
}

// enter returns a fix that adds a comment to a list by its number.
func enter(t forum.TopicID, k string, m *commentView) fix {
	return fix{watch: []string{key.Topic(t), m.key(), k}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.ZAdd(ctx, k, redis.Z{Score: float64(m.number), Member: key.Itoa(m.id)})
	}}
}

// checkChildren compares a list of replies with the comments of this parent.
func (c *checker) checkChildren(t thread, rule Rule, k string, listed []redis.Z, parent forum.CommentID) {
	scores := make(map[string]float64, len(listed))
	for _, z := range listed {
		scores[z.Member.(string)] = z.Score
	}
	for _, m := range t.children[parent] {
		score, there := scores[key.Itoa(m.id)]
		if !there || int(score) != m.number {
			c.add(t.on(), rule, k, enter(t.id, k, m), "comment %d with number %d is listed: %t, at %.0f", m.id, m.number, there,
				score)
		}
		delete(scores, key.Itoa(m.id))
	}
	for name := range scores {
		out := fix{watch: []string{t.key(), k},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, k, name) }}
		c.add(t.on(), rule, k, out, "%q is not a reply here", name)
	}
}

func (c *checker) checkComment(t thread, m *commentView) {
	if m.bad != "" {
		c.add(t.on(), RuleCommentFields, m.key(), fix{}, "%s", strings.TrimSuffix(m.bad, "; "))
	}
	if m.author != 0 && !m.authorThere {
		c.add(t.on(), RuleCommentAuthor, m.key(), fix{}, "user %d does not exist", m.author)
	}
	if m.source != "" {
		c.checkImported(t.on(), m.key(), "c", int64(m.id), m.source, m.record, "")
	}
	c.checkVotes(t.on(), m.key(), &m.votes, func(pairs ...any) fix { return set(m.key(), pairs...) })
	c.checkCommentVotes(t, m)
	c.checkNamed(t, m.key(), m.id, m.voted)
	c.checkNumber(t, m)
	c.checkChildren(t, RuleReplyList, key.CommentReplies(m.id), m.listed, m.id)
	replies := 0
	for _, child := range t.children[m.id] {
		if !child.gone {
			replies++
		}
	}
	if m.replies != replies {
		count := set(m.key(), "replies", replies)
		count.watch = []string{t.key(), m.key()}
		c.add(t.on(), RuleCommentReplies, m.key(), count, "counts %d; %d are live", m.replies, replies)
	}
	c.checkHiddenItem(t.on(), m.key(), "c:"+key.Itoa(m.id), m.hidden, m.hiddenItem)
	if m.gone && m.rev <= record.CommentPosted {
		raise := set(m.key(), "rev", record.CommentPosted+1)
		c.add(t.on(), RuleTombstone, m.key(), raise, "is deleted or hidden, has revision %d", m.rev)
	}
	if m.deleted && m.remains {
		erase := fix{watch: []string{t.key(), m.key()}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.HSet(ctx, m.key(), "content", "")
			pipe.HDel(ctx, m.key(), "mentions", "long")
			pipe.Del(ctx, key.Text(m.key()))
		}}
		c.add(t.on(), RuleTombstone, m.key(), erase, "is deleted, has text or mentions")
	}
}

// checkNumber compares a comment's depth with its parent's.
func (c *checker) checkNumber(t thread, m *commentView) {
	depth := 0
	if m.parent != 0 {
		parent := t.known[m.parent]
		if parent == nil || parent.number >= m.number {
			c.add(t.on(), RuleCommentParent, m.key(), fix{}, "parent %d is not an earlier comment of topic %d", m.parent, t.id)
			return
		}
		depth = parent.depth + 1
	}
	if m.depth != depth {
		c.add(t.on(), RuleCommentDepth, m.key(), set(m.key(), "depth", depth), "depth %d; want %d, by its parent's",
			m.depth, depth)
	}
}

// inspectStray checks comments that no topic was found to list.
func (c *checker) inspectStray(ctx context.Context, ids []forum.CommentID) error {
	return groups(ids, func(ids []forum.CommentID) error {
		r := c.read(ctx)
		hashes := make([]func() record.Fields, len(ids))
		replies := make([]*redis.IntCmd, len(ids))
		votes := make([]votesView, len(ids))
		counts := make([]func(record.Fields), len(ids))
		commentVotes := make([]*redis.IntCmd, len(ids))
		for i, id := range ids {
			hashes[i] = r.hmget(key.Comment(id), []string{"topic", "floor", "state", "hidden", "deleted", "created"})
			commentVotes[i] = r.next().HLen(ctx, key.CommentVotes(key.Comment(id)))
			replies[i] = r.next().ZCard(ctx, key.CommentReplies(id))
			counts[i] = votes[i].queue(r, key.Comment(id))
		}
		if err := r.done(); err != nil {
			return err
		}
		r = c.read(ctx)
		topics, waiting := make([]func() record.Fields, len(ids)), make([]waitingView, len(ids))
		listed, hiddenItems := make([]*redis.FloatCmd, len(ids)), make([]*redis.FloatCmd, len(ids))
		for i, id := range ids {
			topic := forum.TopicID(hashes[i]().Int("topic"))
			topics[i] = r.hmget(key.Topic(topic), []string{"state"})
			listed[i] = r.next().ZScore(ctx, key.TopicComments(topic), key.Itoa(id))
			waiting[i] = readWaiting(ctx, r, id, topic)
			hiddenItems[i] = r.next().ZScore(ctx, key.Hidden(id.Partition()), "c:"+key.Itoa(id))
		}
		if err := r.done(); err != nil {
			return err
		}
		for i, id := range ids {
			if hashes[i]()["topic"] == "" {
				counts[i](nil)
				c.checkLostComment(id, int(replies[i].Val())+votes[i].setUp+votes[i].setDown, commentVotes[i].Val())
				continue
			}
			c.checkHiddenItem(target{kind: onComment, id: int64(id)}, key.Comment(id), "c:"+key.Itoa(id),
				hashes[i]().Time("hidden"), hiddenItems[i])
			waiting[i].topic = topics[i]()
			c.checkStray(id, hashes[i](), waiting[i], listed[i].Err() == nil)
		}
		return nil
	})
}

// checkLostComment reports the remaining keys of a comment without a hash.
func (c *checker) checkLostComment(id forum.CommentID, entries int, commentVotes int64) {
	on := target{kind: onComment, id: int64(id)}
	if entries > 0 {
		c.add(on, RuleOrphanKey, key.Comment(id), fix{}, "there is no comment %d, but %d replies and votes", id, entries)
	}
	if key := key.CommentVotes(key.Comment(id)); commentVotes > 0 {
		c.add(on, RuleOrphanKey, key, remove(key), "there is no comment %d, but %d vote counts", id, commentVotes)
	}
}

func (c *checker) checkStray(id forum.CommentID, f record.Fields, v waitingView, listed bool) {
	on, of := target{kind: onComment, id: int64(id)}, forum.TopicID(f.Int("topic"))
	switch {
	case v.topic["state"] == "" || of.Partition() != id.Partition():
		c.add(on, RuleCommentTopic, key.Comment(id), fix{}, "there is no topic %s in its partition", f["topic"])
	case f["state"] == string(forum.CommentHeld): // no list has it; its case is checked later
		c.keys.cases[forum.Subject{Comment: id}] = true
		c.checkWaiting(id, f, v)
		if listed || f["floor"] != "0" {
			c.add(on, RuleCommentFields, key.Comment(id), fix{}, "is held, but listed: %t, with number %s", listed, f["floor"])
		}
	case !listed:
		m := &commentView{id: id, number: f.Int("floor")}
		c.add(on, RuleCommentUnlisted, key.TopicComments(of), enter(of, key.TopicComments(of), m),
			"comment %d with number %s is missing", id, f["floor"])
	}
}
