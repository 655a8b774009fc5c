package fsck

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

var sourceForm = regexp.MustCompile(`^[1-9][0-9]{0,15} src [1-9][0-9]{0,9}( [0-9a-f]+)?$`)

// readSources reads the names under which a record's topic, comment or user was imported. The
// record does not contain the type of the object; ids are unique across types.
func readSources(r *reading, k keyView) map[string]*redis.StringCmd {
	id, _, _ := record.ParseSourceRecord(k.value.Val())
	prefix := key.PartitionPrefix(k.known.Partition)
	sources := map[string]*redis.StringCmd{}
	for _, kind := range []string{"t", "c", "u"} {
		sources[kind] = r.next().HGet(r.ctx, key.Internal(prefix+kind+":"+strconv.FormatInt(id, 10)), "src")
	}
	return sources
}

// checkSource compares a record of an import with the object that it leads to.
func (c *checker) checkSource(on target, k keyView) {
	value := k.value.Val()
	if !sourceForm.MatchString(value) {
		c.add(on, RuleSourceValue, k.name, remove(k.name), "%q is not a record", value)
		return
	}
	id, nonce, _ := record.ParseSourceRecord(value)
	there := false
	for kind, source := range k.sources {
		if source.Err() != nil {
			continue
		}
		there = true
		if k.name == key.Source(k.known.Partition, kind, source.Val()) {
			return
		}
	}
	if nonce != "" && !there { // abandoned; the next import of the user starts again
		return
	}
	c.add(on, RuleSourceOrphan, k.name, remove(k.name), "%d was not imported under this name", id)
}

// imported compares an imported object with its record. nonce is part of a user's record.
func (l *look) imported(k, kind, source, rec, nonce string) {
	name := key.Source(forum.TopicID(l.on.id).Partition(), kind, source)
	_, id, _ := strings.Cut(k, ":"+kind+":")
	if rec == "" {
		value := key.Itoa(l.s.Now()) + " " + record.SourceInput + " " + id + nonce
		write := transaction([]string{k, name}, func(ctx context.Context, pipe redis.Pipeliner) { pipe.Set(ctx, name, value, 0) })
		l.add(RuleSourceMissing, k, write, "%q has no record", source)
	} else if other, _, ok := record.ParseSourceRecord(rec); ok && strconv.FormatInt(other, 10) != id {
		l.add(RuleSourceTwice, k, fix{}, "%q is %d by its record", source, other) // a malformed record has a finding of its own
	}
}

// checkRoomSources checks the mapping of imported categories or tabs. Deleted ones may remain in
// it. last is the last id assigned.
func (c *checker) checkRoomSources(s *sectionSet, last int64) {
	for source, value := range s.imported {
		id, err := forum.ParseID[forum.CategoryID](value)
		if _, _, isPosition := strings.Cut(source, "\n"); isPosition && value == record.Placed || !isPosition && err == nil &&
			int64(id) <= last {
			continue
		}
		out := fix{watch: []string{s.sources},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.HDel(ctx, s.sources, source) }}
		c.add(catalogueSubject, RuleSectionSource, s.sources, out, "%q became %q; the last %s is %d", source, value, s.kind,
			last)
	}
}
