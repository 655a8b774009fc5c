package fsck

import (
	"maps"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// topicFields are the fields of a topic that are checked; its content is not.
var topicFields = catalogue.Topic.Names("content")

// topicView is a topic as read from its keys at one time.
type topicView struct {
	id    forum.TopicID
	f     record.Fields
	mark  forum.Time // of the dirty mark, 0 for none
	votes votesView
	voted []string // comments named in the vote counts

	listed, replies, tombstones, authors, held []redis.Z // :comments, :replies, :gone, :authors, :held

	comments []*commentView
	author   string // its state
	housed   bool   // its category exists, if it has one
}

func (t *topicView) key() string { return key.Topic(t.id) }
func (t *topicView) shown() bool { return listed(t.f["state"]) }

// state returns what indexes need of the topic.
func (t *topicView) state() record.TopicState {
	return record.NewTopicState(t.id, script.ReadTopicState(record.Values(t.f, script.TopicStateFields)))
}

// topic checks a topic with all its comments, and returns it. All changes of these show in the fields of the topic, except
// votes on comments: if the fields change meanwhile, it is checked later.
func (c *checker) topic(l *check.Look) *topicView {
	t := &topicView{id: forum.TopicID(l.On.ID)}
	before := c.readTopic(l, t)
	c.readLists(l, t)
	c.readComments(l, t)
	voted := l.Next().HLen(l.Ctx, key.CommentVotes(t.key()))
	l.Wait()
	t.voted = c.readVoted(l, t.key(), voted.Val())
	category, author := forum.CategoryID(t.f.Int("category")), forum.UserID(t.f.Int("author"))
	state, exists := l.Field(key.User(author), "state"), l.Exists(key.Category(category))
	entered := l.Score(key.Author(t.id.Partition(), author)+":profile", record.Member(t.f.Time("created"), int64(t.id)))
	hidden := l.Score(key.Hidden(t.id.Partition()), "t:"+key.Itoa(t.id))
	imported := l.Text(key.Source(t.id.Partition(), "t", t.f["src"]))
	l.Wait()
	t.author, t.housed = state.Val(), category == 0 || exists.Val() == 1
	if !maps.Equal(before, c.readTopic(l, &topicView{id: t.id})) {
		l.Postpone()
		return t
	}
	if t.f["state"] == "" {
		c.lostTopic(l, t)
		return t
	}
	if t.f["state"] == string(forum.TopicHeld) { // its case is checked later, though it may be lost
		c.Later[check.Target{Kind: "case", Text: record.EncodeActSubject(forum.Subject{Topic: t.id})}] = true
	}
	c.topicFields(l, t)
	c.topicAuthor(l, t, imported.Val(), entered)
	c.topicPlace(l, t)
	c.hiddenItem(l, t.key(), "t:"+key.Itoa(t.id), t.f.Time("hidden"), hidden)
	c.topicVotes(l, t)
	c.tags(l, t)
	c.thread(l, t)
	c.heldComments(l, t)
	return t
}

// readTopic reads the hash of a topic, its mark and vote counts. It returns the fields that change with it.
func (c *checker) readTopic(l *check.Look, t *topicView) (stamp record.Fields) {
	hash, mark := l.Fields(t.key(), topicFields), l.Marked(t.id.Partition(), "t:"+key.Itoa(t.id))
	votes := t.votes.queue(l.Reading, t.key())
	l.Wait()
	t.f, t.mark = hash(), forum.Time(mark.Val())
	votes(t.f)
	stamp = maps.Clone(t.f)
	delete(stamp, "clicks")
	return stamp
}

// readLists reads the lists of comments. The first two only grow at their end; changes of the others show in the topic's
// revision.
func (c *checker) readLists(l *check.Look, t *topicView) {
	lists := l.Whole(key.TopicComments(t.id), key.TopicReplies(t.id), key.Tombstones(t.id), key.Authors(t.id),
		key.HeldComments(t.id))
	t.listed, t.replies, t.tombstones, t.authors, t.held = lists[0], lists[1], lists[2], lists[3], lists[4]
}

// lostTopic reports the remaining keys of a topic without a hash.
func (c *checker) lostTopic(l *check.Look, t *topicView) {
	why := "there is no topic " + key.Itoa(t.id)
	l.Orphans(true, why, key.TopicComments(t.id), key.TopicReplies(t.id), key.Upvoters(t.key()),
		key.Downvoters(t.key()))
	l.Orphans(false, why, key.Tombstones(t.id), key.Authors(t.id), key.HeldComments(t.id), key.CommentVotes(t.key()))
}

func (c *checker) topicFields(l *check.Look, t *topicView) {
	f := t.f
	l.WrongFields(RuleTopicFields, t.key(), f, catalogue.Topic.Wrong(f, "content"))
	need := func(name string, ok bool) { l.Need(RuleTopicFields, t.key(), f, name, ok) }
	state := forum.TopicState(f["state"])
	deleted := state == forum.TopicDeleted
	need("title", f["title"] != "" || deleted)
	need("link", f["link"] != "" || f["kind"] != string(forum.Article) || f["src"] != "" || deleted)
	need("link", f["link"] == "" || f["kind"] != string(forum.Status))
	need("deleted", (f["deleted"] == "") == !deleted)
	need("hidden", (f["hidden"] != "") == (state == forum.TopicHidden))
	need("locked", f["locked"] == "" || !t.shown() && !deleted)
	need("held", f["held"] == "" || state == forum.TopicHidden)
	if f.Int("clickBase") > 0 { // what is imported
		l.WantLeast(RuleClickBase, t.key(), f, "clicks", int64(f.Int("clickBase")))
	}
	c.active(l, t, f.Time("created"))
}

// active checks that the last activity in a topic is no earlier than an activity.
func (c *checker) active(l *check.Look, t *topicView, least forum.Time) {
	if t.f.Time("active") < least {
		x := c.amend(l, t, "active", int64(least))
		if !t.housed {
			x = check.Fix{} // the indexes would have the topic deleted; see reindex
		}
		l.Add(RuleTopicActive, t.key(), x, "active %s, but there is something of %d", t.f["active"], least)
	}
}

// amend returns a fix that sets fields of a topic on which its indexes depend; "" deletes a field. The indexes follow,
// except while they would delete the topic; see reindex.
func (c *checker) amend(l *check.Look, t *topicView, pairs ...any) check.Fix {
	x := check.Set(t.key(), pairs...)
	if t.housed {
		x = check.All(x, c.Touch(t.key(), "rev", t.id.Partition(), "t:"+key.Itoa(t.id)))
	}
	return x
}

func (c *checker) topicAuthor(l *check.Look, t *topicView, imported string, entered *redis.FloatCmd) {
	f, author := t.f, forum.UserID(t.f.Int("author"))
	there := check.IsAuthor(t.author)
	if author != 0 && !there {
		l.Lose(check.Lost{Author: author}, RuleTopicAuthor, t.key(), "user %d does not exist", author)
	}
	home := author.Partition()
	if author == 0 {
		home = key.PartitionOfSource(f["src"])
	}
	if home != t.id.Partition() {
		l.Add(RuleTopicPartition, t.key(), check.Fix{}, "is of user %d and %q, which are in partition %d", author,
			f["src"], home)
	}
	if f["src"] != "" && f["rejected"] == "" {
		c.imported(l, t.key(), "t", f["src"], imported, "")
	}
	if there && t.shown() {
		l.WantMember(RuleProfileMissing, key.Profile(author), record.Member(f.Time("created"), int64(t.id)), entered,
			strconv.FormatInt(int64(f.Time("created")), 10), t.key())
	}
}

// topicPlace checks the category of a topic, and what it has left. If it was just posted or moved, the index of the
// category decides.
func (c *checker) topicPlace(l *check.Look, t *topicView) {
	if t.mark != 0 && t.mark+check.LagLife > c.Engine.Now() {
		return
	}
	f := t.f
	again := check.Call(c.reindex, t.id)
	if f["left"]+f["leftTags"] != "" {
		l.Add(RuleTopicLeft, t.key(), again, "records as left %q and the tags %q at revision %s", f["left"],
			f["leftTags"], f["rev"])
	}
	// The script that records a fan-out also marks the topic, and the mark is not removed before the record.
	if fan, noted := f["fan"]; noted && (!f.IsWhole("fan", 1) || f.Int("fan") > f.Int("rev") || t.mark == 0) {
		l.Add(RuleTopicFanOut, t.key(), again, "a fan-out is pending for revision %q of %s; marked: %t", fan, f["rev"],
			t.mark != 0)
	}
	category, status := f.Int("category"), f["kind"] == string(forum.Status)
	if !t.shown() || category != 0 && t.housed && !status || category == 0 && f["kind"] != string(forum.Discussion) {
		return
	}
	out := check.Fix{}
	if f["kind"] != string(forum.Discussion) {
		out = check.All(check.Set(t.key(), "category", "0", "left", strconv.Itoa(category)+" ", "fan", f.Int("rev")+1),
			c.Touch(t.key(), "rev", t.id.Partition(), "t:"+key.Itoa(t.id)))
	}
	l.Add(RuleTopicCategory, t.key(), out, "of kind %s in category %d, which exists: %t", f["kind"], category,
		category != 0 && t.housed)
}
