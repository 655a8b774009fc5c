package httpserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
)

// testLedger is a ledger of 30 MiB, 12 of one address, whose clock stands still.
func testLedger() (l *ledger, pass func(time.Duration)) {
	now := time.Unix(1_000_000, 0)
	l = newLedger(Limits{Answers: 30 << 20, AnswersAddress: 12 << 20})
	l.now = func() time.Time { return now }
	return l, func(d time.Duration) { now = now.Add(d) }
}

func TestLedgerBoundsAnAddress(t *testing.T) {
	l, pass := testLedger()
	ended := ""
	reader := func(name string, bytes int) *holding {
		h := l.open("a")
		if !h.resize(bytes) {
			t.Fatalf("%s has no room", name)
		}
		h.send(func() { ended += name })
		return h
	}
	fast, slow := reader("fast", 5<<20), reader("slow", 5<<20)
	more := l.open("a")
	if more.resize(4<<20) || ended != "" {
		t.Errorf("more than the bound fits, and ended %q; want none ended that has just begun", ended)
	}
	if other := l.open("b"); !other.resize(12<<20) || other.resize(12<<20+1) {
		t.Error("another address: want room for all of its bound and no more")
	} else {
		other.close()
	}
	pass(2 * grace)
	fast.progress(1 << 20)
	slow.progress(1 << 10)
	if !more.resize(4<<20) || ended != "slow" {
		t.Errorf("ended %q; want the slowest reader, and room", ended)
	}
	if slow.extend(func() { t.Error("the deadline of who was ended is extended") }) {
		t.Error("who was ended goes on")
	}
	for _, h := range []*holding{fast, slow, more} {
		h.close()
	}
	if l.total != 0 || len(l.addresses) != 0 {
		t.Errorf("%d bytes and %d addresses are left; want none", l.total, len(l.addresses))
	}
}

// When all together hold too much, an address with little is served all the same, and who
// holds most makes room for others.
func TestLedgerBoundsAll(t *testing.T) {
	l, pass := testLedger()
	ended := 0
	var all []*holding
	for i := range 3 {
		h := l.open(fmt.Sprint("a", i))
		if !h.resize(10 << 20) {
			t.Fatal("no room")
		}
		h.send(func() { ended++ })
		all = append(all, h)
	}
	small, large := l.open("small"), l.open("large")
	if !small.resize(reserved) || large.resize(2<<20) || ended != 0 {
		t.Errorf("%d ended; want room for a small answer only", ended)
	}
	pass(2 * grace)
	if !large.resize(2<<20) || ended != 1 {
		t.Errorf("%d ended; want one, and room", ended)
	}
	for _, h := range append(all, small, large) {
		h.close()
	}
	if l.total != 0 || len(l.addresses) != 0 {
		t.Errorf("%d bytes and %d addresses are left; want none", l.total, len(l.addresses))
	}
}

// unread sends a request on a connection of its own and reads the header of the answer only.
func unread(t *testing.T, address, body string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	_ = c.(*net.TCPConn).SetReadBuffer(4096)
	fmt.Fprintf(c, "POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	if line, err := bufio.NewReaderSize(c, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatalf("%q, %v; want status 200", line, err)
	}
	return c
}

// Answers that nobody reads take nothing from what large requests share, and their address
// holds no more than its bound: the slowest are ended.
func TestUnreadAnswersHoldNobodyUp(t *testing.T) {
	limits := DefaultLimits()
	limits.AnswersAddress = 16 << 20
	s := newDemoWith(t, func(o *Options) { o.Limits = &limits })
	past := make(chan time.Duration, 1)
	past <- 0
	s.live.ledger.now = func() time.Time {
		d := <-past
		past <- d
		return time.Now().Add(d)
	}
	id := longTexts(t, s, 1, "😀", forum.Markdown)[0]
	large := asked(nodesOf(repeated(id, 28), "content"), "{}") // 7.3 MB
	address := listen(t, s)
	var conns []net.Conn
	for range 2 {
		conns = append(conns, unread(t, address, large))
	}
	if free := s.live.budget.free; free != s.live.budget.most {
		t.Errorf("%d of %d values are free while answers are unread; want all", free, s.live.budget.most)
	}
	<-past
	past <- 2 * grace
	resp, err := http.Post("http://"+address+"/graphql", "application/json", strings.NewReader(large))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || len(body) < 7_000_000 {
		t.Errorf("a third answer has %d bytes, %v (%.300s); want all of it", len(body), err, body)
	}
	cut := 0
	for _, c := range conns {
		_ = c.SetReadDeadline(time.Now().Add(5 * time.Second))
		if n, _ := io.Copy(io.Discard, c); n < 7_000_000 {
			cut++
		}
	}
	if cut == 0 {
		t.Error("no unread answer was ended; want the slowest")
	}
}

// listen serves the routes on an address of this machine.
func listen(t *testing.T, s *server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := Server(s)
	go h.Serve(l) // ends with Close
	t.Cleanup(func() { h.Close() })
	return l.Addr().String()
}
