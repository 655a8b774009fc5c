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

// tagView is a tag as read from its keys.
type tagView struct {
	box       key.Container
	name      *redis.StringCmd
	topics    int    // of the first few
	written   string // the name in these
	followers int64
}

// inspectTag compares the name of a tag with its index: the name exists as long as the index has
// topics or the tag has followers.
func (c *checker) inspectTag(ctx context.Context, box key.Container) error {
	r := c.read(ctx)
	name := r.next().HGet(ctx, key.Tag(box.Tag()), "name")
	members := r.next().ZRange(ctx, box.Order(key.OrderCreated), 0, nameTopics-1)
	followers := r.next().ZCard(ctx, box.Followers())
	removed := r.next().ZRevRangeWithScores(ctx, box.Removed(), 0, 0)
	ended := r.next().ZRevRangeWithScores(ctx, key.Ended(box.Followers()), 0, 0)
	if err := r.done(); err != nil {
		return err
	}
	states := make([]func() record.TopicState, len(members.Val()))
	marks := make([]*redis.FloatCmd, len(members.Val()))
	for i, ref := range memberRefs(box, members.Val()) {
		id := forum.TopicID(ref.id)
		states[i] = record.GetTopicState(ctx, r.next(), id)
		marks[i] = r.next().ZScore(ctx, key.Dirty(id.Partition()), "t:"+key.Itoa(id))
	}
	if err := r.done(); err != nil {
		return err
	}
	written, lagging := "", false
	for i := range states {
		for _, tag := range states[i]().Tags {
			if tag.ID == box.Tag() && written == "" {
				written = tag.Name
			}
		}
		lagging = lagging || c.young(marks[i])
	}
	for _, last := range removed.Val() { // the name is deleted after the last topic
		lagging = lagging || len(states) == 0 && forum.Time(last.Score)+lagLife > c.s.Now()
	}
	for _, last := range ended.Val() { // or after the last follower
		lagging = lagging || len(states) == 0 && forum.Time(last.Score/1000)+lagLife > c.s.Now()
	}
	if !lagging {
		c.checkTagName(&tagView{box, name, len(states), written, followers.Val()})
	}
	return nil
}

// checkTagName compares the name of a tag with its spelling in topics. The name follows the index,
// which follows the topics, so the caller skips tags with pending writes.
func (c *checker) checkTagName(t *tagView) {
	on, key, name := target{kind: onContainer, key: string(t.box)}, key.Tag(t.box.Tag()), t.name
	keep := func(name string) fix {
		return fix{run: func(ctx context.Context) error {
			return c.repairer.NameTag(ctx, t.box.Tag(), name)
		}}
	}
	other := name.Err() == nil && texts.TagID(texts.Fold(name.Val())) != t.box.Tag()
	switch {
	case t.topics == 0 && t.followers == 0 && name.Err() == nil:
		c.add(on, RuleTagName, key, keep(""), "%q is the name of a tag without topics or followers", name.Val())
	case t.topics == 0 && other:
		c.add(on, RuleTagName, key, fix{}, "%q is another tag", name.Val())
	case t.topics == 0, t.written == "": // a finding of the followers' edges, or of strays
	case name.Err() != nil:
		c.add(on, RuleTagName, key, keep(t.written), "has no name; topics have %q", t.written)
	case other:
		c.add(on, RuleTagName, key, set(key, "name", t.written), "%q is another tag; topics have %q", name.Val(),
			t.written)
	}
}
