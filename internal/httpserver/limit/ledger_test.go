package limit

import (
	"fmt"
	"testing"
	"time"
)

// testLedger is a ledger of 30 MiB, 12 of one address, with a fixed clock.
func testLedger() (l *Ledger, pass func(time.Duration)) {
	now := time.Unix(1_000_000, 0)
	l = NewLedger(Limits{Answers: 30 << 20, AnswersAddress: 12 << 20})
	l.Now = func() time.Time { return now }
	return l, func(d time.Duration) { now = now.Add(d) }
}

func TestLedgerBoundsAnAddress(t *testing.T) {
	l, pass := testLedger()
	ended := ""
	reader := func(name string, bytes int) *Holding {
		h := l.Open("a")
		if !h.Resize(bytes) {
			t.Fatalf("%s has no room", name)
		}
		h.Send(func() { ended += name })
		return h
	}
	fast, slow := reader("fast", 5<<20), reader("slow", 5<<20)
	more := l.Open("a")
	if more.Resize(4<<20) || ended != "" {
		t.Errorf("more than the bound fits, and ended %q; want none ended that has just begun", ended)
	}
	if other := l.Open("b"); !other.Resize(12<<20) || other.Resize(12<<20+1) {
		t.Error("another address: want room for all of its bound and no more")
	} else {
		other.Close()
	}
	pass(2 * grace)
	fast.Progress(1 << 20)
	slow.Progress(1 << 10)
	if !more.Resize(4<<20) || ended != "slow" {
		t.Errorf("ended %q; want the slowest reader, and room", ended)
	}
	if slow.Extend(func() { t.Error("the deadline of who was ended is extended") }) {
		t.Error("who was ended goes on")
	}
	for _, h := range []*Holding{fast, slow, more} {
		h.Close()
	}
	if l.total != 0 || len(l.addresses) != 0 {
		t.Errorf("%d bytes and %d addresses are left; want none", l.total, len(l.addresses))
	}
}

// If all together hold too much, an address with little is still served, and the one that holds most makes room.
func TestLedgerBoundsAll(t *testing.T) {
	l, pass := testLedger()
	ended := 0
	var all []*Holding
	for i := range 3 {
		h := l.Open(fmt.Sprint("a", i))
		if !h.Resize(10 << 20) {
			t.Fatal("no room")
		}
		h.Send(func() { ended++ })
		all = append(all, h)
	}
	small, large := l.Open("small"), l.Open("large")
	if !small.Resize(reserved) || large.Resize(2<<20) || ended != 0 {
		t.Errorf("%d ended; want room for a small answer only", ended)
	}
	pass(2 * grace)
	if !large.Resize(2<<20) || ended != 1 {
		t.Errorf("%d ended; want one, and room", ended)
	}
	for _, h := range append(all, small, large) {
		h.Close()
	}
	if l.total != 0 || len(l.addresses) != 0 {
		t.Errorf("%d bytes and %d addresses are left; want none", l.total, len(l.addresses))
	}
}
