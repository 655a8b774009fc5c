package graph_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/limit"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/oracle"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// site is a server over its own Redis, as clients see it.
type site struct {
	t     testing.TB
	url   string
	store *store.Store
	redis redis.UniversalClient
	clock *redistest.Clock
	log   *bytes.Buffer
	// options are the server's options.
	options httpserver.Options
	// address and agent are where requests come from and by what, and actAs the user to act as, if not "".
	address, agent, actAs string
}

// newSite starts an empty site. options change its resolver: it has no sign-in limit, and hashes passwords cheaply.
func newSite(t testing.TB, options ...func(*graph.Resolver)) *site {
	t.Helper()
	return newSiteOn(t, redistest.New(t), store.Layout{}, options...)
}

// newSiteOn is newSite with its data in a Redis that is empty.
func newSiteOn(t testing.TB, rdb redis.UniversalClient, layout store.Layout, options ...func(*graph.Resolver)) *site {
	t.Helper()
	s := &site{t: t, redis: rdb, clock: redistest.NewClock(), log: &bytes.Buffer{}}
	log := slog.New(slog.NewTextHandler(s.log, nil))
	var err error
	if s.store, err = store.Open(context.Background(), store.Over(s.redis), layout, store.WithClock(s.clock.Now),
		store.WithLog(log)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.store.Close)
	schema := must.Do(os.ReadFile("../schema.graphqls"))(t)
	hub := event.New(s.store, log)
	wait.Beside(t, hub.Run)
	resolver := &graph.Resolver{Store: s.store, Hasher: auth.NewHasher(2, auth.Cheap()), Events: hub, SiteName: "Agora",
		Log: log}
	for _, o := range options {
		o(resolver)
	}
	// Limits on documents are tested in httpserver, and should not affect these tests.
	limits := limit.Defaults()
	limits.MutationFields, limits.Rows, limits.Values = 50, 1<<30, 1<<30
	s.options = httpserver.Options{Resolver: resolver, Schema: string(schema), AlwaysTrace: true, Limits: &limits,
		HidePlayground: true, Log: log}
	s.url = serve(t, s.options)
	return s
}

// stock returns the site on gqlgen's own executor, with the same data.
func (s *site) stock() *site {
	s.t.Helper()
	testlevel.Generated(s.t, oracle.Present)
	other := *s
	other.options.Executable = oracle.Schema(s.options.Resolver)
	other.url = serve(s.t, other.options)
	return &other
}

// serve starts a server and returns its address.
func serve(t testing.TB, o httpserver.Options) string {
	routes := httpserver.New(o)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if address := r.Header.Get(addressHeader); address != "" {
			r.RemoteAddr = address
		}
		routes.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// addressHeader makes a request of a test come from another address.
const addressHeader = "Test-Address"

// from returns the site for a client at another address, such as "192.0.2.1:5000".
func (s *site) from(address string) *site {
	other := *s
	other.address = address
	return &other
}

// by returns the site for a client with another program.
func (s *site) by(agent string) *site {
	other := *s
	other.agent = agent
	return &other
}

// settle lets the workers finish the remaining work.
func (s *site) settle() {
	s.t.Helper()
	must.OK(s.t, s.store.Flush(context.Background()))
}

// answer is the result of a GraphQL request.
type answer struct {
	Data       map[string]any
	Errors     []map[string]any
	Extensions struct {
		Redis   struct{ RoundTrips, Commands int }
		Missing []struct{ Count int }
	}
	status int
	header http.Header
	body   string
}

// missing returns how many rows lists lack because they cannot be read.
func (a answer) missing() (n int) {
	for _, m := range a.Extensions.Missing {
		n += m.Count
	}
	return n
}

// at walks into the data by names and list indexes.
func (a answer) at(path ...any) any {
	var v any = map[string]any(a.Data)
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

// text is at as a string.
func (a answer) text(path ...any) string {
	s, _ := a.at(path...).(string)
	return s
}

// number is at as a number.
func (a answer) number(path ...any) int {
	n, _ := a.at(path...).(float64)
	return int(n)
}

// code is the code of the first top-level error.
func (a answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	ext, _ := a.Errors[0]["extensions"].(map[string]any)
	code, _ := ext["code"].(string)
	return code
}

// userErrors are the payload's errors as "CODE path.to.field".
func (a answer) userErrors(payload string) []string {
	list, _ := a.at(payload, "errors").([]any)
	found := make([]string, len(list))
	for i, e := range list {
		m := e.(map[string]any)
		var path []string
		given, _ := m["path"].([]any) // the document may not select it
		for _, p := range given {
			path = append(path, p.(string))
		}
		found[i] = m["code"].(string) + " " + strings.Join(path, ".")
	}
	return found
}

// ask sends an operation as the owner of token, who may be "".
func (s *site) ask(token, query string, variables map[string]any) answer {
	s.t.Helper()
	body := must.Do(json.Marshal(map[string]any{"query": query, "variables": variables}))(s.t)
	return s.send(token, body)
}

func (s *site) send(token string, body []byte) answer {
	s.t.Helper()
	req := must.Do(http.NewRequest("POST", s.url+"/graphql", bytes.NewReader(body)))(s.t)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.agent) // "" sends none
	if s.address != "" {
		req.Header.Set(addressHeader, s.address)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if s.actAs != "" {
		req.Header.Set(httpserver.ActAsHeader, s.actAs)
	}
	resp := must.Do(http.DefaultClient.Do(req))(s.t)
	defer resp.Body.Close()
	var text bytes.Buffer
	text.ReadFrom(resp.Body)
	a := answer{status: resp.StatusCode, header: resp.Header, body: text.String()}
	if err := json.Unmarshal(text.Bytes(), &a); err != nil {
		s.t.Fatalf("answer is no JSON: %v: %s", err, text.String())
	}
	return a
}

// must is ask for operations that have to succeed.
func (s *site) must(token, query string, variables map[string]any) answer {
	s.t.Helper()
	a := s.ask(token, query, variables)
	if len(a.Errors) > 0 {
		s.t.Fatalf("errors in the answer: %v", a.Errors)
	}
	return a
}

// user registers a user through GraphQL and returns the token.
func (s *site) user(login string) string {
	s.t.Helper()
	a := s.must("", `mutation($i: RegisterInput!) { register(input: $i) { token errors { code path message } } }`,
		map[string]any{"i": map[string]any{"login": login, "email": login + "@example.com", "password": "a good password"}})
	if a.text("register", "token") == "" {
		s.t.Fatalf("register %s: %v", login, a.body)
	}
	return a.text("register", "token")
}

// signIn signs a user in again and returns the token.
func (s *site) signIn(login string) string {
	s.t.Helper()
	a := s.mutate("", "login", input{"identifier": login, "password": "a good password"}, "token")
	if a.text("login", "token") == "" {
		s.t.Fatalf("login as %s: %s", login, a.body)
	}
	return a.text("login", "token")
}

// moderator registers a user and assigns the role as the command line does.
func (s *site) moderator(login string) string {
	s.t.Helper()
	token := s.user(login)
	s.promote(token, forum.RoleModerator)
	return token
}

// promote assigns a role as the command line does.
func (s *site) promote(token string, role forum.Role) {
	s.t.Helper()
	must.OK(s.t, s.store.Accounts.SetRole(context.Background(), userOf(token), role))
}

// userOf returns the user of a token.
func userOf(token string) forum.UserID {
	parsed, _ := auth.ParseToken(token)
	return parsed.User
}

// category creates a category and returns its id.
func (s *site) category(token, name string) string {
	s.t.Helper()
	a := s.must(token, `mutation($n: String!) { createCategory(input: {name: $n}) { category { id } errors { code path } } }`, map[string]any{"n": name})
	return a.text("createCategory", "category", "id")
}

// topic posts a topic and returns its id.
func (s *site) topic(token, category, title string) string {
	s.t.Helper()
	a := s.must(token, `mutation($i: CreateTopicInput!) { createTopic(input: $i) { topic { id } errors { code path } } }`,
		map[string]any{"i": map[string]any{"title": title, "content": "Text of " + title,
			"category": map[string]any{"name": category}}})
	if a.text("createTopic", "topic", "id") == "" {
		s.t.Fatalf("createTopic: %s", a.body)
	}
	return a.text("createTopic", "topic", "id")
}

// comment posts a comment and returns its id; parent may be "".
func (s *site) comment(token, topic, parent, content string) string {
	s.t.Helper()
	in := map[string]any{"topicId": topic, "content": content}
	if parent != "" {
		in["parentId"] = parent
	}
	a := s.must(token, `mutation($i: CreateCommentInput!) { createComment(input: $i) { comment { id } errors { code path } } }`, map[string]any{"i": in})
	if a.text("createComment", "comment", "id") == "" {
		s.t.Fatalf("createComment: %s", a.body)
	}
	return a.text("createComment", "comment", "id")
}
