package change

import (
	"context"
	"slices"

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
	return index.Rewrite(ctx, c.engine.Client, &index.Tag{ID: id, Name: name, Again: true}, c.engine.Now())
}

// isNames reports whether a container is a list of users or tags.
func isNames(in key.Container) bool {
	return slices.Contains([]key.Names{key.UserNames, key.Applicants, key.TagNames}, key.Names(in))
}

// nameTruth is truth for a user or tag in a list of names.
func (c checks) nameTruth(l *check.Look) truth {
	list := key.Names(l.On.Key)
	if list == key.TagNames {
		return c.tagTruth(l)
	}
	id := forum.UserID(l.On.ID)
	hash := l.Fields(key.User(id), index.UserFields)
	mark := l.Marked(id.Partition(), "u:"+key.Itoa(id))
	l.Wait()
	f := hash()
	is := truth{known: f["state"] != "", lagging: l.Young(mark), rev: int64(f.Int("rev"))}
	for _, n := range index.UserNames(id, f) {
		if n.List == list && n.Member() != "" {
			is.member, is.scores = n.Member(), n.Scores
		}
	}
	return is
}

func (c checks) tagTruth(l *check.Look) truth {
	l.Tag = forum.TagID(l.On.ID)
	box := key.TagContainer(l.Tag)
	hash, topics := l.Fields(key.Tag(l.Tag), []string{"name", "n"}), l.Size(box.Order(key.OrderCreated))
	newest := l.Next().ZRevRangeWithScores(l.Ctx, box.Order(key.OrderCreated), 0, 0)
	removed := l.Next().ZRevRangeWithScores(l.Ctx, box.Removed(), 0, 0)
	l.Wait()
	f := hash()
	is := truth{known: len(f) > 0, rev: int64(f.Int("n"))}
	for _, z := range newest.Val() {
		n := index.Name{ID: l.On.ID, Fold: texts.Fold(f["name"])}
		is.member, is.scores = n.Member(), index.TagScores(topics.Val(), int64(z.Score))
		_, at, err := record.ParseMember(z.Member.(string))
		is.lagging = err == nil && at+check.LagLife > c.engine.Now()
	}
	for _, z := range removed.Val() {
		is.lagging = is.lagging || forum.Time(z.Score)+check.LagLife > c.engine.Now()
	}
	if is.member == "" {
		is.scores = nil
	}
	return is
}
