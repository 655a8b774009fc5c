package cut

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// TestObjectCachesUnderCuts changes everything that answers show, through two processes that keep objects in memory,
// while the connections on which these hear of changes are cut, silenced and held up, and answers of Redis come late.
// No answer shows what was replaced a second before its request was sent; and no answer to whoever changed something
// shows what is older than the last change. LIVE_SECONDS is the time that it takes; 8 s if not set.
func TestObjectCachesUnderCuts(t *testing.T) {
	testlevel.Usual(t)
	testlevel.RealRedis(t)
	server := redistest.Start(t)
	var wires [2]redistest.Wire
	s := newCacheSite(t, func(i int) redis.UniversalClient { return server.ClientOver(t, &wires[i]) })
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
		wait.Pause(ctx, 2500*time.Millisecond) // until the connection is given up
	case 1, 2:
		w.CutListeners()
		wait.Pause(ctx, time.Duration(rand.IntN(1500))*time.Millisecond)
	case 3:
		_, release := w.HoldListeners()
		wait.Pause(ctx, 1800*time.Millisecond) // nothing is served before it ends
		release()
	default:
		_, release := w.HoldListeners()
		wait.Pause(ctx, time.Duration(rand.IntN(1000))*time.Millisecond)
		release()
	}
}

// TestObjectCachesUnderRestarts does the same while Redis is killed and started again.
func TestObjectCachesUnderRestarts(t *testing.T) {
	testlevel.Usual(t)
	program := testlevel.RealRedis(t)
	r := startMortalRedis(t, program)
	s := newCacheSite(t, func(int) redis.UniversalClient {
		conn := must.Do(store.Connect(t.Context(), "unix://"+r.socket, store.ConnectOptions{}))(t)
		t.Cleanup(func() { conn.Close() })
		return conn.Redis.(redis.UniversalClient)
	})
	s.run(func(ctx context.Context) {
		wait.Pause(ctx, time.Duration(500+rand.IntN(500))*time.Millisecond)
		r.kill()
		r.start()
	})
}

// oldest is the age that no answer exceeds.
const oldest = time.Second

// cacheSite is two processes on one Redis, with things that change.
type cacheSite struct {
	t         *testing.T
	processes [2]cutProcess
	changing  []*changing
	query     string // reads all that changes
	// answers is how many answers were compared, failed how many requests failed, older how many values were not the
	// latest.
	answers, failed, older atomic.Int64
}

// user registers a user who is signed in, with a name that ends with 0, and returns the token.
func (s *cacheSite) user(login string, role forum.Role) string {
	s.t.Helper()
	data, in := s.processes[0].store, site.Account(login)
	in.Name += " 0"
	id := must.Do(data.Accounts.Register(s.t.Context(), in))(s.t)
	must.OK(s.t, data.Accounts.SetRole(s.t.Context(), id, role))
	token := must.Do(auth.NewToken(id))(s.t)
	site.On(s.t, data).Session(id, token.Digest(), time.Hour)
	return token.String()
}

// ask sends a request to a process, signed in with a token or signed out.
func (s *cacheSite) ask(process int, token, query string) (map[string]any, error) {
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
		Data   map[string]any
		Errors []any
	}
	if err := json.Unmarshal(text, &answer); err != nil || answer.Errors != nil || strings.Contains(string(text), `"code"`) {
		return nil, fmt.Errorf("%s", text)
	}
	return answer.Data, nil
}

// look reads everything through a process, and compares it with what was acknowledged before.
func (s *cacheSite) look(process int, token string) {
	began := time.Now()
	least, last := make([]int, len(s.changing)), make([]int, len(s.changing))
	for i, c := range s.changing {
		last[i], _ = c.since(began)
		if least[i] = last[i]; c.by != token {
			least[i], _ = c.since(began.Add(-oldest))
		}
	}
	got, err := s.ask(process, token, s.query)
	if err != nil {
		s.failed.Add(1)
		return
	}
	for i, c := range s.changing {
		text := c.found(got)
		switch n := c.latest(text); {
		case n < least[i]:
			_, at := c.since(began)
			s.t.Errorf("process %d shows %s %q at %v; number %d was acknowledged before, the last at %v; its own: %v",
				process, c.name, text, began, least[i], at, c.by == token)
		case n < last[i]:
			s.older.Add(1)
		}
	}
	s.answers.Add(1)
}

// change makes two changes in a row, through any processes. A change whose answer was lost is repeated.
func (s *cacheSite) change(ctx context.Context, c *changing) {
	for range 2 {
		n := c.begin()
		for {
			_, err := s.ask(rand.IntN(2), c.by, "mutation { "+c.mutation(n)+" { errors { code message } } }")
			if err == nil {
				break
			}
			if s.failed.Add(1); ctx.Err() != nil {
				return
			}
		}
		c.end()
	}
	s.look(0, c.by)
	s.look(1, c.by)
}

// run changes and reads, while fault is called again and again.
func (s *cacheSite) run(fault func(context.Context)) {
	life := 4 * planCuts(s.t).life
	ctx, stop := context.WithTimeout(s.t.Context(), life)
	defer stop()
	var all sync.WaitGroup // all end with ctx
	every := func(pause time.Duration, do func()) {
		all.Go(func() {
			for ctx.Err() == nil {
				do()
				wait.Pause(ctx, pause)
			}
		})
	}
	every(100*time.Millisecond, func() { fault(ctx) })
	for _, c := range s.changing {
		every(time.Duration(1200+rand.IntN(800))*time.Millisecond, func() { s.change(ctx, c) })
	}
	for i := range 6 {
		token := ""
		if i%3 == 2 {
			token = s.changing[i].by
		}
		every(2*time.Millisecond, func() { s.look(i%2, token) })
	}
	all.Wait()
	losses, hits := 0, 0
	for _, p := range s.processes {
		stats, _ := p.store.Listing.ObjectStats()
		losses, hits = losses+stats.Losses, hits+stats.Hits
	}
	s.t.Logf("%d answers compared, %d requests failed; %d objects came from memory, %d were not the latest; %d losses",
		s.answers.Load(), s.failed.Load(), hits, s.older.Load(), losses)
	if s.answers.Load() < 100 || hits < 100 || losses == 0 {
		s.t.Error("the test shows nothing")
	}
}
