package fsck

import (
	"regexp"
	"strconv"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var sourceForm = regexp.MustCompile(`^[1-9][0-9]{0,15} src [1-9][0-9]{0,9}( [0-9a-f]+)?$`)

// source compares a record of an import with the object that it leads to. The record does not contain the type of the
// object; ids are unique across types.
func (l *look) source(p forum.Partition) {
	k := l.on.key
	value := l.text(k)
	l.wait()
	if !sourceForm.MatchString(value.Val()) {
		l.add(RuleSourceValue, k, remove(k), "%q is not a record", value.Val())
		return
	}
	id, nonce, _ := record.ParseSourceRecord(value.Val())
	sources := map[string]*redis.StringCmd{}
	for _, kind := range []string{"t", "c", "u"} {
		sources[kind] = l.field(key.PartitionPrefix(p)+kind+":"+strconv.FormatInt(id, 10), "src")
	}
	l.wait()
	there := false
	for kind, source := range sources {
		if is(source) && k == key.Source(p, kind, source.Val()) {
			return
		}
		there = there || is(source)
	}
	if nonce == "" || there { // otherwise it was abandoned; the next import of the user starts again
		l.add(RuleSourceOrphan, k, remove(k), "%d was not imported under this name", id)
	}
}

// imported compares an imported object with its record. nonce is part of a user's record.
func (l *look) imported(k, kind, source, rec, nonce string) {
	name := key.Source(forum.TopicID(l.on.id).Partition(), kind, source)
	object, _ := catalogue.ReadKey(k)
	if rec == "" {
		value := record.SourceRecord(l.s.Engine.Now(), object.ID, nonce)
		l.add(RuleSourceMissing, k, command("set", name, value).given(k), "%q has no record", source)
	} else if other, _, ok := record.ParseSourceRecord(rec); ok && other != object.ID {
		l.add(RuleSourceTwice, k, fix{}, "%q is %d by its record", source, other) // a malformed record has a finding of its own
	}
}
