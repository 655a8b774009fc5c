package httpserver

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/test/issuertest"
)

// logoutSite is a server that takes logout tokens of an issuer.
func logoutSite(t *testing.T) (*server, *issuertest.Issuer) {
	t.Helper()
	of := issuertest.New(t)
	return newServer(t, func(o *Options) { takingLogouts(of, o.Resolver) }), of
}

func takingLogouts(of *issuertest.Issuer, r *graph.Resolver) {
	of.Now = func() time.Time { return time.UnixMilli(int64(r.Store.Engine.Now())) }
	c := of.Config()
	c.BackchannelLogout = true
	r.SignIn = signin.New(r.Store, issuer.New([]issuer.Config{c}, r.Log, of.Now), r.Log)
}

var logoutEvents = map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}

// logoutClaims are claims of a logout token, with others.
func logoutClaims(more issuertest.Claims) issuertest.Claims {
	all := issuertest.Claims{"events": logoutEvents, "jti": "1"}
	for name, value := range more {
		all[name] = value
	}
	return all
}

// logOut posts a form.
func (s *server) logOut(typ, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", LogoutPath, strings.NewReader(body))
	r.Header.Set("Content-Type", typ)
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const isForm = "application/x-www-form-urlencoded"

func form(token string) string { return url.Values{"logout_token": {token}}.Encode() }

// What came from the account of a logout token ends, once.
func TestIssuersSignMembersOut(t *testing.T) {
	s, of := logoutSite(t)
	now := of.Now().Unix()
	token := of.Token(t, "7", issuertest.Claims{"iat": now - 2})
	session := s.startSession(token)
	other := s.startSession(of.Token(t, "8", nil))
	out := of.Token(t, "7", logoutClaims(issuertest.Claims{"iat": now - 1}))
	for range 2 {
		w := s.logOut(isForm, form(out))
		if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Cache-Control") != "no-store" {
			t.Fatalf("a logout token gets %d, %q, %v; want 200 and no body", w.Code, w.Body, w.Header())
		}
		for secret, want := range map[string]int{token: 401, session: 401, other: 200} {
			if got := s.post(askViewer, "Authorization: Bearer "+secret).Code; got != want {
				t.Errorf("afterwards, a token gets %d; want %d", got, want)
			}
		}
	}
	again := s.startSession(of.Token(t, "7", nil))
	s.logOut(isForm, form(out))
	if got := s.post(askViewer, "Authorization: Bearer "+again).Code; got != 200 {
		t.Errorf("after the token was sent again, a newer session gets %d; want 200", got)
	}
	if w := s.logOut(isForm, form(of.Token(t, "nobody", logoutClaims(nil)))); w.Code != 200 {
		t.Errorf("a logout token of nobody gets %d; want 200", w.Code)
	}
}

// Nothing but a logout token signs anybody out, and it signs nobody in.
func TestLogoutTokensAreChecked(t *testing.T) {
	s, of := logoutSite(t)
	session := s.startSession(of.Token(t, "7", nil))
	later := of.Now().Add(time.Minute / 2).Unix()
	with := func(more issuertest.Claims) string {
		c := logoutClaims(more)
		if _, has := c["iat"]; !has {
			c["iat"] = later
		}
		return of.Token(t, "7", c)
	}
	strange := issuertest.New(t)
	strange.URL, strange.Now = of.URL, of.Now
	for name, tt := range map[string]struct{ typ, body, why string }{
		"JSON":          {"application/json", form(with(nil)), "x-www-form-urlencoded"},
		"no token":      {isForm, "", "one logout_token"},
		"two tokens":    {isForm, form(with(nil)) + "&" + form(with(nil)), "one logout_token"},
		"too long":      {isForm, form(strings.Repeat("x", maxLogoutBody)), "too long"},
		"an ID token":   {isForm, form(of.Token(t, "7", nil)), "not a logout token"},
		"another event": {isForm, form(with(issuertest.Claims{"events": map[string]any{"x": map[string]any{}}})), "not a logout token"},
		"an event that is no object": {isForm, form(with(issuertest.Claims{"events": map[string]any{
			"http://schemas.openid.net/event/backchannel-logout": 1}})), "not a logout token"},
		"a nonce":            {isForm, form(with(issuertest.Claims{"nonce": "n"})), "nonce"},
		"a session only":     {isForm, form(with(issuertest.Claims{"sub": nil, "sid": "s"})), "only the claim sid"},
		"nobody":             {isForm, form(with(issuertest.Claims{"sub": nil})), "claim sub"},
		"no time":            {isForm, form(with(issuertest.Claims{"iat": nil})), "iat"},
		"expired":            {isForm, form(with(issuertest.Claims{"exp": later - 1000})), "expired"},
		"old without an end": {isForm, form(with(issuertest.Claims{"exp": nil, "iat": later - 1000})), "too old"},
		"another audience":   {isForm, form(with(issuertest.Claims{"aud": "x"})), "audience"},
		"another issuer":     {isForm, form(with(issuertest.Claims{"iss": "https://x.example"})), "issuer"},
		"another key":        {isForm, form(strange.Token(t, "7", logoutClaims(nil))), "signature"},
	} {
		w := s.logOut(tt.typ, tt.body)
		if w.Code != 400 || !strings.Contains(w.Body.String(), `"error":"invalid_request"`) || !strings.Contains(w.Body.String(), tt.why) ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s; want 400 and %q", name, w.Code, w.Body, tt.why)
		}
	}
	if got := s.post(askViewer, "Authorization: Bearer "+session).Code; got != 200 {
		t.Errorf("afterwards, the session gets %d; want 200", got)
	}
	if w := s.post(askViewer, "Authorization: Bearer "+with(nil)); w.Code != 401 || !strings.Contains(w.Body.String(), "signs nobody in") {
		t.Errorf("a logout token signs in: %d %s", w.Code, w.Body)
	}
}

// A site takes no logout tokens unless its configuration says so.
func TestLogoutIsOff(t *testing.T) {
	of := issuertest.New(t)
	s := newServer(t, func(o *Options) { withIssuer(t, of, o.Resolver) })
	if w := s.logOut(isForm, form(of.Token(t, "7", logoutClaims(nil)))); w.Code != http.StatusNotFound {
		t.Errorf("a logout token gets %d; want 404", w.Code)
	}
}

// startSession exchanges a token for a session.
func (s *server) startSession(token string) string {
	s.t.Helper()
	w := s.post("mutation { startSession(input: {}) { token } }", "Authorization: Bearer "+token)
	_, rest, _ := strings.Cut(w.Body.String(), `"token":"`)
	session, _, ok := strings.Cut(rest, `"`)
	if !ok {
		s.t.Fatalf("startSession: %s", w.Body)
	}
	return session
}
