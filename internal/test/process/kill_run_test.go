package process

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"time"

	"agora/internal/httpserver/live"
	"agora/internal/test/wait"
)

// killRun is everything that the clients sent.
type killRun struct {
	site       *killSite
	clients    []*killClient
	moderator  string          // token of a moderator, who posts nothing
	banned     string          // id of a user whom the moderator warns and bans
	acts       map[string]bool // acknowledged acts on that user
	categories []string
	tab        string
	http       http.Client
	// lossy is set if acknowledged writes may be lost, so that calls may be refused without a fault of the server.
	lossy bool
	// late is how long a call without an answer may still take effect.
	late time.Duration

	mu     sync.Mutex // guards everything below, and the posts
	posts  map[string]*killPost
	topics []*killPost // the acknowledged ones
	voted  map[*killPost]bool
	logins []string // acknowledged newcomers
	// reports are the acknowledged reports: of a topic, by a login.
	reports map[[2]string]bool
	counts  map[string]*[3]int
	codes   map[string]int // of calls whose outcome is unknown
	// lost is how many acknowledged changes are not there at the end, doubled how many are there twice.
	lost, doubled int
	longest       time.Duration // until a call that was repeated was answered
	slowest       time.Duration // answer to a client that waits for the server's own deadline
}

func newKillRun(s *killSite) *killRun {
	transport := &http.Transport{MaxIdleConnsPerHost: killClients}
	s.t.Cleanup(transport.CloseIdleConnections)
	return &killRun{
		site:    s,
		http:    http.Client{Transport: transport},
		posts:   map[string]*killPost{},
		voted:   map[*killPost]bool{},
		reports: map[[2]string]bool{}, acts: map[string]bool{},
		counts: map[string]*[3]int{},
		codes:  map[string]int{},
		late:   inFlight,
	}
}

// killAnswer is the answer to an operation whose only field is called r.
type killAnswer struct {
	Data   struct{ R json.RawMessage }
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
	Extensions struct{ Missing []struct{ Count int } }
}

// missing returns how many rows lists lack because they cannot be read.
func (a killAnswer) missing() (n int) {
	for _, m := range a.Extensions.Missing {
		n += m.Count
	}
	return n
}

// ask sends an operation to one of the processes.
func (w *killRun) ask(
	patience time.Duration,
	token, query string,
	variables map[string]any,
) (a killAnswer, err error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return a, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	addr := w.site.addrs[rand.IntN(len(w.site.addrs))]
	req, err := http.NewRequestWithContext(ctx, "POST", "http://"+addr+"/graphql", bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := w.http.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	err = json.NewDecoder(resp.Body).Decode(&a)
	return a, err
}

// killPayload has the fields of all mutations' payloads.
type killPayload struct {
	Topic, Comment *struct{ ID, State string }
	Category, Tab  *struct{ ID string }
	User, List     *seenID
	Act            *struct{ ID, Action string }
	Acts           []seenID
	Viewer         struct{ User seenID }
	Token          string
	Changed        bool
	Errors         []struct{ Code string }
}

// mutate sends a mutation and returns the outcome; code is that of a refusal.
func (w *killRun) mutate(
	patience time.Duration,
	token, query string,
	input map[string]any,
) (p killPayload, f fate, code string) {
	began := time.Now()
	a, err := w.ask(patience, token, query, map[string]any{"i": input})
	w.timed(patience, time.Since(began), err)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED): // it will be back in a moment
		w.site.awaitAny()
		return p, unknown, ""
	case err != nil:
		return p, unknown, ""
	case len(a.Errors) > 0:
		switch code := a.Errors[0].Extensions.Code; code {
		case "TIMEOUT", "INTERNAL_SERVER_ERROR", "UNAVAILABLE", "CONFLICT":
			w.mu.Lock()
			w.codes[code]++
			w.mu.Unlock()
		default:
			w.wrong("%s: %s %s", query, code, a.Errors[0].Message)
		}
		return p, unknown, ""
	}
	if err := json.Unmarshal(a.Data.R, &p); err != nil {
		w.site.t.Errorf("payload %s: %v", a.Data.R, err)
		return p, unknown, ""
	}
	if len(p.Errors) > 0 {
		return p, refused, p.Errors[0].Code
	}
	return p, acknowledged, ""
}

// timed notes how long a call took for which the client waited as long as the server may take.
func (w *killRun) timed(patience, took time.Duration, err error) {
	if patience < steady {
		return
	}
	if errors.Is(err, context.DeadlineExceeded) {
		w.site.t.Errorf("no answer within %v", patience)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.slowest = max(w.slowest, took)
}

// gone reports an acknowledged change that is not there at the end.
func (w *killRun) gone(format string, args ...any) {
	w.lost++
	w.wrong(format, args...)
}

// twice reports a change that is there twice.
func (w *killRun) twice(format string, args ...any) {
	w.doubled++
	w.site.t.Errorf(format, args...)
}

// wrong reports an answer that must not occur unless writes are lost.
func (w *killRun) wrong(format string, args ...any) {
	if !w.lossy {
		w.site.t.Errorf(format, args...)
	}
}

func (w *killRun) count(kind string, f fate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.counts[kind] == nil {
		w.counts[kind] = new([3]int)
	}
	w.counts[kind][f]++
}

// The operations of the test.
const (
	opRegister       = `mutation($i: RegisterInput!) { r: register(input: $i) { token errors { code } } }`
	opCreateCategory = `mutation($i: CreateCategoryInput!) { r: createCategory(input: $i) { category { id } errors { code } } }`
	opCreateTab      = `mutation($i: CreateTabInput!) { r: createTab(input: $i) { tab { id } errors { code } } }`
	opCreateTopic    = `mutation($i: CreateTopicInput!) { r: createTopic(input: $i) { topic { id } errors { code } } }`
	opUpdateTopic    = `mutation($i: UpdateTopicInput!) { r: updateTopic(input: $i) { topic { id } errors { code } } }`
	opDeleteTopic    = `mutation($i: DeleteTopicInput!) { r: deleteTopic(input: $i) { deletedTopicId errors { code } } }`
	opCreateComment  = `mutation($i: CreateCommentInput!) { r: createComment(input: $i) { comment { id } errors { code } } }`
	opUpdateComment  = `mutation($i: UpdateCommentInput!) { r: updateComment(input: $i) { comment { id } errors { code } } }`
	opDeleteComment  = `mutation($i: DeleteCommentInput!) { r: deleteComment(input: $i) { comment { id } errors { code } } }`
)

const (
	patient = 2 * time.Second
	// steady is how long a client waits that never gives up: longer than the server may take for an answer.
	steady = live.AnswerTime + time.Second
)

// furnish creates the clients' accounts, the categories and a tab, before any process is killed.
func (w *killRun) furnish() {
	t := w.site.t
	for n := range killClients {
		login := fmt.Sprintf("writer%d", n)
		p, f, code := w.mutate(10*time.Second, "", opRegister, newcomer(login))
		if f != acknowledged {
			t.Fatalf("register %s: %s", login, code)
		}
		w.clients = append(w.clients, &killClient{
			run: w, login: login, token: p.Token, votes: map[*killPost]*killVote{}, patience: patience,
		})
	}
	if out, code := w.site.command("user", "set-role", w.clients[0].login, "MODERATOR"); code != 0 {
		t.Fatalf("user set-role: %s", out)
	}
	for n := range 5 {
		p, f, code := w.mutate(
			patient,
			w.clients[0].token,
			opCreateCategory,
			map[string]any{"name": fmt.Sprintf("Category %d", n)},
		)
		if f != acknowledged {
			t.Fatalf("createCategory: %s", code)
		}
		w.categories = append(w.categories, p.Category.ID)
	}
	p, f, code := w.mutate(
		patient,
		w.clients[0].token,
		opCreateTab,
		map[string]any{"name": "Tab", "categories": []map[string]any{
			{"id": w.categories[0]}, {"id": w.categories[1]}, {"id": w.categories[2]}}},
	)
	if f != acknowledged {
		t.Fatalf("createTab: %s", code)
	}
	w.tab = p.Tab.ID
	if out, code := w.site.command("user", "set-role", w.clients[0].login,
		"USER"); code != 0 { // each changes only its own posts
		t.Fatalf("user set-role: %s", out)
	}
	p, f, code = w.mutate(10*time.Second, "", opRegister, newcomer("molly"))
	if out, failed := w.site.command("user", "set-role", "molly", "MODERATOR"); f != acknowledged || failed != 0 {
		t.Fatalf("register a moderator: %s, %s", code, out)
	}
	w.moderator = p.Token
	if _, f, code = w.mutate(10*time.Second, "", opRegister, newcomer("mallory")); f != acknowledged {
		t.Fatalf("register the banned one: %s", code)
	}
	w.banned = read[struct{ ID string }](w, opBanned, nil).ID
}

func newcomer(login string) map[string]any {
	return map[string]any{
		"login":          login,
		"email":          login + "@example.com",
		"password":       "a good password",
		"idempotencyKey": login,
	}
}

// newcomers registers accounts, a few per second, each until it is acknowledged.
func (w *killRun) newcomers(ctx context.Context) {
	tick := time.NewTicker(300 * time.Millisecond) // hashing a password is expensive
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		login := fmt.Sprintf("newcomer%d", n)
		p, f, code := w.insist(patience, "register", "", opRegister, newcomer(login))
		if f != acknowledged || p.Token == "" {
			w.site.t.Errorf("register %s with a key: %s", login, code)
			return
		}
		w.mu.Lock()
		w.logins = append(w.logins, login)
		w.mu.Unlock()
	}
}

// insist repeats a call with an idempotency key until it is answered.
func (w *killRun) insist(
	patience func() time.Duration,
	kind, token, query string,
	input map[string]any,
) (p killPayload, f fate, code string) {
	began := time.Now()
	wait.For(time.Minute, func() bool {
		p, f, code = w.mutate(patience(), token, query, input)
		w.count(kind, f)
		return f != unknown
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.longest = max(w.longest, time.Since(began))
	return p, f, code
}
