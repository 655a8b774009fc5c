package posts

import (
	"maps"
	"slices"
	"strconv"
	"strings"

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
	"agora/internal/store/script"
	texts "agora/internal/text"
)

// topicFields are the fields of a topic that are checked; its content is not.
var topicFields = catalogue.Topic.Names("content")

// topicView is a topic as read from its keys at one time.
type topicView struct {
	id             forum.TopicID
	f              record.Fields
	mark           forum.Time // of the dirty mark, 0 for none
	votes          votesView
	lists          [][]redis.Z // :comments, :replies, :gone, :authors, :held
	comments       []*commentView
	author         string // its state
	categoryExists bool   // its category exists, if it has one
}

func (t *topicView) key() string  { return key.Topic(t.id) }
func (t *topicView) listed() bool { return forum.TopicState(t.f["state"]).Listed() }
func (t *topicView) public() bool { return record.IsPublic(t.f) }

// topic checks a topic with the places of all its comments. All changes of these show in the fields of the topic: if
// the fields change meanwhile, it is checked later.
func (c checks) topic(l *check.Look) {
	t := &topicView{id: forum.TopicID(l.On.ID)}
	before := c.readTopic(l, t)
	t.lists = l.Whole(key.TopicComments(t.id), key.TopicReplies(t.id), key.Tombstones(t.id), key.Authors(t.id),
		key.HeldComments(t.id))
	c.readComments(l, t)
	category, author, p := forum.CategoryID(t.f.Int("category")), forum.UserID(t.f.Int("author")), t.id.Partition()
	state, exists := l.Field(key.User(author), "state"), l.Exists(key.Category(category))
	entered := l.Score(key.Author(p, author)+":profile", record.Member(t.f.Time("created"), int64(t.id)))
	hidden := l.Score(key.Hidden(p), "t:"+key.Itoa(t.id))
	l.Wait()
	t.author, t.categoryExists = state.Val(), category == 0 || check.Exists(exists)
	c.elsewhere(l, t)
	if !maps.Equal(before, c.readTopic(l, &topicView{id: t.id})) {
		l.Postpone()
		return
	}
	if t.f["state"] == "" {
		why := "there is no topic " + key.Itoa(t.id)
		l.Orphans(true, why, key.TopicComments(t.id), key.TopicReplies(t.id), key.Upvoters(t.key()),
			key.Downvoters(t.key()))
		l.Orphans(false, why, key.Tombstones(t.id), key.Authors(t.id), key.HeldComments(t.id),
			key.CommentVotes(t.key()))
		return
	}
	c.fields(l, t)
	c.topicAuthor(l, t, entered)
	c.place(l, t)
	wantHidden(l, t.key(), "t:"+key.Itoa(t.id), t.f.Time("hidden"), hidden)
	c.topicVotes(l, t)
	c.tags(l, t)
	c.thread(l, t)
	c.heldComments(l, t)
}

// readTopic reads the hash of a topic, its mark and vote counts. It returns the fields that change with it.
func (c checks) readTopic(l *check.Look, t *topicView) (stamp record.Fields) {
	hash, mark := l.Fields(t.key(), topicFields), l.Marked(t.id.Partition(), "t:"+key.Itoa(t.id))
	votes := queueVotes(l.Reading, t.key())
	l.Wait()
	t.f, t.mark = hash(), forum.Time(mark.Val())
	t.votes = votes(t.f)
	stamp = maps.Clone(t.f)
	delete(stamp, "clicks")
	return stamp
}

// elsewhere has examined what is elsewhere because of a topic: its notifications, its case, though that may be lost,
// and its entries.
func (c checks) elsewhere(l *check.Look, t *topicView) {
	on := forum.Subject{Topic: t.id}
	if t.f["state"] == "" {
		return
	}
	if t.f["tell"]+t.f["told"] != "" {
		l.Also(notify.Checked(on))
	}
	if t.f["state"] == string(forum.TopicHeld) {
		l.Later[acts.Checked(on)] = true
	}
	state := record.NewTopicState(t.id, script.ReadTopicState(record.Values(t.f, script.TopicStateFields)))
	for _, e := range derive.Topic(state, c.engine.Today()-1) {
		if e.Container.Category() == 0 || t.categoryExists { // a topic in a lost category already has a finding
			l.Also(change.Checked(e.Container, int64(t.id)))
		}
	}
}

func (c checks) fields(l *check.Look, t *topicView) {
	f, lost := t.f, t.loss()
	l.WrongFields(lost, RuleTopicFields, t.key(), f, catalogue.Topic.Wrong(f, "content"))
	need := func(name string, ok bool) { l.Need(lost, RuleTopicFields, t.key(), f, name, ok) }
	state := forum.TopicState(f["state"])
	deleted := state == forum.TopicDeleted
	need("title", f["title"] != "" || deleted)
	need("link", f["link"] != "" || f["kind"] != string(forum.Article) || f["src"] != "" || deleted)
	need("link", f["link"] == "" || f["kind"] != string(forum.Status))
	need("deleted", (f["deleted"] == "") == !deleted)
	need("hidden", (f["hidden"] != "") == (state == forum.TopicHidden))
	need("locked", f["locked"] == "" || !t.listed() && !deleted)
	need("held", f["held"] == "" || state == forum.TopicHidden)
	if f.Int("clickBase") > 0 { // what is imported
		l.WantLeast(t.key(), f, "clicks", int64(f.Int("clickBase")))
	}
}

// loss is what a prune deletes if a topic cannot be repaired.
func (t *topicView) loss() check.Loss {
	return check.Loss{Fix: check.Remove(t.key()),
		What: "topic " + key.Itoa(t.id) + ", with the comments and votes on it"}
}

// amend returns a fix that sets fields of a topic on which its indexes depend; "" deletes a field. The indexes follow,
// except while they would delete the topic; see change.Store.Reindex.
func (c checks) amend(l *check.Look, t *topicView, pairs ...any) check.Fix {
	x := check.Set(t.key(), pairs...)
	if t.categoryExists {
		x = check.All(x, l.Touch(t.key(), "rev", t.id.Partition(), "t:"+key.Itoa(t.id)))
	}
	return x
}

func (c checks) topicAuthor(l *check.Look, t *topicView, entered *redis.FloatCmd) {
	f, author := t.f, forum.UserID(t.f.Int("author"))
	l.Author(t.key(), author, t.author)
	home := author.Partition()
	if author == 0 {
		home = key.PartitionOfSource(f["src"])
	}
	if home != t.id.Partition() {
		l.Lose(t.loss(), RuleTopicPartition, t.key(), "is of user %d and %q, which are in partition %d", author,
			f["src"], home)
	}
	if f["rejected"] == "" {
		l.Imported(t.key(), "t", f["src"], "")
	}
	if check.IsAuthor(t.author) && t.public() {
		l.WantMember(RuleProfileMissing, key.Profile(author), record.Member(f.Time("created"), int64(t.id)), entered,
			key.Itoa(f.Time("created")), t.key())
	}
}

// place checks the category of a topic, and what it has left. If it was just posted or moved, the index of the category
// decides.
func (c checks) place(l *check.Look, t *topicView) {
	if t.mark != 0 && t.mark+check.LagLife > c.engine.Now() {
		return
	}
	// The script that records a fan-out also marks the topic, and the mark is not removed before the record.
	f := t.f
	fan, noted := f["fan"]
	if f["left"]+f["leftTags"] != "" || noted && (!f.IsWhole("fan", 1) || f.Int("fan") > f.Int("rev") || t.mark == 0) {
		l.Add(RuleTopicLeft, t.key(), check.Call(c.changes.Reindex, t.id),
			"records as left %q and the tags %q at revision %s, a fan-out %q; marked: %t", f["left"], f["leftTags"],
			f["rev"], fan, t.mark != 0)
	}
	c.audience(l, t)
	category, discussion := f.Int("category"), f["kind"] == string(forum.Discussion)
	if !t.listed() || category != 0 && t.categoryExists && f["kind"] != string(forum.Status) ||
		category == 0 && !discussion {
		return
	}
	out := check.Fix{}
	if !discussion {
		out = check.All(check.Set(t.key(), "category", "0", "left", strconv.Itoa(category)+" ", "fan", f.Int("rev")+1),
			l.Touch(t.key(), "rev", t.id.Partition(), "t:"+key.Itoa(t.id)))
	}
	l.Add(RuleTopicCategory, t.key(), out, "of kind %s in category %d, which exists: %t", f["kind"], category,
		category != 0 && t.categoryExists)
}

// audience checks that a listed topic has the audience of its category. While the category's topics are given another
// one, that may be to come.
func (c checks) audience(l *check.Look, t *topicView) {
	category := forum.CategoryID(t.f.Int("category"))
	a := c.rules.Current(l.Ctx).In(category)
	if !t.listed() || a.Sees == forum.Audience(t.f["audience"]) && int64(t.f.Int("epoch")) >= a.Epoch {
		return
	}
	name := record.CategoryTask(category)
	mark, task := l.Score(key.AccessMarks, key.Itoa(category)), l.Exists(key.Task(record.CategoryPartition(category),
		name))
	l.Wait()
	if check.Is(mark) || check.Exists(task) {
		return
	}
	l.Add(RuleTopicAudience, t.key(), check.Call(c.changes.Reindex, t.id),
		"has the audience %q as of epoch %d; that of its category is %q as of %d", t.f["audience"], t.f.Int("epoch"), a.Sees,
		a.Epoch)
}

// topicVotes checks the votes on a topic.
func (c checks) topicVotes(l *check.Look, t *topicView) {
	article := t.f["kind"] == string(forum.Article)
	t.votes.Closed = article && c.engine.Now() >= t.f.Time("created")+forum.VotingWindow
	c.votes(l, t.key(), t.votes, func(pairs ...any) check.Fix { return c.amend(l, t, pairs...) })
	_, timed := t.f["voted"]
	switch voters := t.votes.SetUp + t.votes.SetDown; {
	case article && voters > 0 && !t.f.IsWhole("voted", 1):
		// Later votes are later than this one, whenever it was.
		l.Add(RuleVoteTime, t.key(), check.Set(t.key(), "voted", int64(c.engine.Now())),
			"%d users voted, the latest at %q", voters, t.f["voted"])
	case !article && timed:
		l.Add(RuleVoteTime, t.key(), check.Unset(t.key(), "voted"), "is not an article, but was voted on at %q",
			t.f["voted"])
	}
}

// tags checks the tags of a topic.
func (c checks) tags(l *check.Look, t *topicView) {
	has := t.f["tags"]
	var tags forum.TopicTags
	for line := range strings.SplitSeq(has, "\n") {
		_, name, _ := strings.Cut(line, " ")
		tag, err := texts.Tag(nil, name)
		if err == nil && !slices.Contains(tags.IDs(), tag.ID) {
			tags = append(tags, tag)
		}
	}
	if want := catalogue.EncodeTags(tags); want != has {
		left := t.f["leftTags"]
		for _, id := range catalogue.DecodeTags(has).IDs() {
			if !slices.Contains(tags.IDs(), id) {
				left += key.Itoa(id) + " "
			}
		}
		l.Add(RuleTagFields, t.key(), c.amend(l, t, "tags", want, "leftTags", left), "tags are %q; want %q", has, want)
	}
	l.AtMost(t.key(), len(tags), forum.MaxTopicTags, check.Fix{})
}

// wantHidden compares a topic or comment with its entry in the list of what is hidden. hidden is when it was hidden; 0
// if it was not.
func wantHidden(l *check.Look, k, member string, hidden forum.Time, listed *redis.FloatCmd) {
	want := ""
	if hidden != 0 {
		want = key.Itoa(hidden)
	}
	of, _ := catalogue.ReadKey(k)
	l.WantMember(RuleHidden, key.Hidden(of.Partition), member, listed, want, k)
}

// heldComments checks that the comments that a topic lists as held are.
func (c checks) heldComments(l *check.Look, t *topicView) {
	k := key.HeldComments(t.id)
	check.Each(l, t.lists[4], func(l *check.Look, z redis.Z) {
		name := z.Member.(string)
		id, _ := forum.ParseID[forum.CommentID](name) // 0, which is no comment, if malformed
		f := l.Fetch(key.Comment(id), "topic", "state", "deleted")
		if f["topic"] != key.Itoa(t.id) || f["state"] != string(forum.CommentHeld) || f["deleted"] != "" {
			l.Add(RuleHeld, k, check.Drop(k, name).Given(t.key()), "%q is not a held comment of this topic", name)
		}
	})
}
