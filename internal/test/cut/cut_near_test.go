package cut

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// TestNearCachesUnderCuts has users rename themselves, and an administrator categories, through two processes that keep
// users and categories in memory, while the connections on which these hear of changes are cut, silenced and held up,
// and answers of Redis come late. No answer shows a name that was replaced a second before its request was sent; and no
// answer to those who renamed anything shows a name older than their last. LIVE_SECONDS is the time that it takes; 8 s
// if not set.
func TestNearCachesUnderCuts(t *testing.T) {
	testlevel.Usual(t)
	testlevel.RealRedis(t)
	server := redistest.Start(t)
	var wires [2]redistest.Wire
	s := newNearSite(t, func(i int) redis.UniversalClient { return server.ClientOver(t, &wires[i]) })
	for i := range wires {
		wires[i].Delay(func() time.Duration {
			if rand.IntN(2) == 0 {
				return 0
			}
			return time.Duration(rand.IntN(60)) * time.Millisecond
		})
	}
	s.run(func(ctx context.Context) {
		var all sync.WaitGroup
		for i := range wires {
			all.Go(func() { fail(ctx, &wires[i]) }) // ends soon
		}
		all.Wait()
	})
}

// fail does something to the connections on which changes are heard.
func fail(ctx context.Context, w *redistest.Wire) {
	switch rand.IntN(8) {
	case 0:
		w.MuteListeners()
		wait(ctx, 2500*time.Millisecond) // until the connection is given up
	case 1, 2:
		w.CutListeners()
		wait(ctx, time.Duration(rand.IntN(1500))*time.Millisecond)
	case 3:
		_, release := w.HoldListeners()
		wait(ctx, 1800*time.Millisecond) // nothing is served before it ends
		release()
	default:
		_, release := w.HoldListeners()
		wait(ctx, time.Duration(rand.IntN(1000))*time.Millisecond)
		release()
	}
}

// TestNearCachesUnderRestarts does the same while Redis is killed and started again.
func TestNearCachesUnderRestarts(t *testing.T) {
	testlevel.Usual(t)
	program := testlevel.RealRedis(t)
	r := startMortalRedis(t, program)
	s := newNearSite(t, func(int) redis.UniversalClient {
		conn, err := store.Connect(t.Context(), "unix://"+r.socket, store.ConnectOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return conn.Redis
	})
	s.run(func(ctx context.Context) {
		wait(ctx, time.Duration(500+rand.IntN(500))*time.Millisecond)
		r.kill()
		r.start()
	})
}

// nearPairs is how many users there are, and categories.
const nearPairs = 4

// nearAge is the age that no answer exceeds.
const nearAge = time.Second

// nearSite is two processes on one Redis, with topics of different users in different categories.
type nearSite struct {
	t         *testing.T
	processes [2]cutProcess
	names     [2 * nearPairs]*renamed // of users, then of categories
	admin     string                  // token
	query     string                  // reads all names
	// answers is how many answers were compared, failed how many requests failed, older how many names were not the
	// latest.
	answers, failed, older atomic.Int64
}

// renamed is what has a name that changes. The name ends with the number of the change.
type renamed struct {
	by     string // token of who changes it
	rename func(n int) string
	mu     sync.Mutex
	acked  []time.Time // when change n was acknowledged
}

// since returns the last change that was acknowledged before t, and when it was.
func (r *renamed) since(t time.Time) (int, time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(r.acked) - 1
	for n > 0 && !r.acked[n].Before(t) {
		n--
	}
	return n, r.acked[n]
}

func newNearSite(t *testing.T, client func(i int) redis.UniversalClient) *nearSite {
	t.Helper()
	s := &nearSite{t: t}
	for i := range s.processes {
		s.processes[i] = startCutProcess(t, client(i), store.WithNearCache(1<<20))
	}
	s.admin = s.user("admin", forum.RoleAdmin)
	data, ctx := s.processes[0].store, t.Context()
	var query strings.Builder
	for i := range nearPairs {
		token := s.user(fmt.Sprint("user", i), forum.RoleUser)
		user, _ := auth.ParseToken(token)
		name := fmt.Sprintf("Category %d 0", i)
		category, err := data.CreateCategory(ctx, name, strings.ToLower(name), "")
		if err != nil {
			t.Fatal(err)
		}
		topic, err := data.CreateTopic(ctx, store.NewTopic{Author: user.User, Kind: forum.Discussion, Title: "t",
			Content: "t", Format: forum.Markdown, Category: category})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&query, "t%d: topic(by: {number: %d}) { author { name } category { id name } }\n", i, topic)
		s.names[i] = &renamed{by: token, acked: []time.Time{{}}, rename: func(n int) string {
			return fmt.Sprintf(`mutation { updateProfile(input: {name: "User %d %d"}) { errors { code } } }`, i, n)
		}}
	}
	s.query = "{" + query.String() + "}"
	got, err := s.ask(0, "", s.query)
	if err != nil {
		t.Fatal(err)
	}
	for i := range nearPairs {
		id := got[fmt.Sprint("t", i)]["category"].ID
		s.names[nearPairs+i] = &renamed{by: s.admin, acked: []time.Time{{}}, rename: func(n int) string {
			return fmt.Sprintf(
				`mutation { updateCategory(input: {category: {id: %q}, name: "Category %d %d"}) { errors { code } } }`, id, i, n)
		}}
	}
	return s
}

// user registers a user who is signed in, with a name that ends with 0, and returns the token.
func (s *nearSite) user(login string, role forum.Role) string {
	s.t.Helper()
	data, ctx := s.processes[0].store, s.t.Context()
	id, err := data.Register(ctx, store.NewUser{Login: login, LoginFold: login, Name: login + " 0", PasswordHash: "x"})
	if err == nil {
		err = data.SetRole(ctx, id, role)
	}
	token, _ := auth.NewToken(id)
	if err == nil {
		err = data.StartSession(ctx, store.NewSession{User: id, Digest: token.Digest(),
			Ends: data.Now() + forum.Time(time.Hour.Milliseconds())})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return token.String()
}

// shown is an object of an answer.
type shown struct{ ID, Name string }

// ask sends a request to a process, signed in with a token or signed out.
func (s *nearSite) ask(process int, token, query string) (map[string]map[string]shown, error) {
	body, _ := json.Marshal(map[string]string{"query": query})
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost,
		"http://"+s.processes[process].front.Addr().String()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Data   map[string]json.RawMessage
		Errors []any
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Errors != nil {
		return nil, fmt.Errorf("%s", text)
	}
	objects := map[string]map[string]shown{}
	for name, value := range answer.Data {
		var fields map[string]shown
		if err := json.Unmarshal(value, &fields); err == nil {
			objects[name] = fields
		} else if string(value) != `{"errors":[]}` {
			return nil, fmt.Errorf("%s", text)
		}
	}
	return objects, nil
}

// look reads all names through a process, and compares them with what was acknowledged before.
func (s *nearSite) look(process int, token string) {
	began := time.Now()
	var least, last [2 * nearPairs]int
	for i, r := range s.names {
		last[i], _ = r.since(began)
		if least[i] = last[i]; r.by != token {
			least[i], _ = r.since(began.Add(-nearAge))
		}
	}
	got, err := s.ask(process, token, s.query)
	if err != nil {
		s.failed.Add(1)
		return
	}
	for i := range s.names {
		text := got[fmt.Sprint("t", i%nearPairs)][[...]string{"author", "category"}[i/nearPairs]].Name
		n, err := strconv.Atoi(text[strings.LastIndexByte(text, ' ')+1:])
		switch {
		case err != nil:
			s.t.Errorf("an answer shows the name %q", text)
		case n < least[i]:
			_, at := s.names[i].since(began)
			s.t.Errorf("process %d shows %q at %v; number %d was acknowledged before, the last at %v; its own: %v",
				process, text, began, least[i], at, s.names[i].by == token)
		case n < last[i]:
			s.older.Add(1)
		}
	}
	s.answers.Add(1)
}

// change renames an object, twice in a row, through any processes. A change whose answer was lost is repeated.
func (s *nearSite) change(ctx context.Context, r *renamed) {
	for range 2 {
		for {
			_, err := s.ask(rand.IntN(2), r.by, r.rename(len(r.acked)))
			if err == nil {
				break
			}
			if s.failed.Add(1); ctx.Err() != nil {
				return
			}
		}
		r.mu.Lock()
		r.acked = append(r.acked, time.Now())
		r.mu.Unlock()
	}
	s.look(0, r.by)
	s.look(1, r.by)
}

// run renames and reads, while fault is called again and again.
func (s *nearSite) run(fault func(context.Context)) {
	life := 4 * planCuts(s.t).life
	ctx, stop := context.WithTimeout(s.t.Context(), life)
	defer stop()
	var all sync.WaitGroup // all end with ctx
	every := func(pause time.Duration, do func()) {
		all.Go(func() {
			for ctx.Err() == nil {
				do()
				wait(ctx, pause)
			}
		})
	}
	every(100*time.Millisecond, func() { fault(ctx) })
	for _, r := range s.names {
		every(time.Duration(1200+rand.IntN(800))*time.Millisecond, func() { s.change(ctx, r) })
	}
	for i := range 6 {
		token := ""
		if i%3 == 2 {
			token = s.names[i%nearPairs].by
		}
		every(2*time.Millisecond, func() { s.look(i%2, token) })
	}
	all.Wait()
	losses, hits := 0, 0
	for _, p := range s.processes {
		stats, _ := p.store.NearStats()
		losses, hits = losses+stats.Losses, hits+stats.Hits
	}
	s.t.Logf("%d answers compared, %d requests failed; %d names came from memory, %d were not the latest; %d losses",
		s.answers.Load(), s.failed.Load(), hits, s.older.Load(), losses)
	if s.answers.Load() < 100 || hits < 100 || losses == 0 {
		s.t.Error("the test shows nothing")
	}
}

// wait returns after some time, or when ctx is done.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
