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
		o.Live.ServeResult(w, payloadOf(r.Context(), why))
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

// callerAt is somebody at an address who is not signed in. Addresses are pseudonyms of 16
// digits, in the log too. Who has one address of IPv6 has the whole network of 64 bits,
// which counts as one address.
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

// widerNetworks are the lengths of the prefixes of auth.Caller.Networks.
var widerNetworks = []int{56, 48}

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
