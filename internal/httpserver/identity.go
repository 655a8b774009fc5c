package httpserver

import (
	"context"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/auth"
	"agora/internal/forum"
)

// session returns the viewer signed in with an Authorization header, or nil if the token is malformed, expired or
// revoked.
func (o Options) session(ctx context.Context, header string) (*forum.Viewer, error) {
	token, ok := bearer(header)
	if !ok {
		return nil, nil
	}
	return o.signedIn(ctx, token.User, token.Digest())
}

// badToken refuses a token without a session.
func badToken() *refusal {
	return refused(http.StatusUnauthorized, "UNAUTHENTICATED", "The token is malformed, expired or revoked.")
}

// refuseToken answers a request with a bad token. Clients that read streams retry after an error status, so those
// that accept only streams get a stream that ends for good.
func (o Options) refuseToken(w http.ResponseWriter, r *http.Request) {
	a, _ := negotiate(r.Header["Accept"])
	why, asks := badToken(), r.Method == http.MethodGet || r.Method == http.MethodPost
	if asks && a.stream && a.media == "" {
		o.Live.ServeResult(w, payloadOf(r.Context(), why))
		return
	}
	writeRefusal(w, r, a, why.with("WWW-Authenticate", `Bearer error="invalid_token"`))
}

// bearer parses the token of an Authorization header.
func bearer(header string) (auth.Token, bool) {
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return auth.Token{}, false
	}
	return auth.ParseToken(strings.TrimSpace(secret))
}

// signedIn returns the user of a session, and records its use. It is nil if the session has ended or the account is
// not active.
func (o Options) signedIn(ctx context.Context, user forum.UserID, digest string) (*forum.Viewer, error) {
	s := o.Resolver.Store
	read := s.Read(ctx)
	read.Fence()
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
			s.LogFailure(ctx, o.Log, "the use of a session was not recorded", "error", err)
		}
	}
	return viewer, nil
}

// callerAt returns the signed-out caller at an address. Addresses are pseudonyms of 16 digits, also in the log. The
// owner of one IPv6 address has the whole network of 64 bits, which counts as one address.
func (o Options) callerAt(ip netip.Addr, agent string) auth.Caller {
	pseudonym := func(network string) string { return o.Resolver.Store.Pseudonym("address", network)[:16] }
	address := pseudonym(networkOf(ip).String())
	c := auth.Caller{Visitor: address, Address: address, UserAgent: userAgent(agent)}
	if ip.Is6() {
		for _, bits := range widerNetworks {
			c.Networks = append(c.Networks, pseudonym(netip.PrefixFrom(ip, bits).Masked().String()))
		}
	}
	return c
}

// widerNetworks are the prefix lengths of auth.Caller.Networks.
var widerNetworks = []int{56, 48}

// networkOf returns the address itself, or the first address of its 64-bit network for IPv6.
func networkOf(ip netip.Addr) netip.Addr {
	if ip.Is6() {
		return netip.PrefixFrom(ip, 64).Masked().Addr()
	}
	return ip
}

// userAgent returns the header in a form that can be shown to the user: well-formed, on one line, without characters
// that affect the surrounding text, and not too long.
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

// visitorOf identifies signed-in callers by user.
func visitorOf(v *forum.Viewer) string { return "u" + strconv.FormatInt(int64(v.ID), 10) }
