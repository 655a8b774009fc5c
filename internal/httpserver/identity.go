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
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/signin"
)

// signIn returns the viewer signed in with an Authorization header, or nil if the token is malformed, expired or
// revoked. Other errors than internal ones are why an account may not be used, or the token of an issuer is refused.
func (o Options) signIn(ctx context.Context, header string, caller auth.Caller) (*forum.Viewer, error) {
	secret := bearer(header)
	if issuer.IsToken(secret) {
		return o.Resolver.SignIn.SignIn(ctx, secret, guard{o, caller})
	}
	token, ok := auth.ParseToken(secret)
	if !ok {
		return nil, nil
	}
	return o.signedIn(ctx, token.User, token.Digest())
}

// claimed returns the user of an Authorization header, whose session has perhaps not been read; nil if the token is
// malformed. The errors are those of signIn.
func (o Options) claimed(ctx context.Context, header string, caller auth.Caller) (*forum.Viewer, error) {
	secret := bearer(header)
	if issuer.IsToken(secret) {
		return o.Resolver.SignIn.SignIn(ctx, secret, guard{o, caller})
	}
	token, ok := auth.ParseToken(secret)
	if !ok {
		return nil, nil
	}
	return &forum.Viewer{ID: token.User, Session: token.Digest()}, nil
}

// guard charges wrong signatures of tokens to the caller's address.
type guard struct {
	site   Options
	caller auth.Caller
}

// Admit implements issuer.Guard.
func (g guard) Admit() error {
	left, err := g.site.Resolver.Rates.TakeN(ratelimit.Signatures, 0, g.caller)
	if err == nil && left.Limit > 0 && left.Calls == 0 {
		err = forum.RateLimited(left.Wait)
	}
	return err
}

// Failed implements issuer.Guard.
func (g guard) Failed() { _ = g.site.Resolver.Rates.Take(ratelimit.Signatures, g.caller) }

// unusable returns how a request is refused whose token cannot be used, and logs an internal error.
func (o Options) unusable(ctx context.Context, err error) *refusal {
	why, rejected := signin.IsRejection(err)
	switch code := forum.CodeOf(err); {
	case rejected:
		return refused(http.StatusUnauthorized, "UNAUTHENTICATED", "%s", why)
	case code == forum.CodeUnauthenticated:
		return badToken()
	case code == forum.CodeBanned || code == forum.CodeDeactivated:
		return refused(http.StatusForbidden, string(code), "%s", err.(*forum.Error).Message)
	}
	o.Resolver.Store.LogFailure(ctx, o.Log, "a token cannot be checked", "error", err)
	return unavailable("The session cannot be checked just now; try again.")
}

// badToken refuses a token without a session.
func badToken() *refusal {
	return refused(http.StatusUnauthorized, "UNAUTHENTICATED", "The token is malformed, expired or revoked.")
}

// refuseToken answers a request with a token that cannot be used. Clients that read streams retry after an error status,
// so those that accept only streams get a stream that ends for good.
func (o Options) refuseToken(w http.ResponseWriter, r *http.Request, why *refusal) {
	a, _ := negotiate(r.Header["Accept"])
	asks := r.Method == http.MethodGet || r.Method == http.MethodPost
	if asks && a.stream && a.media == "" {
		o.Live.ServeResult(w, payloadOf(r.Context(), why))
		return
	}
	if why.status == http.StatusUnauthorized {
		why = why.with("WWW-Authenticate", `Bearer error="invalid_token"`)
	}
	writeRefusal(w, r, a, why)
}

// bearer returns the token of an Authorization header; "" if it has another scheme.
func bearer(header string) string {
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(secret)
}

// again reads a viewer again; nil if the session has ended or the account may not be used any more.
func (o Options) again(ctx context.Context, was *forum.Viewer) (*forum.Viewer, error) {
	if was.External == "" {
		return o.signedIn(ctx, was.ID, was.Session)
	}
	read := o.Resolver.Store.Read(ctx)
	read.Fence()
	viewer := read.Viewer(was)
	if err := read.Exec(); err != nil {
		return nil, err
	}
	return viewer()
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
		ends, err := s.TouchSession(ctx, user, digest)
		if err != nil {
			s.LogFailure(ctx, o.Log, "the use of a session was not recorded", "error", err)
		} else if ends > viewer.SessionEnds {
			viewer.SessionEnds, viewer.Extended = ends, true
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
