package httpserver

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
)

// signIn returns the viewer signed in with an Authorization header and the other headers of a request, or nil if the
// token is malformed, expired or revoked. Other errors than internal ones are why an account may not be used, the token
// of an issuer is refused, or the viewer may not act as another user. A member for whom the account was prepared has
// come.
func (o Options) signIn(ctx context.Context, authorization string, h http.Header, caller auth.Caller) (*forum.Viewer, error) {
	viewer, err := o.viewer(ctx, authorization, h, caller)
	if err == nil && viewer != nil && viewer.Prepared && viewer.Owner == 0 {
		if err := o.Resolver.Store.Accounts.Arrive(ctx, viewer.ID); err != nil {
			o.Resolver.Store.Engine.LogFailure(ctx, o.Log, "a member who has come was not listed", "error", err)
		} else {
			viewer.Prepared = false
		}
	}
	return viewer, err
}

// viewer is signIn for all accounts.
func (o Options) viewer(
	ctx context.Context, authorization string, h http.Header, caller auth.Caller,
) (*forum.Viewer, error) {
	if secret := bearer(authorization); issuer.IsToken(secret) {
		if actsAs(h) {
			return nil, forum.ScopeMissing(forum.ScopeImpersonate, "")
		}
		return o.Resolver.SignIn.SignIn(ctx, secret, guard{o, caller})
	}
	c, ok := credential(authorization, h)
	if !ok {
		return nil, nil
	}
	return o.signedIn(ctx, c)
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
	var rejection issuer.Rejection
	switch code := forum.CodeOf(err); {
	case errors.As(err, &rejection):
		return refused(http.StatusUnauthorized, "UNAUTHENTICATED", "%s", rejection).
			with("WWW-Authenticate", `Bearer error="invalid_token"`)
	case code == forum.CodeUnauthenticated:
		return badToken()
	case code == forum.CodeRateLimited:
		return refused(http.StatusTooManyRequests, string(code), "Too many tokens with a wrong signature. Wait a moment.")
	case code == forum.CodeScopeMissing || code == forum.CodeCannotActAs:
		return cannotAct(err)
	case barredBy(err) != nil: // of a token that would replace a socket's
		return refused(http.StatusForbidden, string(code), "%s", barredBy(err).Message)
	}
	o.Resolver.Store.Engine.LogFailure(ctx, o.Log, "a token cannot be checked", "error", err)
	return unavailable("The session cannot be checked just now; try again.")
}

// barredBy returns the error that says why an account may not be used, or nil for another error. Whoever has its token is
// as if signed out.
func barredBy(err error) *forum.Error {
	var e *forum.Error
	if errors.As(err, &e) && (e.Code == forum.CodeBanned || e.Code == forum.CodeDeactivated) {
		return e
	}
	return nil
}

// badToken refuses a token without a session.
func badToken() *refusal {
	return refused(http.StatusUnauthorized, "UNAUTHENTICATED", "The token is malformed, expired or revoked.").
		with("WWW-Authenticate", `Bearer error="invalid_token"`)
}

// refuseCaller answers a request of somebody who cannot be signed in. Clients that read streams retry after an error
// status, so those that accept only streams get a stream that ends for good.
func (o Options) refuseCaller(w http.ResponseWriter, r *http.Request, why *refusal) {
	a, _ := negotiate(r.Header["Accept"])
	asks := r.Method == http.MethodGet || r.Method == http.MethodPost
	if asks && a.stream && a.media == "" {
		o.Live.ServeResult(w, payloadOf(r.Context(), why))
		return
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

// touch records the use of a session or an API token, and returns when it ends, 0 if that did not change.
func (o Options) touch(ctx context.Context, c forum.Credential) (forum.Time, error) {
	if c.API {
		return 0, o.Resolver.Store.Sessions.TouchToken(ctx, c.Owner, c.Digest)
	}
	return o.Resolver.Store.Sessions.TouchSession(ctx, c.Owner, c.Digest)
}

// signedIn returns the viewer whom a credential signs in, and records its use. It is nil if the session has ended, the
// API token is dead, or the account is not active. Errors are as those of signIn.
func (o Options) signedIn(ctx context.Context, c forum.Credential) (*forum.Viewer, error) {
	s := o.Resolver.Store
	read := s.Read(ctx)
	read.Listing.Fence()
	session := read.Sessions.SignedIn(c)
	if err := read.Exec(); err != nil {
		return nil, err
	}
	viewer, seen, err := session()
	if err != nil || viewer == nil {
		return nil, err
	}
	if s.Engine.Now()-seen >= forum.Time(forum.SessionSeen.Milliseconds()) {
		if ends, err := o.touch(ctx, c); err != nil {
			s.Engine.LogFailure(ctx, o.Log, "the use of a session was not recorded", "error", err)
		} else if ends > viewer.SessionEnds {
			viewer.SessionEnds, viewer.Extended = ends, true
		}
	}
	return viewer, nil
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
