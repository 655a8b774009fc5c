package httpserver

import (
	"strings"
	"testing"
	"time"

	"agora/internal/test/testlevel"

	"agora/internal/httpserver/limit"
)

// A feed goes on without the member that came first, and one that fails fails for all.
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

// A source that never opens holds up its own socket only, and ends with it.
func TestStuckSourcesEndWithTheirSocket(t *testing.T) {
	w := newLiveWire(t, nil)
	c, other := w.connect(), w.connect()
	c.subscribe("1", `subscription { stuck }`)
	other.subscribe("1", onTicks)
	other.wantQuiet()
	c.conn.CloseNow()
}

// narrow makes the buffers of the system small on the server's side too.
func narrow(_ *Options, l *Live) { l.times.write = 300 * time.Millisecond }

// A client that does not read is given up; others get all in time.
func TestSlowClientsDelayNobody(t *testing.T) {
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
		w.live.mu.Lock()
		left := len(w.live.open)
		w.live.mu.Unlock()
		if left == 1 {
			break
		}
		if n > 5000 {
			t.Fatal("the slow client is still there")
		}
	}
	quick.wantQuiet()
}

// The outbox drops what waits for a slow client, and says goodbye to it.
func TestOutboxIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload int
		fits    int
	}{
		{"messages", 1, maxQueued},
		{"bytes", 64<<10 - 64, 16},
		{"one large answer", 3 << 20, 1},
	} {
		cancelled := false
		o := newOutbox(func() { cancelled = true })
		op, _ := o.begin("1")
		f := frame{kind: kindNext, of: op, payload: make([]byte, tt.payload)}
		for range tt.fits {
			o.push(f)
		}
		if end := o.ended(); end != nil || cancelled {
			t.Errorf("%s: ended after %d: %v; want room for them", tt.name, tt.fits, end)
		}
		o.push(f)
		if _, ok, end := o.take(); ok || end == nil || end.code != closeTryLater || !cancelled {
			t.Errorf("%s: after one too many there is a frame: %v, end %v; want none and 1013", tt.name, ok, end)
		}
	}
}

// An answer to a query waits for room, and what the client no longer wants is not written.
func TestAnswersWaitForRoom(t *testing.T) {
	o := newOutbox(func() {})
	op, _ := o.begin("1")
	query, _ := o.begin("2")
	for range maxQueued {
		o.push(frame{kind: kindNext, of: op}) // these have room of their own
		o.reply(frame{kind: kindNext, of: op})
	}
	done := make(chan struct{})
	go func() { // ends when there is room
		defer close(done)
		o.answer(frame{kind: kindNext, of: query})
	}()
	o.take()
	select {
	case <-done:
		t.Error("an event that was taken made room for an answer")
	default:
	}
	o.take()
	<-done
	if o.ended() != nil {
		t.Errorf("ended: %v; want the answer to wait", o.ended())
	}
	o.forget("1")
	for _, want := range []kind{kindNext, kindComplete} {
		if f, ok, _ := o.take(); !ok || f.of != query || f.kind != want {
			t.Errorf("frame %v, %v; want %v of the query", f, ok, want)
		}
	}
	if _, ok, _ := o.take(); ok || o.events != (amount{}) || o.replies != (amount{}) || len(o.ops) != 0 {
		t.Errorf("more frames: %v, %d bytes, %d operations; want none", ok, o.events.bytes+o.replies.bytes, len(o.ops))
	}
}

// An event of a feed is executed in the turn of the member whose address has least to do.
func TestFeedsAreInTheLeastLoadedTurn(t *testing.T) {
	live := NewLive()
	live.turns = limit.NewTurns(4, 2)
	f := &feed{t: &endpoint{live: live}, members: map[*running]struct{}{}}
	for n := range 20 {
		f.members[&running{charge: limit.Charge{Address: []string{"busy", "rest"}[min(n%10, 1)]}}] = struct{}{}
	}
	release, err := live.turns.Acquire(t.Context(), "busy")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	for range 50 {
		if got := f.payer(); got != "rest" {
			t.Fatalf("the turn of %q; want that of the address without load", got)
		}
	}
}
