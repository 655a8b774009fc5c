package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/kind"
	"agora/internal/store/internal/record"
)

// This file checks fences: per partition and hour, the deleted topics and outdated states of topics
// that homes must refuse.

// queueFences reads the topics that fences name, each once. The fences were read earlier, so a
// topic's revision is no lower than they state.
func queueFences(r *reading, keys []keyView) map[string]func() record.Fields {
	topics := map[string]func() record.Fields{}
	for _, k := range keys {
		if k.known.Object != kind.OfRemoved {
			continue
		}
		for name := range k.fences.Val() {
			if id, err := forum.ParseID[forum.TopicID](name); err == nil && topics[name] == nil {
				topics[name] = r.hmget(key.Topic(id), []string{"state", "rev"})
			}
		}
	}
	return topics
}

// checkFences checks the fences of a partition.
func (c *checker) checkFences(on target, k keyView) {
	for name, least := range k.fences.Val() {
		t := record.Fields{}
		if get := k.fenced[name]; get != nil {
			t = get()
		}
		if least == "d" && t["state"] == string(forum.TopicDeleted) {
			continue
		}
		if f := (record.Fields{"least": least}); f.IsWhole("least", 1) && f.Int("least") <= t.Int("rev") {
			continue
		}
		out := fix{watch: []string{k.name},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, k.name, name) }}
		c.add(on, RuleHomeFence, k.name, out, "%q of topic %q, which is %q at revision %q", least, name, t["state"], t["rev"])
	}
}
