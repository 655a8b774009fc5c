package httpserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
)

const (
	initMessage = `{"type":"connection_init"}`
	ackMessage  = `{"type":"connection_ack"}`
	onTicks     = `subscription { ticks }`
)

// subscribeMessage requests an operation; both are JSON.
func subscribeMessage(id, payload string) string {
	return fmt.Sprintf(`{"id":%s,"type":"subscribe","payload":%s}`, id, payload)
}

// ticksMessage subscribes to ticks.
var ticksMessage = subscribeMessage(`"1"`, bodyOf(onTicks))

// wrongMessages are frames and sequences that the protocol forbids, with their close codes.
var wrongMessages = []struct {
	name string
	sent []string
	code websocket.StatusCode
}{
	{"no JSON", []string{xyzzy}, 4400},
	{"half a message", []string{`{"type":"ping"`}, 4400},
	{"two messages in one", []string{initMessage + initMessage}, 4400},
	{"empty", []string{""}, 4400},
	{"null", []string{"null"}, 4400},
	{"list", []string{`[{"type":"connection_init"}]`}, 4400},
	{"no type", []string{`{"id":"` + xyzzy + `"}`}, 4400},
	{"type is a number", []string{`{"type":1}`}, 4400},
	{"unknown type", []string{`{"type":"` + xyzzy + `"}`}, 4400},
	{"type of the legacy protocol", []string{initMessage, `{"type":"start","id":"1","payload":{"query":"{word}"}}`}, 4400},
	{"connection_ack", []string{`{"type":"connection_ack"}`}, 4400},
	{"next", []string{initMessage, `{"type":"next","id":"1","payload":{}}`}, 4400},
	{"error", []string{initMessage, `{"type":"error","id":"1","payload":[]}`}, 4400},
	{"key twice", []string{`{"type":"ping","type":"pong"}`}, 4400},
	{"no UTF-8", []string{"{\"type\":\"ping\",\"payload\":{\"" + xyzzy + "\":\"\xff\"}}"}, 4400},
	{"payload of init is a list", []string{`{"type":"connection_init","payload":[]}`}, 4400},
	{"payload of ping is a string", []string{`{"type":"ping","payload":"` + xyzzy + `"}`}, 4400},
	{"authorization is a number", []string{`{"type":"connection_init","payload":{"authorization":1}}`}, 4400},
	{
		"authorization twice",
		[]string{`{"type":"connection_init","payload":{"authorization":null,"Authorization":null}}`},
		4400,
	},
	{"second init", []string{initMessage, initMessage}, 4429},
	{"subscribe before init", []string{ticksMessage}, 4401},
	{"bad token", []string{`{"type":"connection_init","payload":{"Authorization":"Bearer ` + xyzzy + `"}}`}, 4401},
	{"no bearer", []string{`{"type":"connection_init","payload":{"authorization":"` + xyzzy + `"}}`}, 4401},
	{"no id", []string{initMessage, `{"type":"subscribe","payload":{"query":"{word}"}}`}, 4400},
	{"id is a number", []string{initMessage, subscribeMessage("1", bodyOf(onTicks))}, 4400},
	{"id is empty", []string{initMessage, subscribeMessage(`""`, bodyOf(onTicks))}, 4400},
	{
		"id is long",
		[]string{initMessage, subscribeMessage(`"`+strings.Repeat("x", live.MaxOperationID+1)+`"`, bodyOf(onTicks))},
		4400,
	},
	{"complete without id", []string{initMessage, `{"type":"complete"}`}, 4400},
	{"no payload", []string{initMessage, `{"id":"1","type":"subscribe"}`}, 4400},
	{"payload null", []string{initMessage, subscribeMessage(`"1"`, "null")}, 4400},
	{"payload is a string", []string{initMessage, subscribeMessage(`"1"`, `"{word}"`)}, 4400},
	{"no query", []string{initMessage, subscribeMessage(`"1"`, `{"variables":{}}`)}, 4400},
	{"query is a number", []string{initMessage, subscribeMessage(`"1"`, `{"query":1}`)}, 4400},
	{"query is null", []string{initMessage, subscribeMessage(`"1"`, `{"query":null}`)}, 4400},
	{"variables are a list", []string{initMessage, subscribeMessage(`"1"`, `{"query":"{word}","variables":[]}`)}, 4400},
	{
		"operationName is a list",
		[]string{initMessage, subscribeMessage(`"1"`, `{"query":"{word}","operationName":[]}`)},
		4400,
	},
	{
		"extensions are a string",
		[]string{initMessage, subscribeMessage(`"1"`, `{"query":"{word}","extensions":"x"}`)},
		4400,
	},
	{
		"half a surrogate pair",
		[]string{initMessage, subscribeMessage(`"1"`, `{"query":"{word}","variables":{"a":"\ud800"}}`)},
		4400,
	},
	{"id that runs", []string{initMessage, ticksMessage, ticksMessage}, 4409},
	{"id that runs as a query", []string{initMessage, ticksMessage, subscribeMessage(`"1"`, bodyOf("{ word }"))}, 4409},
	{"too big", []string{initMessage, `{"type":"ping","payload":{"a":"` + strings.Repeat("x", 5000) + `"}}`}, 1009},
}

// Each wrong frame and sequence has its close code.
func TestWrongMessagesCloseSockets(t *testing.T) {
	small := limit.Defaults()
	small.Body = 4096
	w := newLiveWire(t, func(o *Options, _ *live.Connections) { o.Limits = &small })
	for _, tt := range wrongMessages {
		t.Run(tt.name, func(t *testing.T) {
			c := w.dial()
			c.t = t
			for i, message := range tt.sent {
				c.send(message)
				if i == 0 && message == initMessage {
					c.want(ackMessage)
				}
			}
			c.wantClosed(tt.code)
		})
	}
}

func TestBinaryMessageClosesSocket(t *testing.T) {
	c := newLiveWire(t, nil).dial()
	must.OK(t, c.conn.Write(t.Context(), websocket.MessageBinary, []byte(initMessage)))
	c.wantClosed(4400)
}

func TestSocketSpeaksOneSubprotocol(t *testing.T) {
	w := newLiveWire(t, nil)
	for _, offered := range []string{"", "graphql-ws", "x"} {
		w.dial("Sec-WebSocket-Protocol: " + offered).wantClosed(4406)
	}
	c := w.dial("Sec-WebSocket-Protocol: graphql-ws graphql-transport-ws")
	c.send(initMessage)
	c.want(ackMessage)
}

func TestSocketNeedsInitInTime(t *testing.T) {
	w := newLiveWire(t, func(_ *Options, l *live.Connections) { l.Times.Start = 20 * time.Millisecond })
	w.dial().wantClosed(4408)
	c := w.dial()
	c.send(`{"type":"ping"}`)
	c.want(`{"type":"pong"}`)
	c.wantClosed(4408)
}

func TestSilentSocketsArePingedAndClosed(t *testing.T) {
	w := newLiveWire(t, func(_ *Options, l *live.Connections) {
		l.Times.Ping, l.Times.Silence, l.Times.Look = 30*time.Millisecond, time.Second, 5*time.Millisecond
	})
	c := w.connect()
	c.want(`{"type":"ping"}`)
	c.send(`{"type":"pong","payload":{}}`)
	c.want(`{"type":"ping"}`)
	for {
		_, text, err := c.conn.Read(t.Context())
		if err == nil && string(text) == `{"type":"ping"}` {
			continue
		}
		if websocket.CloseStatus(err) != 1001 {
			t.Errorf("after a long silence: %s, %v; want pings and then 1001", text, err)
		}
		return
	}
}

func TestSocketRunsOperations(t *testing.T) {
	w := newLiveWire(t, nil)
	c := w.dial()
	c.send(`{"type":"pong"}`)
	c.send(`{"type":"ping","payload":null}`)
	c.want(`{"type":"pong"}`)
	c.send(`{"type":"connection_init","payload":{"authorization":""}}`)
	c.want(ackMessage)
	c.send(`{"type":"complete","id":"unknown"}`)
	c.subscribe("q", `{ word }`)
	c.want(`{"id":"q","type":"next","payload":{"data":{"word":"word"}}}`, `{"id":"q","type":"complete"}`)
	c.subscribe("q", `mutation { say }`)
	c.want(`{"id":"q","type":"next","payload":{"data":{"say":"say"}}}`, `{"id":"q","type":"complete"}`)
	c.subscribe(`s"`, `subscription { t: ticks }`)
	c.subscribe("q", `{ word }`)
	c.want(`{"id":"q","type":"next","payload":{"data":{"word":"word"}}}`, `{"id":"q","type":"complete"}`)
	w.tick("", "one") // the subscription began before the query
	c.want(`{"id":"s\"","type":"next","payload":{"data":{"t":"one"}}}`)
	w.end("")
	c.want(`{"id":"s\"","type":"complete"}`)
	c.subscribe(`s"`, onTicks)
	c.wantQuiet()
	c.send(`{"type":"complete","id":"s\""}`)
	c.wantQuiet()
	w.await(t, "the source is closed", func() bool { return len(w.open) == 0 })
}

// A failure before execution is a single error, and nothing follows.
func TestNoCompleteAfterError(t *testing.T) {
	w := newLiveWire(t, nil)
	c := w.connect()
	for _, tt := range []struct{ payload, code string }{
		{bodyOf(`{`), "GRAPHQL_PARSE_FAILED"},
		{bodyOf(`{ nothing }`), "GRAPHQL_VALIDATION_FAILED"},
		{bodyOf(`subscription { ticks gone }`), "GRAPHQL_VALIDATION_FAILED"},
		{`{"query":"query($n: Int!) { long(size: $n) }","variables":{"n":"x"}}`, "BAD_USER_INPUT"},
		{`{"query":"{word}","operationName":"x"}`, "GRAPHQL_VALIDATION_FAILED"},
		{`{"documentId":"x"}`, "PERSISTED_QUERY_NOT_FOUND"},
		{`{"query":"{word}","documentId":"x"}`, "BAD_USER_INPUT"},
		{`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"0"}}}`, "PERSISTED_QUERY_NOT_FOUND"},
		{`{"query":"{word}","variables":{"a":` + strings.Repeat("[", 30) + strings.Repeat("]", 30) + `}}`,
			"VARIABLES_TOO_DEEP"},
		{bodyOf(`{` + strings.Repeat("word ", 3000) + `}`), "TOO_MANY_TOKENS"},
		{bodyOf(`subscription { gone }`), "NOT_FOUND"},
		{bodyOf(`subscription { gone }`), "NOT_FOUND"},
	} {
		c.send(`{"id":"1","type":"subscribe","payload":` + tt.payload + `}`)
		c.wantError("1", tt.code)
		c.wantQuiet()
	}
}

func TestSocketOperationsAreBounded(t *testing.T) {
	w := newLiveWire(t, nil)
	c := w.connect()
	for n := range live.MaxRunning {
		c.subscribe(fmt.Sprint(n), onTicks)
	}
	c.wantQuiet()
	c.subscribe("more", `{ word }`)
	c.wantError("more", "TOO_MANY_OPERATIONS")
	c.send(`{"id":"7","type":"complete"}`)
	c.subscribe("more", `{ word }`)
	c.want(`{"id":"more","type":"next","payload":{"data":{"word":"word"}}}`, `{"id":"more","type":"complete"}`)
	w.tick("", "all")
	for range live.MaxRunning - 1 {
		if text := c.read(); !strings.Contains(text, `"next"`) {
			t.Fatalf("message %s; want an event for each of %d", text, live.MaxRunning-1)
		}
	}
	c.wantQuiet()
}

func TestSocketCountsItsRequests(t *testing.T) {
	rates := ratelimit.Rates{ratelimit.Requests: 1} // an address has 4
	w := newLiveWire(t, func(o *Options, _ *live.Connections) {
		at := time.Now()
		o.Resolver.Rates = ratelimit.New(rates, func() time.Time { return at })
	})
	c := w.connect()
	for range 3 {
		c.subscribe("1", `{ word }`)
		c.read()
		c.read()
	}
	c.subscribe("1", `{ word }`)
	c.wantError("1", "RATE_LIMITED")
	if _, resp, err := w.try(); err == nil || resp.StatusCode != http.StatusTooManyRequests ||
		resp.Header.Get("Retry-After") == "" {
		t.Errorf("one socket too many: %v, %v; want 429", resp, err)
	}
}

func TestForeignPagesOpenNoSockets(t *testing.T) {
	origins := must.Do(ParseOrigins("https://app.example.org"))(t)
	w := newLiveWire(t, func(o *Options, _ *live.Connections) { o.Origins = origins })
	for _, tt := range []struct {
		header string
		ok     bool
	}{
		{"Origin: https://evil.example", false},
		{"Origin: null", false},
		{"Sec-Fetch-Site: cross-site", false},
		{"Origin: https://app.example.org", true},
		{"Origin: " + w.url, true},
		{"X-Nothing: no browser", true},
	} {
		c, resp, err := w.try(tt.header)
		if tt.ok {
			if err != nil {
				t.Errorf("%s: %v; want a socket", tt.header, err)
				continue
			}
			c.conn.CloseNow()
		} else if err == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %v; want 403", tt.header, err)
		}
	}
}

func TestLiveConnectionsAreBounded(t *testing.T) {
	limits := limit.Defaults()
	for _, set := range []string{"live=3", "live-address=2"} {
		must.OK(t, limits.Set(set))
	}
	proxies := must.Do(ParseProxies("127.0.0.1"))(t)
	w := newLiveWire(t, func(o *Options, _ *live.Connections) { o.Limits, o.Proxies = &limits, proxies })
	first := w.dial("X-Forwarded-For: 192.0.2.1")
	w.dial("X-Forwarded-For: 192.0.2.1")
	refused := func(address string) {
		t.Helper()
		if _, resp, err := w.try("X-Forwarded-For: " + address); err == nil ||
			resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("one connection too many from %s: %v; want 503", address, err)
		}
	}
	refused("192.0.2.1")
	w.dial("X-Forwarded-For: 192.0.2.2")
	refused("192.0.2.2")
	first.conn.Close(1000, "")
	for c, resp, err := w.try("X-Forwarded-For: 192.0.2.3"); err != nil; c, resp,
		err = w.try("X-Forwarded-For: 192.0.2.3") {
		if resp == nil || resp.StatusCode != http.StatusServiceUnavailable {
			t.Fatalf("after one was closed: %v, %v", c, err)
		}
	}
}
