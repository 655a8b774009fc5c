package httpserver

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"agora/internal/httpserver/limit"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// unread sends a request on its own connection and reads only the header of the answer.
func unread(t *testing.T, address, body string) net.Conn {
	t.Helper()
	c := must.Do(net.Dial("tcp", address))(t)
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(
		c,
		"POST /graphql HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "+
			"%d\r\n\r\n%s",
		len(body),
		body,
	)
	if line, err := bufio.NewReaderSize(c, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatalf("%q, %v; want status 200", line, err)
	}
	return c
}

// Unread answers take nothing from what large requests share, and their address holds no more than its limit: the
// slowest are disconnected.
func TestUnreadAnswersDelayNoOthers(t *testing.T) {
	testlevel.Usual(t)
	limits := limit.Defaults()
	limits.AnswersAddress = 16 << 20
	s := newServer(t, func(o *Options) { o.Limits = &limits })
	past := make(chan time.Duration, 1)
	past <- 0
	s.live.Ledger.Now = func() time.Time {
		d := <-past
		past <- d
		return time.Now().Add(d)
	}
	id := longTexts(t, s, 1, "😀")[0]
	large := asked(nodesOf(repeated(id, 28), "content"), "{}") // 7.3 MB
	address := listen(t, s)
	var conns []net.Conn
	for range 2 {
		conns = append(conns, unread(t, address, large))
	}
	if held, most := s.live.Values.Held(); held != 0 {
		t.Errorf("%d of %d values are held while answers are unread; want none", held, most)
	}
	<-past
	past <- 2 * time.Second // more than the ledger grants to a new one
	resp := must.Do(http.Post("http://"+address+"/graphql", "application/json", strings.NewReader(large)))(t)
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || len(body) < 7_000_000 {
		t.Errorf("a third answer has %d bytes, %v (%.300s); want all of it", len(body), err, body)
	}
	cut := 0
	for _, c := range conns {
		_ = c.SetReadDeadline(time.Now().Add(patience))
		n, err := io.Copy(io.Discard, c)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("an answer has not ended after %d bytes", n)
		}
		if n < 7_000_000 {
			cut++
		}
	}
	if cut == 0 {
		t.Error("no unread answer was ended; want the slowest")
	}
}

// listen serves the routes on a local address. The system buffers little of what clients do not read.
func listen(t *testing.T, s *server) string {
	t.Helper()
	l := must.Do(net.Listen("tcp", "127.0.0.1:0"))(t)
	h := Server(s)
	h.ConnState = func(c net.Conn, state http.ConnState) {
		if state == http.StateNew {
			_ = c.(*net.TCPConn).SetWriteBuffer(4096)
		}
	}
	go h.Serve(l) // ends with Close
	t.Cleanup(func() { h.Close() })
	return l.Addr().String()
}
