package fsck

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// tags checks the tags of a topic.
func (l *look) tags(t *topicView) {
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
		l.add(RuleTagFields, t.key(), l.amend(t, "tags", want, "leftTags", left), "tags are %q; want %q", has, want)
	}
	if len(tags) > forum.MaxTopicTags {
		l.add(RuleTagCap, t.key(), fix{}, "%d tags; the maximum is %d", len(tags), forum.MaxTopicTags)
	}
}

// nameTopics is how many of a tag's topics are read for its name.
const nameTopics = 10

// tagIndex compares the name of a tag with its index: the name exists as long as the index has topics or the tag has
// followers. The name follows the index, which follows the topics, so a tag with pending writes is skipped.
func (l *look) tagIndex(box key.Container) {
	l.tag = box.Tag()
	name, followers := l.field(key.Tag(box.Tag()), "name"), l.size(box.Followers())
	members := l.next().ZRange(l.ctx, box.Order(key.OrderCreated), 0, nameTopics-1)
	removed := l.next().ZRevRangeWithScores(l.ctx, box.Removed(), 0, 0)
	ended := l.next().ZRevRangeWithScores(l.ctx, key.Ended(box.Followers()), 0, 0)
	l.wait()
	topics := len(members.Val())
	states, marks := make([]func() record.TopicState, topics), make([]*redis.FloatCmd, topics)
	for i, m := range members.Val() {
		n, _, _ := record.ParseMember(m) // 0, which is not a topic, if malformed
		id := forum.TopicID(n)
		states[i] = record.GetTopicState(l.ctx, l.next(), id)
		marks[i] = l.score(key.Dirty(id.Partition()), "t:"+key.Itoa(id))
	}
	l.wait()
	written, lagging := "", slices.ContainsFunc(marks, l.young)
	for _, state := range states {
		for _, tag := range state().Tags {
			if tag.ID == box.Tag() && written == "" {
				written = tag.Name
			}
		}
	}
	for _, last := range removed.Val() { // the name is deleted after the last topic
		lagging = lagging || topics == 0 && forum.Time(last.Score)+lagLife > l.s.Engine.Now()
	}
	for _, last := range ended.Val() { // or after the last follower
		lagging = lagging || topics == 0 && forum.Time(last.Score/1000)+lagLife > l.s.Engine.Now()
	}
	if !lagging {
		l.tagName(box.Tag(), name, topics == 0, followers.Val() == 0, written)
	}
}

// tagName compares the name of a tag with its spelling in topics; written is "" if they do not have it.
func (l *look) tagName(id forum.TagID, name *redis.StringCmd, noTopics, noFollowers bool, written string) {
	k := key.Tag(id)
	keep := func(name string) fix {
		return fix{run: func(ctx context.Context) error { return l.repairer.NameTag(ctx, id, name) }}
	}
	other := is(name) && texts.TagID(texts.Fold(name.Val())) != id
	switch {
	case noTopics && noFollowers && is(name):
		l.add(RuleTagName, k, keep(""), "%q is the name of a tag without topics or followers", name.Val())
	case noTopics && other:
		l.add(RuleTagName, k, fix{}, "%q is another tag", name.Val())
	case noTopics, written == "": // a finding of the followers' edges, or of strays
	case !is(name):
		l.add(RuleTagName, k, keep(written), "has no name; topics have %q", written)
	case other:
		l.add(RuleTagName, k, set(k, "name", written), "%q is another tag; topics have %q", name.Val(), written)
	}
}
