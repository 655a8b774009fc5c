package cli

import (
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"agora/internal/forum"
	"agora/internal/issuer"
)

// issuer reads one issuer of tokens.
func (f *configFile) issuer(n ast.Node) issuer.Config {
	c, lines, before := issuer.Config{Claims: issuer.DefaultClaims()}, map[string]int{"": lineIn(n)}, len(f.errs)
	f.each(n, func(name string, key, value ast.Node) {
		lines[name] = lineIn(key)
		switch name {
		case "issuer":
			c.Issuer = f.text(value)
		case "audience":
			c.Audience = f.texts(value)
		case "jwks":
			c.JWKS = f.text(value)
		case "secret":
			c.Secret = []byte(f.text(value))
		case "claims":
			f.claims(&c.Claims, value)
		case "roles":
			c.Roles = map[string]forum.Role{}
			f.each(value, func(name string, _, role ast.Node) { c.Roles[name] = forum.Role(f.text(role)) })
		case "backchannel-logout":
			c.BackchannelLogout = f.onOff(value)
		case "role-life":
			c.RoleLife = f.duration(value)
		default:
			f.wrong(lines[name], "an issuer has no setting %q", name)
		}
	})
	if err := c.Check(); err != nil && len(f.errs) == before {
		for what := range strings.SplitSeq(err.Error(), "\n") {
			name, _, _ := strings.Cut(what, ":")
			line, ok := lines[name]
			if !ok {
				line = lines[""]
			}
			f.wrong(line, "%s", what)
		}
	}
	return c
}

// onOff reads on or off.
func (f *configFile) onOff(n ast.Node) bool {
	text := f.text(n)
	if text != "" && text != "on" && text != "off" {
		f.wrong(lineIn(n), "want on or off, not %q", text)
	}
	return text == "on"
}

// duration reads a time span such as 1h.
func (f *configFile) duration(n ast.Node) time.Duration {
	text := f.text(n)
	d, err := time.ParseDuration(text)
	if err != nil && len(text) > 0 {
		f.wrong(lineIn(n), "want a time span such as 1h, not %q", text)
	}
	return d
}

// claims reads the names of claims.
func (f *configFile) claims(c *issuer.Claims, n ast.Node) {
	f.each(n, func(name string, key, value ast.Node) {
		claim := ""
		if _, none := value.(*ast.NullNode); !none { // null: tokens do not set it
			claim = f.text(value)
		}
		switch name {
		case "login":
			c.Login = claim
		case "name":
			c.Name = claim
		case "avatar":
			c.Avatar = claim
		case "role":
			c.Role = claim
		default:
			f.wrong(lineIn(key), "want login, name, avatar or role, not %q", name)
		}
	})
}
