package fsck

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
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
func (l *look) readComments(t *topicView) {
	for _, z := range t.listed {
		id, err := forum.ParseID[forum.CommentID](z.Member.(string))
		if err == nil && id.Partition() == t.id.Partition() { // otherwise thread reports it
			t.comments = append(t.comments, &commentView{Comment: derive.Comment{ID: id}})
		}
	}
	each(l, t.comments, (*look).readComment)
}

func (l *look) readComment(m *commentView) {
	k, p := m.key(), m.ID.Partition()
	hash, length := l.hmget(k, commentFields), l.next().Do(l.ctx, "hstrlen", k, "content")
	long, replies := l.exists(key.Text(k)), l.zset(key.CommentReplies(m.ID))
	hidden, voted := l.score(key.Hidden(p), "c:"+key.Itoa(m.ID)), l.next().HLen(l.ctx, key.CommentVotes(k))
	l.wait()
	n, _ := length.Int64()
	m.decode(hash(), n+long.Val())
	m.replies, m.hiddenItem = replies.Val(), hidden
	// A vote on a comment leaves no other trace, so everything about votes is read atomically.
	r := l.atOnce(p)
	votes := r.hmget(k, []string{"up", "upBase", "down", "downBase"})
	fill := m.votes.queue(r, k)
	var counted [2]*redis.StringCmd
	for i, of := range m.counters() {
		if forum.TopicID(m.topic).Partition() == p || i > 0 {
			counted[i] = r.field(key.CommentVotes(of), key.Itoa(m.ID))
		}
	}
	state := l.field(key.User(m.Author), "state")
	imported := l.text(key.Source(p, "c", m.source))
	l.wait()
	fill(votes())
	m.authorThere, m.record = isAuthor(state.Val()), imported.Val()
	for i, has := range counted {
		if has != nil {
			m.counted[i] = has.Val()
		}
	}
	m.voted = l.readVoted(k, voted.Val())
}

// thread checks the comments of a topic: the lists, and each comment.
func (l *look) thread(t *topicView) {
	known, numbers := map[forum.CommentID]*commentView{}, map[int]forum.CommentID{}
	var comments []derive.Comment
	for _, m := range t.comments {
		if m.topic != t.id {
			continue
		}
		known[m.ID] = m
		comments = append(comments, m.Comment)
		if other, taken := numbers[m.Number]; taken {
			l.add(RuleCommentNumber, m.key(), fix{}, "number %d is also that of comment %d", m.Number, other)
		}
		numbers[m.Number] = m.ID
	}
	of := derive.NewThread(comments, l.s.Engine.Zone())
	l.wantSet(RuleTopicList, key.TopicComments(t.id), t.listed, derive.Numbers(comments), t.key())
	l.wantSet(RuleTopicReplies, key.TopicReplies(t.id), t.replies, derive.Numbers(of.Replies[0]), t.key())
	l.wantSet(RuleTopicTombstones, key.Tombstones(t.id), t.tombstones, of.Tombstones, t.key())
	l.wantSet(RuleTopicAuthors, key.Authors(t.id), t.authors, of.Authors, t.key())
	l.wantCount(RuleTopicComments, t.key(), t.f, "comments", of.Live)
	l.wantLeast(RuleTopicNumber, t.key(), t.f, "floor", int64(of.Last))
	l.active(t, of.Newest)
	has := [3]string{t.f["day"], t.f["dayComments"], t.f["dayBefore"]}
	if want := of.Days; !of.NoDays && has != want {
		count := l.amend(t, "day", want[0], "dayComments", want[1], "dayBefore", want[2])
		l.add(RuleDayCount, t.key(), count, "day, its comments and those of the day before are %q; want %q", has, want)
	}
	l.namedVotes(t, t.key(), 0, t.voted, known)
	for _, m := range comments {
		l.comment(t, known[m.ID], of, known)
	}
}

func (l *look) comment(t *topicView, m *commentView, of derive.Thread, known map[forum.CommentID]*commentView) {
	k := m.key()
	f := record.Fields{"rev": strconv.Itoa(m.rev), "depth": strconv.Itoa(m.depth), "replies": strconv.Itoa(m.liveReplies)}
	if m.bad != "" {
		l.add(RuleCommentFields, k, fix{}, "%s", strings.TrimSuffix(m.bad, "; "))
	}
	if m.Author != 0 && !m.authorThere {
		l.lose(lost{author: m.Author}, RuleCommentAuthor, k, "user %d does not exist", m.Author)
	}
	if m.source != "" {
		l.imported(k, "c", m.source, m.record, "")
	}
	l.votes(k, &m.votes, func(pairs ...any) fix { return set(k, pairs...) })
	l.commentVotes(m, known[m.Parent] != nil)
	l.namedVotes(t, k, m.ID, m.voted, known)
	l.wantSet(RuleReplyList, key.CommentReplies(m.ID), m.replies, derive.Numbers(of.Replies[m.ID]), t.key())
	l.wantCount(RuleCommentReplies, k, f, "replies", of.LiveReplies[m.ID], t.key())
	if parent := known[m.Parent]; m.Parent != 0 && (parent == nil || parent.Number >= m.Number) {
		l.add(RuleCommentParent, k, fix{}, "parent %d is not an earlier comment of topic %d", m.Parent, t.id)
	} else if parent != nil {
		l.wantCount(RuleCommentDepth, k, f, "depth", parent.depth+1)
	} else {
		l.wantCount(RuleCommentDepth, k, f, "depth", 0)
	}
	l.hiddenItem(k, "c:"+key.Itoa(m.ID), m.hidden, m.hiddenItem)
	if m.Gone {
		l.wantLeast(RuleTombstone, k, f, "rev", record.CommentPosted+1)
	}
	if m.deleted && m.remains {
		erase := all(command("hset", k, "content", ""), command("hdel", k, "mentions", "long"), remove(key.Text(k)))
		l.add(RuleTombstone, k, erase.given(t.key()), "is deleted, has text or mentions")
	}
}

// stray checks a comment that no topic was found to list: it was just posted, or is held, or lost.
func (l *look) stray() {
	id := forum.CommentID(l.on.id)
	k, p := key.Comment(id), id.Partition()
	f := l.fetch(k, "topic", "floor", "state", "hidden", "deleted", "created")
	of := forum.TopicID(f.Int("topic"))
	state, listed := l.field(key.Topic(of), "state"), l.score(key.TopicComments(of), key.Itoa(id))
	held, task := l.score(key.HeldComments(of), key.Itoa(id)), l.exists(key.Task(of.Partition(), record.RetractTask(of)))
	hidden := l.score(key.Hidden(p), "c:"+key.Itoa(id))
	l.wait()
	if f["topic"] == "" {
		why := "there is no comment " + key.Itoa(id)
		l.orphans(true, why, key.CommentReplies(id), key.Upvoters(k), key.Downvoters(k))
		l.orphans(false, why, key.CommentVotes(k))
		return
	}
	l.hiddenItem(k, "c:"+key.Itoa(id), f.Time("hidden"), hidden)
	switch {
	case state.Val() == "" || of.Partition() != p:
		l.add(RuleCommentTopic, k, fix{}, "there is no topic %s in its partition", f["topic"])
	case f["state"] == string(forum.CommentHeld): // no list has it; its case is checked later
		l.keys.cases[forum.Subject{Comment: id}] = true
		l.heldComment(f, state.Val(), held, task.Val() > 0)
		if is(listed) || f["floor"] != "0" {
			l.add(RuleCommentFields, k, fix{}, "is held, but listed: %t, with number %s", is(listed), f["floor"])
		}
	case !is(listed):
		l.add(RuleCommentUnlisted, key.TopicComments(of),
			put(key.TopicComments(of), key.Itoa(id), float64(f.Int("floor"))).given(key.Topic(of), k),
			"comment %d with number %s is missing", id, f["floor"])
	}
}

// heldComment checks that a comment that is held is among those of its topic, and that the topic was not deleted, unless
// a task follows. The reverse is checked with the topic. The comment may have been erased.
func (l *look) heldComment(f record.Fields, topic string, listed *redis.FloatCmd, task bool) {
	id, of := forum.CommentID(l.on.id), forum.TopicID(f.Int("topic"))
	switch {
	case f["deleted"] != "":
	case topic != string(forum.TopicDeleted):
		if !is(listed) {
			l.wantMember(RuleHeld, key.HeldComments(of), key.Itoa(id), listed, record.FormatScore(float64(f.Time("created"))),
				key.Comment(id))
		}
	case !task:
		l.add(RuleHeld, key.Comment(id), call(l.repairer.EraseHeld, id), "is held on topic %d, which is deleted", of)
	}
}

// heldComments checks that the comments that a topic lists as held are.
func (l *look) heldComments(t *topicView) {
	k := key.HeldComments(t.id)
	each(l, t.held, func(l *look, z redis.Z) {
		name := z.Member.(string)
		id, _ := forum.ParseID[forum.CommentID](name) // 0, which is no comment, if malformed
		f := l.fetch(key.Comment(id), "topic", "state", "deleted")
		if f["topic"] != key.Itoa(t.id) || f["state"] != string(forum.CommentHeld) || f["deleted"] != "" {
			l.add(RuleHeld, k, drop(k, name).given(t.key()), "%q is not a held comment of this topic", name)
		}
	})
}
