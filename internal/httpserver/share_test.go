package httpserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/test/must"
)

// A subscription that exceeds a share is refused, on sockets and streams; the socket stays open, and a subscription
// that ends, in whatever way, makes room.
func TestSubscriptionsAreBoundedPerCaller(t *testing.T) {
	limits := limit.Defaults()
	limits.LiveSubscriptions = 2
	w := newLiveWire(t, func(o *Options, l *live.Connections) { quietLog(o, l); o.Limits = &limits })
	first, second := w.connect(), w.connect()
	first.subscribe("1", onTicks)
	first.wantQuiet()
	second.subscribe("1", `subscription { ticks(topic: "b") }`)
	second.wantQuiet()
	over := func() {
		t.Helper()
		first.subscribe("2", onTicks)
		first.wantError("2", "LIVE_LIMIT_EXCEEDED")
		stream := w.stream(onTicks)
		stream.wantStream()
		if text, err := stream.r.ReadString('\n'); err != nil || text != "event: next\n" {
			t.Errorf("%q, %v; want an event", text, err)
		}
		if text, err := stream.r.ReadString('\n'); err != nil || !strings.Contains(text, "LIVE_LIMIT_EXCEEDED") {
			t.Errorf("%q, %v; want LIVE_LIMIT_EXCEEDED", text, err)
		}
	}
	again := func(what string) {
		t.Helper()
		second.subscribe("again", onTicks)
		second.wantQuiet() // otherwise an error comes first
		over()
		second.send(`{"id":"again","type":"complete"}`)
		second.wantQuiet()
	}
	over()
	first.send(`{"id":"1","type":"complete"}`)
	first.wantQuiet()
	again("after complete")
	first.subscribe("1", onTicks)
	first.wantQuiet()
	over()
	w.end("")
	first.want(`{"id":"1","type":"complete"}`)
	again("after the source has ended")
	first.subscribe("1", `subscription { gone }`)
	first.wantError("1", "NOT_FOUND")
	again("after a source that did not open")
	first.subscribe("1", onTicks)
	first.wantQuiet()
	first.conn.CloseNow()
	w.await(t, "its source is closed", func() bool { return len(w.open) == 1 })
	first = w.connect()
	again("after the socket was closed")
}

// Sockets and streams without a signed-in user have their own limit, to leave room for the others.
func TestAnonymousConnectionsAreBounded(t *testing.T) {
	limits := limit.Defaults()
	for _, set := range []string{"live-anonymous=3", "live-anonymous-address=2"} {
		must.OK(t, limits.Set(set))
	}
	proxies := must.Do(ParseProxies("127.0.0.1"))(t)
	w := newLiveWire(t, func(o *Options, l *live.Connections) { quietLog(o, l); o.Limits, o.Proxies = &limits, proxies })
	_, token := w.member("ann")
	const here, there = "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2"
	refused := func(address string) {
		t.Helper()
		c := w.dial(address)
		c.send(initMessage)
		c.wantClosed(websocket.StatusTryAgainLater)
		if resp := w.stream(onTicks, address).resp; resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("one stream too many from %s: status %d; want 503", address, resp.StatusCode)
		}
	}
	first := w.connect(here)
	w.stream(onTicks, here).wantStream()
	refused(here)
	w.connect(there)
	refused(there)
	for range 3 {
		w.connect(here, "Authorization: Bearer "+token)
	}
	first.conn.Close(1000, "")
	for n := 0; ; n++ { // until the server has noticed
		c := w.dial(there)
		c.send(initMessage)
		_, text, err := c.conn.Read(t.Context())
		if err == nil && string(text) == ackMessage {
			break
		}
		if websocket.CloseStatus(err) != websocket.StatusTryAgainLater || n > 10_000 {
			t.Fatalf("after one was closed: %s, %v", text, err)
		}
	}
}

// Pings, pongs and needless completes count, as messages and as frames of the WebSocket protocol; exceeding the limit
// ends the socket. Their payload is at most 1 KiB.
func TestPingsAreBounded(t *testing.T) {
	limits := limit.Defaults()
	limits.Pings = 5
	w := newLiveWire(t, func(o *Options, l *live.Connections) { quietLog(o, l); o.Limits = &limits })
	for _, message := range []string{`{"type":"ping"}`, `{"type":"pong"}`, `{"type":"complete","id":"x"}`} {
		c := w.connect()
		for range limits.Pings {
			c.send(message)
			if message == `{"type":"ping"}` {
				c.want(`{"type":"pong"}`)
			}
		}
		c.send(message)
		c.wantClosed(websocket.StatusPolicyViolation)
	}
	c := w.connect()
	var err error
	reading := c.conn.CloseRead(t.Context())
	for range limits.Pings {
		if err = c.conn.Ping(t.Context()); err != nil {
			t.Fatalf("ping: %v", err)
		}
	}
	if err = c.conn.Ping(t.Context()); err == nil {
		t.Error("one ping too many is answered")
	}
	<-reading.Done()

	payload := func(n int) string { return `{"a":"` + strings.Repeat("x", n-len(`{"a":""}`)) + `"}` }
	c = w.connect()
	c.send(fmt.Sprintf(`{"type":"ping","payload":%s}`, payload(live.MaxSignalPayload)))
	c.want(fmt.Sprintf(`{"type":"pong","payload":%s}`, payload(live.MaxSignalPayload)))
	for _, long := range []string{
		fmt.Sprintf(`{"type":"ping","payload":%s}`, payload(live.MaxSignalPayload+1)),
		fmt.Sprintf(`{"type":"pong","payload":%s}`, payload(live.MaxSignalPayload+1)),
		fmt.Sprintf(`{"type":"ping","more":%s}`, payload(live.MaxSignal)),
		fmt.Sprintf(`{"type":"complete","id":"x","payload":%s}`, payload(live.MaxSignal)),
	} {
		c := w.connect()
		c.send(long)
		c.wantClosed(live.CloseBadMessage)
	}
}
