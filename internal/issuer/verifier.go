package issuer

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"agora/internal/forum"
	"agora/internal/turns"
)

const (
	// leeway is by how much clocks may differ.
	leeway = time.Minute
	// MaxToken is the maximum length of a token in bytes.
	MaxToken = 16 << 10
	// maxVerified is how many verified tokens are remembered, with at most 4 kB each.
	maxVerified = 10_000
)

// ErrUnavailable reports that the keys of an issuer are not known, so that its tokens cannot be verified now.
var ErrUnavailable = errors.New("the keys of the issuer are not known")

// Rejection is why a token is not accepted, in words for its sender.
type Rejection string

// Error implements error.
func (r Rejection) Error() string { return string(r) }

// algorithms are those accepted from issuers with public keys.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512,
	jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}

// types are the values of the header typ that are accepted, in lower case. Source: RFC 7519, section 5.1, and RFC 9068.
var types = []string{"", "jwt", "application/jwt", "at+jwt", "application/at+jwt"}

// Verifier verifies tokens. It is safe for concurrent use. A nil Verifier accepts none.
type Verifier struct {
	issuers map[string]*keySet
	names   []string // of the issuers, in order
	now     func() time.Time
	// checking has room for as many verifications as there are processors.
	checking chan struct{}

	mu       sync.Mutex
	verified *simplelru.LRU[[sha256.Size]byte, verified]
}

// verified is a token whose signature is right.
type verified struct {
	Identity
	set *keySet
	key *key
}

// New returns a verifier of the tokens of issuers, whose configurations have been checked; nil if there are none. now
// is its clock.
func New(issuers []Config, log *slog.Logger, now func() time.Time) *Verifier {
	if len(issuers) == 0 {
		return nil
	}
	kept, err := simplelru.NewLRU[[sha256.Size]byte, verified](maxVerified, nil)
	if err != nil {
		panic(fmt.Sprintf("issuer: %v", err)) // maxVerified is not positive
	}
	v := &Verifier{issuers: map[string]*keySet{}, now: now, verified: kept,
		checking: make(chan struct{}, runtime.GOMAXPROCS(0))}
	client := newClient()
	for _, c := range issuers {
		v.issuers[c.Issuer] = newKeySet(c, client, log, now)
		v.names = append(v.names, c.Issuer)
	}
	return v
}

// Run keeps the keys of all issuers fresh until ctx is done.
func (v *Verifier) Run(ctx context.Context) {
	if v == nil {
		return
	}
	var wg sync.WaitGroup
	for _, s := range v.issuers {
		wg.Go(func() { s.run(ctx) }) // ends with ctx
	}
	wg.Wait()
}

// Issuers returns the issuers, in the order of New.
func (v *Verifier) Issuers() []string {
	if v == nil {
		return nil
	}
	return v.names
}

// IsToken reports whether s has the form of a signed token: three parts separated by dots.
func IsToken(s string) bool { return strings.Count(s, ".") == 2 }

// Guard bounds how many wrong signatures a caller may send.
type Guard interface {
	// Admit returns an error if there were too many.
	Admit() error
	// Failed counts one.
	Failed()
}

// Verify returns what a token says, or a Rejection, ErrUnavailable, or the error of g.Admit. A signature is checked
// only when all else is right, and once for each token.
func (v *Verifier) Verify(ctx context.Context, token string, g Guard) (Identity, error) {
	if v == nil {
		return Identity{}, Rejection("This site accepts no tokens of other issuers.")
	}
	if len(token) > MaxToken {
		return Identity{}, Rejection("The token is too long.")
	}
	sum := sha256.Sum256([]byte(token))
	if is, ok := v.recall(sum); ok {
		return is, nil
	}
	is, err := v.check(ctx, token, g)
	if err != nil {
		return Identity{}, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.verified.Add(sum, is)
	return is.Identity, nil
}

// recall returns a verified token that is still valid, and whose key has not been withdrawn.
func (v *Verifier) recall(sum [sha256.Size]byte) (Identity, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	is, ok := v.verified.Get(sum)
	if !ok {
		return Identity{}, false
	}
	if forum.Time(v.now().Add(-leeway).UnixMilli()) >= is.Expires || !is.set.has(is.key) {
		v.verified.Remove(sum)
		return Identity{}, false
	}
	return is.Identity, true
}

// check verifies a token that signs in.
func (v *Verifier) check(ctx context.Context, token string, g Guard) (verified, error) {
	is, err := v.open(ctx, token, g, types, v.checkClaims)
	if err != nil {
		return verified{}, err
	}
	if isLogout(is.said) {
		return verified{}, Rejection("A logout token signs nobody in.")
	}
	c, claims := is.set.config, is.claims
	return verified{set: is.set, key: is.key, Identity: Identity{
		External: forum.External{Issuer: claims.Issuer, Subject: claims.Subject},
		IssuedAt: forum.Time(claims.IssuedAt.Time().UnixMilli()), Expires: forum.Time(claims.Expiry.Time().UnixMilli()),
		Profile: c.profile(is.said), RoleLife: c.roleLife(), ProvedAt: provedAt(is.said, v.now()),
	}}, nil
}

// opened is a token whose signature is right.
type opened struct {
	set    *keySet
	key    *key
	claims jwt.Claims
	said   map[string]any
}

// open verifies a token with one of these types whose claims are right.
func (v *Verifier) open(ctx context.Context, token string, g Guard, types []string,
	check func(Config, jwt.Claims) error) (is opened, err error) {
	if err := checkSpelling(token); err != nil {
		return is, err
	}
	parsed, err := jwt.ParseSigned(token, append(slices.Clip(algorithms), jose.HS256))
	if err != nil {
		return is, malformed
	}
	head := parsed.Headers[0]
	typ, has := head.ExtraHeaders[jose.HeaderType]
	if of, text := typ.(string); has && !text || !slices.Contains(types, strings.ToLower(of)) {
		return is, Rejection("The token is of a type that is not accepted.")
	}
	var claims jwt.Claims
	if err := parsed.UnsafeClaimsWithoutVerification(&claims); err != nil {
		return is, Rejection("The token has malformed claims.")
	}
	set, ok := v.issuers[claims.Issuer]
	if !ok {
		return is, Rejection("The issuer of the token is not one of this site.")
	}
	if set.shared() != (head.Algorithm == string(jose.HS256)) {
		return is, Rejection("The algorithm of the token is not the one of its issuer.")
	}
	if err := check(set.config, claims); err != nil {
		return is, err
	}
	k, err := set.find(ctx, head.KeyID, head.Algorithm)
	if err != nil {
		return is, errors.Join(ErrUnavailable, err)
	}
	if k == nil {
		return is, Rejection("The key of the token is not one of its issuer.")
	}
	said, err := v.checkSignature(ctx, parsed, k, g)
	if err != nil {
		return is, err
	}
	return opened{set, k, claims, said}, nil
}

const malformed = Rejection("The token is malformed, or its algorithm is not accepted.")

// checkSpelling refuses a token of which there is another spelling, and text that is not UTF-8: decoders would ignore the
// former, and read different texts of the latter as the same.
func checkSpelling(token string) error {
	for i, part := range strings.Split(token, ".") {
		decoded, err := base64.RawURLEncoding.Strict().DecodeString(part)
		if err != nil || strings.ContainsAny(part, "\r\n") { // which the decoder skips
			return malformed
		}
		if i < 2 && !utf8.Valid(decoded) {
			return Rejection("The token has text that is not UTF-8.")
		}
	}
	return nil
}

// checkClaims checks everything that a token says of itself.
func (v *Verifier) checkClaims(c Config, claims jwt.Claims) error {
	if err := v.checkUse(c, claims); err != nil {
		return err
	}
	if claims.Expiry == nil || claims.IssuedAt == nil {
		return Rejection("The token needs the claims exp and iat.")
	}
	return checkSubject(claims)
}

// checkUse checks whom a token is for, and when.
func (v *Verifier) checkUse(c Config, claims jwt.Claims) error {
	err := claims.ValidateWithLeeway(jwt.Expected{Issuer: c.Issuer, AnyAudience: c.Audience, Time: v.now()}, leeway)
	switch {
	case errors.Is(err, jwt.ErrInvalidAudience):
		return Rejection("The token is for another audience.")
	case errors.Is(err, jwt.ErrExpired):
		return Rejection("The token has expired.")
	case errors.Is(err, jwt.ErrNotValidYet), errors.Is(err, jwt.ErrIssuedInTheFuture):
		return Rejection("The token is not valid yet.")
	case err != nil:
		return Rejection("The token is not valid.")
	}
	return nil
}

// checkSubject checks whom a token is about.
func checkSubject(claims jwt.Claims) error {
	if claims.Subject == "" || len(claims.Subject) > forum.MaxExternalSubject ||
		strings.ContainsRune(claims.Subject, utf8.RuneError) { // what half of a surrogate pair is read as
		return Rejection(fmt.Sprintf("The token needs the claim sub, of at most %d bytes of text.", forum.MaxExternalSubject))
	}
	return nil
}

// checkSignature returns the claims that a key has signed.
func (v *Verifier) checkSignature(ctx context.Context, token *jwt.JSONWebToken, k *key, g Guard) (map[string]any, error) {
	if err := turns.Enter(ctx, v.checking); err != nil {
		return nil, err
	}
	defer func() { <-v.checking }()
	if err := g.Admit(); err != nil {
		return nil, err
	}
	var said map[string]any
	if err := token.Claims(k.material, &said); err != nil {
		g.Failed()
		return nil, Rejection("The signature of the token is wrong.")
	}
	return said, nil
}
