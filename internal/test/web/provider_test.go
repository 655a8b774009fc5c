package web

import (
	"bufio"
	"encoding/json"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/test/nodetest"
	"agora/internal/test/testlevel"
)

// clients is the directory of the provider.
const clients = "../clients"

// provider starts an OpenID Connect provider and a site whose members sign in there, and returns their addresses.
func provider(t *testing.T) (address, site string) {
	t.Helper()
	nodetest.InstallIn(t, clients)
	cmd := nodetest.CommandIn(t, clients, "provider.mjs")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var found struct{ Issuer, Site string }
		if json.Unmarshal(lines.Bytes(), &found) == nil && found.Site != "" {
			return found.Issuer, found.Site
		}
	}
	t.Fatal("the provider does not start")
	return "", ""
}

// A member of another site, who signs in at a certified provider, comes to the forum and is signed in there by a cookie.
func TestMemberOfAnotherSite(t *testing.T) {
	t.Parallel()
	nodetest.InstallIn(t, source)
	chromium := testlevel.Chromium(t)
	address, home := provider(t)
	s := newSite(t, func(o *httpserver.Options) {
		c := issuer.Config{Issuer: address, Audience: []string{"forum"}, Claims: issuer.DefaultClaims(),
			Roles: map[string]forum.Role{"moderator": forum.RoleModerator}}
		c.Claims.Role = "forum_role"
		if err := c.Check(); err != nil {
			t.Fatal(err)
		}
		log := slog.New(slog.DiscardHandler)
		o.Resolver.SignIn = signin.New(o.Resolver.Store, issuer.New([]issuer.Config{c}, log, time.Now), log)
		o.Origins = httpserver.LocalOrigins()
	})
	origin := strings.Replace(s.origin, "127.0.0.1", "localhost", 1) // the site of the members
	out, err := nodetest.CommandIn(t, source, "test/issuer.mjs", origin, s.direct, s.control, chromium, password,
		home+"/?agora="+url.QueryEscape(origin)).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ok issuer") {
		t.Errorf("node test/issuer.mjs: %v\n%s", err, out)
	}
}
