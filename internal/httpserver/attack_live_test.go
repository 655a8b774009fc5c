//go:build unix

package httpserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"agora/internal/demo"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/site"
	"agora/internal/test/testlevel"
)

// liveAttack is a site with a topic and a user who replies to it. Clients choose their
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

func newLiveAttack(t *testing.T, more ...func(*Options)) *liveAttack {
	t.Helper()
	proxies := must.Do(ParseProxies("127.0.0.1"))(t)
	a := &liveAttack{liveWire: newRealWire(t, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		o.Proxies = proxies
		for _, set := range more {
			set(o)
		}
	})}
	a.author, _ = a.member("replier")
	a.number = site.On(t, a.options.Resolver.Store).Titled(a.author, 0, "t")
	a.topic = globalid.New(globalid.Topic, strconv.FormatInt(int64(a.number), 10))
	for range 100 {
		a.reply()
	}
	return a
}

// reply lets the user reply to the topic.
func (a *liveAttack) reply() {
	a.t.Helper()
	site.On(a.t, a.options.Resolver.Store).Say(a.author, a.number, "A reply of some words, *as* there are many.")
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
	resp := must.Do(http.Post(a.url+"/graphql", "application/json", strings.NewReader(body)))(a.t)
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

// Events leave a debt to who follows them.
func TestEventsAreOwed(t *testing.T) {
	a := newLiveAttack(t, limited(ratelimit.Rates{ratelimit.Cost: 1000}, redistest.NewClock())) // an address has 4,000
	follower, other := a.connect(attacker), a.connect(attacker)
	if code := other.attempt("1", "subscription { reportAdded { eventId } }"); code == "RATE_LIMITED" {
		t.Errorf("before the events: %s; want that the rate allows more", code)
	}
	follower.subscribe("1", a.costly(1))
	follower.wantQuiet()
	for range 5 {
		a.reply()
		follower.read()
	}
	if code := other.attempt("2", "subscription { reportAdded { eventId } }"); code != "RATE_LIMITED" {
		t.Errorf("after the events: %q; want RATE_LIMITED", code)
	}
}

// Many different subscriptions of one anonymous caller make a reply cost about as much as the queries of the caller's
// share would, and do not delay other callers' events.
func TestManySubscriptionsAreCheap(t *testing.T) {
	testlevel.WithoutRace(t)
	a := newLiveAttack(t)
	must.Do(demo.Seed(t.Context(), a.options.Resolver.Store, ""))(t)
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
