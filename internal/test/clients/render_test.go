package clients

import (
	"net/http/httptest"
	"strings"
	"testing"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
	"agora/internal/test/nodetest"
	"agora/internal/test/redistest"
	forumtest "agora/internal/test/site"
)

// A server that renders pages for visitors passes their addresses on, so that each has their own rates, and goes on
// without a token that is no longer valid. To a banned visitor it shows the page, and why.
func TestRenderingOnAServer(t *testing.T) {
	nodetest.InstallClient(t)
	s := newSite(t)
	ann := forumtest.On(t, s.store).User("ann")
	made := must.Do(auth.NewAPIToken(ann.ID))(t)
	must.Do(s.store.Sessions.CreateToken(t.Context(), ann,
		forum.APIToken{Digest: made.Digest(), Name: "test", Scopes: []forum.Scope{forum.ScopeRead}}))(t)
	_, _, err := s.store.Moderation.Ban(t.Context(), nil, ann.ID, forum.Ban{Scope: forum.BanSignIn,
		Until:   4_000_000_000_000,
		Grounds: forum.Grounds{Reason: forum.ReasonAbuse}})
	must.OK(t, err)
	serve := func(proxies httpserver.Proxies) string {
		o, resolver := s.options, *s.options.Resolver
		// An address has four times as many.
		resolver.Rates = ratelimit.New(ratelimit.Rates{ratelimit.Requests: 3}, redistest.NewClock().Now)
		o.Resolver, o.Proxies = &resolver, proxies
		server := httptest.NewServer(httpserver.New(o))
		t.Cleanup(server.Close)
		return server.URL + "/graphql"
	}
	trusting, other := serve(must.Do(httpserver.ParseProxies("127.0.0.1"))(t)), serve(nil)
	out, err := nodetest.Command(t, "render.mjs", trusting, other, made.String()).CombinedOutput()
	want := "Agora\nRATE_LIMITED\nAgora 1\nAgora null BANNED 2096-10-02T07:06:40.000Z ABUSE 1\nAgora,RATE_LIMITED"
	if got := strings.TrimSpace(string(out)); err != nil || got != want {
		t.Errorf("rendering printed %q, %v; want %q", got, err, want)
	}
}
