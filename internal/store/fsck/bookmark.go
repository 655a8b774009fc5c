package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// bookmarkNote is a bookmark, or what is noted of one, of a user.
type bookmarkNote struct {
	of     *socialView
	member string
	kept   bool    // there is such a bookmark
	score  float64 // positive if it is noted as hidden
}

// inspectHidden compares what is noted of users' bookmarks with the topics.
func (c *checker) inspectHidden(ctx context.Context, views []*socialView) error {
	var all []bookmarkNote
	for _, v := range views {
		if !v.active() {
			continue
		}
		noted, kept := scores(v.hidden), scores(v.rows[setBookmarks])
		for member := range kept {
			all = append(all, bookmarkNote{v, member, true, noted[member]})
		}
		for member, score := range noted {
			if _, there := kept[member]; !there {
				all = append(all, bookmarkNote{v, member, false, score})
			}
		}
	}
	for part := range slices.Chunk(all, readSize) {
		if err := c.checkHiddenBookmarks(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// checkHiddenBookmarks checks some bookmarks.
func (c *checker) checkHiddenBookmarks(ctx context.Context, all []bookmarkNote) error {
	r := c.read(ctx)
	topics, waits := make([]func() record.Fields, len(all)), make([][]*redis.IntCmd, len(all))
	for i, s := range all {
		id, err := forum.ParseID[forum.TopicID](s.member)
		if err != nil {
			continue // a malformed bookmark is another finding
		}
		e := record.Edge{From: s.of.id, Kind: record.KeepTopic, To: int64(id)}
		topics[i] = r.hmget(key.Topic(id), []string{"state", "rev"})
		waits[i] = []*redis.IntCmd{r.next().Exists(ctx, key.Task(id.Partition(), record.RetractTask(id))),
			r.next().Exists(ctx, key.Task(s.of.id.Partition(), e.Task()))}
	}
	if err := r.done(); err != nil {
		return err
	}
	for i, s := range all {
		k := key.HiddenBookmarks(s.of.id)
		repair := fix{watch: []string{k}, do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.ZRem(ctx, k, s.member) }}
		if topics[i] == nil {
			if !s.kept {
				c.add(s.of.on(), RuleBookmarkHidden, k, repair, "%q is not a topic", s.member)
			}
			continue
		}
		f := topics[i]()
		hidden := f["state"] == string(forum.TopicHidden)
		switch {
		case s.kept && hidden == (s.score > 0):
		case slices.ContainsFunc(waits[i], func(cmd *redis.IntCmd) bool { return cmd.Val() > 0 }):
			c.busy[s.of.on()] = true
		default:
			if s.kept && hidden {
				repair.do = func(ctx context.Context, pipe redis.Pipeliner) {
					pipe.ZAdd(ctx, k, redis.Z{Score: float64(f.Int("rev")), Member: s.member})
				}
			}
			c.add(s.of.on(), RuleBookmarkHidden, k, repair, "topic %s is %q, bookmarked: %t; noted at %.0f", s.member,
				f["state"], s.kept, s.score)
		}
	}
	return nil
}
