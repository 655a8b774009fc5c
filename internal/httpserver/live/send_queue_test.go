package live

import (
	"fmt"
	"testing"
	"time"

	"agora/internal/auth"
	"agora/internal/httpserver/limit"
	"agora/internal/test/must"
	"agora/internal/turns"
)

// The sendQueue drops the frames that wait for a slow client, and says goodbye to it.
func TestSendQueueIsBounded(t *testing.T) {
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
		o := newSendQueue(func() { cancelled = true })
		op, _ := o.begin("1")
		f := frame{kind: kindNext, of: op, payload: make([]byte, tt.payload)}
		for range tt.fits {
			o.push(f)
		}
		if end := o.ended(); end != nil || cancelled {
			t.Errorf("%s: ended after %d: %v; want room for them", tt.name, tt.fits, end)
		}
		o.push(f)
		if _, ok, end := o.take(); ok || end == nil || end.code != CloseTryLater || !cancelled {
			t.Errorf("%s: after one too many there is a frame: %v, end %v; want none and 1013", tt.name, ok, end)
		}
	}
}

// An answer to a query waits for room, and is not written once the client has cancelled it.
func TestAnswersWaitForRoom(t *testing.T) {
	o := newSendQueue(func() {})
	op, _ := o.begin("1")
	query, _ := o.begin("2")
	for range maxQueued {
		o.push(frame{kind: kindNext, of: op}) // these have their own limit
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

// An event of a shared subscription is paid by the member whose network has the fewest turns.
func TestFeedsAreInTheLeastLoadedTurn(t *testing.T) {
	live := New()
	live.Turns = turns.New(turns.Options{Patience: time.Minute})
	of := func(address string) auth.Caller { return auth.Caller{Address: address} }
	f := &sharedSubscription{live: live, members: map[*liveOperation]struct{}{}}
	for n := range 20 {
		f.members[&liveOperation{charge: limit.Charge{Caller: of([]string{"busy", "rest"}[min(n%10, 1)])}}] = struct{}{}
	}
	defer must.Do(live.Turns.Begin(t.Context(), of("busy").Payer()))(t).End()
	for range 50 {
		if got := f.payer(); got.Address != "rest" {
			t.Fatalf("the turn of %q; want that of the address without load", got.Address)
		}
	}
}

// Queries of one socket never run in greater number than allowed; running operations do not block others, because
// they may never end.
func TestTurnsOfOneSocket(t *testing.T) {
	o := newSendQueue(func() {})
	var all []*liveOperation
	for n := range MaxRunning {
		o.awaitTurn() // nothing is answered: it never waits
		op, _ := o.begin(fmt.Sprint(n))
		all = append(all, op)
	}
	o.awaitTurn()
	if op, busy := o.begin("more"); op != nil || busy {
		t.Error("one operation too many is begun")
	}
	waits := func() <-chan struct{} {
		done := make(chan struct{})
		go func() { // ends when there is room
			defer close(done)
			o.awaitTurn()
		}()
		return done
	}
	o.answers(1) // the last of them is a query: waiting can help
	turn := waits()
	select {
	case <-turn:
		t.Error("an operation does not wait for a query to end")
	default:
	}
	o.answer(frame{kind: kindNext, of: all[len(all)-1]})
	o.answers(-1)
	<-turn
	for range maxAnswering {
		o.answers(1)
	}
	turn = waits()
	o.forget("0")
	select {
	case <-turn:
		t.Error("one query too many runs")
	default:
	}
	o.finish(closeFrame{code: closeGoingAway})
	<-turn
}
