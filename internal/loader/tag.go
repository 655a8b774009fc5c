package loader

import (
	"context"

	"agora/internal/forum"
)

// Tags returns handles of tags.
func (l *Loaders) Tags(ids []forum.TagID) []*Tag { return l.tagHandles.named(ids) }

// TagsNow reads tags by id; nil for a tag that no topic has.
func (l *Loaders) TagsNow(ctx context.Context, ids []forum.TagID) ([]*Tag, []error) {
	found := l.Tags(ids)
	errs := l.NeedTags(ctx, found)
	return present(found), errs
}

// TagsOf returns the tags of topics.
func (l *Loaders) TagsOf(ctx context.Context, ts []*Topic) [][]*Tag {
	l.NeedTopics(ctx, ts)
	var ids []forum.TagID
	for _, t := range ts {
		ids = append(ids, t.Tags.IDs()...)
	}
	found := l.Tags(ids)
	tags := make([][]*Tag, len(ts))
	for i, t := range ts {
		tags[i], found = found[:len(t.Tags)], found[len(t.Tags):]
		for k, written := range t.Tags {
			if tag := tags[i][k]; tag.written == "" {
				tag.written = written.Name
				nameTag(tag)
			}
		}
	}
	return tags
}

// nameTag sets the name of a tag to the one that a topic wrote, if its own is not stored yet.
func nameTag(t *Tag) {
	if t.status == statusAbsent && t.written != "" {
		t.status, t.Tag = statusWhole, &forum.Tag{ID: t.ID, Name: t.written}
	}
}
