package fsck

import (
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// hiddenItem compares a topic or comment with its entry in the list of hidden items. hidden is when it was hidden; 0 if
// it was not.
func (c *checker) hiddenItem(l *check.Look, k, member string, hidden forum.Time, listed *redis.FloatCmd) {
	id, err := forum.ParseID[forum.TopicID](member[2:])
	if err != nil {
		return
	}
	want := ""
	if hidden != 0 {
		want = record.FormatScore(float64(hidden))
	}
	l.WantMember(RuleHidden, key.Hidden(id.Partition()), member, listed, want, k)
}

// hiddenEntry checks that a hidden item that a partition lists exists; if so, it is compared with the list elsewhere.
func (c *checker) hiddenEntry(l *check.Look) {
	p, name := forum.Partition(l.On.ID), l.On.Text
	list := key.Hidden(p)
	kind, number, _ := strings.Cut(name, ":")
	id, err := forum.ParseID[forum.TopicID](number)
	k := key.PartitionPrefix(p) + name // of what the item stands for
	if kind == "e" {
		var on forum.Subject
		if on, err = record.ParseActSubject(number); err == nil {
			id, k = forum.TopicID(max(int64(on.Topic), int64(on.Comment), int64(on.User))), key.Evidence(on)
		}
	}
	found, listed := l.Exists(k), l.Score(list, name)
	l.Wait()
	sound := (kind == "t" || kind == "c" || kind == "e") && err == nil && id.Partition() == p && found.Val() == 1
	if !sound && check.Is(listed) {
		l.Add(RuleHidden, list, check.Drop(list, name), "%q names nothing of the partition that is kept", name)
	}
}
