package fsck

import (
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// feed checks the keys of the changes in a slot. Without a consumer there is neither a feed nor anything set aside.
func (c *checker) feed(l *check.Look, known catalogue.Key) {
	k := l.On.Key
	consumers := key.Consumers(key.SlotPrefix(k))
	hash := l.Hash(consumers)
	l.Wait()
	f := record.Fields(hash.Val())
	switch {
	case len(f) == 0 && k == consumers: // they have left since
	case k == consumers:
		c.consumers(l, f)
	case known.Text != "" && f[known.Text] == "", len(f) == 0:
		l.Add(check.RuleOrphanKey, k, check.Remove(k).Given(consumers), "nobody follows these changes")
	}
}

// consumers checks who follows the changes in a slot.
func (c *checker) consumers(l *check.Look, f record.Fields) {
	k, last := l.On.Key, record.Atoi(f["seq"])
	rows, asides := map[string]*redis.StringCmd{}, map[string]*redis.IntCmd{}
	for name := range f {
		if strings.Contains(name, ":") {
			rows[name], asides[name] = l.Field(k, name), l.Next().HLen(l.Ctx, key.Aside(key.SlotPrefix(k), name))
		}
	}
	l.Wait()
	for name, row := range rows {
		is, ok := catalogue.ConsumerRow.Parse(row.Val())
		aside := asides[name].Val()
		switch {
		case pipeline.IsNil(row.Err()): // it has left since
		case !ok || is.Int("position") < 0 || is.Int("position") > last:
			l.Add(RuleConsumer, k, check.Command("hdel", k, name), "%s is at %q of %d changes", name, row.Val(), last)
		case is.Int("aside") != aside || (is.Int("retry") > 0) != (aside > 0):
			l.Add(RuleAside, k,
				check.Command("hset", k, name, catalogue.ConsumerRow.Format("position", is.Int("position"),
					"token", is.Text("token"), "lease", is.Text("lease"), "seen", is.Text("seen"), "walk", is.Text("walk"),
					"retry", min(aside, 1), "aside", aside)).Given(key.Aside(key.SlotPrefix(k), name)),
				"%s has set aside %d objects, and tries again at %d; there are %d", name, is.Int("aside"), is.Int("retry"), aside)
		}
	}
}
