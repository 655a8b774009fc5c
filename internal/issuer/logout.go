package issuer

import (
	"context"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"agora/internal/forum"
)

// logoutEvent is the member of the claim events that makes a token a logout token.
// Source: OpenID Connect Back-Channel Logout 1.0, section 2.4.
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// logoutAge is how old a logout token without exp may be.
const logoutAge = 2 * time.Minute

// logoutTypes are the values of the header typ that are accepted of a logout token, in lower case.
var logoutTypes = []string{"", "jwt", "application/jwt", "logout+jwt", "application/logout+jwt"}

// Logout is what a verified logout token says.
type Logout struct {
	forum.External
	// At is the claim iat: when the member signed out, by the clock of the issuer.
	At forum.Time
}

// TakesLogouts reports whether an issuer may say that members signed out.
func (v *Verifier) TakesLogouts() bool {
	if v == nil {
		return false
	}
	for _, s := range v.issuers {
		if s.config.BackchannelLogout {
			return true
		}
	}
	return false
}

// VerifyLogout returns what a logout token says. The errors are those of Verify.
func (v *Verifier) VerifyLogout(ctx context.Context, token string, g Guard) (Logout, error) {
	if len(token) > MaxToken {
		return Logout{}, Rejection("The token is too long.")
	}
	is, err := v.open(ctx, token, g, logoutTypes, v.checkLogout)
	if err != nil {
		return Logout{}, err
	}
	_, nonce := is.said["nonce"]
	_, session := is.said["sid"]
	switch {
	case !isLogout(is.said):
		return Logout{}, Rejection("The token is not a logout token: its events lack " + logoutEvent + ".")
	case nonce:
		return Logout{}, Rejection("A logout token has no nonce.")
	case is.claims.Subject == "" && session:
		return Logout{}, Rejection("The token has only the claim sid; sessions are ended by sub.")
	}
	if err := checkSubject(is.claims); err != nil {
		return Logout{}, err
	}
	return Logout{External: forum.External{Issuer: is.claims.Issuer, Subject: is.claims.Subject},
		At: forum.Time(is.claims.IssuedAt.Time().UnixMilli())}, nil
}

// checkLogout checks what a logout token says of itself, but for its subject.
func (v *Verifier) checkLogout(c Config, claims jwt.Claims) error {
	if !c.BackchannelLogout {
		return Rejection("This site takes no logout tokens of the issuer.")
	}
	if err := v.checkUse(c, claims); err != nil {
		return err
	}
	switch {
	case claims.IssuedAt == nil:
		return Rejection("The token needs the claim iat.")
	case claims.Expiry == nil && v.now().Sub(claims.IssuedAt.Time()) > logoutAge+leeway:
		return Rejection("The token has no exp, and is too old.")
	}
	return nil
}

// isLogout reports whether the claims are those of a logout token.
func isLogout(claims map[string]any) bool {
	events, _ := claims["events"].(map[string]any)
	_, ok := events[logoutEvent].(map[string]any)
	return ok
}
