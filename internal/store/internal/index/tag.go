package index

import (
	"context"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Tag is a tag whose index was written, with its name if it was added to a topic.
type Tag struct {
	ID   forum.TagID
	Name string
}

// Queue queues the work that follows the write of the tag's index.
func (t Tag) Queue(ctx context.Context, b *pipeline.Batch, now forum.Time) {
	c := key.TagContainer(t.ID)
	b.Run(ctx, script.TagName{
		Tag: key.Tag(t.ID), Order: c.Order(key.OrderCreated), Revisions: c.Revisions(),
		Removed: c.Removed(), Followers: c.Followers(),
		Name: t.Name, Expires: record.ExpireAt(now + forum.Time(forum.RemovalLife.Milliseconds())),
	})
}
