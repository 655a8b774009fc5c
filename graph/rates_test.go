package graph_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// limited makes the site count sign-ins, as it does by default.
func limited(r *graph.Resolver) { r.SignInLimit = forum.SignInLimit }

// costly makes the site hash passwords at full cost, so that hashes can be counted.
func costly(r *graph.Resolver) { r.Hasher = auth.NewHasher(2) }

// hashMemory is what one hash at full cost allocates, in bytes.
const hashMemory = 19 << 20

// hashes returns how many passwords do hashes on a costly site: each takes 19 MiB, and everything else together less
// than that.
func hashes(do func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int((after.TotalAlloc - before.TotalAlloc) / hashMemory)
}

const (
	tooMany = "RATE_LIMITED"
	wrong   = "WRONG_CREDENTIALS"
)

// logins signs in with the identifiers, each in a field of one document, and returns the answers: "" or a code, with
// retryAfterSeconds if set.
func (s *site) logins(password string, identifiers ...string) []string {
	s.t.Helper()
	var q strings.Builder
	for i, identifier := range identifiers {
		fmt.Fprintf(&q,
			"a%d: login(input: {identifier: %q, password: %q}) { token errors { code ... on RateLimitedError { __typename path retryAfterSeconds } } } ",
			i, identifier, password)
	}
	a := s.must("", "mutation { "+q.String()+"}", nil)
	found := make([]string, len(identifiers))
	for i := range identifiers {
		e, _ := a.at(fmt.Sprint("a", i), "errors", 0).(map[string]any)
		if code, ok := e["code"].(string); ok {
			found[i] = code
		}
		if e["__typename"] == "RateLimitedError" {
			found[i] += fmt.Sprint(" ", e["retryAfterSeconds"], e["path"])
		}
		if signedIn := a.at(fmt.Sprint("a", i), "token") != nil; signedIn != (found[i] == "") {
			s.t.Errorf("login %d: a token was given: %t, with errors %q", i, signedIn, found[i])
		}
	}
	return found
}

// nobodies are identifiers without accounts.
func nobodies(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("nobody%d", i)
	}
	return names
}

// rateLimited are n allowed calls with the result first, and the rest refused.
func rateLimited(n int, first string, rest int, wait string) []string {
	return append(slices.Repeat([]string{first}, n), slices.Repeat([]string{tooMany + " " + wait + " []"}, rest)...)
}

// Every field counts, not every request; refused ones cost no hash.
func TestThirtyLoginsInOneDocument(t *testing.T) {
	testlevel.WithoutRace(t)
	s := newSite(t, limited, costly)
	var got []string
	n := hashes(func() { got = s.logins("a bad password", nobodies(30)...) })
	wantEqual(t, "30 logins", got, rateLimited(10, wrong, 20, "60"))
	wantEqual(t, "passwords hashed", n, 10)
	wantEqual(t, "logins from another address", s.from("192.0.2.7:1").logins("a bad password", nobodies(2)...),
		[]string{wrong, wrong})
	s.clock.Advance(30*time.Second + 500*time.Millisecond)
	n = hashes(func() { got = s.logins("a bad password", nobodies(5)...) })
	wantEqual(t, "half a minute later", got, rateLimited(0, "", 5, "30"))
	wantEqual(t, "passwords hashed for refused calls", n, 0)
	s.clock.Advance(29*time.Second + 499*time.Millisecond)
	wantEqual(t, "a moment before the window is over", s.logins("a bad password", "nobody"), rateLimited(0, "", 1, "1"))
	s.clock.Advance(time.Millisecond)
	wantEqual(t, "after the window", s.logins("a bad password", nobodies(12)...), rateLimited(10, wrong, 2, "60"))
}

// The window slides: a call is allowed as soon as the tenth before it is a minute old.
func TestSignInWindowSlides(t *testing.T) {
	s := newSite(t, limited)
	for i := range 10 {
		wantEqual(t, fmt.Sprint("call ", i), s.logins("a bad password", fmt.Sprint("nobody", i)), []string{wrong})
		s.clock.Advance(5 * time.Second)
	}
	wantEqual(t, "the 11th after 50 seconds", s.logins("a bad password", "nobody"), rateLimited(0, "", 1, "10"))
	s.clock.Advance(10 * time.Second)
	wantEqual(t, "after 60 seconds, twice", s.logins("a bad password", "nobody", "nobody"), rateLimited(1, wrong, 1, "5"))
}

// Spellings of a name are one name, and the right password does not bypass its limit.
func TestFailedSignInsFromOneAddress(t *testing.T) {
	s := newSite(t, limited)
	s.from("192.0.2.250:1").user("ann")
	s.from("192.0.2.250:1").user("bob")
	s.settle()
	home, spellings := s.from("192.0.2.1:1"), []string{"ann", "ANN", "Ann", "ａｎｎ"}
	for i := range 10 {
		wantEqual(t, fmt.Sprint("login ", i), home.logins("a bad password", spellings[i%len(spellings)]), []string{wrong})
		s.clock.Advance(10 * time.Second)
	}
	s.clock.Advance(forum.SignInWindow)
	before := s.contents()
	for _, spelling := range spellings {
		wantEqual(t, "login as "+spelling, home.logins("a good password", spelling), rateLimited(0, "", 1, "140"))
	}
	s.wantUntouched("refused logins", before, answer{})
	wantEqual(t, "another identifier of hers, and another user",
		home.logins("a good password", "ann@example.com", "bob"), []string{"", ""})
	wantEqual(t, "another address", s.from("192.0.2.99:1").logins("a good password", "ann"), []string{""})
	s.clock.Advance(140 * time.Second)
	wantEqual(t, "after the window", home.logins("a good password", "ann"), []string{""})
	for range 2 { // each window allows as many
		for range 10 {
			wantEqual(t, "a failure of bob's", home.logins("a bad password", "bob"), []string{wrong})
			s.clock.Advance(10 * time.Second)
		}
		wantEqual(t, "one more", home.logins("a good password", "bob"), rateLimited(0, "", 1, "200"))
		s.clock.Advance(200 * time.Second)
	}
}

// Failures of others lock no user out of an account, whatever its role: not from a known device, and not from a fresh
// address.
func TestNoUserIsLockedOutByName(t *testing.T) {
	testlevel.WithoutRace(t)
	for _, role := range []forum.Role{forum.RoleUser, forum.RoleAdmin} {
		s := newSite(t, limited)
		home := s.from("192.0.2.250:1")
		s.promote(home.user("ann"), role)
		for i := range 10 {
			wantEqual(t, "a guess", s.from(fmt.Sprintf("198.51.100.%d:1", i)).logins("a bad password", "ann"), []string{wrong})
		}
		wantEqual(t, "from a fresh address after 10 guesses", s.from("203.0.113.1:1").logins("a good password", "ann"),
			[]string{""})
		for i := range 200 {
			s.from(fmt.Sprintf("198.51.101.%d:1", i)).logins("a bad password", "ann", "ann")
		}
		wantEqual(t, "from the known device under attack", home.logins("a good password", "ann"), []string{""})
		fresh := s.from("203.0.113.2:1")
		wantEqual(t, "from a fresh address under attack", fresh.logins("a good password", "ann"), rateLimited(0, "", 1, "1"))
		s.clock.Advance(time.Second)
		for i := range 200 {
			s.from(fmt.Sprintf("198.51.101.%d:1", i)).logins("a bad password", "ann", "ann")
		}
		wantEqual(t, "once that has waited", fresh.logins("a good password", "ann"), []string{""})
		wantEqual(t, "from there again: it is known now", fresh.logins("a good password", "ann"), []string{""})
	}
}

// A repeated registration reports whether its password is the account's: it is limited as sign-ins are, also from
// many addresses.
func TestRegistrationIsNoFasterOracle(t *testing.T) {
	s := newSite(t, limited)
	in := with(newcomer, "idempotencyKey", "once")
	s.from("192.0.2.250:1").wantVerdict("the first", s.from("192.0.2.250:1").mutate("", "register", in, ""), "")
	guess := with(in, "password", "a bad password")
	for i := range forum.NameFailures {
		from := s.from(fmt.Sprintf("198.51.100.%d:1", i))
		s.wantVerdict("a guess", from.mutate("", "register", guess, ""), "IDEMPOTENCY_CONFLICT input.idempotencyKey")
	}
	fresh := s.from("203.0.113.1:1")
	s.wantVerdict("one more from a fresh address", fresh.mutate("", "register", guess, ""), "RATE_LIMITED ")
	s.clock.Advance(forum.FirstWait)
	s.wantVerdict("the right one, after the wait", fresh.mutate("", "register", in, ""), "")
}

// Proofs of the password count against the address's limit for signing in.
func TestProofsOfOneAddress(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t, limited, costly)
	tokens := make([]string, 6)
	for i := range tokens {
		tokens[i] = s.from(fmt.Sprintf("192.0.2.%d:1", i)).user(fmt.Sprintf("user%d", i))
	}
	home := s.from("203.0.113.1:1")
	n := hashes(func() {
		for i := range 20 {
			want := "WRONG_CREDENTIALS input.password"
			if i >= forum.SignInLimit {
				want = "RATE_LIMITED "
			}
			s.wantVerdict(fmt.Sprint("proof ", i),
				home.mutate(tokens[i%6], "deleteAccount", input{"password": "a bad password"}, ""), want)
		}
	})
	wantEqual(t, "passwords hashed", n, forum.SignInLimit)
}

// Wider IPv6 networks have larger limits, but they have limits.
func TestSignInsOfWiderNetworks(t *testing.T) {
	testlevel.Usual(t)
	for name, tt := range map[string]struct {
		address string // of the nth network of 64 bits
		want    int
	}{"a network of 56 bits": {"[2001:db8:1:%02x::1]:1", 40}, "a network of 48 bits": {"[2001:db8:1:%02x00::1]:1", 160}} {
		s := newSite(t, limited)
		through := 0
		for n := range 20 {
			for _, got := range s.from(fmt.Sprintf(tt.address, n)).logins("a bad password", nobodies(10)...) {
				if got == wrong {
					through++
				}
			}
		}
		wantEqual(t, "sign-ins of "+name, through, tt.want)
	}
}

// Registering and signing in are counted together for an address; a refused registration leaves nothing, and claims
// no name.
func TestRegistrationsFromOneAddress(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t, limited, costly)
	home := s.from("192.0.2.1:1")
	for i := range 5 {
		home.user(fmt.Sprintf("user%d", i))
	}
	wantEqual(t, "logins after 5 registrations", home.logins("a bad password", nobodies(4)...),
		slices.Repeat([]string{wrong}, 4))
	home.wantVerdict("bad input counts as well",
		home.mutate("", "register", input{"login": "x", "email": "x", "password": "x"}, ""),
		"TOO_SHORT input.login; INVALID input.email; TOO_SHORT input.password")
	s.settle()
	before := s.contents()
	var a answer
	n := hashes(func() {
		a = home.mutate("", "register", newcomer, signedIn+" errors { ... on RateLimitedError { retryAfterSeconds } }")
	})
	s.wantVerdict("the 11th", a, "RATE_LIMITED ")
	wantEqual(t, "payload of the 11th",
		[]any{a.at("register", "token"), a.at("register", "viewer"), a.at("register", "expiresAt"),
			a.number("register", "errors", 0, "retryAfterSeconds")}, []any{nil, nil, nil, 60})
	wantEqual(t, "passwords hashed for it", n, 0)
	s.wantUntouched("a refused registration", before, a)
	s.wantVerdict("the same from another address", s.from("192.0.2.2:1").mutate("", "register", newcomer, ""), "")
}

// An IPv6 network of 64 bits is one home; ports do not matter.
func TestAddressesThatCountAsOne(t *testing.T) {
	groups := [][]string{
		{"192.0.2.1:1000", "192.0.2.1:2000", "[::ffff:192.0.2.1]:3000"},
		{"192.0.2.2:1000"},
		{"[2001:db8:1:2::1]:1000", "[2001:db8:1:2:ffff:ffff:ffff:ffff]:1000", "[2001:db8:1:2::1%eth0]:5"},
		{"[2001:db8:1:3::1]:1000", "[2001:0db8:0001:0003::2]:1000"},
	}
	s := newSite(t, limited)
	for _, group := range groups {
		for i := range 10 {
			got := s.from(group[i%len(group)]).logins("a bad password", fmt.Sprint("nobody of ", group[0], i))
			wantEqual(t, fmt.Sprint("login ", i, " from ", group), got, []string{wrong})
		}
		for _, address := range group {
			wantEqual(t, "one more from "+address, s.from(address).logins("a bad password", "somebody"),
				rateLimited(0, "", 1, "60"))
		}
	}
}

// The keys that count calls contain no names, and expire.
func TestCountsOfCallsContainNoNames(t *testing.T) {
	s := newSite(t, limited)
	ann := s.from("192.0.2.77:1").user("ann")
	s.from("192.0.2.77:1").logins("a bad password", "ann", "ann@example.com")
	s.mutate(ann, "deleteAccount", input{"password": "a bad password"}, "")
	ctx := context.Background()
	keys, _ := redistest.Keys(ctx, s.redis, "rate:*")
	wantEqual(t, "counts of an address, two names of it and at all, and a user", len(keys), 5)
	for _, key := range keys {
		if strings.Contains(key, "ann") || strings.Contains(key, "192.0.2") {
			t.Errorf("key %s contains a name", key)
		}
		if ttl := s.redis.TTL(ctx, key).Val(); ttl <= 0 {
			t.Errorf("key %s has the time to live %v; want one", key, ttl)
		}
	}
}

func TestNoSignInLimit(t *testing.T) {
	s := newSite(t, func(r *graph.Resolver) { r.SignInLimit = 0 })
	wantEqual(t, "30 logins", s.logins("a bad password", nobodies(30)...), slices.Repeat([]string{wrong}, 30))
	wantEqual(t, "30 logins for one name", s.logins("a bad password", slices.Repeat([]string{"ann"}, 30)...),
		slices.Repeat([]string{wrong}, 30))
	counts, _ := redistest.Keys(context.Background(), s.redis, "rate:*")
	wantEqual(t, "counts of calls", len(counts), 0)
}

// proofs are the mutations that take the viewer's own password.
var proofs = map[string]func(password string) input{
	"changePassword": func(p string) input { return input{"currentPassword": p, "newPassword": "another password"} },
	"changeEmail":    func(p string) input { return input{"password": p, "email": "new@agora.org"} },
	"changeLogin":    func(p string) input { return input{"password": p, "login": "Ann"} },
	"deleteAccount":  func(p string) input { return input{"password": p} },
}

// A token does not let its holder guess the password faster, whatever limit the site sets for signing in.
func TestGuessesOfOnesOwnPassword(t *testing.T) {
	testlevel.WithoutRace(t)
	s := newSite(t, costly)
	ann, bob := s.user("ann"), s.user("bob")
	other := s.signIn("ann")
	s.settle()
	before := s.contents()
	fields := []string{"changePassword", "changeEmail", "changeLogin", "deleteAccount"}
	for i := range forum.ProofLimit {
		field := fields[i%len(fields)]
		a := s.from(fmt.Sprintf("192.0.2.%d:1", i)).mutate(ann, field, proofs[field]("a bad password"), "")
		if !strings.HasPrefix(a.verdict(), wrong) {
			t.Errorf("guess %d by %s is refused with %q; want %s", i, field, a.verdict(), wrong)
		}
	}
	for _, field := range fields {
		for _, token := range []string{ann, other} {
			var a answer
			n := hashes(func() {
				a = s.mutate(token, field, proofs[field]("a good password"),
					"errors { ... on RateLimitedError { retryAfterSeconds } }")
			})
			s.wantVerdict("one guess more by "+field, a, "RATE_LIMITED ")
			wantEqual(t, "retryAfterSeconds", a.number(field, "errors", 0, "retryAfterSeconds"), 60)
			wantEqual(t, "passwords hashed", n, 0)
			s.wantUntouched(field, before, a)
		}
	}
	s.wantVerdict("another user", s.mutate(bob, "changePassword", proofs["changePassword"]("a good password"), ""), "")
	s.clock.Advance(forum.SignInWindow)
	s.wantVerdict("after the window", s.mutate(ann, "changePassword", proofs["changePassword"]("a good password"), ""), "")
}
