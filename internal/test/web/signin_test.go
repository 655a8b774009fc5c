package web

import (
	"html/template"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/test/issuertest"
	"agora/internal/test/must"
	"agora/internal/test/nodetest"
	"agora/internal/test/testlevel"
)

// signInPage is the page on which the members of a site sign in, here with one click. It returns them with a token
// behind the address that it was given, or with a cookie of Agora.
var signInPage = template.Must(template.New("").Parse(
	`<!doctype html><title>The site</title><link rel="icon" href="data:,">
<h1>The site</h1>
<a href="{{.Return}}#token={{.Token}}">With the token</a>
<button>With the cookie</button>
<script>
  document.querySelector('button').onclick = async () => {
    await fetch({{.Origin}} + '/graphql', {
      method: 'POST',
      credentials: 'include',
      headers: { authorization: 'Bearer ' + {{.Token}}, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { startSession(input: {cookie: true}) { errors { message } } }' }),
    });
    location.href = {{.Return}};
  };
</script>`))

// Who has an account at the site signs in on its page, and comes back: to the queue, as a moderator.
func TestSignInPage(t *testing.T) {
	t.Parallel()
	nodetest.InstallIn(t, source)
	chromium := testlevel.Chromium(t)
	touch(t, source+"/test")
	members := issuertest.New(t)
	config := members.Config()
	must.OK(t, config.Check())
	log := slog.New(slog.DiscardHandler)
	for _, kind := range []string{"off", "mixed"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			var origin string // of the forum
			home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				back := must.Do(url.Parse(r.URL.Query().Get("return")))(t)
				if back.Scheme+"://"+back.Host != origin {
					http.Error(w, "this is no page of the forum", http.StatusBadRequest)
					return
				}
				token := members.Token(t, "7", map[string]any{"preferred_username": "lina", "role": "moderator"})
				must.OK(t, signInPage.Execute(w, map[string]string{"Return": back.String(), "Token": token, "Origin": origin}))
			}))
			t.Cleanup(home.Close)
			s := newSite(t, func(o *httpserver.Options) {
				o.Resolver.SignIn = signin.New(o.Resolver.Store, issuer.New([]issuer.Config{config}, log, time.Now), log)
				o.Resolver.NoPasswords, o.Resolver.SignInPage = kind == "off", home.URL+"/login?from=forum"
				o.Origins = httpserver.LocalOrigins()
				o.Demo, o.AlwaysTrace = nil, false // as on a site with data of its own
			})
			origin = s.origin
			out, err := nodetest.CommandIn(t, source, "test/signin.mjs", s.origin, s.direct, s.control, chromium, password,
				kind).CombinedOutput()
			passed := strings.Count(string(out), "ok ")
			want := map[string]int{"off": 4, "mixed": 1}[kind]
			if err != nil || passed != want || strings.Contains(string(out), "failed") {
				t.Errorf("node test/signin.mjs: %v, %d passed; want %d\n%s", err, passed, want, out)
			}
		})
	}
}
