package fsck

import (
	"strings"

	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// RuleConsumer: a consumer of changes has handled none that is yet to come. Repair removes it; who serves it adds it again,
// and it begins with a walk.
const RuleConsumer Rule = "consumer"

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
	last := record.Atoi(f["seq"])
	for name, row := range f {
		if !strings.Contains(name, ":") {
			continue
		}
		if is, ok := catalogue.ConsumerRow.Parse(row); !ok || is.Int("position") < 0 || is.Int("position") > last {
			l.add(RuleConsumer, l.on.key, command("hdel", l.on.key, name), "%s is at %q of %d changes", name, row, last)
		}
	}
}
