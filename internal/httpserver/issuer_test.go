package httpserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/forum"
	"agora/internal/httpserver/live"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/signin"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
	"agora/internal/test/site"
)

// withIssuer lets a server accept the tokens of an issuer, which has the server's clock.
func withIssuer(t testing.TB, of *issuertest.Issuer, r *graph.Resolver) {
	t.Helper()
	of.Now = func() time.Time { return time.UnixMilli(int64(r.Store.Engine.Now())) }
	r.SignIn = signin.New(r.Store, issuer.New([]issuer.Config{of.Config()}, r.Log, of.Now), r.Log)
}

const askViewer = `{ viewer { user { role } } }`

// TestTokensOfIssuers has what a request with a token of an issuer gets.
func TestTokensOfIssuers(t *testing.T) {
	of := issuertest.New(t)
	s := newServer(t, func(o *Options) {
		withIssuer(t, of, o.Resolver)
		o.Resolver.Rates = ratelimit.New(ratelimit.Rates{ratelimit.Signatures: 2}, func() time.Time { return of.Now() })
	})
	ask := func(token string) (status int, code, header string, body string) {
		w := s.post(askViewer, "Authorization: Bearer "+token)
		return w.Code, s.codeOf(w), w.Header().Get("WWW-Authenticate"), w.Body.String()
	}
	good := of.Token(t, "7", issuertest.Claims{"role": "moderator"})
	if status, _, _, body := ask(good); status != 200 || !strings.Contains(body, "MODERATOR") {
		t.Fatalf("a good token gets %d, %s", status, body)
	}
	for name, tt := range map[string]struct{ token, why string }{
		"expired":  {of.Token(t, "7", issuertest.Claims{"exp": of.Now().Unix() - 100}), "The token has expired."},
		"audience": {of.Token(t, "7", issuertest.Claims{"aud": "x"}), "The token is for another audience."},
		"nonsense": {"a.b.c", "malformed"},
	} {
		status, code, header, body := ask(tt.token)
		if status != 401 || code != "UNAUTHENTICATED" || header != `Bearer error="invalid_token"` || !strings.Contains(body, tt.why) {
			t.Errorf("%s: %d %s %s %s; want 401 and %q", name, status, code, header, body, tt.why)
		}
	}
	id, err := s.store.Accounts.FindExternal(t.Context(), forum.External{Issuer: of.URL, Subject: "7"})
	if err != nil {
		t.Fatal(err)
	}
	ban := forum.Ban{Scope: forum.BanSignIn, Grounds: forum.Grounds{Reason: forum.ReasonSpam}}
	if err := s.store.Accounts.SetRole(t.Context(), id, forum.RoleUser); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.store.Moderation.Ban(t.Context(), nil, id, ban); err != nil {
		t.Fatal(err)
	}
	if status, code, _, _ := ask(good); status != http.StatusOK || code != "BANNED" {
		t.Errorf("a banned member gets %d, %s; want 200, BANNED", status, code)
	}
	if strings.Contains(s.log.String(), "cannot be checked") {
		t.Errorf("tokens that are refused are logged as failures: %s", s.log)
	}

	bad := good[:len(good)-8] + "AAAAAAAA"
	codes := map[string]int{}
	for n := range 20 {
		_, code, _, _ := ask(strings.Replace(bad, "AAAAAAAA", fmt.Sprintf("AAAA%03dA", n), 1))
		codes[code]++
	}
	if codes["UNAUTHENTICATED"] != 8 || codes["RATE_LIMITED"] != 12 { // an address has four times the rate
		t.Errorf("20 wrong signatures get %v; want 8 UNAUTHENTICATED, then RATE_LIMITED", codes)
	}
	s.redis.Close()
	if status, code, _, _ := ask(good); status != http.StatusServiceUnavailable || code != "UNAVAILABLE" {
		t.Errorf("without Redis a good token gets %d, %s; want 503, UNAVAILABLE", status, code)
	}
}

func TestIssuerAwayIsUnavailable(t *testing.T) {
	of := issuertest.New(t)
	s := newServer(t, func(o *Options) { withIssuer(t, of, o.Resolver) })
	of.Break(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	w := s.post(askViewer, "Authorization: Bearer "+of.Token(t, "7", nil))
	if w.Code != http.StatusServiceUnavailable || s.codeOf(w) != "UNAVAILABLE" {
		t.Errorf("a token of an issuer that is away gets %d, %s; want 503", w.Code, w.Body)
	}
}

// A request with a token costs the commands of one with a session.
func TestTokensCostAsSessions(t *testing.T) {
	of := issuertest.New(t)
	s := newServer(t, func(o *Options) { withIssuer(t, of, o.Resolver); o.AlwaysTrace = true })
	token := of.Token(t, "7", nil)
	s.post(askViewer, "Authorization: Bearer "+token)
	w := s.post(`{ __typename }`, "Authorization: Bearer "+token)
	if want := `"redis":{"commands":3,"roundTrips":1}`; !strings.Contains(w.Body.String(), want) {
		t.Errorf("a request with a known token: %s; want %s", w.Body, want)
	}
}

// memberWire is a wire whose sockets may be opened with tokens of an issuer.
func memberWire(t *testing.T) (*liveWire, *issuertest.Issuer) {
	t.Helper()
	w, of := newLiveWire(t, nil), issuertest.New(t)
	withIssuer(t, of, w.options.Resolver)
	return w, of
}

func TestTokensOfIssuersOpenSockets(t *testing.T) {
	w, of := memberWire(t)
	token := of.Token(t, "7", nil)
	c := w.signedIn(token)
	ends := w.options.Resolver.Store.Engine.Now()/1000*1000 + forum.Time(time.Hour.Milliseconds())
	w.live.Expire(ends - 1)
	c.wantQuiet()
	w.live.Expire(ends)
	c.wantClosed(4401)
	c = w.dial()
	c.send(initWith(of.Token(t, "7", issuertest.Claims{"aud": "x"})))
	c.wantClosed(4401)
}

// A socket whose token is renewed stays open and misses no event, until the new one ends.
func TestSocketsRenewTokens(t *testing.T) {
	of := issuertest.New(t)
	w := newRealWire(t, func(o *Options, _ *live.Connections) { withIssuer(t, of, o.Resolver) })
	data := w.options.Resolver.Store
	built := site.On(t, data)
	ann := built.User("ann")
	topic := built.Topic(ann, built.Category("Go"))
	c := w.signedIn(of.Token(t, "7", nil))
	var found struct{ Topic struct{ ID string } }
	c.run(fmt.Sprintf(`{ topic(by: {number: %d}) { id } }`, topic), &found)
	c.subscribe("s", fmt.Sprintf(`subscription { commentAdded(topic: {id: %q}) { comment { content } } }`, found.Topic.ID))
	var answer struct {
		RenewToken struct {
			ExpiresAt *string
			Errors    []struct{ Code string }
		}
	}
	renew := func(token string) string {
		c.run(fmt.Sprintf(`mutation { renewToken(input: {token: %q}) { expiresAt errors { code } } }`, token), &answer)
		if len(answer.RenewToken.Errors) > 0 {
			return answer.RenewToken.Errors[0].Code
		}
		return ""
	}
	later := of.Now().Unix() + 7200
	for name, token := range map[string]string{
		"another user's": of.Token(t, "8", issuertest.Claims{"exp": later}),
		"expired":        of.Token(t, "7", issuertest.Claims{"exp": later - 7300}),
		"malformed":      "x",
	} {
		if got := renew(token); got != "INVALID" {
			t.Errorf("renewToken with a token that is %s = %q; want INVALID", name, got)
		}
	}
	if got := renew(of.Token(t, "7", issuertest.Claims{"exp": later})); got != "" {
		t.Fatalf("renewToken = %s", got)
	}
	w.live.Expire(forum.Time(later*1000 - 1))
	built.Say(ann, topic, "After the first token")
	if got := c.read(); !strings.Contains(got, "After the first token") {
		t.Errorf("after the end of the first token: %s; want the comment", got)
	}
	w.live.Expire(forum.Time(later * 1000))
	c.wantClosed(4401)
}

// A socket and a stream of somebody whose role came from a token end with it, unless a token was seen since.
func TestSocketsEndWithTheirRole(t *testing.T) {
	of := issuertest.New(t)
	w := newLiveWire(t, func(o *Options, _ *live.Connections) { withIssuer(t, of, o.Resolver) })
	token := of.Token(t, "7", issuertest.Claims{"role": "moderator", "exp": of.Now().Add(24 * time.Hour).Unix()})
	c := w.signedIn(token)
	stream := w.stream(onTicks, "Authorization: Bearer "+token)
	stream.wantStream()
	ends := w.options.Resolver.Store.Engine.Now() + forum.Time(issuer.DefaultRoleLife.Milliseconds())
	later := ends + forum.Time(time.Hour.Milliseconds())
	w.endRole(later)
	w.live.Expire(ends)
	c.wantQuiet()
	w.endRole(1)
	w.live.Expire(later)
	c.wantClosed(1012)
	stream.wantEnd()
}

// endRole sets when the only role that came from a token ends.
func (w *liveWire) endRole(at forum.Time) {
	w.t.Helper()
	for _, k := range must.Do(w.redis.Keys(w.t.Context(), "*").Result())(w.t) {
		if has, _ := w.redis.HExists(w.t.Context(), k, "roleUntil").Result(); has {
			must.OK(w.t, w.redis.HSet(w.t.Context(), k, "roleUntil", int64(at)).Err())
			return
		}
	}
	w.t.Fatal("nobody has a role that ends")
}
