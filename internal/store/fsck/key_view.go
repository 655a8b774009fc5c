package fsck

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/kind"
	"agora/internal/store/internal/record"
)

// expirySlack is how far Redis's clock and the store's may differ before an expiry counts as too
// long.
const expirySlack = time.Minute

// keyView is a key that is checked on its own.
type keyView struct {
	name  string
	known kind.Key
	ok    bool
	typ   *redis.StatusCmd
	ttl   *redis.DurationCmd
	at    *redis.DurationCmd // when it expires, since 1970
	value *redis.StringCmd
	owner func() record.Fields
	// fields are the names of the fields of an object; nil for other keys.
	fields *redis.StringSliceCmd
	// release are the claims that the holder is about to release.
	release *redis.StringSliceCmd
	// sources are the names under which the object of a record was imported, by kind.
	sources map[string]*redis.StringCmd
	// length is the length of a ranking's list.
	length *redis.IntCmd
	// changes are those to a topic's comments.
	changes *redis.ZSliceCmd
	// history is that to which the key belongs; nil for other keys.
	history *historyView
	// fences are a key's fences. fenced are the topics that they name.
	fences *redis.MapStringStringCmd
	fenced map[string]func() record.Fields
}

// inspectKeys checks keys one by one: pattern, type, expiry, and, for those that belong to no
// larger object, value and owner.
func (c *checker) inspectKeys(ctx context.Context, names []string) error {
	r := c.read(ctx)
	keys := make([]keyView, len(names))
	for i, name := range names {
		k := keyView{name: name}
		k.known, k.ok = kind.Read(name)
		k.typ, k.ttl = r.next().Type(ctx, name), r.next().PTTL(ctx, name)
		k.history = queueHistory(ctx, r, name, k.known)
		k.fields = queueFields(ctx, r, name)
		switch k.known.Object {
		case kind.OfClaim, kind.OfIdem, kind.OfSource, kind.OfSnapshot:
			k.value = r.next().Get(ctx, name)
		case kind.OfRanking:
			k.value = r.next().Get(ctx, name)
			k.length = r.next().ZCard(ctx, rankedList(name))
		case kind.OfChanges: // before the topic, whose last change is no older
			k.changes = r.next().ZRangeWithScores(ctx, name, 0, -1)
			k.owner = r.hmget(key.Topic(forum.TopicID(k.known.ID)), []string{"changed"})
		case kind.OfVoters:
			k.at = r.next().PExpireTime(ctx, name)
			k.owner = r.hmget(key.Topic(forum.TopicID(k.known.ID)), []string{"kind", "created"})
		case kind.OfDay:
			k.at = r.next().PExpireTime(ctx, name)
		case kind.OfRemoved:
			k.at, k.fences = r.next().PExpireTime(ctx, name), r.next().HGetAll(ctx, name)
		}
		keys[i] = k
	}
	if err := r.done(); err != nil {
		return err
	}
	r = c.read(ctx)
	fenced := queueFences(r, keys)
	for i, k := range keys {
		switch k.known.Object {
		case kind.OfRemoved:
			keys[i].fenced = fenced
		case kind.OfClaim:
			holder, _ := record.ParseClaim(k.value.Val())
			keys[i].owner = r.hmget(key.User(holder), claimOwnerFields)
			keys[i].release = r.next().SMembers(ctx, key.Release(holder))
		case kind.OfIdem:
			keys[i].owner = r.hmget(key.User(forum.UserID(k.known.ID)), []string{"state"})
		case kind.OfClick:
			keys[i].owner = r.hmget(key.Topic(forum.TopicID(k.known.ID)), []string{"state"})
		case kind.OfSource:
			keys[i].sources = readSources(r, k)
		}
	}
	if err := r.done(); err != nil {
		return err
	}
	for _, k := range keys {
		if k.typ.Val() != "none" { // it expired since
			c.checkKey(k)
		}
	}
	return nil
}

// queueFields queues a read of the names of the fields of an object; nil for other keys.
func queueFields(ctx context.Context, r *reading, name string) *redis.StringSliceCmd {
	if !catalogue.HasInternal(strings.TrimSuffix(name, key.Internal(""))) {
		return nil
	}
	return r.next().HKeys(ctx, name)
}

func (c *checker) checkKey(k keyView) {
	on := target{kind: onKey, key: k.name}
	if !k.ok && c.opts.OtherKeys && !kind.Ours(k.name) {
		return
	}
	if !k.ok {
		c.add(on, RuleUnknownKey, k.name, fix{}, "does not match any known kind of key")
		return
	}
	if kind.Type(k.typ.Val()) != k.known.Type {
		c.add(on, RuleKeyType, k.name, fix{}, "is a %s, not a %s", k.typ.Val(), k.known.Type)
		return
	}
	if ends, ok := c.ends(k); ok {
		c.checkEnd(on, k, ends)
	} else {
		c.checkExpiry(on, k)
	}
	if k.history != nil {
		c.checkHistory(on, k.history)
	}
	if k.fields != nil {
		for _, name := range catalogue.Strays(k.name, k.fields.Val()) {
			c.add(on, RuleField, k.name, fix{}, "has a field %q, which it cannot have", name)
		}
	}
	switch k.known.Object {
	case kind.OfClaim:
		c.checkClaim(on, k)
	case kind.OfIdem:
		c.checkIdem(on, k)
	case kind.OfClick:
		if k.owner()["state"] == "" {
			c.add(on, RuleClickOwner, k.name, remove(k.name), "there is no topic %d", k.known.ID)
		}
	case kind.OfSource:
		c.checkSource(on, k)
	case kind.OfSnapshot:
		c.checkSnapshot(on, k)
	case kind.OfRanking:
		c.checkRanking(on, k)
	case kind.OfChanges:
		c.checkChanges(on, k)
	case kind.OfRemoved:
		c.checkFences(on, k)
	}
}

func (c *checker) checkExpiry(on target, k keyView) {
	ttl, life := k.ttl.Val(), k.known.Life
	expire := fix{watch: []string{k.name},
		do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.PExpire(ctx, k.name, life) }}
	switch {
	case ttl == -2: // expired since
	case ttl == -1 && k.known.Object == kind.OfTagBook: // a topic has the tag
	case ttl == -1 && life != 0:
		c.add(on, RuleExpiryMissing, k.name, expire, "has no expiry")
	case ttl >= 0 && life == 0 && rests(k): // until the login is available
	case ttl >= 0 && life == 0:
		persist := fix{watch: []string{k.name},
			do: func(ctx context.Context, pipe redis.Pipeliner) { pipe.Persist(ctx, k.name) }}
		c.add(on, RuleExpiryUnexpected, k.name, persist, "must not have an expiry")
	case ttl > life+expirySlack:
		c.add(on, RuleExpiryLong, k.name, expire, "lives longer than %s", life)
	}
}

// claimOwnerFields are the fields with which a claim is compared.
var claimOwnerFields = []string{"state", "since", "nonce", "loginClaim", "lookClaims", "emailNonce", "emailClaim",
	"newEmailNonce", "newEmailClaim", "newEmailSince", "loginNonce", "newLoginNonce", "newLoginClaims", "newLoginSince"}

// rests reports whether a key is the claim of the login of a deleted account, or of a former login, reserved for
// LoginRest.
func rests(k keyView) bool {
	if k.known.Object != kind.OfClaim || !record.RestingClaim(k.name) {
		return false
	}
	_, is := record.ParseRest(k.value.Val())
	return is
}

func (c *checker) checkClaim(on target, k keyView) {
	value := k.value.Val()
	_, nonce := record.ParseClaim(value)
	u := k.owner()
	is := func(claim, mark string) bool { return u[claim] == k.name && u[mark] == nonce && nonce != "" }
	young := func(since string) bool { return u.Time(since)+c.registrationLife() > c.s.Now() }
	if rests(k) {
		return
	}
	login := cmp.Or(u["loginNonce"], u["nonce"]) == nonce && nonce != ""
	oneOf := func(claims string) bool { return slices.Contains(strings.Fields(u[claims]), k.name) }
	mine := login && (oneOf("loginClaim") || oneOf("lookClaims")) || is("emailClaim", "emailNonce")
	if oneOf("newLoginClaims") && u["newLoginNonce"] == nonce && young("newLoginSince") {
		return
	}
	if mine && (u["state"] == catalogue.UserActive || young("since")) || is("newEmailClaim", "newEmailNonce") &&
		young("newEmailSince") {
		return
	}
	if slices.ContainsFunc(k.release.Val(), func(member string) bool {
		claim, of, _ := record.ParseRelease(member)
		return claim == k.name && of == value
	}) { // if it is not released, that is a finding of its own
		return
	}
	release := fix{run: func(ctx context.Context) error {
		return c.repairer.ReleaseClaim(ctx, k.name, value)
	}}
	c.add(on, RuleStaleClaim, k.name, release, "%q is not a claim of an active user", value)
}

var (
	idemRecord     = regexp.MustCompile(`^[1-9][0-9]{0,15} [0-9a-f]{32} (0|[1-9][0-9]{0,9})$`)
	idemRegistered = regexp.MustCompile(`^[1-9][0-9]{0,15} [0-9a-f]{32} [1-9][0-9]{0,9} [0-9a-f]+$`)
)

func (c *checker) checkIdem(on target, k keyView) {
	form := idemRecord
	if k.known.ID == 0 {
		form = idemRegistered
	}
	if value := k.value.Val(); !form.MatchString(value) {
		c.add(on, RuleIdemValue, k.name, remove(k.name), "%q is not a record", value)
		return
	}
	if k.known.ID != 0 && !isAuthor(k.owner()["state"]) {
		c.add(on, RuleIdemOwner, k.name, remove(k.name), "user %d does not exist", k.known.ID)
	}
}

// inspectLayout compares the layout with this program's.
func (c *checker) inspectLayout(ctx context.Context) error {
	f, err := c.rdb.Redis.HGetAll(ctx, key.Layout).Result()
	if err != nil {
		return err
	}
	report := func(detail string, args ...any) {
		c.add(target{kind: onLayout}, RuleLayout, key.Layout, fix{}, detail, args...)
	}
	if v := record.Fields(f).Int("version"); v != record.LayoutVersion {
		report("version is %q; want %d", f["version"], record.LayoutVersion)
	}
	if f["partitions"] != strconv.Itoa(forum.Partitions) {
		report("partitions is %q; want %d", f["partitions"], forum.Partitions)
	}
	if !record.Fields(f).IsWhole("created", 1) {
		report("created is %q", f["created"])
	}
	if _, err := forum.LoadZone(f["timeZone"]); err != nil {
		report("timeZone is %q", f["timeZone"])
	}
	return nil
}
