package httpserver

import (
	"net/http"
	"time"

	"agora/internal/auth"
	"agora/internal/forum"
)

// cookieName is the cookie with the token of a session. Browsers send one with this prefix only to the host that has
// set it, over TLS or on this machine. Source: RFC 6265bis, section 4.1.3.2.
const cookieName = "__Host-agora"

// cookie returns the token in a request's cookie; "" if there is none, or the request may not use it: that of a page
// that is neither the server's own nor one that the operator has listed.
func (o Origins) cookie(r *http.Request) string {
	c, err := r.Cookie(cookieName)
	if err != nil || !o.trusts(r) {
		return ""
	}
	return c.Value
}

// trusts reports whether a request comes from a page that may have the cookie, or from no browser.
func (o Origins) trusts(r *http.Request) bool {
	o.every = false
	return !foreign(r) || o.has(r.Header.Get("Origin"))
}

// hasCookie reports whether a request has the cookie, whether it may use it or not.
func hasCookie(r *http.Request) bool {
	_, err := r.Cookie(cookieName)
	return err == nil
}

// authorization returns the Authorization header of a request, or else what its cookie stands for; cookie reports
// which.
func (o Origins) authorization(r *http.Request) (header string, cookie bool) {
	if header = r.Header.Get("Authorization"); header != "" {
		return header, false
	}
	if token := o.cookie(r); token != "" {
		return "Bearer " + token, true
	}
	return "", false
}

// setCookie puts the token of a session into the caller's cookie; "" removes it.
func setCookie(w http.ResponseWriter, token string, life time.Duration) {
	c := &http.Cookie{Name: cookieName, Value: token, Path: "/", Secure: true, HttpOnly: true,
		SameSite: http.SameSiteLaxMode, MaxAge: int(life.Seconds())}
	if token == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// withCookie lets the mutations of a request set and remove the caller's cookie.
func (o Options) withCookie(w http.ResponseWriter, caller auth.Caller) auth.Caller {
	s := o.Resolver.Store
	caller.SetCookie = func(token string, ends forum.Time) {
		setCookie(w, token, time.Duration(ends-s.Engine.Now())*time.Millisecond)
	}
	return caller
}
