package fsck

import (
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
)

// RuleConsumer: a consumer of changes has handled none that is yet to come. Repair removes it; who serves it adds it again,
// and it begins with a walk.
const RuleConsumer Rule = "consumer"

// RuleAside: a consumer of changes has set aside as many objects as it says, and tries again while there are any.
// Repair counts them, and makes them due.
const RuleAside Rule = "consumer-aside"

// feed checks the keys of the changes in a slot. Without a consumer there is neither a feed nor anything set aside.
func (l *look) feed(known catalogue.Key) {
	k := l.on.key
	consumers := key.Consumers(key.SlotPrefix(k))
	hash := l.hash(consumers)
	l.wait()
	f := record.Fields(hash.Val())
	switch {
	case len(f) == 0 && k == consumers: // they have left since
	case k == consumers:
		l.consumers(f)
	case known.Text != "" && f[known.Text] == "", len(f) == 0:
		l.add(RuleOrphanKey, k, remove(k).given(consumers), "nobody follows these changes")
	}
}

// consumers checks who follows the changes in a slot.
func (l *look) consumers(f record.Fields) {
	k, last := l.on.key, record.Atoi(f["seq"])
	rows, asides := map[string]*redis.StringCmd{}, map[string]*redis.IntCmd{}
	for name := range f {
		if strings.Contains(name, ":") {
			rows[name], asides[name] = l.field(k, name), l.next().HLen(l.ctx, key.Aside(key.SlotPrefix(k), name))
		}
	}
	l.wait()
	for name, row := range rows {
		is, ok := catalogue.ConsumerRow.Parse(row.Val())
		aside := asides[name].Val()
		switch {
		case pipeline.IsNil(row.Err()): // it has left since
		case !ok || is.Int("position") < 0 || is.Int("position") > last:
			l.add(RuleConsumer, k, command("hdel", k, name), "%s is at %q of %d changes", name, row.Val(), last)
		case is.Int("aside") != aside || (is.Int("retry") > 0) != (aside > 0):
			l.add(RuleAside, k, command("hset", k, name, catalogue.ConsumerRow.Format("position", is.Int("position"),
				"token", is.Text("token"), "lease", is.Text("lease"), "seen", is.Text("seen"), "walk", is.Text("walk"),
				"retry", min(aside, 1), "aside", aside)).given(key.Aside(key.SlotPrefix(k), name)),
				"%s has set aside %d objects, and tries again at %d; there are %d", name, is.Int("aside"), is.Int("retry"), aside)
		}
	}
}
