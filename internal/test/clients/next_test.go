package clients

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/issuer"
	"agora/internal/ratelimit"
	"agora/internal/signin"
	"agora/internal/test/must"
	"agora/internal/test/nodetest"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

const (
	// nextSite is the directory of the site that docs/members.md shows.
	nextSite = "../../../examples/next"
	// webSource is the directory of the web application, which has a browser's tests.
	webSource = "../../../examples/web"
	// nextOrigin is where visitors see it.
	nextOrigin = "https://www.example.org"
	// nextForum is the origin of Agora's own pages, nextSecret what Agora and the site share.
	nextForum  = "https://forum.example.org"
	nextSecret = "a secret of at least thirty-two bytes"
	// nextRate is how many requests a minute a member may make; an address has four times as many.
	nextRate = 8
)

// front is what is in front of a site of Next.js: it ends TLS, and names the visitors.
type front struct {
	next string // the site's address
}

// newFront starts an Agora, and a site of Next.js in front of it, as they run in production.
func newFront(t *testing.T) (*site, front) {
	t.Helper()
	nodetest.InstallIn(t, nextSite)
	must.OK(t, filepath.WalkDir(nextSite+"/app", func(path string, _ fs.DirEntry, err error) error {
		must.Do(os.Stat(path))(t) // so that a change invalidates the cached result
		return err
	}))
	s := newSite(t)
	s.options.Proxies = must.Do(httpserver.ParseProxies("127.0.0.1"))(t)
	s.options.Origins = must.Do(httpserver.ParseOrigins(nextOrigin))(t)
	s.options.Resolver.Rates = ratelimit.New(ratelimit.Rates{ratelimit.Requests: nextRate}, redistest.NewClock().Now)
	members := issuer.Config{Issuer: nextOrigin, Audience: []string{"forum"}, Secret: []byte(nextSecret),
		Claims: issuer.DefaultClaims()}
	must.OK(t, members.Check())
	log := slog.New(slog.DiscardHandler)
	s.options.Resolver.SignIn = signin.New(s.store, issuer.New([]issuer.Config{members}, log, time.Now), log)
	s.restart()
	environment := append(os.Environ(), "AGORA=http://"+s.server.address, "NEXT_TELEMETRY_DISABLED=1",
		"FORUM="+nextForum, "SECRET="+nextSecret)
	const program = "node_modules/next/dist/bin/next"
	began := time.Now()
	build := nodetest.CommandIn(t, nextSite, program, "build")
	build.Env = environment
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("next build: %v\n%s", err, out)
	}
	t.Logf("next build took %v", time.Since(began).Round(time.Millisecond))
	start := nodetest.CommandIn(t, nextSite, program, "start", "--hostname", "127.0.0.1", "--port", "0")
	var complaints bytes.Buffer
	start.Env, start.Stderr = environment, &complaints
	out := must.Do(start.StdoutPipe())(t)
	must.OK(t, start.Start())
	t.Cleanup(func() {
		start.Process.Kill()
		start.Wait()
		if t.Failed() {
			t.Logf("next start: %s", complaints.String())
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := regexp.MustCompile(`http://127\.0\.0\.1:[1-9]\d*`).FindString(lines.Text()); found != "" {
			go io.Copy(io.Discard, out) // ends with the process
			return s, front{found}
		}
	}
	t.Fatalf("next start names no address: %v", lines.Err())
	return nil, front{}
}

// do sends the request of a visitor with an address and a session, "" for none.
func (f front) do(t *testing.T, method, path, body, address, token string, headers ...string) (*http.Response, string) {
	t.Helper()
	r := must.Do(http.NewRequestWithContext(t.Context(), method, f.next+path, strings.NewReader(body)))(t)
	r.Host = strings.TrimPrefix(nextOrigin, "https://")
	r.Header.Set("X-Forwarded-For", address)
	if token != "" {
		r.Header.Set("Cookie", "__Host-agora="+token)
	}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer := must.Do(http.DefaultTransport.RoundTrip(r))(t) // which follows no redirect
	defer answer.Body.Close()
	return answer, string(must.Do(io.ReadAll(answer.Body))(t))
}

// post sends a mutation or query from a page of an origin.
func (f front) post(t *testing.T, query, address, token, origin string, headers ...string) (int, string) {
	t.Helper()
	body := fmt.Sprintf(`{"query": %q}`, query)
	headers = append(headers, "Content-Type: application/json", "Origin: "+origin)
	answer, text := f.do(t, "POST", "/graphql", body, address, token, headers...)
	return answer.StatusCode, text
}

// A site of Next.js renders pages for its visitors, each with their own state and rates.
func TestNext(t *testing.T) {
	s, f := newFront(t)
	topic := must.Do(s.topic())(t)
	t.Run("pages", func(t *testing.T) { f.checkPages(t, s, topic) })
	t.Run("sign in", func(t *testing.T) { f.checkSignIn(t, topic) })
	t.Run("rates", func(t *testing.T) { f.checkRates(t, topic) })
	t.Run("browser", func(t *testing.T) {
		chromium := testlevel.Chromium(t)
		nodetest.InstallIn(t, webSource)
		origin := strings.Replace(f.next, "127.0.0.1", "localhost", 1)
		out, err := nodetest.CommandIn(t, webSource, "test/next.mjs", origin, "", "", chromium, "",
			"/topic/"+topic).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "ok next") {
			t.Errorf("node test/next.mjs: %v\n%s", err, out)
		}
	})
}

// checkPages checks that the page of a topic shows who reads it and whether they have voted, and that only pages of the
// site can vote for them.
func (f front) checkPages(t *testing.T, s *site, topic string) {
	ann, bob := must.Do(s.member(forum.RoleUser))(t), must.Do(s.member(forum.RoleUser))(t)
	for _, by := range []user{ann, {}, bob} {
		f.shows(t, topic, by, false)
	}
	vote := fmt.Sprintf(`mutation { vote(input: {subjectId: "%s", direction: UP}) { errors { code } } }`, topic)
	for _, headers := range [][]string{{"Sec-Fetch-Site: cross-site"}, nil} { // older browsers do not send it
		code, text := f.post(t, vote, "192.0.2.100", ann.Token, "https://evil.example", headers...)
		if code != http.StatusForbidden {
			t.Errorf("a vote by a page of another site: %d %s; want 403", code, text)
		}
	}
	f.shows(t, topic, ann, false)
	for _, headers := range [][]string{{"Sec-Fetch-Site: same-origin"}, nil} {
		code, text := f.post(t, vote, "192.0.2.101", ann.Token, nextOrigin, headers...)
		if code != http.StatusOK || !strings.Contains(text, `"errors":[]`) {
			t.Errorf("a vote by the site's page: %d %s", code, text)
		}
	}
	f.shows(t, topic, ann, true)
	for _, by := range []user{bob, {}} {
		f.shows(t, topic, by, false)
	}
}

// checkSignIn checks that a member of the site is signed in at Agora by a cookie, and on Agora's own pages by a token
// that only these get.
func (f front) checkSignIn(t *testing.T, topic string) {
	signIn := func(back string) (location string, cookies []*http.Cookie) {
		answer, text := f.do(t, "GET", "/login?return="+url.QueryEscape(back), "", "192.0.2.110", "")
		if answer.StatusCode != http.StatusSeeOther {
			t.Fatalf("GET /login: %d %s; want 303", answer.StatusCode, text)
		}
		return answer.Header.Get("Location"), answer.Cookies()
	}
	for _, back := range []string{"https://evil.example/login", nextForum + ".evil.example/", "//forum.example.org/", ""} {
		location, cookies := signIn(back)
		if location != "/" || len(cookies) != 1 {
			t.Fatalf("signing in with return=%q leads to %s, cookies %v; want / and Agora's", back, location, cookies)
		}
		if c := cookies[0]; c.Name != "__Host-agora" || !c.HttpOnly || !c.Secure {
			t.Errorf("the cookie is %v; want that of Agora", c)
		}
		if back == "" {
			f.shows(t, topic, user{Login: "lina", Token: cookies[0].Value}, false)
		}
	}
	back := nextForum + "/login?next=%2Fqueue&state=7"
	if location, cookies := signIn(back); !strings.HasPrefix(location, back+"#token=ey") || len(cookies) != 0 {
		t.Errorf("signing in for Agora's pages leads to %s, cookies %v; want %s with a token", location, cookies, back)
	}
}

// shows checks the page of a topic for a user, or somebody who is signed out.
func (f front) shows(t *testing.T, topic string, by user, voted bool) {
	t.Helper()
	answer, page := f.do(t, "GET", "/topic/"+topic, "", "192.0.2.1", by.Token)
	for _, found := range regexp.MustCompile(`Signed in as (\w+)`).FindAllStringSubmatch(page, -1) {
		if found[1] != by.Login {
			t.Errorf("the page for %q has %q", by.Login, found[0])
		}
	}
	_, page, _ = strings.Cut(page, "<main>")
	page, _, _ = strings.Cut(page, "</main>")
	who := "<p>Signed out</p>"
	if by.Login != "" {
		who = "<p>Signed in as " + by.Login + "</p>"
	}
	if !strings.Contains(page, who) || !strings.Contains(page, fmt.Sprintf(`aria-pressed="%t"`, voted)) {
		t.Errorf("the page for %q: %d %s; want %q, voted %t", by.Login, answer.StatusCode, page, who, voted)
	}
	if c := answer.Header.Get("Cache-Control"); !strings.Contains(c, "private") || !strings.Contains(c, "no-store") {
		t.Errorf("Cache-Control of the page is %q; want private and no-store", c)
	}
}

// checkRates checks that visitors have rates of their own, for pages and for what these ask, which they cannot escape.
func (f front) checkRates(t *testing.T, topic string) {
	page := func(address string) int {
		answer, _ := f.do(t, "GET", "/topic/"+topic, "", address, "")
		return answer.StatusCode
	}
	const hasty, other = "198.51.100.1", "198.51.100.2"
	for n := range 4 * nextRate {
		if code := page(hasty); code != http.StatusOK {
			t.Fatalf("page %d of a visitor: %d; want 200", n+1, code)
		}
	}
	for address, want := range map[string]int{hasty: 500, "203.0.113.7, " + hasty: 500, other: 200} {
		if code := page(address); code != want {
			t.Errorf("a page after %d for %s, for %s: %d; want %d", 4*nextRate, hasty, address, code, want)
		}
	}
	for address, limited := range map[string]bool{hasty: true, "203.0.113.7, " + hasty: true, other: false} {
		_, text := f.post(t, "{ site { name } }", address, "", nextOrigin)
		if got := strings.Contains(text, "RATE_LIMITED"); got != limited {
			t.Errorf("a query from %s: %s; want it limited: %t", address, text, limited)
		}
	}
}

// The documentation shows the files that ran here.
func TestDocumentationShowsNext(t *testing.T) {
	docs := must.Do(os.ReadFile("../../../docs/members.md"))(t)
	for _, name := range []string{"next.config.mjs", "app/agora.js", "app/login/route.js"} {
		text := must.Do(os.ReadFile(filepath.Join(nextSite, name)))(t)
		if !strings.Contains(string(docs), "\n"+string(text)+"```\n") {
			t.Errorf("docs/members.md does not show %s as it is", name)
		}
	}
}
