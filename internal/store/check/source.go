package check

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// RuleAuthor: the author of a topic or comment is an active or deleted user, or the ghost. Only reported.
const RuleAuthor Rule = "author"

// RuleSourceMissing: every imported object has a record, except topics deleted with their
// categories. Repair writes it.
const RuleSourceMissing Rule = "source-missing"

// RuleSourceTwice: no two objects were imported under one name. Only reported.
const RuleSourceTwice Rule = "source-twice"

// IsAuthor reports whether a user in that state may have written something.
func IsAuthor(state string) bool {
	return state == catalogue.UserActive || state == catalogue.UserDeleted
}

// IsDeleted reports whether a user in that state was deleted.
func IsDeleted(state string) bool { return state == catalogue.UserDeleted }

// Author checks the author of a post, who is in that state.
func (l *Look) Author(k string, id forum.UserID, state string) {
	if id == 0 || IsAuthor(state) {
		return
	}
	none := fmt.Sprintf("user %d does not exist", id)
	loss := Loss{Set(k, "author", 0), "the author (" + none + "); the account becomes a deleted one"}
	if id > 0 && id <= forum.MaxID {
		loss.Fix = l.Forget(id)
	}
	l.Lose(loss, RuleAuthor, k, "%s", none)
}

// Forget returns a fix that turns an account, which may be missing, into a deleted one.
func (r *Run) Forget(id forum.UserID) Fix {
	k, now := key.User(id), int64(r.Engine.Now())
	erased := append(slices.Concat(catalogue.User.Erased()), "followers", "etime", "ltime", "armed")
	return All(Unset(k, erased...), Set(k, "state", catalogue.UserDeleted, "deleted", now, "topics", 0),
		Command("hsetnx", k, "created", now), Command("hsetnx", key.Internal(k), "rev", 1))
}

// Imported compares an object with the record of its import from source, if there was one. nonce is part of a user's
// record.
func (l *Look) Imported(k, kind, source, nonce string) {
	if source == "" {
		return
	}
	object, _ := catalogue.ReadKey(k)
	name := key.Source(object.Partition, kind, source)
	text := l.Text(name)
	l.Wait()
	if text.Val() == "" {
		value := record.SourceRecord(l.Engine.Now(), object.ID, nonce)
		l.Add(RuleSourceMissing, k, Command("set", name, value).Given(k), "%q has no record", source)
	} else if other, _, ok := record.ParseSourceRecord(text.Val()); ok && other != object.ID {
		l.Lose(Loss{Unset(k, "src"), "the name under which " + k + " was imported"}, RuleSourceTwice, k,
			"%q is %d by its record", source, other)
	}
}

// SourceForm matches records of imports.
var SourceForm = regexp.MustCompile(`^[1-9][0-9]{0,15} src [1-9][0-9]{0,9}( [0-9a-f]+)?$`)

// Source compares the record of an import, the target, with the object that it leads to. The record does not contain
// the type of the object; ids are unique across types.
func (l *Look) Source(p forum.Partition) {
	k := l.On.Key
	value := l.Text(k)
	l.Wait()
	id, nonce, _ := record.ParseSourceRecord(value.Val())
	if !SourceForm.MatchString(value.Val()) {
		l.Add(RuleValue, k, Remove(k), "%q is not a record", value.Val())
		return
	}
	sources := map[string]*redis.StringCmd{}
	for _, kind := range []string{"t", "c", "u"} {
		sources[kind] = l.Field(key.PartitionPrefix(p)+kind+":"+key.Itoa(id), "src")
	}
	l.Wait()
	there := false
	for kind, source := range sources {
		if Is(source) && k == key.Source(p, kind, source.Val()) {
			return
		}
		there = there || Is(source)
	}
	if nonce == "" || there { // otherwise it was abandoned; the next import of the user starts again
		l.Add(RuleOrphanKey, k, Remove(k), "%d was not imported under this name", id)
	}
}
