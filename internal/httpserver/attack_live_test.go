//go:build unix

package httpserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/graph/model"
	"agora/internal/demo"
	"agora/internal/forum"
	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// liveAttack is a site with the demo data, one topic of it, and a user who replies to it. Clients choose their
// address.
type liveAttack struct {
	*liveWire
	author *forum.Viewer
	number forum.TopicID
	topic  string
}

const (
	attacker  = "X-Forwarded-For: 192.0.2.66"
	bystander = "X-Forwarded-For: 198.51.100.1"
)

func newLiveAttack(t *testing.T) *liveAttack {
	t.Helper()
	proxies, err := ParseProxies("127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	a := &liveAttack{liveWire: newRealWire(t, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		o.Proxies = proxies
	})}
	if _, err := demo.Seed(t.Context(), a.options.Resolver.Store, ""); err != nil {
		t.Fatal(err)
	}
	a.author, _ = a.member("replier")
	a.number = site.Topic(t, a.options.Resolver.Store, a.author.ID, 0, "t")
	a.topic = model.GlobalID(model.TypeTopic, strconv.FormatInt(int64(a.number), 10))
	for range 100 {
		a.reply()
	}
	return a
}

// reply lets the user reply to the topic.
func (a *liveAttack) reply() {
	a.t.Helper()
	site.Comment(a.t, a.options.Resolver.Store, a.author.ID, a.number, "A reply of some words, *as* there are many.")
}

// costly is a subscription to the topic that asks for about 500 values of each event; every number is a different
// one.
func (a *liveAttack) costly(number int) string {
	return fmt.Sprintf(
		"subscription { a%d: commentAdded(topic: {id: %q}) { comment { topic { comments(first: 100) { nodes { id number "+
			"contentHtml author { login } } } } } } }",
		number,
		a.topic,
	)
}

// query posts a request, without an address, and expects an answer.
func (a *liveAttack) query(body string) {
	a.t.Helper()
	resp, err := http.Post(a.url+"/graphql", "application/json", strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || strings.Contains(string(text), `"errors"`) {
		a.t.Fatalf("a query: status %d, %v, %.300s", resp.StatusCode, err, text)
	}
}

// attempt subscribes on a socket, and returns whether the subscription is running, or the code of the error.
func (c *socketClient) attempt(id, document string) (code string) {
	c.t.Helper()
	c.subscribe(id, document)
	c.send(`{"type":"ping"}`)
	text := c.read()
	if text == `{"type":"pong"}` {
		return ""
	}
	var m struct {
		Type    string
		Payload []struct{ Extensions struct{ Code string } }
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Type != "error" {
		c.t.Fatalf("message %.300s; want a pong or an error", text)
	}
	c.want(`{"type":"pong"}`)
	return m.Payload[0].Extensions.Code
}

// Many different subscriptions of one anonymous caller make a reply cost about as much as the queries of the caller's
// share would, and do not delay other callers' events.
func TestManySubscriptionsAreCheap(t *testing.T) {
	testlevel.WithoutRace(t)
	a := newLiveAttack(t)
	canary := a.connect(bystander)
	small := fmt.Sprintf("subscription { commentAdded(topic: {id: %q}) { comment { id author { login } } } }", a.topic)
	if code := canary.attempt("1", small); code != "" {
		t.Fatal(code)
	}
	// event returns how long an event takes to reach the canary, and the CPU time until all other sockets have
	// theirs, too.
	event := func(others []*socketClient) (took, cpu time.Duration) {
		start, before := time.Now(), spent()
		a.reply()
		if text := canary.read(); !strings.Contains(text, `"next"`) {
			t.Fatalf("message %.300s; want an event", text)
		}
		took = time.Since(start)
		for _, c := range others {
			if text := c.read(); !strings.Contains(text, `"next"`) || !strings.Contains(text, "contentHtml") {
				t.Fatalf("message %.300s; want an event", text)
			}
		}
		return took, spent() - before
	}
	alone, aloneCPU := event(nil)
	running, codes := []*socketClient(nil), map[string]int{}
	for range 5 {
		c := a.connect(attacker)
		for range 40 { // 40 each, so that no socket sends too many pings
			n := len(running) + codes["LIVE_LIMIT_EXCEEDED"]
			code := c.attempt(strconv.Itoa(n), a.costly(n))
			if codes[code]++; code == "" {
				running = append(running, c)
			}
		}
	}
	one := asked(
		"query($id: ID!) { node(id: $id) { ... on Topic { comments(first: 100) { nodes { id number contentHtml author { "+
			"login } } } } } }",
		fmt.Sprintf(`{"id":%q}`, a.topic),
	)
	var took, cpu, queryCPU time.Duration = time.Hour, time.Hour, time.Hour
	for range 3 {
		d, c := event(running)
		took, cpu = min(took, d), min(cpu, c)
		before := spent()
		for range running {
			a.query(one)
		}
		queryCPU = min(queryCPU, spent()-before)
	}
	t.Logf(
		"an event: %v, %v CPU alone; %v, %v CPU beside %d subscriptions (%v); as many queries: %v CPU",
		alone,
		aloneCPU,
		took,
		cpu,
		len(running),
		codes,
		queryCPU,
	)
	if codes[""] == 0 || codes["LIVE_LIMIT_EXCEEDED"] == 0 || codes[""]+codes["LIVE_LIMIT_EXCEEDED"] != 200 {
		t.Errorf("200 subscriptions: %v; want some to run, and the others to be refused with LIVE_LIMIT_EXCEEDED", codes)
	}
	if cpu > 3*queryCPU {
		t.Errorf(
			"one reply took %v of CPU time; want at most 3 times that of as many queries for the same, %v",
			cpu,
			queryCPU,
		)
	}
	if took > time.Second {
		t.Errorf("an event took %v to reach a bystander; want at most a second", took)
	}
}

// Hundreds of unfinished bodies and messages of one address take no more memory than the address may hold, and
// another caller's long request is answered at the same time.
func TestUnfinishedRequestsHoldLittle(t *testing.T) {
	testlevel.WithoutRace(t)
	a := newLiveAttack(t)
	_, token := a.member("attacker")
	long := asked("query($l:String!){user(by:{login:$l}){id}}", `{"l":"`+strings.Repeat("x", 800_000)+`"}`)
	tests := []struct {
		name  string
		count int
		start func()
	}{
		{"300 bodies of 1 MB", 300, func() { unfinished(t, a.url, "192.0.2.66", 1_000_000) }},
		{"100 messages of 1 MB", 100, func() { a.connect(attacker, "Authorization: Bearer "+token).half(1_000_000) }},
	}
	for _, tt := range tests {
		runtime.GC()
		before, cpu, most := heapInUse(), spent(), uint64(0)
		for range tt.count {
			tt.start()
			runtime.GC() // bytes that are not held do not count
			most = max(most, heapInUse())
		}
		cpu = spent() - cpu
		start := time.Now()
		a.query(long)
		took := time.Since(start)
		held := (max(most, before) - before) >> 10
		t.Logf("%s: %d KiB held at most, %v CPU; a bystander's request took %v", tt.name, held, cpu, took)
		// The clients are in this process, too: a buffer of some kilobytes for each.
		if bound := uint64(3*limit.Defaults().BodiesAddress)>>10 + uint64(tt.count)*32; held > bound {
			t.Errorf("%s: %d KiB held; want at most %d", tt.name, held, bound)
		}
		if took > 5*time.Second {
			t.Errorf("%s: a bystander's request took %v", tt.name, took)
		}
	}
}

// Two thousand concurrent queries on one socket are answered one after the other, while the events of that socket and
// of others arrive in time.
func TestManyQueriesOnOneSocketAreCheap(t *testing.T) {
	testlevel.WithoutRace(t)
	a := newLiveAttack(t)
	canary, c := a.connect(bystander), a.connect(attacker)
	small := fmt.Sprintf("subscription { commentAdded(topic: {id: %q}) { comment { id author { login } } } }", a.topic)
	for _, on := range []*socketClient{canary, c} {
		if code := on.attempt("s", small); code != "" {
			t.Fatal(code)
		}
	}
	const queries = 2000
	const page = "{ front { topics(first: 10) { nodes { title author { login } } } } }"
	before := spent()
	for range 200 {
		a.query(bodyOf(page))
	}
	usual := (spent() - before) / 200
	runtime.GC()
	heap, most, before := heapInUse(), uint64(0), spent()
	answered := make(chan map[string]int)
	go func() { answered <- c.count("complete", queries) }() // ends when all are answered
	sent := c.ask(queries, page)
	var slowest time.Duration
	var got map[string]int
	for events := 0; got == nil; events++ {
		start := time.Now()
		a.reply()
		if text := canary.read(); !strings.Contains(text, `"next"`) {
			t.Fatalf("message %.300s; want an event", text)
		}
		slowest, most = max(slowest, time.Since(start)), max(most, heapInUse())
		select {
		case got = <-answered:
			t.Logf("%d events meanwhile", events)
		default:
		}
	}
	<-sent
	each := (spent() - before) / queries
	t.Logf(
		"%v CPU each, by HTTP %v; %d KiB more heap; the slowest event of a bystander took %v; %v",
		each,
		usual,
		(max(most, heap)-heap)>>10,
		slowest,
		got,
	)
	if got["error"] != 0 || got["next"] < queries {
		t.Errorf("messages: %v; want all answered", got)
	}
	if each > 10*usual || slowest > 2*time.Second || most > heap+128<<20 {
		t.Error("want at most ten times the CPU time of a request, two seconds for an event, and 128 MB")
	}
}
