package issuer

import (
	"strings"
	"time"

	"agora/internal/forum"
)

// Identity is what a verified token says.
type Identity struct {
	forum.External
	// IssuedAt and Expires are the claims iat and exp.
	IssuedAt, Expires forum.Time
	// ProvedAt is the claim auth_time: when the member proved at the issuer who it is; 0 if the token does not say so.
	ProvedAt forum.Time
	// RoleLife is how long Profile.Role lasts once the token was seen.
	RoleLife time.Duration
	// Profile has the values of the mapped claims.
	Profile Profile
}

// Profile has values of an account; each is "" if its claim is not mapped or not in the token.
type Profile struct {
	Login, Name, Avatar string
	// Role is "" if the issuer's tokens say nothing about roles.
	Role forum.Role
}

// profile reads the mapped claims of a token.
func (c Config) profile(claims map[string]any) Profile {
	p := Profile{Login: text(claims, c.Claims.Login), Name: text(claims, c.Claims.Name),
		Avatar: text(claims, c.Claims.Avatar)}
	if c.Claims.Role != "" {
		p.Role = c.role(find(claims, c.Claims.Role))
	}
	return p
}

// provedAt returns the claim auth_time, a number of seconds; 0 if there is none, or it is in the future.
// Source: OpenID Connect Core 1.0, section 2.
func provedAt(claims map[string]any, now time.Time) forum.Time {
	seconds, ok := claims["auth_time"].(float64)
	if latest := float64(now.Add(leeway).Unix()); !ok || seconds <= 0 || seconds > latest {
		return 0
	}
	return forum.Time(seconds) * 1000
}

// role returns the highest role of the values of a claim: a string, or a list of strings.
func (c Config) role(claim any) forum.Role {
	values, ok := claim.([]any)
	if !ok {
		values = []any{claim}
	}
	highest := forum.RoleUser
	for _, v := range values {
		name, _ := v.(string)
		if role, ok := c.Roles[name]; ok && role.Includes(highest) {
			highest = role
		}
	}
	return highest
}

// maxValue is the maximum length of a value in bytes, enough for a link; longer ones are ignored.
const maxValue = forum.MaxLink

// text returns a claim that is a text, as long as name and avatar may be.
func text(claims map[string]any, name string) string {
	s, _ := find(claims, name).(string)
	if len(s) > maxValue {
		return ""
	}
	return s
}

// unescape decodes a part of a JSON pointer. Source: RFC 6901, section 4.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// find returns a claim by its name, or by a JSON pointer; nil if there is none.
func find(claims map[string]any, name string) any {
	rest, pointer := strings.CutPrefix(name, "/")
	if !pointer {
		return claims[name]
	}
	var at any = claims
	for part := range strings.SplitSeq(rest, "/") {
		object, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = object[unescape.Replace(part)]
	}
	return at
}
