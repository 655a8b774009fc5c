package issuer

import (
	"cmp"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-jose/go-jose/v4"

	"agora/internal/turns"
)

// How the keys of an issuer are fetched.
const (
	// refresh is how often they are fetched in the background.
	refresh = 5 * time.Minute
	// unknownEvery is how often a token with an unknown key may cause a fetch.
	unknownEvery = 10 * time.Second
	// keysLife is how long the last keys are used while the issuer cannot be reached.
	keysLife = 24 * time.Hour
	// fetchTime bounds a fetch, which tokens with an unknown key wait for.
	fetchTime = 5 * time.Second
	// maxDocument is the maximum size of what is fetched, in bytes, and maxKeys the maximum number of keys.
	maxDocument = 256 << 10
	maxKeys     = 100
	// minRSA is the minimum size of an RSA key in bits. Source: RFC 7518, section 3.3.
	minRSA = 2048
)

// key is a public key, or a shared secret, with the algorithms that it may verify.
type key struct {
	id         string
	algorithms []jose.SignatureAlgorithm
	material   any
}

// verifies reports whether the key is for an algorithm.
func (k *key) verifies(alg string) bool {
	return slices.Contains(k.algorithms, jose.SignatureAlgorithm(alg))
}

// keySet is the keys of an issuer. A known key never causes a fetch.
type keySet struct {
	config Config
	client *http.Client
	log    *slog.Logger
	now    func() time.Time
	// current is what was fetched last; nil before the first fetch.
	current atomic.Pointer[fetched]

	// fetching is held by the caller that fetches, so that the others wait for its result.
	fetching chan struct{}
	mu       sync.Mutex
	tried    time.Time // the last fetch that an unknown key caused
}

// fetched is a result of a fetch.
type fetched struct {
	at   time.Time
	keys []*key
}

func newKeySet(c Config, client *http.Client, log *slog.Logger, now func() time.Time) *keySet {
	s := &keySet{config: c, client: client, log: log, now: now, fetching: make(chan struct{}, 1)}
	if len(c.Secret) > 0 {
		s.current.Store(&fetched{keys: []*key{{algorithms: []jose.SignatureAlgorithm{jose.HS256}, material: c.Secret}}})
	}
	return s
}

// shared reports whether the issuer signs with a shared secret, which is never fetched.
func (s *keySet) shared() bool { return len(s.config.Secret) > 0 }

// run fetches the keys at once and then regularly, until ctx is done.
func (s *keySet) run(ctx context.Context) {
	if s.shared() {
		return
	}
	every := time.NewTicker(refresh)
	defer every.Stop()
	for {
		if err := s.fetch(ctx, s.current.Load()); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "the keys of an issuer cannot be fetched", "issuer", s.config.Issuer, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// find returns the key with an id for an algorithm. If it is not known, the keys are fetched, at most once in
// unknownEvery.
func (s *keySet) find(ctx context.Context, id, alg string) (*key, error) {
	have := s.current.Load()
	if k := s.known(id, alg); k != nil || s.shared() {
		return k, nil
	}
	var err error
	if s.mayFetch() {
		err = s.fetch(ctx, have)
	} else {
		err = s.await(ctx)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.stale() {
		return nil, fmt.Errorf("the keys of %s are not known: %w", s.config.Issuer, cmp.Or(err, errNoKeys))
	}
	return s.known(id, alg), nil
}

// known returns a key without a fetch; nil if there is none. A token without a key id needs that only one key fits.
func (s *keySet) known(id, alg string) *key {
	if s.stale() {
		return nil
	}
	var found *key
	for _, k := range s.current.Load().keys {
		if !k.verifies(alg) || id != k.id && id != "" && !s.shared() {
			continue
		}
		if found != nil {
			return nil
		}
		found = k
	}
	return found
}

// has reports whether a key that verified a token has not been withdrawn.
func (s *keySet) has(k *key) bool {
	return !s.stale() && slices.Contains(s.current.Load().keys, k)
}

// stale reports whether there are no keys, or too old ones.
func (s *keySet) stale() bool {
	have := s.current.Load()
	return have == nil || !s.shared() && s.now().Sub(have.at) > keysLife
}

// mayFetch reports whether an unknown key may cause a fetch now.
func (s *keySet) mayFetch() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tried.IsZero() && s.now().Sub(s.tried) < unknownEvery {
		return false
	}
	s.tried = s.now()
	return true
}

// await waits for a fetch in progress, if there is one.
func (s *keySet) await(ctx context.Context) error {
	if err := turns.Enter(ctx, s.fetching); err != nil {
		return err
	}
	<-s.fetching
	return nil
}

// errNoKeys says that no fetch has succeeded lately.
var errNoKeys = errors.New("no fetch has succeeded")

// fetch replaces the keys by those that the issuer publishes, unless another caller has replaced have meanwhile.
func (s *keySet) fetch(ctx context.Context, have *fetched) error {
	if err := turns.Enter(ctx, s.fetching); err != nil {
		return err
	}
	defer func() { <-s.fetching }()
	if turn := turns.From(ctx); turn.Pause() { // it is the issuer's server that is waited for
		defer turn.Resume(ctx)
	}
	if s.current.Load() != have {
		return nil
	}
	// The result serves others too, so the caller's end does not end it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
	defer cancel()
	address := s.config.JWKS
	if address == "" {
		var err error
		if address, err = s.discover(ctx); err != nil {
			return err
		}
	}
	var set struct{ Keys []json.RawMessage }
	if err := s.get(ctx, address, &set); err != nil {
		return err
	}
	all := s.keep(parseKeys(set.Keys))
	if len(all) == 0 {
		return fmt.Errorf("%s has no key that can verify a signature", address)
	}
	s.current.Store(&fetched{at: s.now(), keys: all})
	return nil
}

// keep returns keys, with those that are known already as they are, so that tokens stay verified.
func (s *keySet) keep(all []*key) []*key {
	have := s.current.Load()
	if have == nil {
		return all
	}
	for i, k := range all {
		for _, old := range have.keys {
			if old.same(k) {
				all[i] = old
			}
		}
	}
	return all
}

// same reports whether k is a public key with the same uses.
func (k *key) same(other *key) bool {
	public, ok := k.material.(interface{ Equal(crypto.PublicKey) bool })
	return ok && k.id == other.id && slices.Equal(k.algorithms, other.algorithms) && public.Equal(other.material)
}

// discover returns the address of the issuer's keys. Source: OpenID Connect Discovery 1.0, section 4.
func (s *keySet) discover(ctx context.Context) (string, error) {
	var found struct {
		Issuer string `json:"issuer"`
		JWKS   string `json:"jwks_uri"`
	}
	err := s.get(ctx, strings.TrimSuffix(s.config.Issuer, "/")+"/.well-known/openid-configuration", &found)
	if err != nil {
		return "", err
	}
	if found.Issuer != s.config.Issuer {
		return "", fmt.Errorf("the discovery document is of the issuer %q", found.Issuer)
	}
	return found.JWKS, CheckURL(found.JWKS)
}

// get fetches a JSON document.
func (s *keySet) get(ctx context.Context, address string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "application/json, application/jwk-set+json")
	resp, err := s.client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("GET %s: %s", address, resp.Status)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err != nil {
		return fmt.Errorf("GET %s: %w", address, err)
	}
	if len(body) > maxDocument {
		return fmt.Errorf("GET %s: more than %d bytes", address, maxDocument)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("GET %s: %w", address, err)
	}
	return nil
}

// newClient returns the client that fetches documents of issuers. A redirect must lead to a safe address, too.
func newClient() *http.Client {
	return &http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) > 3 {
			return errors.New("too many redirects")
		}
		return CheckURL(r.URL.String())
	}}
}

// parseKeys returns the keys that can verify signatures; others are ignored, as RFC 7517, section 5, asks.
func parseKeys(raw []json.RawMessage) []*key {
	var all []*key
	for _, r := range raw[:min(len(raw), maxKeys)] {
		var k jose.JSONWebKey
		if k.UnmarshalJSON(r) != nil || !k.Valid() || !k.IsPublic() || k.Use != "" && k.Use != "sig" {
			continue
		}
		algorithms := algorithmsOf(k.Key)
		if k.Algorithm != "" {
			bound := &key{algorithms: algorithms}
			if !bound.verifies(k.Algorithm) {
				continue
			}
			algorithms = []jose.SignatureAlgorithm{jose.SignatureAlgorithm(k.Algorithm)}
		}
		if len(algorithms) > 0 {
			all = append(all, &key{id: k.KeyID, algorithms: algorithms, material: k.Key})
		}
	}
	return all
}

// algorithmsOf returns the algorithms that a public key may verify. Source: RFC 7518, sections 3.3 to 3.5, and RFC 8037.
func algorithmsOf(public any) []jose.SignatureAlgorithm {
	switch k := public.(type) {
	case *rsa.PublicKey:
		if k.N.BitLen() >= minRSA {
			return []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512}
		}
	case *ecdsa.PublicKey:
		switch k.Curve.Params().BitSize {
		case 256:
			return []jose.SignatureAlgorithm{jose.ES256}
		case 384:
			return []jose.SignatureAlgorithm{jose.ES384}
		case 521:
			return []jose.SignatureAlgorithm{jose.ES512}
		}
	case ed25519.PublicKey:
		return []jose.SignatureAlgorithm{jose.EdDSA}
	}
	return nil
}
