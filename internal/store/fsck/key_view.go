package fsck

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// key checks a key on its own: pattern, type, expiry, and, if it belongs to no larger object, value and owner.
func (c *checker) key(l *check.Look) {
	k := l.On.Key
	known, ok := catalogue.ReadKey(k)
	typ, ttl := l.Next().Type(l.Ctx, k), l.Next().PTTL(l.Ctx, k)
	var fields *redis.StringSliceCmd // of an object
	if catalogue.HasInternal(strings.TrimSuffix(k, key.Internal(""))) {
		fields = l.Next().HKeys(l.Ctx, k)
	}
	l.Wait()
	loss := check.Loss{Fix: check.Remove(k), What: "the key " + k}
	switch {
	case typ.Val() == "none": // it expired since
		return
	case !ok && c.opts.OtherKeys && !catalogue.Ours(k):
		return
	case !ok && catalogue.Ours(k):
		l.Lose(loss, RuleUnknownKey, k, "does not match any known kind of key")
		return
	case !ok:
		l.Add(RuleUnknownKey, k, check.Fix{}, "does not match any known kind of key")
		return
	case catalogue.Type(typ.Val()) != known.Type:
		l.Lose(loss, RuleKeyType, k, "is a %s, not a %s", typ.Val(), known.Type)
		return
	}
	if fields != nil {
		for _, name := range catalogue.Strays(k, fields.Val()) {
			loss := check.Loss{Fix: check.Command("hdel", k, name), What: fmt.Sprintf("the field %q of %s", name, k)}
			l.Lose(loss, RuleField, k, "has a field %q, which it cannot have", name)
		}
	}
	if ends, fixed := c.ends(l, known); fixed {
		c.fixedExpiry(l, ends)
	} else {
		c.expiry(l, known, ttl.Val())
	}
	c.keyValue(l, known)
}

// keyValue checks the value and the owner of a key.
func (c *checker) keyValue(l *check.Look, known catalogue.Key) {
	switch known.Object {
	case catalogue.OfIdem:
		c.idem(l, known)
	case catalogue.OfClick:
		if l.Fetch(key.Topic(forum.TopicID(known.ID)), "state")["state"] == "" {
			l.Add(check.RuleOrphanKey, l.On.Key, check.Remove(l.On.Key), "there is no topic %d", known.ID)
		}
	case catalogue.OfSource:
		l.Source(known.Partition)
	case catalogue.OfSnapshot:
		c.snapshot(l, known)
	case catalogue.OfRanking:
		c.ranking(l)
	case catalogue.OfChanges:
		c.changes(l, known)
	case catalogue.OfFeed:
		c.feed(l, known)
	case catalogue.OfRemoved:
		c.fences(l)
	default:
		l.Key(known)
	}
}

// expiry checks the expiry of a key of a kind.
func (c *checker) expiry(l *check.Look, known catalogue.Key, ttl time.Duration) {
	k, life := l.On.Key, known.Life
	expire := check.Command("pexpire", k, life.Milliseconds())
	switch {
	case ttl == -2: // expired since
	case ttl == -1 && known.Object == catalogue.OfTagBookkeeping: // a topic has the tag
	case ttl == -1 && life != 0:
		l.Add(RuleExpiryMissing, k, expire, "has no expiry")
	case ttl >= 0 && life == 0:
		if !c.rests(l, known) { // otherwise until the login is available
			l.Add(RuleExpiryUnexpected, k, check.Command("persist", k), "must not have an expiry")
		}
	case ttl > life+check.ExpirySlack:
		l.Add(RuleExpiryLong, k, expire, "lives longer than %s", life)
	}
}

// rests reports whether the key is the claim of the login of a deleted account, or of a former login, reserved for
// LoginRest.
func (c *checker) rests(l *check.Look, known catalogue.Key) bool {
	if known.Object != catalogue.OfClaim || !record.RestingClaim(l.On.Key) {
		return false
	}
	value := l.Text(l.On.Key)
	l.Wait()
	_, is := record.ParseRest(value.Val())
	return is
}

var (
	idemRecord     = regexp.MustCompile(`^[1-9][0-9]{0,15} [0-9a-f]{32} (0|[1-9][0-9]{0,9})$`)
	idemRegistered = regexp.MustCompile(`^[1-9][0-9]{0,15} [0-9a-f]{32} [1-9][0-9]{0,9} [0-9a-f]+$`)
)

// idem checks an idempotency record.
func (c *checker) idem(l *check.Look, known catalogue.Key) {
	k, form := l.On.Key, idemRecord
	if known.ID == 0 {
		form = idemRegistered
	}
	value, state := l.Text(k), l.Field(key.User(forum.UserID(known.ID)), "state")
	l.Wait()
	switch {
	case !check.Is(value): // expired since
	case !form.MatchString(value.Val()):
		l.Add(check.RuleValue, k, check.Remove(k), "%q is not a record", value.Val())
	case known.ID != 0 && !check.IsAuthor(state.Val()):
		l.Add(check.RuleOrphanKey, k, check.Remove(k), "user %d does not exist", known.ID)
	}
}

// layout compares the layout with this program's.
func (c *checker) layout(l *check.Look) {
	hash := l.Hash(key.Layout)
	l.Wait()
	f := record.Fields(hash.Val())
	need := func(name string, ok bool) { l.Need(check.Loss{}, RuleLayout, key.Layout, f, name, ok) }
	_, err := forum.LoadZone(f["timeZone"])
	need("version", f.Int("version") == record.LayoutVersion)
	need("partitions", f["partitions"] == strconv.Itoa(forum.Partitions))
	need("created", f.IsWhole("created", 1))
	need("timeZone", err == nil)
}
