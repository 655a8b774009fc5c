package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"agora/graph"
	"agora/internal/auth"
	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/httpserver"
	"agora/internal/httpserver/live"
	"agora/internal/issuer"
	"agora/internal/signin"
	"agora/internal/store"
	"agora/internal/store/accounts"
	"agora/internal/store/sessions"
	"agora/internal/test/must"
	"agora/internal/test/proxy"
	"agora/internal/test/redistest"
	"agora/internal/test/wait"
)

// site is a server that clients reach through a proxy.
type site struct {
	t       *testing.T
	store   *store.Store
	options httpserver.Options
	proxy   *proxy.Proxy
	writer  string // the token of the user who posts replies

	mu       sync.Mutex
	server   *process
	users    int
	posted   int
	requests int           // to /graphql, by clients
	changed  chan struct{} // closed when requests changes
}

// process is one server process, as far as clients can see.
type process struct {
	handler http.Handler
	http    *http.Server
	live    *live.Connections
	address string
}

func newSite(t *testing.T) *site {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	data := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}, store.WithLog(log)))(t)
	t.Cleanup(data.Close)
	schema := must.Do(os.ReadFile("../../../schema.graphqls"))(t)
	hub := event.New(data, log)
	wait.Beside(t, hub.Run)
	s := &site{t: t, store: data, changed: make(chan struct{})}
	s.options = httpserver.Options{
		Resolver: &graph.Resolver{
			Store:    data,
			Hasher:   auth.NewHasher(1, auth.Cheap()),
			Events:   hub,
			SignIn:   signin.New(data, issuer.New([]issuer.Config{members(t)}, log, time.Now), log),
			SiteName: "Agora",
			Log:      log,
		},
		Metrics: httpserver.NewMetrics(data, log, time.Now), Log: log, Schema: string(schema),
	}
	s.server = s.start()
	t.Cleanup(func() { s.end(s.server) })
	s.proxy = proxy.New(t, s.server.address)
	writer := must.Do(s.member(forum.RoleModerator))(t)
	s.writer = writer.Token
	must.Do(s.ask(`mutation { createCategory(input: {name: "Live"}) { category { id } } }`, nil))(t)
	return s
}

// members returns the issuer whose tokens the programs sign themselves.
func members(t *testing.T) issuer.Config {
	t.Helper()
	c := issuer.Config{Issuer: "https://www.example.org", Audience: []string{"forum"}, Claims: issuer.DefaultClaims(),
		Secret: []byte("a secret of the site and its members")}
	must.OK(t, c.Check())
	return c
}

// start starts a server process on the site's data.
func (s *site) start() *process {
	o := s.options
	o.Live = live.New()
	p := &process{handler: httpserver.New(o), live: o.Live}
	p.http = httpserver.Server(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/graphql" {
			s.mu.Lock()
			s.requests++
			close(s.changed)
			s.changed = make(chan struct{})
			s.mu.Unlock()
		}
		p.handler.ServeHTTP(w, r)
	}))
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(s.t)
	p.address = l.Addr().String()
	go p.http.Serve(l) // ends at Shutdown
	return p
}

// end stops a server process as SIGTERM does.
func (s *site) end(p *process) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var both sync.WaitGroup
	both.Go(func() {
		if err := p.live.Shutdown(ctx); err != nil {
			s.t.Errorf("Shutdown of live connections: %v", err)
		}
	})
	if err := p.http.Shutdown(ctx); err != nil {
		s.t.Errorf("Shutdown: %v", err)
	}
	both.Wait()
}

// restart replaces the server by another process.
func (s *site) restart() {
	old := s.server
	s.server = s.start()
	s.proxy.Lead(s.server.address)
	s.end(old)
}

// user is a user with a session.
type user struct {
	Login, Token string
}

func (s *site) member(role forum.Role) (user, error) {
	ctx := s.t.Context()
	s.users++
	login := fmt.Sprintf("user%d", s.users)
	id, err := s.store.Accounts.Register(ctx, accounts.NewUser{Login: login, LoginFold: login, Name: login,
		PasswordHash: "hash"})
	if err != nil {
		return user{}, err
	}
	if err := s.store.Accounts.SetRole(ctx, id, role); err != nil {
		return user{}, err
	}
	token, err := auth.NewToken(id)
	if err != nil {
		return user{}, err
	}
	ends := s.store.Engine.Now() + forum.Time(time.Hour.Milliseconds())
	err = s.store.Sessions.StartSession(ctx, sessions.NewSession{User: id, Digest: token.Digest(), Ends: ends,
		UserAgent: "test"})
	return user{login, token.String()}, err
}

// revoke ends the session of a token.
func (s *site) revoke(text string) error {
	token, ok := auth.ParseToken(text)
	if !ok {
		return fmt.Errorf("no token: %q", text)
	}
	return s.store.Sessions.EndSession(s.t.Context(), token.User, token.Digest()[:24])
}

// promote changes the role of the owner of a token.
func (s *site) promote(text string) error {
	token, ok := auth.ParseToken(text)
	if !ok {
		return fmt.Errorf("no token: %q", text)
	}
	return s.store.Accounts.SetRole(s.t.Context(), token.User, forum.RoleModerator)
}

// ask executes an operation as the writer.
func (s *site) ask(query string, variables map[string]any) (data map[string]map[string]map[string]string, err error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return nil, err
	}
	r := httptest.NewRequest("POST", "/graphql", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+s.writer)
	w := httptest.NewRecorder()
	s.server.handler.ServeHTTP(w, r)
	answer := struct{ Data any }{&data}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusOK {
		return nil, fmt.Errorf("%s: %w: %d %s", query, err, w.Code, w.Body)
	}
	return data, nil
}

// topic creates a topic and returns its id.
func (s *site) topic() (string, error) {
	data, err := s.ask(
		`mutation { createTopic(input: {title: "Live", content: "", category: {name: "Live"}}) { topic { id } } }`,
		nil,
	)
	return data["createTopic"]["topic"]["id"], err
}

// reply posts replies to a topic and returns their texts.
func (s *site) reply(topic string, n int) ([]string, error) {
	texts := make([]string, n)
	for i := range texts {
		s.posted++
		texts[i] = fmt.Sprint("reply ", s.posted)
		data, err := s.ask(
			`mutation($t: ID!, $c: String!) { createComment(input: {topicId: $t, content: $c}) { comment { id } } }`,
			map[string]any{"t": topic, "c": texts[i]},
		)
		if err != nil || data["createComment"]["comment"]["id"] == "" {
			return nil, fmt.Errorf("createComment: %v, %w", data, err)
		}
	}
	return texts, nil
}

// asked returns how many requests have arrived, and a channel that is closed at the next one.
func (s *site) asked() (n int, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests, s.changed
}

// storm posts replies while the connections of clients are cut repeatedly: some replies come before each cut, some
// while no client is connected.
func (s *site) storm(topic string, cuts int) (texts []string, err error) {
	for i := range cuts {
		before, err := s.reply(topic, 5)
		if err != nil {
			return nil, err
		}
		s.proxy.Lead("")
		s.proxy.Cut(i%2 == 0)
		missed, err := s.reply(topic, 5)
		if err != nil {
			return nil, err
		}
		n, _ := s.asked()
		s.proxy.Lead(s.server.address)
		if err := s.awaitRequest(n); err != nil {
			return nil, err
		}
		texts = slices.Concat(texts, before, missed)
	}
	return texts, nil
}

// awaitRequest waits until more requests have arrived than before.
func (s *site) awaitRequest(before int) error {
	late := time.After(patience)
	for {
		n, changed := s.asked()
		if n > before {
			return nil
		}
		select {
		case <-changed:
		case <-late:
			return fmt.Errorf("no client came back after %d requests", before)
		}
	}
}
