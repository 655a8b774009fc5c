package httpserver

import (
	"errors"
	"net/http"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
)

// ActAsHeader names the user as whom the owner of an API token with the scope IMPERSONATE acts, by global id.
const ActAsHeader = "Agora-Act-As"

// nobody is an id that no user has.
const nobody forum.UserID = -1

// actsAs reports whether a request names a user to act as.
func actsAs(h http.Header) bool { return len(h[ActAsHeader]) > 0 }

// credential parses an Authorization header and the other headers of a request; ok is false if the token is malformed.
func credential(authorization string, h http.Header) (c forum.Credential, ok bool) {
	token, ok := auth.ParseToken(bearer(authorization))
	if !ok {
		return c, false
	}
	c = forum.Credential{Owner: token.User, Digest: token.Digest(), API: token.API}
	if actsAs(h) {
		c.As = userNamed(h[ActAsHeader])
	}
	return c, true
}

// userNamed returns the user whom the values of a header name, or nobody.
func userNamed(values []string) forum.UserID {
	typ, key, ok := globalid.Split(values[0])
	id, err := forum.ParseID[forum.UserID](key)
	if !ok || typ != globalid.User || err != nil || len(values) > 1 {
		return nobody
	}
	return id
}

// cannotAct refuses a caller who may not act as another user; nil for other errors.
func cannotAct(err error) *refusal {
	var e *forum.Error
	if !errors.As(err, &e) || e.Code != forum.CodeScopeMissing && e.Code != forum.CodeCannotActAs {
		return nil
	}
	why := refused(http.StatusForbidden, string(e.Code), "%s", e.Message)
	if e.Scope != "" {
		why.errors[0].Extensions["scope"] = e.Scope
	}
	return why
}
