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
	"agora/internal/store/internal/record"
)

// expirySlack is how far Redis's clock and the store's may differ before an expiry counts as too
// long.
const expirySlack = time.Minute

// key checks a key on its own: pattern, type, expiry, and, if it belongs to no larger object, value and owner.
func (l *look) key() {
	k := l.on.key
	known, ok := catalogue.ReadKey(k)
	typ, ttl := l.next().Type(l.ctx, k), l.next().PTTL(l.ctx, k)
	var fields *redis.StringSliceCmd // of an object
	if catalogue.HasInternal(strings.TrimSuffix(k, key.Internal(""))) {
		fields = l.next().HKeys(l.ctx, k)
	}
	l.wait()
	switch {
	case typ.Val() == "none": // it expired since
		return
	case !ok && l.opts.OtherKeys && !catalogue.Ours(k):
		return
	case !ok:
		l.add(RuleUnknownKey, k, fix{}, "does not match any known kind of key")
		return
	case catalogue.Type(typ.Val()) != known.Type:
		l.add(RuleKeyType, k, fix{}, "is a %s, not a %s", typ.Val(), known.Type)
		return
	}
	if fields != nil {
		for _, name := range catalogue.Strays(k, fields.Val()) {
			l.lose(lost{field: name}, RuleField, k, "has a field %q, which it cannot have", name)
		}
	}
	if ends, fixed := l.ends(known); fixed {
		l.fixedExpiry(ends)
	} else {
		l.expiry(known, ttl.Val())
	}
	l.history(known)
	l.keyValue(known)
}

// keyValue checks the value and the owner of a key.
func (l *look) keyValue(known catalogue.Key) {
	switch known.Object {
	case catalogue.OfClaim:
		l.claimKey()
	case catalogue.OfIdem:
		l.idem(known)
	case catalogue.OfClick:
		if l.fetch(key.Topic(forum.TopicID(known.ID)), "state")["state"] == "" {
			l.add(RuleClickOwner, l.on.key, remove(l.on.key), "there is no topic %d", known.ID)
		}
	case catalogue.OfExternal:
		l.external(known.Text)
	case catalogue.OfSource:
		l.source(known.Partition)
	case catalogue.OfSnapshot:
		l.snapshot(known)
	case catalogue.OfRanking:
		l.ranking()
	case catalogue.OfChanges:
		l.changes(known)
	case catalogue.OfFeed:
		l.feed(known)
	case catalogue.OfRemoved:
		l.fences()
	case catalogue.OfActPosts:
		l.actPosts(forum.ActID(known.ID))
	}
}

// expiry checks the expiry of a key of a kind.
func (l *look) expiry(known catalogue.Key, ttl time.Duration) {
	k, life := l.on.key, known.Life
	expire := command("pexpire", k, life.Milliseconds())
	switch {
	case ttl == -2: // expired since
	case ttl == -1 && known.Object == catalogue.OfTagBook: // a topic has the tag
	case ttl == -1 && life != 0:
		l.add(RuleExpiryMissing, k, expire, "has no expiry")
	case ttl >= 0 && life == 0:
		if !l.rests(known) { // otherwise until the login is available
			l.add(RuleExpiryUnexpected, k, command("persist", k), "must not have an expiry")
		}
	case ttl > life+expirySlack:
		l.add(RuleExpiryLong, k, expire, "lives longer than %s", life)
	}
}

// rests reports whether the key is the claim of the login of a deleted account, or of a former login, reserved for
// LoginRest.
func (l *look) rests(known catalogue.Key) bool {
	if known.Object != catalogue.OfClaim || !record.RestingClaim(l.on.key) {
		return false
	}
	value := l.text(l.on.key)
	l.wait()
	_, is := record.ParseRest(value.Val())
	return is
}

// claimOwnerFields are the fields with which a claim is compared.
var claimOwnerFields = []string{"state", "since", "nonce", "loginClaim", "lookClaims", "emailNonce", "emailClaim",
	"newEmailNonce", "newEmailClaim", "newEmailSince", "loginNonce", "newLoginNonce", "newLoginClaims", "newLoginSince",
	"role", "moderates", "staff"}

// claimKey compares a claim with the account of its holder.
func (l *look) claimKey() {
	k := l.on.key
	text := l.text(k)
	l.wait()
	value := text.Val()
	if _, rests := record.ParseRest(value); rests && record.RestingClaim(k) {
		return
	}
	holder, nonce := record.ParseClaim(value)
	l.marked(holder.Partition(), "u:"+key.Itoa(holder))
	hash, release := l.hmget(key.User(holder), claimOwnerFields), l.next().SMembers(l.ctx, key.Release(holder))
	l.wait()
	u := hash()
	is := func(claim, mark string) bool { return u[claim] == k && u[mark] == nonce && nonce != "" }
	young := func(since string) bool { return u.Time(since)+l.registrationLife() > l.s.Engine.Now() }
	oneOf := func(claims string) bool { return slices.Contains(strings.Fields(u[claims]), k) }
	login := cmp.Or(u["loginNonce"], u["nonce"]) == nonce && nonce != ""
	mine := login && (oneOf("loginClaim") || oneOf("lookClaims")) || is("emailClaim", "emailNonce")
	releases := func(member string) bool {
		claim, of, _, _ := record.ParseRelease(member)
		return claim == k && of == value
	}
	switch {
	case oneOf("newLoginClaims") && u["newLoginNonce"] == nonce && young("newLoginSince"):
	case mine && (u["state"] == catalogue.UserActive || u["state"] == catalogue.UserApplied || young("since")):
	case is("newEmailClaim", "newEmailNonce") && young("newEmailSince"):
	case slices.ContainsFunc(release.Val(), releases): // if it is not released, that is a finding of its own
	default:
		rest := ""
		if record.RestingClaim(k) && record.WasStaff(u) {
			rest = record.RestOf(0, 0)
		}
		x := fix{run: func(ctx context.Context) error { return l.repairer.ReleaseClaim(ctx, k, value, rest) }}
		l.add(RuleStaleClaim, k, x, "%q is not a claim of an active user", value)
	}
}

var (
	idemRecord     = regexp.MustCompile(`^[1-9][0-9]{0,15} [0-9a-f]{32} (0|[1-9][0-9]{0,9})$`)
	idemRegistered = regexp.MustCompile(`^[1-9][0-9]{0,15} [0-9a-f]{32} [1-9][0-9]{0,9} [0-9a-f]+$`)
)

// idem checks an idempotency record.
func (l *look) idem(known catalogue.Key) {
	k, form := l.on.key, idemRecord
	if known.ID == 0 {
		form = idemRegistered
	}
	value, state := l.text(k), l.field(key.User(forum.UserID(known.ID)), "state")
	l.wait()
	switch {
	case !is(value): // expired since
	case !form.MatchString(value.Val()):
		l.add(RuleIdemValue, k, remove(k), "%q is not a record", value.Val())
	case known.ID != 0 && !isAuthor(state.Val()):
		l.add(RuleIdemOwner, k, remove(k), "user %d does not exist", known.ID)
	}
}

// layout compares the layout with this program's.
func (l *look) layout() {
	hash := l.hash(key.Layout)
	l.wait()
	f := record.Fields(hash.Val())
	need := func(name string, ok bool) { l.need(RuleLayout, key.Layout, f, name, ok) }
	_, err := forum.LoadZone(f["timeZone"])
	need("version", f.Int("version") == record.LayoutVersion)
	need("partitions", f["partitions"] == strconv.Itoa(forum.Partitions))
	need("created", f.IsWhole("created", 1))
	need("timeZone", err == nil)
}
