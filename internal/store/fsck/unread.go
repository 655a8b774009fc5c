package fsck

import (
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// marks compares a user's read marks with the times of marking, and with topics. The last comment numbers of topics
// never fall, so each is at least as high as when the mark was read.
func (l *look) marks(id forum.UserID, marks map[string]string, times []redis.Z) {
	k, marked, at := key.Marks(id), key.Marked(id), scores(times)
	each(l, slices.Collect(maps.Keys(marks)), func(l *look, name string) {
		upTo := marks[name]
		if _, there := at[name]; !there {
			l.add(RuleReadMarked, marked, put(marked, name, float64(l.s.Engine.Now())).given(k),
				"%q has no time of marking", name)
		}
		most, valid := int64(l.s.Engine.Now())+expirySlack.Milliseconds(), record.ValidReadMark(name)
		if valid && name[0] == 't' {
			topic, _ := forum.ParseID[forum.TopicID](name[1:])
			most = record.Atoi(l.fetch(key.Topic(topic), "floor")["floor"]) // 0 if the topic does not exist
		}
		if f := (record.Fields{"at": upTo}); !valid || !f.IsWhole("at", 0) || record.Atoi(upTo) > most {
			l.add(RuleReadMark, k, unmark(id, name), "%q is read up to %q", name, upTo)
		}
	})
	for name := range at {
		if _, there := marks[name]; !there {
			l.add(RuleReadMarked, marked, unmark(id, name), "%q is not marked", name)
		}
	}
	if most := l.repairer.Caps().Marks; len(marks) > most {
		var oldest []string
		for _, z := range times[:min(len(times), len(marks)-most)] {
			oldest = append(oldest, z.Member.(string))
		}
		l.add(RuleReadMarkCap, k, unmark(id, oldest...), "%d marks; the maximum is %d", len(marks), most)
	}
}

// unmark returns a fix that deletes marks of a user.
func unmark(id forum.UserID, names ...string) fix {
	return all(unset(key.Marks(id), names...), drop(key.Marked(id), names...))
}
