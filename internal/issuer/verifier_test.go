package issuer_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// counts is a Guard that counts.
type counts struct {
	most             int64
	admitted, failed atomic.Int64
}

func (c *counts) Admit() error {
	c.admitted.Add(1)
	if c.most > 0 && c.failed.Load() >= c.most {
		return forum.RateLimited(time.Minute)
	}
	return nil
}

func (c *counts) Failed() { c.failed.Add(1) }

// site verifies the tokens of an issuer.
type site struct {
	*issuer.Verifier
	of    *issuertest.Issuer
	clock *redistest.Clock
	counts
}

func newSite(t *testing.T, more ...issuer.Config) *site {
	t.Helper()
	s := &site{of: issuertest.New(t), clock: redistest.NewClock()}
	s.of.Now = s.clock.Now
	s.Verifier = issuer.New(append(more, s.of.Config()), slog.New(slog.DiscardHandler), s.clock.Now)
	return s
}

// accepts checks that a token is accepted.
func (s *site) accepts(t *testing.T, token string) issuer.Identity {
	t.Helper()
	is, err := s.Verify(t.Context(), token, s)
	if err != nil {
		t.Fatalf("Verify = %v; want the token accepted", err)
	}
	return is
}

// refuses checks that a token is refused for a reason.
func (s *site) refuses(t *testing.T, token, why string) {
	t.Helper()
	_, err := s.Verify(t.Context(), token, s)
	var is issuer.Rejection
	if !errors.As(err, &is) || !strings.Contains(string(is), why) {
		t.Errorf("Verify = %v; want a rejection with %q", err, why)
	}
}

func TestClaimsBecomeAnIdentity(t *testing.T) {
	s := newSite(t)
	is := s.accepts(t, s.of.Token(t, "42", issuertest.Claims{"preferred_username": "mara", "name": "Mara L",
		"picture": "https://img.example/m.png", "role": []string{"moderator", "other"}}))
	now := forum.Time(s.clock.Now().Unix() * 1000)
	want := issuer.Identity{External: forum.External{Issuer: s.of.URL, Subject: "42"}, IssuedAt: now,
		Expires:  now + forum.Time(time.Hour.Milliseconds()),
		RoleLife: issuer.DefaultRoleLife, Profile: issuer.Profile{Login: "mara", Name: "Mara L", Avatar: "https://img.example/m.png", Role: forum.RoleModerator}}
	if is != want {
		t.Errorf("Verify = %+v; want %+v", is, want)
	}
	long := issuertest.Claims{"name": strings.Repeat("x", 2049), "picture": strings.Repeat("x", 2048)}
	if p := s.accepts(t, s.of.Token(t, "42", long)).Profile; p.Name != "" || len(p.Avatar) != 2048 {
		t.Errorf("claims of 2,049 and 2,048 bytes have %d and %d; want the first ignored", len(p.Name), len(p.Avatar))
	}
	if is := s.accepts(t, s.of.Token(t, "42", nil)); is.Profile != (issuer.Profile{Role: forum.RoleUser}) {
		t.Errorf("a token without claims has %+v; want the role USER and nothing else", is.Profile)
	}
}

func TestEveryAlgorithm(t *testing.T) {
	s := newSite(t)
	all := []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256,
		jose.ES384, jose.ES512, jose.EdDSA}
	for _, alg := range all {
		s.of.Rotate(t, string(alg), alg)
	}
	for _, alg := range all {
		if is := s.accepts(t, s.of.TokenBy(t, string(alg), "by "+string(alg), nil)); is.Subject != "by "+string(alg) {
			t.Errorf("a token signed with %s is of %q", alg, is.Subject)
		}
	}
}

// TestSharedSecret has an issuer that signs with HS256.
func TestSharedSecret(t *testing.T) {
	secret := []byte("a secret of more than thirty-two bytes")
	s := newSite(t, issuer.Config{Issuer: "site", Audience: []string{issuertest.Audience}, Secret: secret})
	claims := s.of.Claims("7", issuertest.Claims{"iss": "site"})
	sign := func(alg jose.SignatureAlgorithm, key any) string {
		return issuertest.Sign(t, jose.SigningKey{Algorithm: alg, Key: key}, claims, nil)
	}
	s.accepts(t, sign(jose.HS256, secret))
	s.refuses(t, sign(jose.HS256, []byte("another secret of more than 32 bytes")), "signature")
	s.refuses(t, sign(jose.HS512, append(secret, secret...)), "algorithm")
	_, private, _ := ed25519.GenerateKey(rand.Reader)
	s.refuses(t, sign(jose.EdDSA, private), "algorithm")
	if n := s.of.Fetches.Load(); n != 0 {
		t.Errorf("%d fetches; want none for a secret", n)
	}
}

// TestAttacks has the attacks of RFC 8725 that apply, by the section that names them.
func TestAttacks(t *testing.T) {
	s := newSite(t)
	s.of.Rotate(t, "rsa", jose.RS256)
	good := s.of.Token(t, "42", nil)
	s.accepts(t, good)
	head, rest, _ := strings.Cut(good, ".")
	body, signature, _ := strings.Cut(rest, ".")
	encode := func(v any) string {
		b, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	public, err := x509.MarshalPKIXPublicKey(s.of.Public("rsa"))
	if err != nil {
		t.Fatal(err)
	}
	hmac := func(secret []byte) string {
		return issuertest.Sign(t, jose.SigningKey{Algorithm: jose.HS256, Key: jose.JSONWebKey{KeyID: "rsa", Key: secret}},
			s.of.Claims("42", nil), nil)
	}
	_, foreign, _ := ed25519.GenerateKey(rand.Reader)
	signed := func(headers map[jose.HeaderKey]any, id string) string {
		return issuertest.Sign(t, jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{KeyID: id, Key: foreign}},
			s.of.Claims("42", nil), headers)
	}
	other := issuertest.New(t)
	other.Now = s.clock.Now
	for name, token := range map[string][2]string{
		"2.1 alg none":                        {encode(map[string]any{"alg": "none"}) + "." + body + ".", "malformed"},
		"2.1 alg none in another case":        {encode(map[string]any{"alg": "nOnE"}) + "." + body + "." + signature, "malformed"},
		"2.1 HS256 with the public key":       {hmac(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})), "algorithm"},
		"2.1 HS256 with its bytes":            {hmac(public), "algorithm"},
		"2.1 RS256 changed to PS256":          {encode(map[string]any{"alg": "PS256", "kid": "rsa"}) + "." + body + "." + signature, "key"},
		"2.2 claims changed":                  {head + "." + encode(s.of.Claims("43", nil)) + "." + signature, "signature"},
		"2.2 no signature":                    {head + "." + body + ".", "signature"},
		"2.7 a key of another issuer":         {signed(nil, "rsa"), "key"},
		"2.7 the key in the token":            {signed(map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: foreign.Public()}}, "x"), "key"},
		"2.9 the address of keys in a token":  {signed(map[jose.HeaderKey]any{"jku": other.URL + "/keys"}, "first"), "signature"},
		"2.9 a key id that is a path":         {signed(nil, "../../etc/passwd"), "key"},
		"2.10 crit with an unknown extension": {encode(map[string]any{"alg": "RS256", "kid": "rsa", "crit": []string{"x"}, "x": 1}) + "." + body + "." + signature, "signature"},
		"2.7 mixed-up issuers":                {other.Token(t, "42", issuertest.Claims{"iss": s.of.URL}), "signature"},
		"3.8 an unknown issuer":               {other.Token(t, "42", nil), "issuer"},
		"3.9 another audience":                {s.of.Token(t, "42", issuertest.Claims{"aud": "mail"}), "audience"},
		"3.9 no audience":                     {s.of.Token(t, "42", issuertest.Claims{"aud": nil}), "audience"},
		"3.11 a token for logging out":        {signed(map[jose.HeaderKey]any{"typ": "logout+jwt"}, "first"), "type"},
		"no subject":                          {s.of.Token(t, "", nil), "sub"},
		"a long subject":                      {s.of.Token(t, strings.Repeat("x", 256), nil), "sub"},
		"no end":                              {s.of.Token(t, "42", issuertest.Claims{"exp": nil}), "exp"},
		"no time of issue":                    {s.of.Token(t, "42", issuertest.Claims{"iat": nil}), "iat"},
		"a text for a time":                   {s.of.Token(t, "42", issuertest.Claims{"exp": "never"}), "malformed"},
		"encrypted":                           {"a.b.c.d.e", "malformed"},
		"too long":                            {s.of.Token(t, "42", issuertest.Claims{"x": strings.Repeat("x", issuer.MaxToken)}), "too long"},
	} {
		t.Run(name, func(t *testing.T) { s.refuses(t, token[0], token[1]) })
	}
}

func TestClocksMayDifferByAMinute(t *testing.T) {
	s := newSite(t)
	at := func(name string, d time.Duration) string {
		return s.of.Token(t, "42", issuertest.Claims{name: s.clock.Now().Add(d).Unix()})
	}
	s.accepts(t, at("iat", 59*time.Second))
	s.accepts(t, at("nbf", 59*time.Second))
	s.accepts(t, at("exp", -59*time.Second))
	s.refuses(t, at("iat", 62*time.Second), "not valid yet")
	s.refuses(t, at("nbf", 62*time.Second), "not valid yet")
	s.refuses(t, at("exp", -62*time.Second), "expired")

	token := s.of.Token(t, "42", issuertest.Claims{"exp": s.clock.Now().Unix() + 10})
	s.accepts(t, token)
	s.clock.Advance(75 * time.Second)
	s.refuses(t, token, "expired") // also one that was verified before
}

func TestKeysAreRotatedAndWithdrawn(t *testing.T) {
	s := newSite(t)
	old := s.of.Token(t, "42", nil)
	s.accepts(t, old)
	s.of.Rotate(t, "second", jose.ES256)
	s.clock.Advance(11 * time.Second)
	s.accepts(t, s.of.Token(t, "42", nil))
	s.accepts(t, old)
	if n := s.of.Fetches.Load(); n != 2 {
		t.Errorf("%d fetches; want one for each unknown key", n)
	}

	s.of.Withdraw("first")
	s.clock.Advance(11 * time.Second)
	s.of.Rotate(t, "third", jose.ES256)
	s.accepts(t, s.of.Token(t, "42", nil)) // its key is fetched, without the one withdrawn
	s.refuses(t, old, "key")
}

// TestFetchesAreBounded sends tokens with known and unknown keys at the same time.
func TestFetchesAreBounded(t *testing.T) {
	s := newSite(t)
	s.accepts(t, s.of.Token(t, "42", nil))
	_, foreign, _ := ed25519.GenerateKey(rand.Reader)
	bad := func(id string, n int) string {
		return issuertest.Sign(t, jose.SigningKey{Algorithm: jose.EdDSA, Key: jose.JSONWebKey{KeyID: id, Key: foreign}},
			s.of.Claims("42", issuertest.Claims{"n": n}), nil)
	}
	const workers, each = 8, 125
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				s.Verify(t.Context(), bad("first", w*each+i), s)
				s.Verify(t.Context(), bad("unknown", w*each+i), s)
			}
		})
	}
	wg.Wait()
	if n := s.of.Fetches.Load(); n != 1 {
		t.Errorf("%d fetches after %d wrong tokens within 10 s of the first; want 1", n, 2*workers*each)
	}
	if n := s.failed.Load(); n != workers*each {
		t.Errorf("%d wrong signatures were counted; want %d", n, workers*each)
	}

	s.most = s.failed.Load()
	_, err := s.Verify(t.Context(), bad("first", -1), s)
	if forum.CodeOf(err) != forum.CodeRateLimited || s.failed.Load() != s.most {
		t.Errorf("Verify beyond the bound = %v and %d signatures were checked more; want RATE_LIMITED and none", err,
			s.failed.Load()-s.most)
	}
}

// TestIssuerAway has an issuer that hangs, fails and lies.
func TestIssuerAway(t *testing.T) {
	s := newSite(t)
	known := s.of.Token(t, "42", nil)
	s.of.Break(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	if _, err := s.Verify(t.Context(), known, s); !errors.Is(err, issuer.ErrUnavailable) {
		t.Errorf("Verify without any keys = %v; want ErrUnavailable", err)
	}
	s.of.Break(nil)
	s.clock.Advance(11 * time.Second)
	s.accepts(t, known)

	for name, fault := range map[string]http.HandlerFunc{
		"fails": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"has no keys": func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(`{"issuer":"` + s.of.URL + `","jwks_uri":"` + s.of.URL + `/keys","keys":[]}`))
		},
		"is another": func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(`{"issuer":"x","jwks_uri":"` + s.of.URL + `/keys"}`))
		},
		"never ends": func(w http.ResponseWriter, _ *http.Request) { w.Write(make([]byte, 300<<10)) },
		"leads astray": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		},
	} {
		s.of.Break(fault)
		s.clock.Advance(11 * time.Second)
		s.of.Rotate(t, "not seen when it "+name, jose.EdDSA)
		s.refuses(t, s.of.Token(t, "42", nil), "key")
		if is := s.accepts(t, known); is.Subject != "42" {
			t.Errorf("when the issuer %s, a known key verifies %+v", name, is)
		}
	}
	s.clock.Advance(25 * time.Hour)
	s.refuses(t, known, "expired")
	s.of.Withdraw("not seen when it fails")
	if _, err := s.Verify(t.Context(), s.of.Token(t, "42", nil), s); !errors.Is(err, issuer.ErrUnavailable) {
		t.Errorf("Verify with keys that are older than a day = %v; want ErrUnavailable", err)
	}
}

// TestKnownKeysDoNotWait has an issuer that hangs while its keys are fetched.
func TestKnownKeysDoNotWait(t *testing.T) {
	s := newSite(t)
	known := s.of.Token(t, "42", nil)
	s.accepts(t, known)
	asked, end := make(chan struct{}), make(chan struct{})
	s.of.Break(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- struct{}{}:
		case <-end:
		}
		<-end
	})
	fresh := s.of.Token(t, "43", nil)
	s.of.Rotate(t, "second", jose.EdDSA)
	unknown := s.of.Token(t, "42", nil)
	s.clock.Advance(11 * time.Second)
	waited := make(chan error)
	go func() {
		_, err := s.Verify(t.Context(), unknown, s)
		waited <- err
	}()
	<-asked // the fetch for the unknown key hangs
	s.accepts(t, known)
	s.accepts(t, fresh)
	close(end)
	var no issuer.Rejection
	if err := <-waited; !errors.As(err, &no) {
		t.Errorf("Verify of an unknown key = %v; want a rejection", err)
	}
}

// TestRunFetchesKeys checks that keys are fetched before a token needs them.
func TestRunFetchesKeys(t *testing.T) {
	s := newSite(t)
	fetched := make(chan struct{})
	s.of.Break(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/keys" {
			close(fetched)
		}
		w.Write([]byte(`{"issuer":"` + s.of.URL + `","jwks_uri":"` + s.of.URL + `/keys"}`))
	})
	var running sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	running.Go(func() { s.Run(ctx) })
	<-fetched
	stop()
	running.Wait()
}

// A token has one spelling, and two subjects never become one: the attacks are signed by the issuer, or change nothing
// that its signature covers.
func TestTokensHaveOneSpelling(t *testing.T) {
	secret := []byte("a secret of more than thirty-two bytes")
	s := newSite(t, issuer.Config{Issuer: "site", Audience: []string{issuertest.Audience}, Secret: secret})
	now := s.clock.Now().Unix()
	sign := func(subject, more string, headers map[jose.HeaderKey]any) string {
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: secret}, &jose.SignerOptions{ExtraHeaders: headers})
		must.OK(t, err)
		payload := fmt.Sprintf(`{"iss":"site","aud":%q,"sub":"%s","iat":%d,"exp":%d%s}`, issuertest.Audience, subject, now,
			now+60, more)
		return must.Do(must.Do(signer.Sign([]byte(payload)))(t).CompactSerialize())(t)
	}
	good := sign("42", "", nil)
	s.accepts(t, good)
	s.accepts(t, sign("42", "", map[jose.HeaderKey]any{"typ": "JWT"}))
	s.accepts(t, sign("é", `,"name":"\ud83d\ude00"`, nil))
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := strings.IndexByte(alphabet, good[len(good)-1]) // a signature of 32 bytes leaves two bits
	for n := 1; n < 4; n++ {
		s.refuses(t, good[:len(good)-1]+string(alphabet[last^n]), "malformed")
	}
	for _, more := range []string{"=", "\n", " "} {
		s.refuses(t, good+more, "malformed")
	}
	for _, typ := range []any{5, true, []string{"JWT"}, map[string]any{"JWT": 1}} {
		s.refuses(t, sign("42", "", map[jose.HeaderKey]any{"typ": typ}), "type")
	}
	for _, subject := range []string{`\ud800`, `\udc00x`, "\ufffd"} {
		s.refuses(t, sign(subject, "", nil), "sub")
	}
	for _, subject := range []string{"\xff\xfe", "\xfe\xff", "a\xc0\xaf", "\xed\xa0\x80"} {
		s.refuses(t, sign(subject, "", nil), "UTF-8")
	}
	s.refuses(t, sign("42", ",\"name\":\"\xff\"", nil), "UTF-8")
}
