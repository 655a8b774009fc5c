package sessions

import (
	"cmp"
	"regexp"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// onSessions are the targets: the sessions and the API tokens of a user.
const onSessions check.Kind = "sessions"

// checks are the checks of sessions and API tokens.
type checks struct{ *Store }

// Checks returns what is checked of sessions and API tokens.
func (s *Store) Checks() check.Subject {
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onSessions: checks{s}.sessions},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onSessions, ID: on.ID}}, nil
			},
		},
	}
}

var (
	digestPattern  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	sessionPattern = regexp.MustCompile(`^([1-9][0-9]{0,15} ){2}[1-9][0-9]{0,15}(:(0|[1-9][0-9]{0,15}):([0-9a-f]{32})?)? `)
)

// credential is a session or an API token.
type credential struct {
	digest        string
	created, ends forum.Time
}

// sessions checks the sessions and the API tokens of an active account.
func (c checks) sessions(l *check.Look) {
	id := forum.UserID(l.On.ID)
	if l.Fetch(key.User(id), "state")["state"] != catalogue.UserActive {
		return
	}
	c.credentials(l, key.Sessions(id), forum.MaxSessions, func(digest, value string) (credential, bool) {
		s, ok := record.DecodeSession(id, digest, value)
		if !ok || !sessionPattern.MatchString(value) {
			return credential{}, false
		}
		return credential{digest, s.CreatedAt, s.EndsAt}, true
	})
	c.credentials(l, key.Tokens(id), forum.MaxTokens, func(digest, value string) (credential, bool) {
		t, ok := record.DecodeToken(id, digest, value)
		if !ok || t.DiesAt() <= c.engine.Now() { // dead ones do not count
			return credential{}, ok
		}
		return credential{digest, t.CreatedAt, t.DiesAt()}, true
	})
}

// credentials checks a hash of credentials, of which there are at most most, and which outlives the last of them.
func (c checks) credentials(l *check.Look, k string, most int, decode func(digest, value string) (credential, bool)) {
	hash, ttl := l.Hash(k), l.Next().PTTL(l.Ctx, k)
	l.Wait()
	var all []credential
	last := forum.Time(0)
	for digest, value := range hash.Val() {
		is, ok := decode(digest, value)
		switch {
		case !ok || !digestPattern.MatchString(digest):
			l.Add(check.RuleValue, k, check.Unset(k, digest), "%q with %q is malformed", digest, value)
		case is.digest != "":
			all, last = append(all, is), max(last, is.ends)
		}
	}
	slices.SortFunc(all, func(a, b credential) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.digest, b.digest))
	})
	var oldest []string
	for _, is := range all[:max(0, len(all)-most)] {
		oldest = append(oldest, is.digest)
	}
	l.AtMost(k, len(all), most, check.Unset(k, oldest...))
	if life := ttl.Val(); life >= 0 && c.engine.Now()+forum.Time(life.Milliseconds()) < last {
		l.Add(check.RuleExpiryShort, k, check.Command("expireat", k, record.ExpireAt(last)), "expires before the last, at %d",
			last)
	}
}
