package httpserver

import (
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver/live"
	"agora/internal/test/testlevel"
)

// A feed continues without its first member, and one that fails fails for all.
func TestFeedsBelongToNoMember(t *testing.T) {
	w := newLiveWire(t, nil)
	first, second := w.connect(), w.connect()
	for _, c := range []*socketClient{first, second} {
		c.subscribe("1", onTicks)
		c.wantQuiet()
	}
	first.conn.CloseNow()
	w.tick("", "one")
	second.want(`{"id":"1","type":"next","payload":{"data":{"ticks":"one"}}}`)
	third := w.connect()
	third.subscribe("x", onTicks)
	third.wantQuiet()
	w.tick("", "two")
	third.want(`{"id":"x","type":"next","payload":{"data":{"ticks":"two"}}}`)
	if w.opened != 1 {
		t.Errorf("%d sources were opened; want 1", w.opened)
	}
	w.end("")
	third.want(`{"id":"x","type":"complete"}`)
	third.subscribe("x", onTicks)
	third.wantQuiet()
	w.await(t, "a new source is open", func() bool { return w.opened == 2 && len(w.open) == 1 })
}

// A source that never opens delays only its own socket, and ends with it.
func TestStuckSourcesEndWithTheirSocket(t *testing.T) {
	w := newLiveWire(t, nil)
	c, other := w.connect(), w.connect()
	c.subscribe("1", `subscription { stuck }`)
	other.subscribe("1", onTicks)
	other.wantQuiet()
	c.conn.CloseNow()
}

// narrow makes the system's buffers small on the server's side, too.
func narrow(_ *Options, l *live.Connections) { l.Times.Write = 300 * time.Millisecond }

// A client that does not read is disconnected; others receive everything in time.
func TestSlowClientsDelayNoOthers(t *testing.T) {
	testlevel.Usual(t)
	w := newLiveWire(t, narrow)
	slow, quick := w.connect(), w.connect()
	slow.subscribe("1", onTicks)
	slow.wantQuiet()
	quick.subscribe("1", onTicks)
	quick.wantQuiet()
	event := strings.Repeat("x", 100<<10)
	for n := 0; ; n++ {
		w.tick("", event)
		if text := quick.read(); len(text) < len(event) {
			t.Fatalf("message %.200s; want an event", text)
		}
		left, _, _ := w.live.Counts()
		if left == 1 {
			break
		}
		if n > 5000 {
			t.Fatal("the slow client is still there")
		}
	}
	quick.wantQuiet()
}
