package fsck

import (
	"context"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// readWatermarks reads the last comment numbers of topics that users have marked. They never fall,
// so each is at least as high as when the mark was read.
func (c *checker) readWatermarks(ctx context.Context, views []*socialView) error {
	r := c.read(ctx)
	var after []func()
	for _, v := range views {
		v.watermarks = map[string]int64{}
		for name := range v.marks {
			if record.ValidReadMark(name) && name[0] == 't' {
				id, _ := forum.ParseID[forum.TopicID](name[1:])
				number := r.next().HGet(ctx, key.Internal(key.Topic(id)), "floor")
				after = append(after, func() { v.watermarks[name] = record.Atoi(number.Val()) })
			}
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, f := range after {
		f()
	}
	return nil
}

// checkMarks compares a user's marks with the times of marking, and with topics.
func (c *checker) checkMarks(v *socialView) {
	marks, marked := key.Marks(v.id), key.Marked(v.id)
	at := scores(v.marked)
	for name, upTo := range v.marks {
		if _, there := at[name]; !there {
			note := fix{watch: []string{marks, marked}, do: func(ctx context.Context, pipe redis.Pipeliner) {
				pipe.ZAdd(ctx, marked, redis.Z{Score: float64(c.s.Now()), Member: name})
			}}
			c.add(v.on(), RuleReadMarked, marked, note, "%q has no time of marking", name)
		}
		most := int64(c.s.Now()) + expirySlack.Milliseconds()
		if name[:min(1, len(name))] == "t" {
			most = v.watermarks[name]
		}
		if is := (record.Fields{"at": upTo}); !record.ValidReadMark(name) || !is.IsWhole("at", 0) ||
			record.Atoi(upTo) > most {
			c.add(v.on(), RuleReadMark, marks, c.unmark(v.id, name), "%q is read up to %q", name, upTo)
		}
	}
	for name := range at {
		if _, there := v.marks[name]; !there {
			c.add(v.on(), RuleReadMarked, marked, c.unmark(v.id, name), "%q is not marked", name)
		}
	}
	if n := len(v.marks); n > c.repairer.Caps().Marks {
		oldest := make([]string, 0, n-c.repairer.Caps().Marks)
		for _, z := range v.marked[:min(len(v.marked), n-c.repairer.Caps().Marks)] {
			oldest = append(oldest, z.Member.(string))
		}
		c.add(v.on(), RuleReadMarkCap, marks, c.unmark(v.id, oldest...), "%d marks; the maximum is %d", n,
			c.repairer.Caps().Marks)
	}
}

// unmark returns a fix that deletes marks of a user.
func (c *checker) unmark(id forum.UserID, names ...string) fix {
	marks, marked := key.Marks(id), key.Marked(id)
	return fix{watch: []string{marks, marked}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		for _, name := range names {
			pipe.HDel(ctx, marks, name)
			pipe.ZRem(ctx, marked, name)
		}
	}}
}
