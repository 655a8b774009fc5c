package fsck

import (
	"context"
	"maps"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
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
func (l *look) topic() *topicView {
	t := &topicView{id: forum.TopicID(l.on.id)}
	before := l.readTopic(t)
	l.readLists(t)
	l.readComments(t)
	voted := l.next().HLen(l.ctx, key.CommentVotes(t.key()))
	l.wait()
	t.voted = l.readVoted(t.key(), voted.Val())
	category, author := forum.CategoryID(t.f.Int("category")), forum.UserID(t.f.Int("author"))
	state, exists := l.field(key.User(author), "state"), l.exists(key.Category(category))
	entered := l.score(key.Author(t.id.Partition(), author)+":profile", record.Member(t.f.Time("created"), int64(t.id)))
	hidden := l.score(key.Hidden(t.id.Partition()), "t:"+key.Itoa(t.id))
	imported := l.text(key.Source(t.id.Partition(), "t", t.f["src"]))
	l.wait()
	t.author, t.housed = state.Val(), category == 0 || exists.Val() == 1
	if !maps.Equal(before, l.readTopic(&topicView{id: t.id})) {
		l.postpone()
		return t
	}
	if t.f["state"] == "" {
		l.lostTopic(t)
		return t
	}
	if t.f["state"] == string(forum.TopicHeld) { // its case is checked later, though it may be lost
		l.keys.cases[forum.Subject{Topic: t.id}] = true
	}
	l.topicFields(t)
	l.topicAuthor(t, imported.Val(), entered)
	l.topicPlace(t)
	l.hiddenItem(t.key(), "t:"+key.Itoa(t.id), t.f.Time("hidden"), hidden)
	l.topicVotes(t)
	l.tags(t)
	l.thread(t)
	l.heldComments(t)
	return t
}

// readTopic reads the hash of a topic, its mark and vote counts. It returns the fields that change with it.
func (l *look) readTopic(t *topicView) (stamp record.Fields) {
	hash, mark := l.hmget(t.key(), topicFields), l.marked(t.id.Partition(), "t:"+key.Itoa(t.id))
	votes := t.votes.queue(l.reading, t.key())
	l.wait()
	t.f, t.mark = hash(), forum.Time(mark.Val())
	votes(t.f)
	stamp = maps.Clone(t.f)
	delete(stamp, "clicks")
	return stamp
}

// readLists reads the lists of comments. The first two only grow at their end; changes of the others show in the topic's
// revision.
func (l *look) readLists(t *topicView) {
	lists := l.whole(key.TopicComments(t.id), key.TopicReplies(t.id), key.Tombstones(t.id), key.Authors(t.id),
		key.HeldComments(t.id))
	t.listed, t.replies, t.tombstones, t.authors, t.held = lists[0], lists[1], lists[2], lists[3], lists[4]
}

// lostTopic reports the remaining keys of a topic without a hash.
func (l *look) lostTopic(t *topicView) {
	why := "there is no topic " + key.Itoa(t.id)
	l.orphans(true, why, key.TopicComments(t.id), key.TopicReplies(t.id), key.Upvoters(t.key()), key.Downvoters(t.key()))
	l.orphans(false, why, key.Tombstones(t.id), key.Authors(t.id), key.HeldComments(t.id), key.CommentVotes(t.key()))
}

func (l *look) topicFields(t *topicView) {
	f := t.f
	l.wrongFields(RuleTopicFields, t.key(), f, catalogue.Topic.Wrong(f, "content"))
	need := func(name string, ok bool) { l.need(RuleTopicFields, t.key(), f, name, ok) }
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
		l.wantLeast(RuleClickBase, t.key(), f, "clicks", int64(f.Int("clickBase")))
	}
	l.active(t, f.Time("created"))
}

// active checks that the last activity in a topic is no earlier than an activity.
func (l *look) active(t *topicView, least forum.Time) {
	if t.f.Time("active") < least {
		x := l.amend(t, "active", int64(least))
		if !t.housed {
			x = fix{} // the indexes would have the topic deleted; see reindex
		}
		l.add(RuleTopicActive, t.key(), x, "active %s, but there is something of %d", t.f["active"], least)
	}
}

// amend returns a fix that sets fields of a topic on which its indexes depend; "" deletes a field. The indexes follow,
// except while they would delete the topic; see reindex.
func (l *look) amend(t *topicView, pairs ...any) fix {
	x := set(t.key(), pairs...)
	if t.housed {
		x = all(x, l.touch(t.key(), "rev", t.id.Partition(), "t:"+key.Itoa(t.id)))
	}
	return x
}

// touch returns a fix that raises a revision of an object, and marks the object for the sweeper.
func (c *checker) touch(k, revision string, p forum.Partition, mark string) fix {
	return transaction([]string{k}, func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.HIncrBy(ctx, catalogue.KeyOf(k, revision), revision, 1)
		pipe.ZAddNX(ctx, key.Dirty(p), redis.Z{Score: float64(c.s.Engine.Now()), Member: mark})
	})
}

func (l *look) topicAuthor(t *topicView, imported string, entered *redis.FloatCmd) {
	f, author := t.f, forum.UserID(t.f.Int("author"))
	there := isAuthor(t.author)
	if author != 0 && !there {
		l.lose(lost{author: author}, RuleTopicAuthor, t.key(), "user %d does not exist", author)
	}
	home := author.Partition()
	if author == 0 {
		home = key.PartitionOfSource(f["src"])
	}
	if home != t.id.Partition() {
		l.add(RuleTopicPartition, t.key(), fix{}, "is of user %d and %q, which are in partition %d", author, f["src"], home)
	}
	if f["src"] != "" && f["rejected"] == "" {
		l.imported(t.key(), "t", f["src"], imported, "")
	}
	if there && t.shown() {
		l.wantMember(RuleProfileMissing, key.Profile(author), record.Member(f.Time("created"), int64(t.id)), entered,
			strconv.FormatInt(int64(f.Time("created")), 10), t.key())
	}
}

// topicPlace checks the category of a topic, and what it has left. If it was just posted or moved, the index of the
// category decides.
func (l *look) topicPlace(t *topicView) {
	if t.mark != 0 && t.mark+lagLife > l.s.Engine.Now() {
		return
	}
	f := t.f
	again := call(l.reindex, t.id)
	if f["left"]+f["leftTags"] != "" {
		l.add(RuleTopicLeft, t.key(), again, "records as left %q and the tags %q at revision %s", f["left"], f["leftTags"],
			f["rev"])
	}
	// The script that records a fan-out also marks the topic, and the mark is not removed before the record.
	if fan, noted := f["fan"]; noted && (!f.IsWhole("fan", 1) || f.Int("fan") > f.Int("rev") || t.mark == 0) {
		l.add(RuleTopicFanOut, t.key(), again, "a fan-out is pending for revision %q of %s; marked: %t", fan, f["rev"],
			t.mark != 0)
	}
	category, status := f.Int("category"), f["kind"] == string(forum.Status)
	if !t.shown() || category != 0 && t.housed && !status || category == 0 && f["kind"] != string(forum.Discussion) {
		return
	}
	out := fix{}
	if f["kind"] != string(forum.Discussion) {
		out = all(set(t.key(), "category", "0", "left", strconv.Itoa(category)+" ", "fan", f.Int("rev")+1),
			l.touch(t.key(), "rev", t.id.Partition(), "t:"+key.Itoa(t.id)))
	}
	l.add(RuleTopicCategory, t.key(), out, "of kind %s in category %d, which exists: %t", f["kind"], category,
		category != 0 && t.housed)
}
