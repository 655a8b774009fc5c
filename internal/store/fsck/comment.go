package fsck

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var commentFields = catalogue.Comment.Names("content")

// commentView is a comment as read from its keys, without its text, because there may be a million of them.
type commentView struct {
	derive.Comment
	topic            forum.TopicID
	authorThere      bool
	rev, depth       int
	liveReplies      int
	deleted, remains bool // remains: has text or mentions left
	hidden           forum.Time
	hiddenItem       *redis.FloatCmd // its entry among the hidden items
	votes            votesView
	counted          [2]string // its entries in the vote counts of topic and parent
	voted            []string  // comments named in its own vote counts
	replies          []redis.Z // :replies
	bad              string    // malformed fields
	source, record   string    // of the import
	notifies         bool      // has sent or pending notifications
}

func (m *commentView) key() string { return key.Comment(m.ID) }

// decode sets the checked fields from a comment's hash.
func (m *commentView) decode(f record.Fields, length int64) {
	m.topic, m.Parent, m.Author = forum.TopicID(f.Int("topic")), forum.CommentID(f.Int("parent")), forum.UserID(f.Int("author"))
	m.Number, m.Created, m.hidden = f.Int("floor"), f.Time("created"), f.Time("hidden")
	m.rev, m.depth, m.liveReplies = f.Int("rev"), f.Int("depth"), f.Int("replies")
	state := forum.CommentState(f["state"])
	m.deleted = f["deleted"] != ""
	m.Gone = m.deleted || state != "" && !state.Live()
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
	bad("floor", m.Number > 0)
	bad("state", state == "" || !m.deleted && state != forum.CommentHeld)
	bad("hidden", (m.hidden != 0) == (state == forum.CommentHidden))
	bad("locked", f["locked"] == "" || state == forum.CommentHidden)
}

// readComments reads the comments that a topic lists.
func (c *checker) readComments(l *check.Look, t *topicView) {
	for _, z := range t.listed {
		id, err := forum.ParseID[forum.CommentID](z.Member.(string))
		if err == nil && id.Partition() == t.id.Partition() { // otherwise thread reports it
			t.comments = append(t.comments, &commentView{Comment: derive.Comment{ID: id}})
		}
	}
	check.Each(l, t.comments, c.readComment)
}

func (c *checker) readComment(l *check.Look, m *commentView) {
	k, p := m.key(), m.ID.Partition()
	hash, length := l.Fields(k, commentFields), l.Next().Do(l.Ctx, "hstrlen", k, "content")
	long, replies := l.Exists(key.Text(k)), l.ZSet(key.CommentReplies(m.ID))
	hidden, voted := l.Score(key.Hidden(p), "c:"+key.Itoa(m.ID)), l.Next().HLen(l.Ctx, key.CommentVotes(k))
	l.Wait()
	n, _ := length.Int64()
	m.decode(hash(), n+long.Val())
	m.replies, m.hiddenItem = replies.Val(), hidden
	// A vote on a comment leaves no other trace, so everything about votes is read atomically.
	r := l.AtOnce(p)
	votes := r.Fields(k, []string{"up", "upBase", "down", "downBase"})
	fill := m.votes.queue(r, k)
	var counted [2]*redis.StringCmd
	for i, of := range m.counters() {
		if forum.TopicID(m.topic).Partition() == p || i > 0 {
			counted[i] = r.Field(key.CommentVotes(of), key.Itoa(m.ID))
		}
	}
	state := l.Field(key.User(m.Author), "state")
	imported := l.Text(key.Source(p, "c", m.source))
	l.Wait()
	fill(votes())
	m.authorThere, m.record = check.IsAuthor(state.Val()), imported.Val()
	for i, has := range counted {
		if has != nil {
			m.counted[i] = has.Val()
		}
	}
	m.voted = c.readVoted(l, k, voted.Val())
}

// thread checks the comments of a topic: the lists, and each comment.
func (c *checker) thread(l *check.Look, t *topicView) {
	known, numbers := map[forum.CommentID]*commentView{}, map[int]forum.CommentID{}
	var comments []derive.Comment
	for _, m := range t.comments {
		if m.topic != t.id {
			continue
		}
		known[m.ID] = m
		comments = append(comments, m.Comment)
		if other, taken := numbers[m.Number]; taken {
			l.Add(RuleCommentNumber, m.key(), check.Fix{}, "number %d is also that of comment %d", m.Number, other)
		}
		numbers[m.Number] = m.ID
	}
	of := derive.NewThread(comments, c.Engine.Zone())
	l.WantSet(RuleTopicList, key.TopicComments(t.id), t.listed, derive.Numbers(comments), t.key())
	l.WantSet(RuleTopicReplies, key.TopicReplies(t.id), t.replies, derive.Numbers(of.Replies[0]), t.key())
	l.WantSet(RuleTopicTombstones, key.Tombstones(t.id), t.tombstones, of.Tombstones, t.key())
	l.WantSet(RuleTopicAuthors, key.Authors(t.id), t.authors, of.Authors, t.key())
	l.WantCount(RuleTopicComments, t.key(), t.f, "comments", of.Live)
	l.WantLeast(RuleTopicNumber, t.key(), t.f, "floor", int64(of.Last))
	c.active(l, t, of.Newest)
	has := [3]string{t.f["day"], t.f["dayComments"], t.f["dayBefore"]}
	if want := of.Days; !of.NoDays && has != want {
		count := c.amend(l, t, "day", want[0], "dayComments", want[1], "dayBefore", want[2])
		l.Add(RuleDayCount, t.key(), count, "day, its comments and those of the day before are %q; want %q", has, want)
	}
	c.namedVotes(l, t, t.key(), 0, t.voted, known)
	for _, m := range comments {
		c.comment(l, t, known[m.ID], of, known)
	}
}

func (c *checker) comment(l *check.Look, t *topicView, m *commentView, of derive.Thread,
	known map[forum.CommentID]*commentView) {
	k := m.key()
	f := record.Fields{"rev": strconv.Itoa(m.rev), "depth": strconv.Itoa(m.depth),
		"replies": strconv.Itoa(m.liveReplies)}
	if m.bad != "" {
		l.Add(RuleCommentFields, k, check.Fix{}, "%s", strings.TrimSuffix(m.bad, "; "))
	}
	if m.Author != 0 && !m.authorThere {
		l.Lose(check.Lost{Author: m.Author}, RuleCommentAuthor, k, "user %d does not exist", m.Author)
	}
	if m.source != "" {
		c.imported(l, k, "c", m.source, m.record, "")
	}
	c.votes(l, k, &m.votes, func(pairs ...any) check.Fix { return check.Set(k, pairs...) })
	c.commentVotes(l, m, known[m.Parent] != nil)
	c.namedVotes(l, t, k, m.ID, m.voted, known)
	l.WantSet(RuleReplyList, key.CommentReplies(m.ID), m.replies, derive.Numbers(of.Replies[m.ID]), t.key())
	l.WantCount(RuleCommentReplies, k, f, "replies", of.LiveReplies[m.ID], t.key())
	if parent := known[m.Parent]; m.Parent != 0 && (parent == nil || parent.Number >= m.Number) {
		l.Add(RuleCommentParent, k, check.Fix{}, "parent %d is not an earlier comment of topic %d", m.Parent, t.id)
	} else if parent != nil {
		l.WantCount(RuleCommentDepth, k, f, "depth", parent.depth+1)
	} else {
		l.WantCount(RuleCommentDepth, k, f, "depth", 0)
	}
	c.hiddenItem(l, k, "c:"+key.Itoa(m.ID), m.hidden, m.hiddenItem)
	if m.Gone {
		l.WantLeast(RuleTombstone, k, f, "rev", record.CommentPosted+1)
	}
	if m.deleted && m.remains {
		erase := check.All(check.Command("hset", k, "content", ""), check.Command("hdel", k, "mentions", "long"),
			check.Remove(key.Text(k)))
		l.Add(RuleTombstone, k, erase.Given(t.key()), "is deleted, has text or mentions")
	}
}

// stray checks a comment that no topic was found to list: it was just posted, or is held, or lost.
func (c *checker) stray(l *check.Look) {
	id := forum.CommentID(l.On.ID)
	k, p := key.Comment(id), id.Partition()
	f := l.Fetch(k, "topic", "floor", "state", "hidden", "deleted", "created")
	of := forum.TopicID(f.Int("topic"))
	state, listed := l.Field(key.Topic(of), "state"), l.Score(key.TopicComments(of), key.Itoa(id))
	held, task := l.Score(key.HeldComments(of),
		key.Itoa(id)), l.Exists(key.Task(of.Partition(), record.RetractTask(of)))
	hidden := l.Score(key.Hidden(p), "c:"+key.Itoa(id))
	l.Wait()
	if f["topic"] == "" {
		why := "there is no comment " + key.Itoa(id)
		l.Orphans(true, why, key.CommentReplies(id), key.Upvoters(k), key.Downvoters(k))
		l.Orphans(false, why, key.CommentVotes(k))
		return
	}
	c.hiddenItem(l, k, "c:"+key.Itoa(id), f.Time("hidden"), hidden)
	switch {
	case state.Val() == "" || of.Partition() != p:
		l.Add(RuleCommentTopic, k, check.Fix{}, "there is no topic %s in its partition", f["topic"])
	case f["state"] == string(forum.CommentHeld): // no list has it; its case is checked later
		c.Later[check.Target{Kind: "case", Text: record.EncodeActSubject(forum.Subject{Comment: id})}] = true
		c.heldComment(l, f, state.Val(), held, task.Val() > 0)
		if check.Is(listed) || f["floor"] != "0" {
			l.Add(RuleCommentFields, k, check.Fix{}, "is held, but listed: %t, with number %s", check.Is(listed),
				f["floor"])
		}
	case !check.Is(listed):
		l.Add(RuleCommentUnlisted, key.TopicComments(of),
			check.Put(key.TopicComments(of), key.Itoa(id), float64(f.Int("floor"))).Given(key.Topic(of), k),
			"comment %d with number %s is missing", id, f["floor"])
	}
}

// heldComment checks that a comment that is held is among those of its topic, and that the topic was not deleted, unless
// a task follows. The reverse is checked with the topic. The comment may have been erased.
func (c *checker) heldComment(l *check.Look, f record.Fields, topic string, listed *redis.FloatCmd, task bool) {
	id, of := forum.CommentID(l.On.ID), forum.TopicID(f.Int("topic"))
	switch {
	case f["deleted"] != "":
	case topic != string(forum.TopicDeleted):
		if !check.Is(listed) {
			l.WantMember(RuleHeld, key.HeldComments(of), key.Itoa(id), listed,
				record.FormatScore(float64(f.Time("created"))), key.Comment(id))
		}
	case !task:
		l.Add(RuleHeld, key.Comment(id),
			check.Fix{Run: func(ctx context.Context) error {
				return c.s.Posts.PurgeComment(ctx, id,
					0)
			}}, "is held on topic %d, which is deleted", of)
	}
}

// heldComments checks that the comments that a topic lists as held are.
func (c *checker) heldComments(l *check.Look, t *topicView) {
	k := key.HeldComments(t.id)
	check.Each(l, t.held, func(l *check.Look, z redis.Z) {
		name := z.Member.(string)
		id, _ := forum.ParseID[forum.CommentID](name) // 0, which is no comment, if malformed
		f := l.Fetch(key.Comment(id), "topic", "state", "deleted")
		if f["topic"] != key.Itoa(t.id) || f["state"] != string(forum.CommentHeld) || f["deleted"] != "" {
			l.Add(RuleHeld, k, check.Drop(k, name).Given(t.key()), "%q is not a held comment of this topic", name)
		}
	})
}
