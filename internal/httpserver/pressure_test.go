package httpserver

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver/live"
	"agora/internal/ratelimit"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// ask sends n queries concurrently, and returns a channel that is closed when all are sent.
func (c *socketClient) ask(n int, document string) <-chan struct{} {
	sent := make(chan struct{})
	go func() { // ends with the socket
		defer close(sent)
		for i := range n {
			message := fmt.Sprintf(`{"id":"q%d","type":"subscribe","payload":%s}`, i, bodyOf(document))
			if c.conn.Write(c.t.Context(), 1, []byte(message)) != nil {
				return
			}
		}
	}()
	return sent
}

// count reads messages until that many of a type have arrived, and counts all types.
func (c *socketClient) count(typ string, n int) map[string]int {
	c.t.Helper()
	counts := map[string]int{}
	for counts[typ] < n {
		var m struct{ Type string }
		must.OK(c.t, json.Unmarshal([]byte(c.read()), &m))
		counts[m.Type]++
	}
	return counts
}

// Two thousand concurrent queries are all answered, and the subscriptions of their socket stay alive: it is read more
// slowly, and events come in between.
func TestManyQueriesAtOnceAreAnswered(t *testing.T) {
	testlevel.Usual(t)
	w := newLiveWire(t, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		l.Times.Silence, l.Times.Look = time.Second, 5*time.Millisecond
	})
	c := w.connect()
	c.subscribe("s", onTicks)
	c.wantQuiet()
	sent := c.ask(2000, "{ held }")
	start := time.Now()
	for n := 0; time.Since(start) < 1500*time.Millisecond; n++ { // not read for longer than the silence timeout
		w.tick("", fmt.Sprint(n))
		c.want(fmt.Sprintf(`{"id":"s","type":"next","payload":{"data":{"ticks":"%d"}}}`, n))
	}
	close(w.held)
	if got := c.count("complete", 2000); got["next"] != 2000 || got["error"] != 0 {
		t.Errorf("messages: %v; want 2,000 answers", got)
	}
	<-sent
	w.tick("", "last")
	c.want(`{"id":"s","type":"next","payload":{"data":{"ticks":"last"}}}`)
}

// Each refused operation is reported, and the socket stays open.
func TestManyRefusedQueriesAreReported(t *testing.T) {
	testlevel.Usual(t)
	w := newLiveWire(t, func(o *Options, l *live.Connections) {
		quietLog(o, l)
		at := time.Now()
		o.Resolver.Rates = ratelimit.New(
			ratelimit.Rates{ratelimit.Requests: 50},
			func() time.Time { return at },
		) // an address has 200
	})
	c := w.connect()
	c.subscribe("s", onTicks)
	c.wantQuiet()
	sent := c.ask(2000, "{ word }")
	if got := c.count("error", 1802); got["next"] > 198 || got["next"] < 150 {
		t.Errorf("messages: %v; want 198 answers", got)
	}
	<-sent
	w.tick("", "last")
	for {
		if text := c.read(); strings.Contains(text, "last") {
			break
		}
	}
}

// A client that asks a lot without reading is disconnected anyway.
func TestClientsThatDoNotReadAreDisconnected(t *testing.T) {
	w := newLiveWire(t, narrow)
	c := w.connect()
	sent := c.ask(200, "{ long(size: 1000000) }")
	for deadline := time.Now().Add(patience); ; {
		open, _, _ := w.live.Counts()
		if open == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the socket is still there")
		}
		runtime.Gosched()
	}
	c.conn.CloseNow()
	<-sent
}
