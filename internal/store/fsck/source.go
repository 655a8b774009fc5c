package fsck

import (
	"regexp"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var sourceForm = regexp.MustCompile(`^[1-9][0-9]{0,15} src [1-9][0-9]{0,9}( [0-9a-f]+)?$`)

// source compares a record of an import with the object that it leads to. The record does not contain the type of the
// object; ids are unique across types.
func (c *checker) source(l *check.Look, p forum.Partition) {
	k := l.On.Key
	value := l.Text(k)
	l.Wait()
	if !sourceForm.MatchString(value.Val()) {
		l.Add(RuleSourceValue, k, check.Remove(k), "%q is not a record", value.Val())
		return
	}
	id, nonce, _ := record.ParseSourceRecord(value.Val())
	sources := map[string]*redis.StringCmd{}
	for _, kind := range []string{"t", "c", "u"} {
		sources[kind] = l.Field(key.PartitionPrefix(p)+kind+":"+strconv.FormatInt(id, 10), "src")
	}
	l.Wait()
	there := false
	for kind, source := range sources {
		if check.Is(source) && k == key.Source(p, kind, source.Val()) {
			return
		}
		there = there || check.Is(source)
	}
	if nonce == "" || there { // otherwise it was abandoned; the next import of the user starts again
		l.Add(RuleSourceOrphan, k, check.Remove(k), "%d was not imported under this name", id)
	}
}

// imported compares an imported object with its record. nonce is part of a user's record.
func (c *checker) imported(l *check.Look, k, kind, source, rec, nonce string) {
	name := key.Source(forum.TopicID(l.On.ID).Partition(), kind, source)
	object, _ := catalogue.ReadKey(k)
	if rec == "" {
		value := record.SourceRecord(c.Engine.Now(), object.ID, nonce)
		l.Add(RuleSourceMissing, k, check.Command("set", name, value).Given(k), "%q has no record", source)
	} else if other, _, ok := record.ParseSourceRecord(rec); ok && other != object.ID {
		l.Add(RuleSourceTwice, k, check.Fix{}, "%q is %d by its record", source,
			other) // a malformed record has a finding of its own
	}
}
