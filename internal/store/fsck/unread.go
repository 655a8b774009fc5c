package fsck

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// This file checks the data from which unread comments are counted: the topics' records of their
// comments, and users' marks.

// checkUnread compares a topic's records of tombstones and authors with its comments. Each is one
// finding with one repair, because data of earlier versions have neither.
func (c *checker) checkUnread(t thread) {
	tombstones, authors := map[string]float64{}, map[string]float64{}
	for _, m := range t.known {
		if m.gone {
			tombstones[key.Itoa(m.id)] = float64(m.number)
		} else {
			authors[record.Authored(m.author, int64(m.number))] = 0
		}
	}
	c.checkWhole(t, RuleTopicTombstones, key.Tombstones(t.id), t.tombstones, tombstones)
	c.checkWhole(t, RuleTopicAuthors, key.Authors(t.id), t.authors, authors)
}

// checkWhole compares a set of a topic with its expected members.
func (c *checker) checkWhole(t thread, rule Rule, key string, has []redis.Z, want map[string]float64) {
	missing, odd := len(want), 0
	for _, z := range has {
		score, ok := want[z.Member.(string)]
		switch {
		case !ok:
			odd++
		case score == z.Score:
			missing--
		}
	}
	if missing == 0 && odd == 0 {
		return
	}
	write := fix{watch: []string{t.key(), key}, do: func(ctx context.Context, pipe redis.Pipeliner) {
		pipe.Del(ctx, key)
		all := make([]redis.Z, 0, len(want))
		for m, score := range want {
			all = append(all, redis.Z{Score: score, Member: m})
		}
		for part := range slices.Chunk(all, readSize) {
			pipe.ZAdd(ctx, key, part...)
		}
	}}
	c.add(t.on(), rule, key, write, "%d of %d comments are missing or wrong, and %d entries are extra",
		missing, len(want), odd)
}

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
