package posts

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/catalogue"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/derive"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
)

// commentView is the place of a comment in its topic, without its text, because there may be a million of them.
type commentView struct {
	derive.Comment
	topic   forum.TopicID
	depth   string
	live    string    // the number of its live replies
	replies []redis.Z // :replies
}

// readComments reads the comments that a topic lists.
func (c checks) readComments(l *check.Look, t *topicView) {
	for _, z := range t.lists[0] {
		id, err := forum.ParseID[forum.CommentID](z.Member.(string))
		if err == nil && id.Partition() == t.id.Partition() { // otherwise thread reports it
			t.comments = append(t.comments, &commentView{Comment: derive.Comment{ID: id}})
		}
	}
	check.Each(l, t.comments, func(l *check.Look, m *commentView) {
		hash := l.Fields(key.Comment(m.ID), []string{"topic", "parent", "author", "floor", "created", "state",
			"deleted",
			"depth", "replies"})
		replies := l.ZSet(key.CommentReplies(m.ID))
		l.Wait()
		f := hash()
		m.topic, m.Parent = forum.TopicID(f.Int("topic")), forum.CommentID(f.Int("parent"))
		m.Author, m.Number, m.Created, m.depth, m.live = forum.UserID(f.Int("author")), f.Int("floor"),
			f.Time("created"), f["depth"], f["replies"]
		state := forum.CommentState(f["state"])
		m.Gone, m.replies = f["deleted"] != "" || state != "" && !state.Live(), replies.Val()
	})
}

// thread checks the comments of a topic: the lists, and the place of each comment.
func (c checks) thread(l *check.Look, t *topicView) {
	known, numbers := map[forum.CommentID]*commentView{}, map[int]forum.CommentID{}
	var comments []derive.Comment
	for _, m := range t.comments {
		if m.topic != t.id {
			continue
		}
		known[m.ID] = m
		comments = append(comments, m.Comment)
		if other, taken := numbers[m.Number]; taken {
			l.Lose(loss(m.ID), RuleCommentNumber, key.Comment(m.ID), "number %d is also that of comment %d", m.Number,
				other)
		}
		numbers[m.Number] = m.ID
	}
	of := derive.NewThread(comments, c.engine.Location)
	l.WantSet(RuleThread, key.TopicComments(t.id), t.lists[0], derive.Numbers(comments), t.key())
	l.WantSet(RuleThread, key.TopicReplies(t.id), t.lists[1], derive.Numbers(of.Replies[0]), t.key())
	l.WantSet(RuleThread, key.Tombstones(t.id), t.lists[2], of.Tombstones, t.key())
	l.WantSet(RuleThread, key.Authors(t.id), t.lists[3], of.Authors, t.key())
	l.WantCount(t.key(), t.f, "comments", of.Live)
	l.WantLeast(t.key(), t.f, "floor", int64(of.Last))
	if least := max(of.Newest, t.f.Time("created")); t.f.Time("active") < least {
		x := c.amend(l, t, "active", int64(least))
		if !t.categoryExists {
			x = check.Fix{} // the indexes would have the topic deleted; see amend
		}
		l.Add(check.RuleCount, t.key(), x, "active %s, but there is something of %d", t.f["active"], least)
	}
	has := [3]string{t.f["day"], t.f["dayComments"], t.f["dayBefore"]}
	if want := of.Days; !of.NoDays && has != want {
		count := c.amend(l, t, "day", want[0], "dayComments", want[1], "dayBefore", want[2])
		l.Add(RuleDayCount, t.key(), count, "day, its comments and those of the day before are %q; want %q", has, want)
	}
	for _, m := range known {
		k, f, depth := key.Comment(m.ID), record.Fields{"depth": m.depth, "replies": m.live}, 0
		parent := known[m.Parent]
		if m.Parent != 0 && (parent == nil || parent.Number >= m.Number) {
			l.Lose(check.Loss{Fix: check.Set(k, "parent", 0), What: "the parent of the comment " + k},
				RuleCommentParent, k,
				"parent %d is not an earlier comment of topic %d", m.Parent, t.id)
			continue
		}
		if parent != nil {
			depth = int(record.Atoi(parent.depth)) + 1
		}
		l.WantSet(RuleThread, key.CommentReplies(m.ID), m.replies, derive.Numbers(of.Replies[m.ID]), t.key())
		l.WantCount(k, f, "replies", of.LiveReplies[m.ID], t.key())
		l.WantCount(k, f, "depth", depth)
	}
}

// loss is what a prune deletes if a comment cannot be repaired.
func loss(id forum.CommentID) check.Loss {
	k := key.Comment(id)
	return check.Loss{Fix: check.Remove(k), What: "the comment " + k + ", with the votes on it"}
}

// comment checks a comment apart from its place in the topic.
func (c checks) comment(l *check.Look) {
	id := forum.CommentID(l.On.ID)
	k, p, on := key.Comment(id), id.Partition(), forum.Subject{Comment: id}
	hash, length := l.Fields(k, catalogue.Comment.Names("content")), l.Next().Do(l.Ctx, "hstrlen", k, "content")
	long, entered := l.Exists(key.Text(k)), l.Score(key.Hidden(p), "c:"+key.Itoa(id))
	l.Wait()
	f := hash()
	if f["topic"] == "" {
		why := "there is no comment " + key.Itoa(id)
		l.Orphans(true, why, key.CommentReplies(id), key.Upvoters(k), key.Downvoters(k))
		l.Orphans(false, why, key.CommentVotes(k))
		return
	}
	of, author := forum.TopicID(f.Int("topic")), forum.UserID(f.Int("author"))
	topic, listed := l.Field(key.Topic(of), "state"), l.Score(key.TopicComments(of), key.Itoa(id))
	state := l.Field(key.User(author), "state")
	l.Wait()
	if author != 0 && check.IsAuthor(state.Val()) {
		l.Also(change.Checked(key.UserCommentsContainer(author), int64(id)))
	}
	if f["tell"]+f["told"] != "" {
		l.Also(notify.Checked(on))
	}
	c.commentFields(l, id, f)
	l.Author(k, author, state.Val())
	l.Imported(k, "c", f["src"], "")
	wantHidden(l, k, "c:"+key.Itoa(id), f.Time("hidden"), entered)
	if n, _ := length.Int64(); f["deleted"] != "" && (n+long.Val() > 0 || f["mentions"] != "") {
		erase := check.All(check.Command("hset", k, "content", ""), check.Command("hdel", k, "mentions", "long"),
			check.Remove(key.Text(k)))
		l.Add(RuleTombstone, k, erase.Given(key.Topic(of)), "is deleted, has text or mentions")
	}
	switch {
	case topic.Val() == "" || of.Partition() != p:
		l.Lose(loss(id), RuleCommentTopic, k, "there is no topic %s in its partition", f["topic"])
	case f["state"] == string(forum.CommentHeld): // no list has it; its case is checked later
		l.Later[acts.Checked(on)] = true
		c.heldComment(l, id, f, topic.Val())
	case !check.Is(listed):
		l.Add(RuleCommentUnlisted, key.TopicComments(of),
			check.Put(key.TopicComments(of), key.Itoa(id), float64(f.Int("floor"))).Given(key.Topic(of), k),
			"comment %d with number %s is missing", id, f["floor"])
	default:
		if f["deleted"] != "" || f["state"] != "" && !forum.CommentState(f["state"]).Live() {
			l.WantLeast(k, f, "rev", record.CommentPosted+1)
		}
		c.commentVotes(l, id, f)
	}
}

// commentFields checks the fields of a comment. One that is held, or was when it was hidden or deleted, has no number.
func (c checks) commentFields(l *check.Look, id forum.CommentID, f record.Fields) {
	state, k := forum.CommentState(f["state"]), key.Comment(id)
	l.WrongFields(loss(id), RuleCommentFields, k, f, catalogue.Comment.Wrong(f, "content"))
	need := func(name string, ok bool) { l.Need(loss(id), RuleCommentFields, k, f, name, ok) }
	held := state == forum.CommentHeld
	need("floor", (f.Int("floor") > 0) != held)
	need("state", state == "" || held || f["deleted"] == "")
	need("hidden", held || (f["hidden"] != "") == (state == forum.CommentHidden))
	need("locked", held || f["locked"] == "" || state == forum.CommentHidden)
}

// heldComment checks that a comment that is held is among those of its topic, and that the topic was not deleted,
// unless a task follows. The reverse is checked with the topic. The comment may have been erased.
func (c checks) heldComment(l *check.Look, id forum.CommentID, f record.Fields, topic string) {
	of, k := forum.TopicID(f.Int("topic")), key.Comment(id)
	held, task := l.Score(key.HeldComments(of), key.Itoa(id)), l.Exists(key.Task(of.Partition(),
		record.RetractTask(of)))
	listed := l.Score(key.TopicComments(of), key.Itoa(id))
	l.Wait()
	if check.Is(listed) {
		l.Lose(loss(id), RuleCommentFields, k, "is held, but listed, with number %s", f["floor"])
	}
	switch {
	case f["deleted"] != "":
	case topic != string(forum.TopicDeleted) && !check.Is(held):
		l.WantMember(RuleHeld, key.HeldComments(of), key.Itoa(id), held, key.Itoa(f.Time("created")), k)
	case topic == string(forum.TopicDeleted) && !check.Exists(task):
		erase := func(ctx context.Context) error { return c.PurgeComment(ctx, id, 0) }
		l.Add(RuleHeld, k, check.Fix{Run: erase}, "is held on topic %d, which is deleted", of)
	}
}

// commentVotes checks the votes on a comment, and their counts in its topic and its parent; comments without votes have
// none. A vote leaves no other trace, so everything about votes is read at once.
func (c checks) commentVotes(l *check.Look, id forum.CommentID, f record.Fields) {
	k, counters := key.Comment(id), []string{key.Topic(forum.TopicID(f.Int("topic")))}
	parent := forum.CommentID(f.Int("parent"))
	if parent.Partition() == id.Partition() && l.Fetch(key.Comment(parent), "topic")["topic"] == f["topic"] {
		counters = append(counters, key.Comment(parent))
	}
	r := l.AtOnce(id.Partition())
	counts, votes := r.Fields(k, []string{"up", "upBase", "down", "downBase"}), queueVotes(r, k)
	counted := make([]*redis.StringCmd, len(counters))
	for i, of := range counters {
		counted[i] = r.Field(key.CommentVotes(of), key.Itoa(id))
	}
	l.Wait()
	v := votes(counts())
	c.votes(l, k, v, func(pairs ...any) check.Fix { return check.Set(k, pairs...) })
	for i, of := range counters {
		l.WantField(RuleCommentVotes, key.CommentVotes(of), key.Itoa(id), counted[i].Val(), v.Counted(), k,
			key.Upvoters(k),
			key.Downvoters(k))
	}
}
