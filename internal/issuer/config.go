// Package issuer verifies tokens (JWTs) that other issuers sign, such as an OpenID Connect provider or the server of
// the site that Agora is a part of. It stores nothing, and knows no accounts.
package issuer

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"agora/internal/forum"
)

// Bounds of a configuration.
const (
	// minSecret is the minimum length of a shared secret in bytes. Source: RFC 7518, section 3.2.
	minSecret = 32
	// maxIssuer is the maximum length of an issuer in bytes.
	maxIssuer = 255
)

// How long a role that a token says lasts once the token was seen: the usual time and its bounds. The minimum is some
// times the minute between writes of when a token was seen, the maximum what a session lasts.
const (
	DefaultRoleLife = time.Hour
	MinRoleLife     = 5 * time.Minute
	MaxRoleLife     = forum.SessionMost
)

// Config says which tokens of an issuer are accepted, and what their claims mean.
type Config struct {
	// Issuer is the claim iss of its tokens, byte by byte.
	Issuer string
	// Audience are the values of the claim aud that are accepted; a token needs one of them.
	Audience []string
	// JWKS is the address of the issuer's public keys; "" finds it in the issuer's discovery document.
	JWKS string
	// Secret is the secret shared with the issuer, which then signs with HS256; empty for public keys.
	Secret []byte
	// Claims are the claims from which values of an account are taken.
	Claims Claims
	// Roles maps values of the claim Claims.Role to roles; all others mean USER.
	Roles map[string]forum.Role
	// RoleLife is how long a role above USER lasts once a token that says so was seen; 0 is DefaultRoleLife.
	RoleLife time.Duration
	// BackchannelLogout accepts logout tokens, with which the issuer ends what came from its tokens.
	BackchannelLogout bool
}

func (c Config) roleLife() time.Duration { return cmp.Or(c.RoleLife, DefaultRoleLife) }

// Claims names claims: "name", or a JSON pointer such as "/realm_access/roles" for one inside of another. "" is none.
type Claims struct {
	Login, Name, Avatar, Role string
}

// DefaultClaims are the claims of OpenID Connect. No token changes a role unless a claim is configured.
// Source: OpenID Connect Core 1.0, section 5.1.
func DefaultClaims() Claims {
	return Claims{Login: "preferred_username", Name: "name", Avatar: "picture"}
}

// Check returns what is wrong with a configuration.
func (c Config) Check() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.Issuer == "" || len(c.Issuer) > maxIssuer || strings.ContainsAny(c.Issuer, " \t\r\n") {
		wrong("issuer: want 1 to %d bytes without spaces", maxIssuer)
	}
	if len(c.Audience) == 0 || slices.Contains(c.Audience, "") {
		wrong("audience: name at least one, or tokens for other services would be accepted")
	}
	switch {
	case len(c.Secret) > 0 && c.JWKS != "":
		wrong("secret: use either a secret or jwks")
	case len(c.Secret) > 0 && len(c.Secret) < minSecret:
		wrong("secret: want at least %d bytes, got %d", minSecret, len(c.Secret))
	case len(c.Secret) > 0:
	case c.JWKS != "":
		if err := CheckURL(c.JWKS); err != nil {
			wrong("jwks: %w", err)
		}
	default:
		if err := CheckURL(c.Issuer); err != nil {
			wrong("issuer: without secret and jwks, its keys are found by discovery: %w", err)
		}
	}
	for value, role := range c.Roles {
		if !role.IsValid() {
			wrong("roles: %q is %q; want USER, MODERATOR or ADMIN", value, role)
		}
	}
	if life := c.roleLife(); life < MinRoleLife || life > MaxRoleLife {
		wrong("role-life: want %s to %s, got %s", MinRoleLife, MaxRoleLife, life)
	}
	if len(c.Roles) > 0 && c.Claims.Role == "" {
		wrong("roles: name the claim that has them in claims.role")
	}
	return errors.Join(errs...)
}

// CheckURL returns what is wrong with an address that nobody on the way may change: it must have TLS, or be on this
// machine.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" {
		return fmt.Errorf("%q is not an address such as https://id.example.org", address)
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return fmt.Errorf("%q must begin with https://", address)
	}
	return nil
}
