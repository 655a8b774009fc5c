// Package issuertest is an issuer of tokens for tests, with keys that can be rotated and withdrawn, and a server that
// can hang or fail.
package issuertest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"agora/internal/forum"
	"agora/internal/issuer"
)

// Audience is the audience of the tokens.
const Audience = "agora"

// Issuer is an issuer of tokens.
type Issuer struct {
	// URL is the claim iss.
	URL string
	// Now is its clock.
	Now func() time.Time
	// Fetches counts the requests for its keys.
	Fetches atomic.Int64

	server *httptest.Server
	mu     sync.Mutex
	keys   []jose.JSONWebKey // the last one signs
	fault  func(w http.ResponseWriter, r *http.Request)
}

// New starts an issuer with one key, for EdDSA.
func New(t testing.TB) *Issuer {
	t.Helper()
	i := &Issuer{Now: time.Now}
	i.server = httptest.NewServer(i)
	t.Cleanup(i.server.Close)
	i.URL = i.server.URL
	i.Rotate(t, "first", jose.EdDSA)
	return i
}

// Config returns the configuration that accepts the issuer's tokens. The claim role has the roles.
func (i *Issuer) Config() issuer.Config {
	c := issuer.Config{Issuer: i.URL, Audience: []string{Audience}, Claims: issuer.DefaultClaims(),
		Roles: map[string]forum.Role{"moderator": forum.RoleModerator, "admin": forum.RoleAdmin}}
	c.Claims.Role = "role"
	return c
}

// Rotate adds a key, which signs from now on.
func (i *Issuer) Rotate(t testing.TB, id string, alg jose.SignatureAlgorithm) {
	t.Helper()
	var private any
	var err error
	switch alg {
	case jose.EdDSA:
		_, private, err = ed25519.GenerateKey(rand.Reader)
	case jose.ES256:
		private, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.ES384:
		private, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case jose.ES512:
		private, err = ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	default:
		private, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	if err != nil {
		t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = append(i.keys, jose.JSONWebKey{KeyID: id, Algorithm: string(alg), Use: "sig", Key: private})
}

// Withdraw removes a key.
func (i *Issuer) Withdraw(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = slices.DeleteFunc(slices.Clone(i.keys), func(k jose.JSONWebKey) bool { return k.KeyID == id })
}

// Break makes f answer all requests; nil ends that.
func (i *Issuer) Break(f http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.fault = f
}

// ServeHTTP serves the discovery document and the keys.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	fault, keys := i.fault, i.keys
	i.mu.Unlock()
	if r.URL.Path == "/keys" {
		i.Fetches.Add(1)
	}
	if fault != nil {
		fault(w, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		json.NewEncoder(w).Encode(map[string]any{"issuer": i.URL, "jwks_uri": i.URL + "/keys"})
	case "/keys":
		var public jose.JSONWebKeySet
		for _, k := range keys {
			public.Keys = append(public.Keys, k.Public())
		}
		json.NewEncoder(w).Encode(public)
	default:
		http.NotFound(w, r)
	}
}

// Claims are claims of a token; nil leaves one out.
type Claims map[string]any

// Token returns a token for a subject, issued now and valid for an hour, with other or more claims.
func (i *Issuer) Token(t testing.TB, subject string, more Claims) string {
	t.Helper()
	i.mu.Lock()
	last := i.keys[len(i.keys)-1].KeyID
	i.mu.Unlock()
	return i.TokenBy(t, last, subject, more)
}

// TokenBy returns a token that the key with an id has signed.
func (i *Issuer) TokenBy(t testing.TB, id, subject string, more Claims) string {
	t.Helper()
	k := i.key(id)
	return Sign(t, jose.SigningKey{Algorithm: jose.SignatureAlgorithm(k.Algorithm), Key: k}, i.Claims(subject, more), nil)
}

// Claims returns the claims of such a token.
func (i *Issuer) Claims(subject string, more Claims) Claims {
	now := i.Now().Unix()
	all := Claims{"iss": i.URL, "aud": Audience, "sub": subject, "iat": now, "exp": now + 3600}
	maps.Copy(all, more)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// Public returns the public key with an id.
func (i *Issuer) Public(id string) crypto.PublicKey {
	k := i.key(id)
	return k.Public().Key
}

// key returns the key with an id.
func (i *Issuer) key(id string) jose.JSONWebKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := slices.IndexFunc(i.keys, func(k jose.JSONWebKey) bool { return k.KeyID == id })
	return i.keys[n]
}

// Sign returns a token signed with any key, and with more headers.
func Sign(t testing.TB, key jose.SigningKey, claims Claims, headers map[jose.HeaderKey]any) string {
	t.Helper()
	signer, err := jose.NewSigner(key, &jose.SignerOptions{ExtraHeaders: headers})
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(map[string]any(claims)).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
