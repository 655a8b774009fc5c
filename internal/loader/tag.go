package loader

import (
	"context"

	"agora/internal/breadth"
	"agora/internal/forum"
)

// Tags gives tags by id; nil where no topic bears it.
func (l *Loaders) Tags(ctx context.Context, ids []forum.TagID) ([]*forum.Tag, []error) {
	if breadth.Running(ctx) {
		return l.tagHandles.named(ids), nil
	}
	return l.tags.many(ctx, ids)
}

// TagsNow reads tags by id; nil where no topic bears it.
func (l *Loaders) TagsNow(ctx context.Context, ids []forum.TagID) ([]*forum.Tag, []error) {
	found, errs := l.Tags(ctx, ids)
	if !breadth.Running(ctx) {
		return found, errs
	}
	errs = l.NeedTags(ctx, found)
	return present(found), errs
}

// TagsOf gives the tags of topics.
func (l *Loaders) TagsOf(ctx context.Context, ts []*forum.Topic) ([][]*forum.Tag, []error) {
	l.NeedTopics(ctx, ts, forum.TopicFieldTags)
	var ids []forum.TagID
	for _, t := range ts {
		ids = append(ids, t.Tags.IDs()...)
	}
	found, missed := l.Tags(ctx, ids)
	tags := make([][]*forum.Tag, len(ts))
	var errs []error
	n := 0
	for i, t := range ts {
		tags[i] = found[n : n+len(t.Tags)]
		for k, given := range t.Tags {
			errs = addError(errs, len(ts), i, at(missed, n))
			switch tag := tags[i][k]; {
			case tag == nil:
				tags[i][k] = &forum.Tag{ID: given.ID, Name: given.Name}
			case tag.Status != forum.Whole && tag.Written == "": // whole ones are shared by concurrent resolvers
				tag.Written = given.Name
				nameTag(tag)
			}
			n++
		}
	}
	return tags, errs
}

// nameTag gives a tag the name that a topic wrote, if its own is not stored yet.
func nameTag(t *forum.Tag) {
	if t.Status == forum.Absent && t.Written != "" {
		t.Status, t.Known, t.Name = forum.Named, forum.TagAll, t.Written
	}
}

// AskTags is AskTopics for tags.
func (l *Loaders) AskTags(ts []*forum.Tag, _ forum.Fields) bool { return l.tagHandles.ask(ts, 0) }

// NeedTags is NeedTopics for tags, which are always read whole.
func (l *Loaders) NeedTags(ctx context.Context, ts []*forum.Tag) []error {
	l.tagHandles.need(ctx, ts, 0)
	return failures(ts, l.tagHandles.handle)
}
