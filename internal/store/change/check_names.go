package change

import (
	"context"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// nameTopics is how many of a tag's topics are read for its name.
const nameTopics = 10

// tagIndex compares the name of a tag with its index: the name exists as long as the index has topics or the tag has
// followers. The name follows the index, which follows the topics, so a tag with pending writes is skipped.
func (c checks) tagIndex(l *check.Look) {
	box := key.Container(l.On.Key)
	id := box.Tag()
	if l.Tag = id; id == 0 {
		return
	}
	k := key.Tag(id)
	name, followers := l.Field(k, "name"), l.Size(box.Followers())
	members := l.Next().ZRange(l.Ctx, box.Order(key.OrderCreated), 0, nameTopics-1)
	removed := l.Next().ZRevRangeWithScores(l.Ctx, box.Removed(), 0, 0)
	ended := l.Next().ZRevRangeWithScores(l.Ctx, key.Ended(box.Followers()), 0, 0)
	l.Wait()
	written, lagging, topics := "", false, len(members.Val()) > 0
	check.Each(l, members.Val(), func(l *check.Look, member string) {
		n, _, _ := record.ParseMember(member) // 0, which is not a topic, if malformed
		topic := forum.TopicID(n)
		state := record.GetTopicState(l.Ctx, l.Next(), topic)
		mark := l.Score(key.Dirty(topic.Partition()), "t:"+key.Itoa(topic))
		l.Wait()
		lagging = lagging || l.Young(mark)
		for _, tag := range state().Tags {
			if tag.ID == id && written == "" {
				written = tag.Name
			}
		}
	})
	for scale, last := range map[float64][]redis.Z{1: removed.Val(), 1000: ended.Val()} {
		for _, z := range last { // the name is deleted after the last topic or follower
			lagging = lagging || !topics && forum.Time(z.Score/scale)+check.LagLife > c.engine.Now()
		}
	}
	other := check.Is(name) && texts.TagID(texts.Fold(name.Val())) != id
	keep := func(name string) check.Fix {
		return check.Fix{Run: func(ctx context.Context) error { return c.nameTag(ctx, id, name) }}
	}
	switch {
	case lagging:
	case !topics && followers.Val() == 0 && check.Is(name):
		l.Add(RuleTagName, k, keep(""), "%q is the name of a tag without topics or followers", name.Val())
	case !topics && other:
		l.Add(RuleTagName, k, check.Fix{}, "%q is another tag", name.Val())
	case !topics, written == "": // a finding of the followers' edges, or of strays
	case !check.Is(name):
		l.Add(RuleTagName, k, keep(written), "has no name; topics have %q", written)
	case other:
		l.Add(RuleTagName, k, check.Set(k, "name", written), "%q is another tag; topics have %q", name.Val(), written)
	}
}

// nameTag sets the name of a tag, "" for none, as long as it has topics or followers, and lists it.
func (c checks) nameTag(ctx context.Context, id forum.TagID, name string) error {
	return index.Relist(ctx, c.engine.Client, &index.Tag{ID: id, Name: name, Again: true}, c.engine.Now())
}

// namesOf returns the lists of users or tags.
func namesOf(names key.Names) []check.List {
	lists := append(check.Sets(onNamed, check.OrdersOf(names)...), check.List{Key: names.Revisions(), Hash: true})
	for i := range lists {
		lists[i].On = check.Target{Kind: onNamed, Key: string(names)}
	}
	return lists
}

// namedEntry examines an entry of a list, by its id if it is a revision.
func (c checks) namedEntry(l *check.Look, e check.Entry) {
	if id, err := strconv.ParseInt(e.Name, 10, 64); err == nil && id > 0 && e.Hash {
		l.On.ID, l.On.Text = id, ""
	}
	c.named(l)
}

// named compares the entry of a user or tag in its list.
func (c checks) named(l *check.Look) {
	names, id := key.Names(l.On.Key), l.On.ID
	if l.On.Text != "" {
		c.namedMember(l, names, l.On.Text)
		return
	}
	want, lagging := c.nameOf(l, names, id)
	stored := l.Field(names.Revisions(), strconv.FormatInt(id, 10))
	member := want.Member()
	var scores []*redis.FloatCmd
	if member != "" {
		scores = l.Scores(check.OrdersOf(names), member)
	}
	l.Wait()
	rev, have, _ := strings.Cut(stored.Val(), " ")
	wrong := have != member || names == key.TagNames && member != "" && rev != strconv.FormatInt(want.Rev, 10)
	for i, score := range scores {
		at, _ := strconv.ParseFloat(want.Scores[i], 64)
		wrong = wrong || !check.Is(score) || score.Val() != at
	}
	if wrong && !lagging {
		again := check.Fix{Run: func(ctx context.Context) error { return c.relist(ctx, want, have) }}
		l.Add(RuleNameList, names.Revisions(), again, "%d is %q; want %q at %v", id, stored.Val(), member, want.Scores)
	}
}

// relist writes an entry again, whatever was written before.
func (c checks) relist(ctx context.Context, want index.Name, have string) error {
	b := c.engine.Client.Batch()
	b.HDel(ctx, want.List.Revisions(), strconv.FormatInt(want.ID, 10))
	for _, order := range check.OrdersOf(want.List) {
		b.ZRem(ctx, order, have)
	}
	if err := b.Exec(ctx); err != nil {
		return err
	}
	if want.List == key.TagNames {
		return c.nameTag(ctx, forum.TagID(want.ID), "")
	}
	b = c.engine.Client.Batch()
	want.Queue(ctx, b, c.engine.Now())
	return b.Exec(ctx)
}

// nameOf reads what a list should have of a user or tag, and whether the list may be outdated.
func (c checks) nameOf(l *check.Look, list key.Names, id int64) (want index.Name, lagging bool) {
	if list != key.TagNames {
		user := forum.UserID(id)
		hash := l.Fields(key.User(user), index.UserFields)
		mark := l.Marked(user.Partition(), "u:"+key.Itoa(user))
		l.Wait()
		want = index.Name{List: list, ID: id}
		for _, entry := range index.UserNames(user, hash()) {
			if entry.List == list {
				want = entry
			}
		}
		return want, l.Young(mark)
	}
	l.Tag = forum.TagID(id)
	box := key.TagContainer(l.Tag)
	hash := l.Fields(key.Tag(l.Tag), []string{"name", "n"})
	topics := l.Size(box.Order(key.OrderCreated))
	newest := l.Next().ZRevRangeWithScores(l.Ctx, box.Order(key.OrderCreated), 0, 0)
	removed := l.Next().ZRevRangeWithScores(l.Ctx, box.Removed(), 0, 0)
	l.Wait()
	f := hash()
	want = index.Name{List: list, ID: id, Rev: int64(f.Int("n"))}
	for _, z := range newest.Val() {
		want.Fold = texts.Fold(f["name"])
		want.Scores = index.TagScores(topics.Val(), int64(z.Score))
		_, at, err := record.ParseMember(z.Member.(string))
		lagging = err == nil && at+check.LagLife > c.engine.Now()
	}
	for _, z := range removed.Val() {
		lagging = lagging || forum.Time(z.Score)+check.LagLife > c.engine.Now()
	}
	return want, lagging
}

// namedMember checks a member of the orders of a list: one that is not the entry of its user or tag does not belong
// there. Nor does a revision of what is no id.
func (c checks) namedMember(l *check.Look, names key.Names, member string) {
	lost := l.Next().HExists(l.Ctx, names.Revisions(), member)
	scores := l.Scores(check.OrdersOf(names), member)
	l.Wait()
	if lost.Val() {
		l.Add(RuleNameList, names.Revisions(), check.Unset(names.Revisions(), member), "%q is no id", member)
	}
	if check.Count(scores) == 0 {
		return
	}
	if _, id, err := record.ParseNameMember(member); err == nil {
		if want, lagging := c.nameOf(l, names, id); lagging || want.Member() == member {
			return
		}
	}
	var drops []check.Fix
	for _, order := range check.OrdersOf(names) {
		drops = append(drops, check.Drop(order, member))
	}
	l.Add(RuleNameList, names.Order(key.OrderName), check.All(drops...), "%q is not the entry of its user or tag",
		member)
}
