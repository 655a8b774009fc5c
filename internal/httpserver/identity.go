package httpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/auth"
	"agora/internal/forum"
)

// session reads who is signed in with an Authorization header. It is nil when
// the token is malformed, expired or revoked.
func (o Options) session(ctx context.Context, header string) (*forum.Viewer, error) {
	token, ok := bearer(header)
	if !ok {
		return nil, nil
	}
	return o.signedIn(ctx, token.User, token.Digest())
}

// badToken refuses a token of which there is no session.
func badToken() *refusal {
	return refused(http.StatusUnauthorized, "UNAUTHENTICATED", "The token is malformed, expired or revoked.")
}

// refuseToken answers a request with a bad token. Clients that read streams ask again after
// a status that tells of failure: who takes nothing else gets a stream, which ends for good.
func (o Options) refuseToken(w http.ResponseWriter, r *http.Request) {
	a, _ := negotiate(r.Header["Accept"])
	why, asks := badToken(), r.Method == http.MethodGet || r.Method == http.MethodPost
	if asks && a.stream && a.media == "" {
		o.stream(w).refuse(r.Context(), why)
		return
	}
	writeRefusal(w, r, a, why.with("WWW-Authenticate", `Bearer error="invalid_token"`))
}

// bearer reads the token of an Authorization header.
func bearer(header string) (auth.Token, bool) {
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return auth.Token{}, false
	}
	return auth.ParseToken(strings.TrimSpace(secret))
}

// signedIn reads the user of a session, and notes that it is in use. It is nil when
// the session has ended or the account is not active.
func (o Options) signedIn(ctx context.Context, user forum.UserID, digest string) (*forum.Viewer, error) {
	s := o.Resolver.Store
	read := s.Read(ctx)
	session := read.Session(user, digest)
	if err := read.Exec(); err != nil {
		return nil, err
	}
	viewer, seen, err := session()
	if err != nil || viewer == nil {
		return nil, err
	}
	if s.Now()-seen >= forum.Time(forum.SessionSeen.Milliseconds()) {
		if err := s.TouchSession(ctx, user, digest); err != nil {
			s.LogFailure(ctx, o.Log, "the use of a session is not noted", "error", err)
		}
	}
	return viewer, nil
}

// addressHash tells addresses apart without keeping them. Who has one address of
// IPv6 has the whole network of 64 bits: it counts as one.
func addressHash(ip netip.Addr) string {
	ip = networkOf(ip)
	var text [64]byte // room for every address without zone
	sum := sha256.Sum256(ip.AppendTo(append(text[:0], "visitor "...)))
	var digits [16]byte
	hex.Encode(digits[:], sum[:8])
	return string(digits[:])
}

// networkOf is the address itself, or of IPv6 the first of its network of 64 bits.
func networkOf(ip netip.Addr) netip.Addr {
	if ip.Is6() {
		return netip.PrefixFrom(ip, 64).Masked().Addr()
	}
	return ip
}

// userAgent is the header of that name as the user may see it later: well-formed,
// on one line, without characters that change what stands around them, not too long.
func userAgent(header string) string {
	header = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return -1
		}
		return r
	}, header)
	if len(header) <= forum.MaxUserAgent {
		return strings.TrimSpace(header)
	}
	runes := []rune(header)
	return strings.TrimSpace(string(runes[:min(len(runes), forum.MaxUserAgent)]))
}

// visitorOf tells signed-in callers apart by user.
func visitorOf(v *forum.Viewer) string { return "u" + strconv.FormatInt(int64(v.ID), 10) }
