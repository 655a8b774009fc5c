package index

import (
	"context"

	"github.com/redis/go-redis/v9"

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
	// Again makes the list of tags be written again, although nothing has changed.
	Again bool
	cmd   *redis.Cmd
}

// Queue queues the work that follows the write of the tag's index. What it returns returns the tag's entry in the list
// of tags, which is to be written next.
func (t *Tag) Queue(ctx context.Context, b *pipeline.Batch, now forum.Time) func() (Name, error) {
	c := key.TagContainer(t.ID)
	t.cmd = b.Run(ctx, script.TagName{
		Tag: key.Tag(t.ID), Order: c.Order(key.OrderCreated), Revisions: c.Revisions(),
		Removed: c.Removed(), Followers: c.Followers(),
		Name: t.Name, Expires: record.ExpireAt(now + forum.Time(forum.RemovalLife.Milliseconds())),
		Micros: 1000 * int64(now), Again: t.Again,
	})
	return func() (Name, error) { return tagName(t.ID, t.cmd) }
}
