package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/clustertest"
	"agora/internal/test/logbook"
	"agora/internal/test/must"
	"agora/internal/test/port"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// awayServer is a server that may not have printed its banner yet.
type awayServer struct {
	url   string
	log   *logbook.Log
	out   *logbook.Log
	ended chan error
	end   context.CancelFunc
}

// serveAway runs a server; it ends with the test.
func serveAway(t *testing.T, redisURL string, args ...string) *awayServer {
	t.Helper()
	addr := port.Free(t)
	ctx, cancel := context.WithCancel(context.Background())
	s := &awayServer{url: "http://" + addr, log: &logbook.Log{}, out: &logbook.Log{}, ended: make(chan error, 1),
		end: cancel}
	p := newProgram(schema, os.DirFS("../.."), strings.NewReader(""), s.out, s.log)
	go func() { // ends with ctx
		s.ended <- p.run(ctx, append([]string{"agora", "--addr", addr, "--redis-url", redisURL}, args...), environment(nil))
	}()
	t.Cleanup(s.stop)
	return s
}

func (s *awayServer) stop() {
	s.end()
	if _, running := <-s.ended; running {
		close(s.ended)
	}
}

// wantReady waits until /readyz answers so, with these troubles.
func (s *awayServer) wantReady(t *testing.T, code int, troubles ...string) {
	t.Helper()
	wait.Succeed(t, "/readyz", func() error {
		resp, err := http.Get(s.url + "/readyz")
		if err != nil {
			return errors.Join(err, errors.New(s.log.String()))
		}
		defer resp.Body.Close()
		var state struct{ Troubles []string }
		if err := json.NewDecoder(resp.Body).Decode(&state); err != nil {
			return err
		}
		if resp.StatusCode != code || fmt.Sprint(state.Troubles) != fmt.Sprint(troubles) {
			return fmt.Errorf("it answers %d %v; want %d %v", resp.StatusCode, state.Troubles, code, troubles)
		}
		return nil
	})
}

// registers reports whether a mutation succeeds: one login in fifteen has all of its slots on two masters of three.
func (s *awayServer) registers(t *testing.T, prefix string) bool {
	t.Helper()
	// Letters, because the part before digits is looked up, which is the same for all.
	letters := strings.NewReplacer("0", "b", "1", "c", "2", "d", "3", "f", "4", "g", "5", "h", "6", "j", "7", "k", "8", "m",
		"9", "n")
	for n := range 300 {
		login := letters.Replace(fmt.Sprint(prefix, n))
		query := fmt.Sprintf(`mutation{register(input:{login:"%s",email:"%s@example.org",password:"correct horse %d"}){token}}`,
			login, login, n)
		if got := (started{url: s.url}).post(t, "", query); strings.Contains(got, `"token":"`) {
			return true
		}
	}
	return false
}

// A server starts while a master of a cluster is away, whichever it is, serves what the others have, and is ready.
func TestServerStartsWithoutAMaster(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel()
	c := clustertest.Start(t, testlevel.RedisProgram(t), 3, 0, "--appendonly", "yes", "--appendfsync", "no")
	client := c.Client(t)
	before := serveAway(t, c.URL(), "--sign-in-limit", "0", "--rate", "all=0", "--time-zone", "Asia/Shanghai")
	before.wantReady(t, http.StatusOK)
	wait.Succeed(t, "the copies", func() error {
		for p := range 256 {
			if err := client.Get(t.Context(), fmt.Sprintf("{p%02x}:site", p)).Err(); err != nil {
				return err
			}
		}
		return nil
	})
	before.stop()
	layout := client.HGetAll(t.Context(), "meta:layout").Val()
	for i, master := range c.Nodes {
		master.Kill()
		s := serveAway(t, c.URL(), "--sign-in-limit", "0", "--rate", "all=0")
		s.wantReady(t, http.StatusOK, "away")
		if !s.registers(t, fmt.Sprintf("ann%d", i)) {
			t.Errorf("nothing can be written while %s is away", master.Addr)
		}
		if n := s.log.Count("started without some masters of Redis"); n != 1 {
			t.Errorf("%d lines of the log say what is away; want 1", n)
		}
		c.Restart(master)
		c.AwaitWhole()
		s.wantReady(t, http.StatusOK)
		s.stop()
	}
	now := client.HGetAll(t.Context(), "meta:layout").Val()
	for _, field := range []string{"version", "partitions", "created", "timeZone"} {
		if now[field] != layout[field] {
			t.Errorf("%s of the layout is %q; want %q", field, now[field], layout[field])
		}
	}
	if len(layout) < 4 || layout["timeZone"] != "Asia/Shanghai" {
		t.Errorf("the layout is %v", layout)
	}
}

// changes returns how many changes were made to the running nodes.
func changes(t *testing.T, c *clustertest.Cluster, but *clustertest.Node) (all []string) {
	t.Helper()
	for _, n := range c.Nodes {
		if n == but {
			continue
		}
		text := must.Do(n.Redis.Info(t.Context(), "persistence").Result())(t)
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "rdb_changes_since_last_save") {
				all = append(all, strings.TrimSpace(line))
			}
		}
	}
	return all
}

// holder returns the master that has a key.
func holder(t *testing.T, c *clustertest.Cluster, key string) *clustertest.Node {
	t.Helper()
	for _, n := range c.Nodes {
		if n.Redis.Exists(t.Context(), key).Err() == nil {
			return n
		}
	}
	t.Fatalf("no master has %s", key)
	return nil
}

func rewriteCopies(t *testing.T, client redis.UniversalClient, rewrite func(text string) string) {
	t.Helper()
	for p := range 256 {
		key := fmt.Sprintf("{p%02x}:site", p)
		if text := rewrite(client.Get(t.Context(), key).Val()); text == "" {
			client.Del(t.Context(), key)
		} else if err := client.Set(t.Context(), key, text, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// Without the layout and without a copy of it a server is up, not ready, and writes nothing, until the layout is back.
// A copy of a layout that the server does not support ends the start, which writes nothing either.
func TestServerStartsWithoutTheLayout(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel()
	c := clustertest.Start(t, testlevel.RedisProgram(t), 3, 0, "--appendonly", "yes", "--appendfsync", "no")
	client := c.Client(t)
	first := serveAway(t, c.URL())
	first.wantReady(t, http.StatusOK)
	wait.Succeed(t, "the last copy", func() error { return client.Get(t.Context(), "{pff}:site").Err() })
	first.stop()
	master := holder(t, c, "meta:layout")

	rewriteCopies(t, client, func(text string) string { return strings.Replace(text, `"version":"3"`, `"version":"99"`, 1) })
	master.Kill()
	before := changes(t, c, master)
	newer := serveAway(t, c.URL())
	if err := <-newer.ended; err == nil || !strings.Contains(err.Error(), "layout version 99") {
		t.Errorf("the start with the layout of another program ends with %v; want an error that says so", err)
	}
	close(newer.ended)
	if now := changes(t, c, master); fmt.Sprint(now) != fmt.Sprint(before) {
		t.Errorf("the changes of the other masters are %v; want %v", now, before)
	}

	c.Restart(master)
	c.AwaitWhole()
	rewriteCopies(t, client, func(string) string { return "" })
	master.Kill()
	before = changes(t, c, master)
	s := serveAway(t, c.URL())
	s.wantReady(t, http.StatusServiceUnavailable, "away")
	resp, err := http.Get(s.url + "/healthz")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("/healthz = %v, %v; want 200", resp, err)
	}
	if got := (started{url: s.url}).post(t, "", "{site{name}}"); !strings.Contains(got, `"code":"UNAVAILABLE"`) {
		t.Errorf("a query is answered by %s; want UNAVAILABLE", got)
	}
	if now := changes(t, c, master); fmt.Sprint(now) != fmt.Sprint(before) {
		t.Errorf("the changes of the other masters are %v; want %v", now, before)
	}
	c.Restart(master)
	s.wantReady(t, http.StatusOK)
	if !s.registers(t, "bob") {
		t.Error("nothing can be written after the layout is back")
	}
	wait.Succeed(t, "the last copy", func() error { return client.Get(t.Context(), "{pff}:site").Err() })
}

// --wait waits for a master, and a single Redis that does not answer in that time is an error.
func TestWaitAtTheStart(t *testing.T) {
	t.Parallel()
	o := clustertest.StartOne(t, testlevel.RedisProgram(t))
	o.Kill()
	began := time.Now()
	s := serveAway(t, o.URL(), "--wait", "1s")
	if err := <-s.ended; err == nil || time.Since(began) < time.Second {
		t.Errorf("the server ends with %v after %v; want an error after 1s", err, time.Since(began))
	}
	close(s.ended)
	s = serveAway(t, o.URL(), "--wait", "1m")
	wait.Succeed(t, "the log", func() error {
		if s.log.Count("waiting for Redis") == 0 {
			return errors.New("it does not say that the server waits")
		}
		return nil
	})
	o.Restart()
	s.wantReady(t, http.StatusOK)
}

// listed are the rows of a list in an answer, and how many it says are missing.
type listed struct {
	Data struct {
		Front struct {
			Topics struct {
				Nodes []struct {
					ID       string
					Author   struct{ Login string }
					Comments struct {
						Edges []struct {
							Node struct{ Author struct{ Login string } }
						}
					}
				}
			}
		}
	}
	Errors     []struct{ Message string }
	Extensions struct {
		Missing []struct {
			Path       []any
			Count      int
			Extensions struct{ Code string }
		}
	}
}

// missing returns how many rows the list at a path lacks.
func (l listed) missing(path string) (n int) {
	for _, m := range l.Extensions.Missing {
		if fmt.Sprint(m.Path) == path && m.Extensions.Code == "UNAVAILABLE" {
			n += m.Count
		}
	}
	return n
}

// lists reads 100 topics with their comments.
func (s *awayServer) lists(t *testing.T) (l listed, text string) {
	t.Helper()
	text = (started{url: s.url}).post(t, "", `{ front { topics(first: 100) { nodes { id author { login }
		comments(first: 5) { edges { node { author { login } } } } } } } }`)
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return l, text
}

// wantRows compares what lists show, and say is missing, with how many comments each of the 100 topics has.
func (l listed) wantRows(t *testing.T, comments map[string]int) {
	t.Helper()
	lost := l.missing("[front topics nodes]")
	nodes := l.Data.Front.Topics.Nodes
	if len(nodes) == 0 || lost == 0 || len(nodes)+lost != len(comments) || len(l.Errors) > 0 {
		t.Errorf("%d topics are shown and %d missing, with the errors %v; want %d in all", len(nodes), lost, l.Errors,
			len(comments))
	}
	without := 0
	for i, topic := range nodes {
		edges, lost := topic.Comments.Edges, l.missing(fmt.Sprintf("[front topics nodes %d comments edges]", i))
		if len(edges)+lost != comments[topic.ID] || topic.Author.Login == "" {
			t.Errorf("topic %d of %q has %d comments and %d missing; want %d in all", i, topic.Author.Login, len(edges), lost,
				comments[topic.ID])
		}
		for _, e := range edges {
			if e.Node.Author.Login == "" {
				t.Errorf("a comment of topic %d has no author", i)
			}
		}
		without += lost
	}
	if without == 0 {
		t.Error("no comment is missing, though the authors of some cannot be read")
	}
}

// With a shard gone, lists leave out the rows that cannot be read, or whose author cannot, and say how many: what is
// shown and what is missing are as many as before. What can be null is null, with an error: counts, and the categories
// of topics.
func TestListsWithAShardGone(t *testing.T) {
	testlevel.LongWithoutRace(t)
	t.Parallel()
	c := clustertest.Start(t, testlevel.RedisProgram(t), 3, 0, "--appendonly", "yes", "--appendfsync", "no")
	s := serveAway(t, c.URL(), "--demo", "--quiet", "--rate", "all=0")
	s.wantReady(t, http.StatusOK)
	comments := map[string]int{}
	wait.Succeed(t, "the demo data", func() error {
		l, text := s.lists(t)
		for _, topic := range l.Data.Front.Topics.Nodes {
			comments[topic.ID] = len(topic.Comments.Edges)
		}
		if s.log.Count("problem") > 0 || len(comments) != 100 || s.out.Count("Agora is ready") == 0 {
			clear(comments)
			return errors.New(text)
		}
		return nil
	})
	before := map[string]partial{}
	for _, query := range []string{categoriesOfTopics, countsOfCategories, countsOfTabs} {
		before[query] = s.ask(t, query)
	}
	front, cats := holder(t, c, "{ix:front}"), holder(t, c, "{cat}")
	for _, master := range c.Nodes {
		if master == front {
			continue // the list itself is there
		}
		master.Kill()
		l, _ := s.lists(t)
		l.wantRows(t, comments)
		s.wantCounts(t, before, master == cats)
		c.Restart(master)
		c.AwaitWhole()
		wait.Succeed(t, "the whole list", func() error {
			if l, text := s.lists(t); len(l.Data.Front.Topics.Nodes) != 100 || len(l.Extensions.Missing) > 0 {
				return errors.New(text)
			}
			return nil
		})
	}
}
