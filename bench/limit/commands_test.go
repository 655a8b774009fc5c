package limit_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/bench/dataset"
	"agora/bench/document"
	"agora/bench/limit"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/script"
	"agora/internal/store/sessions"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

var update = flag.Bool("update", false, "write the files in testdata again")

// kinds are the two kinds of handler; they send the same commands.
var kinds = []struct {
	name string
	make func(redis.UniversalClient, *store.Store) *limit.Handler
}{{"limit", limit.New}, {"tuned", limit.NewTuned}}

// site is a small forum behind a handler whose commands are recorded.
type site struct {
	t       *testing.T
	rdb     redis.UniversalClient
	store   *store.Store
	data    *dataset.Data
	token   string
	handler http.Handler
	notes   *notes
	scripts map[string]string // names by hash
}

func newSite(t *testing.T) *site {
	t.Helper()
	server := redistest.Start(t)
	rdb := server.Client(t)
	st := must.Do(store.Open(t.Context(), store.Over(rdb), store.Layout{}))(t)
	t.Cleanup(st.Close)
	s := &site{t: t, rdb: rdb, store: st, notes: &notes{}, scripts: scripts()}
	s.data = must.Do(dataset.Seed(
		t.Context(),
		st,
		dataset.Plan{Users: 7, Topics: 12, Long: 11, Comments: func(int) int { return 4 }},
		func(int) {},
	))(t)
	token := must.Do(auth.NewToken(s.data.Users[0]))(t)
	s.token = token.String()
	must.OK(t, st.Sessions.StartSession(t.Context(), sessions.NewSession{User: token.User, Digest: token.Digest(),
		Ends: st.Engine.Now() + forum.Time(1e9)}))
	must.OK(t, st.Flush(t.Context()))
	rdb.AddHook(redistest.Hook(s.notes.note))
	return s
}

// scripts are the names of the store's scripts by their hashes.
func scripts() map[string]string {
	names := map[string]string{}
	for _, s := range script.All {
		names[redistest.SentHash(s.Text())] = s.Name()
	}
	return names
}

func (s *site) ask(d document.Document, variables map[string]any) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(document.Body(d, variables)))
	if d.Writes {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), asked{}, true)))
	return w
}

// asked marks the context of a request: what the store sends by itself is not recorded.
type asked struct{}

// The commands for each document are those in testdata, grouped by round trip, for either kind of handler. `go -C bench
// test ./limit -update` rewrites them.
func TestCommands(t *testing.T) {
	s := newSite(t)
	tests := []struct {
		d         document.Document
		variables map[string]any
	}{
		{document.Front, document.FrontVariables(6, 3)},
		{document.Topic, document.TopicVariables(s.data.Long, s.data.After)},
		{document.TopicHTML, document.TopicVariables(s.data.Long, s.data.After)},
		{document.Typename, nil},
		{document.Reply, document.ReplyVariables(s.data.Long, "A reply")},
		{document.Post, document.PostVariables(s.data.Categories[0], "A title", "A topic")},
	}
	// The first reply of a day puts the topic into the day's rank, the others only move it there.
	s.handler = limit.New(s.rdb, s.store)
	s.ask(document.Reply, document.ReplyVariables(s.data.Long, "The first reply"))
	for _, tt := range tests {
		file := filepath.Join("testdata", tt.d.Name+".txt")
		for i, kind := range kinds {
			s.handler, s.notes.sent = kind.make(s.rdb, s.store), nil
			w := s.ask(tt.d, tt.variables)
			if w.Code != http.StatusOK {
				t.Errorf("%s, %s: status %d, %s", kind.name, tt.d.Name, w.Code, w.Body)
				continue
			}
			got := s.describe(tt.d, s.notes.sent)
			if *update && i == 0 { // the other kind is compared with it
				must.OK(t, os.WriteFile(file, []byte(got), 0o644))
			}
			want := must.Do(os.ReadFile(file))(t)
			if got != string(want) {
				t.Errorf("%s, %s sends\n%s\nwant\n%s", kind.name, tt.d.Name, got, want)
			}
		}
	}
}

var (
	partition = regexp.MustCompile(`\{p[0-9a-f]{2}\}`)
	digits    = regexp.MustCompile(`[0-9]+`)
	hash      = regexp.MustCompile(`\b[0-9a-f]{32,64}\b`)
	member    = regexp.MustCompile(`\b[0-9a-f]{19}\b`)
)

// describe writes round trips as lines, with numbers and hashes replaced. Equal commands are one line.
func (s *site) describe(d document.Document, sent [][]redis.Cmder) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: what is sent, in %d round trips\n", d.Name, len(sent))
	for i, cmds := range sent {
		fmt.Fprintf(&b, "\nround trip %d: %d commands\n", i+1, len(cmds))
		var lines []string
		times := map[string]int{}
		for _, cmd := range cmds {
			line := s.line(cmd)
			if times[line]++; times[line] == 1 {
				lines = append(lines, line)
			}
		}
		for _, line := range lines {
			fmt.Fprintf(&b, "%4d x %s\n", times[line], line)
		}
	}
	return b.String()
}

func (s *site) line(cmd redis.Cmder) string {
	var parts []string
	for i, a := range cmd.Args() {
		if p, ok := a.(*string); ok {
			a = *p
		}
		text := fmt.Sprint(a)
		if name, ok := s.scripts[text]; ok && i == 1 {
			parts = append(parts, name)
			continue
		}
		text = partition.ReplaceAllString(text, "{pXX}")
		text = hash.ReplaceAllString(text, "HASH")
		text = member.ReplaceAllString(text, "MEMBER")
		if text == "" {
			text = `""`
		}
		parts = append(parts, digits.ReplaceAllString(text, "N"))
	}
	return strings.Join(parts, " ")
}

// notes is a hook that records what requests send.
type notes struct {
	mu   sync.Mutex
	sent [][]redis.Cmder
}

// note records the commands. It clones them, because those of a finished pipeline are reused.
func (n *notes) note(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if ctx.Value(asked{}) == nil {
		return next(ctx, cmds)
	}
	kept := make([]redis.Cmder, len(cmds))
	for i, cmd := range cmds {
		args := slices.Clone(cmd.Args())
		for k, a := range args {
			if p, ok := a.(*string); ok {
				args[k] = *p
			}
		}
		kept[i] = redis.NewCmd(ctx, args...)
	}
	n.mu.Lock()
	n.sent = append(n.sent, kept)
	n.mu.Unlock()
	return next(ctx, cmds)
}

// Unknown and malformed requests are refused.
func TestRefusals(t *testing.T) {
	tests := []struct {
		name, body string
		want       int
	}{
		{"another document", `{"query":"{ site { name } }"}`, http.StatusBadRequest},
		{"no document", `{"variables":{}}`, http.StatusBadRequest},
		{"no JSON", `query`, http.StatusBadRequest},
		{"an open text", `{"query":"{`, http.StatusBadRequest},
		{"no variables", string(document.Body(document.Front, nil)), http.StatusInternalServerError},
		{
			"too many topics",
			string(document.Body(document.Front, document.FrontVariables(101, 1))),
			http.StatusInternalServerError,
		},
		{
			"nobody signed in",
			string(document.Body(document.Reply, document.ReplyVariables(1, "x"))),
			http.StatusInternalServerError,
		},
	}
	rdb := redis.NewClient(&redis.Options{}) // which is never called
	t.Cleanup(func() { rdb.Close() })
	for _, kind := range kinds {
		h := kind.make(rdb, nil)
		for _, tt := range tests {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(tt.body)))
			if w.Code != tt.want {
				t.Errorf("%s, %s: status %d, %s; want %d", kind.name, tt.name, w.Code, w.Body, tt.want)
			}
		}
	}
}
