package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// tags checks the tags of a topic.
func (c *checker) tags(l *check.Look, t *topicView) {
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
	if len(tags) > forum.MaxTopicTags {
		l.Add(RuleTagCap, t.key(), check.Fix{}, "%d tags; the maximum is %d", len(tags), forum.MaxTopicTags)
	}
}

// nameTopics is how many of a tag's topics are read for its name.
const nameTopics = 10

// tagIndex compares the name of a tag with its index: the name exists as long as the index has topics or the tag has
// followers. The name follows the index, which follows the topics, so a tag with pending writes is skipped.
func (c *checker) tagIndex(l *check.Look) {
	box := key.Container(l.On.Key)
	l.Tag = box.Tag()
	name, followers := l.Field(key.Tag(box.Tag()), "name"), l.Size(box.Followers())
	members := l.Next().ZRange(l.Ctx, box.Order(key.OrderCreated), 0, nameTopics-1)
	removed := l.Next().ZRevRangeWithScores(l.Ctx, box.Removed(), 0, 0)
	ended := l.Next().ZRevRangeWithScores(l.Ctx, key.Ended(box.Followers()), 0, 0)
	l.Wait()
	topics := len(members.Val())
	states, marks := make([]func() record.TopicState, topics), make([]*redis.FloatCmd, topics)
	for i, m := range members.Val() {
		n, _, _ := record.ParseMember(m) // 0, which is not a topic, if malformed
		id := forum.TopicID(n)
		states[i] = record.GetTopicState(l.Ctx, l.Next(), id)
		marks[i] = l.Score(key.Dirty(id.Partition()), "t:"+key.Itoa(id))
	}
	l.Wait()
	written, lagging := "", slices.ContainsFunc(marks, c.Young)
	for _, state := range states {
		for _, tag := range state().Tags {
			if tag.ID == box.Tag() && written == "" {
				written = tag.Name
			}
		}
	}
	for _, last := range removed.Val() { // the name is deleted after the last topic
		lagging = lagging || topics == 0 && forum.Time(last.Score)+check.LagLife > c.Engine.Now()
	}
	for _, last := range ended.Val() { // or after the last follower
		lagging = lagging || topics == 0 && forum.Time(last.Score/1000)+check.LagLife > c.Engine.Now()
	}
	if !lagging {
		c.tagName(l, box.Tag(), name, topics == 0, followers.Val() == 0, written)
	}
}

// tagName compares the name of a tag with its spelling in topics; written is "" if they do not have it.
func (c *checker) tagName(l *check.Look, id forum.TagID, name *redis.StringCmd, noTopics, noFollowers bool,
	written string) {
	k := key.Tag(id)
	keep := func(name string) check.Fix {
		return check.Fix{Run: func(ctx context.Context) error { return c.repairer.NameTag(ctx, id, name) }}
	}
	other := check.Is(name) && texts.TagID(texts.Fold(name.Val())) != id
	switch {
	case noTopics && noFollowers && check.Is(name):
		l.Add(RuleTagName, k, keep(""), "%q is the name of a tag without topics or followers", name.Val())
	case noTopics && other:
		l.Add(RuleTagName, k, check.Fix{}, "%q is another tag", name.Val())
	case noTopics, written == "": // a finding of the followers' edges, or of strays
	case !check.Is(name):
		l.Add(RuleTagName, k, keep(written), "has no name; topics have %q", written)
	case other:
		l.Add(RuleTagName, k, check.Set(k, "name", written), "%q is another tag; topics have %q", name.Val(), written)
	}
}
