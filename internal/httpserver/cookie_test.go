package httpserver

import (
	"net/http"
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/issuertest"
	"agora/internal/test/site"
)

// cookieIn returns the cookie that an answer sets; nil if it sets none.
func cookieIn(t *testing.T, h http.Header) *http.Cookie {
	t.Helper()
	set := (&http.Response{Header: h}).Cookies()
	if len(set) > 1 {
		t.Errorf("%d cookies are set; want one at most", len(set))
	}
	for _, c := range set {
		return c
	}
	return nil
}

const asForm = `mutation { register(input: {login: "ann", email: "ann@example.org", password: "a good password", cookie: true}) {
	token viewer { user { login } } errors { code path } } }`

// A session in a cookie signs in requests of the site's own pages, and ends with logout.
func TestCookies(t *testing.T) {
	s := newServer(t, nil)
	w := s.post(asForm)
	c := cookieIn(t, w.Header())
	if c == nil || c.Name != "__Host-agora" || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
		c.Domain != "" || c.MaxAge != int(forum.SessionLife.Seconds()) || !strings.HasPrefix(c.Value, "agora_") {
		t.Fatalf("the cookie is %v: %s", c, w.Body)
	}
	if !strings.Contains(w.Body.String(), `"token":null`) || !strings.Contains(w.Body.String(), `"login":"ann"`) {
		t.Errorf("the answer is %s; want the viewer and no token", w.Body)
	}
	header := "Cookie: theme=dark; " + c.Name + "=" + c.Value
	signedIn := func(headers ...string) string {
		return s.post(`{ viewer { user { login } } }`, append(headers, header)...).Body.String()
	}
	if got := signedIn(); !strings.Contains(got, `"login":"ann"`) {
		t.Errorf("with the cookie: %s; want ann", got)
	}
	if got := signedIn("Authorization: Bearer x"); !strings.Contains(got, "UNAUTHENTICATED") {
		t.Errorf("with the cookie and a bad token: %s; want UNAUTHENTICATED", got)
	}
	w = s.do("GET", "/graphql?query={viewer{id}}", "", header)
	if w.Header().Get("ETag") != "" || !strings.Contains(strings.Join(w.Header().Values("Vary"), ","), "Cookie") || strings.Contains(w.Header().Get("Cache-Control"), "public") {
		t.Errorf("an answer to a cookie has the headers %v; want no ETag, and Vary: Cookie", w.Header())
	}
	w = s.post(`mutation { logout(input: {}) { errors { code } } }`, header)
	if c := cookieIn(t, w.Header()); c == nil || c.MaxAge >= 0 || c.Value != "" {
		t.Errorf("logout sets %v; want the cookie removed", c)
	}
	w = s.post(`{ viewer { id } site { name } }`, header)
	if c := cookieIn(t, w.Header()); w.Code != 200 || !strings.Contains(w.Body.String(), `"viewer":null`) || c == nil || c.MaxAge >= 0 {
		t.Errorf("with the cookie of an ended session: %d %s, %v; want nobody, and the cookie removed", w.Code, w.Body, c)
	}
}

// A cookie counts for the server's own pages and for those that are listed, not for others, even if every page may use
// the API.
func TestCookiesOfForeignPages(t *testing.T) {
	const mine, listed, evil = "Origin: http://example.com", "Origin: https://app.example.org", "Origin: https://evil.example"
	for name, tt := range map[string]struct {
		origins string
		headers []string
		want    bool
	}{
		"no browser":           {"", nil, true},
		"own page":             {"", []string{"Sec-Fetch-Site: same-origin", mine}, true},
		"address bar":          {"", []string{"Sec-Fetch-Site: none"}, true},
		"listed page":          {"https://app.example.org", []string{"Sec-Fetch-Site: same-site", listed}, true},
		"page, all allowed":    {"*", []string{"Sec-Fetch-Site: cross-site", evil}, false},
		"same site":            {"*", []string{"Sec-Fetch-Site: same-site", evil}, false},
		"an old browser":       {"*", []string{evil}, false},
		"own page, all others": {"*", []string{"Sec-Fetch-Site: same-origin", mine}, true},
	} {
		t.Run(name, func(t *testing.T) {
			origins, err := ParseOrigins(tt.origins)
			if err != nil {
				t.Fatal(err)
			}
			s := newServer(t, func(o *Options) { o.Origins = origins })
			_, token := site.On(t, s.store).SignedIn("ann")
			w := s.post(`mutation { updateProfile(input: {bio: "x"}) { errors { code } } }`,
				append(tt.headers, "Cookie: "+cookieName+"="+token.String())...)
			if got := s.codeOf(w) == ""; got != tt.want {
				t.Errorf("a mutation with the cookie: %d %s; want it signed in: %t", w.Code, w.Body, tt.want)
			}
			w = s.post(strings.Replace(asForm, `"ann`, `"bea`, 2), tt.headers...)
			if set := cookieIn(t, w.Header()) != nil; set != tt.want {
				t.Errorf("registering with a cookie: %v %s; want one: %t", w.Header()["Set-Cookie"], w.Body, tt.want)
			}
			credentials := w.Header().Get("Access-Control-Allow-Credentials") == "true"
			if allowed := tt.origins != "*" && len(tt.headers) > 1 && tt.headers[1] == listed; credentials != allowed {
				t.Errorf("Access-Control-Allow-Credentials is true: %t; want %t", credentials, allowed)
			}
		})
	}
}

// A token of an issuer is exchanged for a session in a cookie.
func TestTokenBecomesCookie(t *testing.T) {
	of := issuertest.New(t)
	s := newServer(t, func(o *Options) { withIssuer(t, of, o.Resolver) })
	exchange := `mutation { startSession(input: {cookie: true}) { token errors { code } viewer { user { id } } } }`
	w := s.post(exchange, "Authorization: Bearer "+of.Token(t, "7", nil))
	c := cookieIn(t, w.Header())
	if c == nil {
		t.Fatalf("no cookie: %s", w.Body)
	}
	if w = s.post(askViewer, "Cookie: "+c.Name+"="+c.Value); !strings.Contains(w.Body.String(), `"role":"USER"`) {
		t.Errorf("with the cookie: %s; want a viewer", w.Body)
	}
	if w = s.post(exchange, "Cookie: "+c.Name+"="+c.Value); !strings.Contains(w.Body.String(), "INVALID") {
		t.Errorf("startSession with a session: %s; want INVALID", w.Body)
	}
}

// A cookie opens sockets and streams, of which a mutation cannot set another one.
func TestCookiesOpenSocketsAndStreams(t *testing.T) {
	w := newRealWire(t, nil)
	_, token := w.member("ann")
	header := "Cookie: " + cookieName + "=" + token
	c := w.dial(header)
	c.send(initMessage)
	c.want(ackMessage)
	var answer struct {
		Viewer struct{ User struct{ Login string } }
		Login  struct{ Errors []struct{ Code string } }
	}
	if c.run(`{ viewer { user { login } } }`, &answer); answer.Viewer.User.Login != "ann" {
		t.Errorf("the viewer of the socket is %q; want ann", answer.Viewer.User.Login)
	}
	c.run(`mutation { login(input: {identifier: "ann", password: "hash", cookie: true}) { errors { code } } }`, &answer)
	if len(answer.Login.Errors) != 1 || answer.Login.Errors[0].Code != "INVALID" {
		t.Errorf("login with a cookie on a socket: %v; want INVALID", answer.Login.Errors)
	}
	s := newServer(t, nil)
	_, secret := site.On(t, s.store).SignedIn("ann")
	stream := s.do("GET", "/graphql?query={viewer{user{login}}}", "", "Accept: text/event-stream", "Cookie: "+cookieName+"="+secret.String())
	if !strings.Contains(stream.Body.String(), `"login":"ann"`) {
		t.Errorf("a stream with the cookie: %s; want ann", stream.Body)
	}
}
