package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// waitingView is what a comment that is held is compared with.
type waitingView struct {
	topic record.Fields
	place *redis.FloatCmd // among the held comments of its topic
	task  *redis.IntCmd   // the task that follows the topic's deletion
}

// readWaiting queues what a comment is compared with, if it is held.
func readWaiting(ctx context.Context, r *reading, id forum.CommentID, topic forum.TopicID) waitingView {
	return waitingView{place: r.next().ZScore(ctx, key.HeldComments(topic), key.Itoa(id)),
		task: r.next().Exists(ctx, key.Task(topic.Partition(), record.RetractTask(topic)))}
}

// checkWaiting checks that a comment that is held is among those of its topic, and that the topic was not deleted. The
// reverse is checked with the topic. The comment may have been erased.
func (c *checker) checkWaiting(id forum.CommentID, f record.Fields, v waitingView) {
	on, of := target{kind: onComment, id: int64(id)}, forum.TopicID(f.Int("topic"))
	k, erased := key.HeldComments(of), f["deleted"] != ""
	switch {
	case erased:
	case v.topic["state"] == string(forum.TopicDeleted):
		if v.task.Val() == 0 {
			erase := fix{run: func(ctx context.Context) error { return c.repairer.EraseHeld(ctx, id) }}
			c.add(on, RuleHeld, key.Comment(id), erase, "is held on topic %d, which is deleted", of)
		}
	case v.place.Err() != nil:
		enter := fix{watch: []string{key.Comment(id), k}, do: func(ctx context.Context, pipe redis.Pipeliner) {
			pipe.ZAdd(ctx, k, redis.Z{Score: float64(f.Time("created")), Member: key.Itoa(id)})
		}}
		c.add(on, RuleHeld, k, enter, "comment %d is held, but not listed", id)
	}
}

// readHeld reads the comments that topics list as held.
func (c *checker) readHeld(ctx context.Context, topics []*topicView) error {
	r := c.read(ctx)
	for _, t := range topics {
		for _, z := range t.held {
			id, _ := forum.ParseID[forum.CommentID](z.Member.(string)) // 0, which is no comment, if malformed
			t.waiting = append(t.waiting, r.hmget(key.Comment(id), []string{"topic", "state", "deleted"}))
		}
	}
	return r.done()
}

// checkHeld checks that the comments that a topic lists as held are.
func (c *checker) checkHeld(t *topicView) {
	k := key.HeldComments(t.id)
	for i, z := range t.held {
		name := z.Member.(string)
		f := t.waiting[i]()
		if f["topic"] == key.Itoa(t.id) && f["state"] == string(forum.CommentHeld) && f["deleted"] == "" {
			continue
		}
		out := fix{watch: []string{t.key(), k},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, k, name) }}
		c.add(t.on(), RuleHeld, k, out, "%q is not a held comment of this topic", name)
	}
}
