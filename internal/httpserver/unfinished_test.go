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

	"github.com/coder/websocket"

	"agora/internal/httpserver/limit"
	"agora/internal/httpserver/live"
	"agora/internal/test/must"
)

// unfinished sends a request without its last byte over its own connection.
func unfinished(t testing.TB, url, address string, body int) net.Conn {
	t.Helper()
	c := must.Do(net.Dial("tcp", strings.TrimPrefix(url, "http://")))(t)
	t.Cleanup(func() { c.Close() })
	must.Do(fmt.Fprintf(
		c,
		"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: %s\r\nContent-Length: "+
			"%d\r\n\r\n%s",
		address,
		body+1,
		`{"query":"`+strings.Repeat("x", body-10),
	))(t)
	return c
}

// answered is the answer on a connection.
type answered struct {
	over   net.Conn
	status int
	text   string
}

// answers reads an answer from each connection, and passes them on as they arrive.
func answers(t testing.TB, conns ...net.Conn) <-chan answered {
	got := make(chan answered, len(conns))
	for _, c := range conns {
		go func() { // ends with the answer, or the connection
			resp, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Errorf("no answer: %v", err)
				got <- answered{over: c}
				return
			}
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Error(err)
			}
			got <- answered{c, resp.StatusCode, string(text)}
		}()
	}
	return got
}

// An unfinished body is answered with 429 when others of its address need room.
func TestUnfinishedBodiesMakeRoom(t *testing.T) {
	proxies := must.Do(ParseProxies("127.0.0.1"))(t)
	limits := limit.Defaults()
	limits.Body, limits.BodiesAddress = 100<<10, 150<<10
	w := newLiveWire(t, func(o *Options, l *live.Connections) { quietLog(o, l); o.Limits, o.Proxies = &limits, proxies })
	first, other := unfinished(t, w.url, "192.0.2.66", 90<<10), unfinished(t, w.url, "192.0.2.67", 90<<10)
	second := unfinished(t, w.url, "192.0.2.66", 90<<10)
	got := answers(t, first, second, other)
	refused := <-got // the server decides which of the two began first
	if refused.over == other || refused.status != http.StatusTooManyRequests ||
		!strings.Contains(refused.text, "RATE_LIMITED") {
		t.Errorf("the one that began first: status %d, %s; want 429", refused.status, refused.text)
	}
	for _, c := range []net.Conn{first, second, other} {
		if c == refused.over {
			continue
		}
		must.Do(c.Write([]byte("}")))(t)
	}
	for range 2 {
		if a := <-got; a.status != http.StatusBadRequest {
			t.Errorf("one that continues: status %d, %s; want it read", a.status, a.text)
		}
	}
}

// half sends the beginning of a message, as a frame that is not the last one.
func (c *socketClient) half(size int) io.WriteCloser {
	c.t.Helper()
	w, err := c.conn.Writer(c.t.Context(), websocket.MessageText)
	if err == nil {
		_, err = w.Write([]byte(`{"type":"subscribe","x":"` + strings.Repeat("x", size)))
	}
	if err != nil {
		c.t.Fatal(err)
	}
	return w
}

// A message that is never completed is aborted, with or without pings.
func TestUnfinishedMessagesEnd(t *testing.T) {
	w := newLiveWire(t, func(_ *Options, l *live.Connections) { l.Times.Message = 300 * time.Millisecond })
	c := w.connect()
	c.half(1000)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() { // ends by stop
		defer close(done)
		pings := time.NewTicker(20 * time.Millisecond)
		defer pings.Stop()
		for {
			select {
			case <-pings.C:
				go c.conn.Ping(t.Context()) // ends with the socket: its answer is read below
			case <-stop:
				return
			}
		}
	}()
	c.wantClosed(live.CloseTryLater)
	close(stop)
	<-done
	c = w.connect()
	m := c.half(1000) // one that is completed in time is valid, but long enough to be counted
	must.Do(m.Write([]byte(`","type":"x"}`)))(t)
	m.Close()
	c.wantClosed(live.CloseBadMessage)
}

// Messages must be short until the socket is signed in.
func TestAnonymousMessagesAreShort(t *testing.T) {
	w := newLiveWire(t, quietLog)
	_, token := w.member("ann")
	message := func(size int) string {
		const frame = `{"id":"1","type":"subscribe","payload":{"query":"{word}","x":""}}`
		return strings.Replace(frame, `"x":""`, `"x":"`+strings.Repeat("x", size-len(frame))+`"`, 1)
	}
	want := []string{`{"id":"1","type":"next","payload":{"data":{"word":"word"}}}`, `{"id":"1","type":"complete"}`}
	c := w.connect()
	c.send(message(live.MaxAnonymousMessage))
	c.want(want...)
	c.send(message(live.MaxAnonymousMessage + 1))
	c.wantClosed(live.CloseTooBig)
	c = w.dial()
	c.send(`{"type":"connection_init","payload":{"x":"` + strings.Repeat("x", live.MaxAnonymousMessage) + `"}}`)
	c.wantClosed(live.CloseTooBig)
	c = w.connect("Authorization: Bearer " + token)
	c.send(message(1 << 20))
	c.want(want...)
	c.send(message(1<<20 + 1))
	c.wantClosed(live.CloseTooBig)
}

// A socket's messages count like bodies: another one of its address needs room.
func TestUnfinishedMessagesMakeRoom(t *testing.T) {
	limits := limit.Defaults()
	limits.Body, limits.BodiesAddress = 50<<10, 60<<10
	w := newLiveWire(t, func(o *Options, l *live.Connections) { quietLog(o, l); o.Limits = &limits })
	c := w.connect()
	c.half(40 << 10)
	ended := make(chan error, 1)
	go func() { // ends with the socket
		_, _, err := c.conn.Read(t.Context())
		ended <- err
	}()
	if err := c.conn.Ping(t.Context()); err != nil { // the messages before it are read
		t.Fatal(err)
	}
	unfinished(t, w.url, "192.0.2.1", 40<<10)
	if err := <-ended; websocket.CloseStatus(err) != live.CloseTryLater {
		t.Errorf("the unfinished message: %v; want the socket closed with 1013", err)
	}
}

// The stored part of a subscription is short, however it is sent.
func TestSubscriptionRequestsAreShort(t *testing.T) {
	w := newLiveWire(t, quietLog)
	_, token := w.member("ann")
	payload := func(size int) string {
		const body = `{"query":"subscription { ticks }","x":""}`
		return strings.Replace(body, `"x":""`, `"x":"`+strings.Repeat("x", size-len(body))+`"`, 1)
	}
	most := limit.Defaults().LiveBody
	c := w.connect("Authorization: Bearer " + token)
	c.send(subscribeMessage(`"1"`, payload(most)))
	c.wantQuiet()
	c.send(subscribeMessage(`"2"`, payload(most+1)))
	c.wantError("2", "REQUEST_TOO_LARGE")
	s := w.ask("POST", "/graphql", payload(most+1), isJSON, acceptEvents)
	text, err := io.ReadAll(s.r)
	if err != nil || !strings.Contains(string(text), "REQUEST_TOO_LARGE") {
		t.Errorf("a stream: %s, %v; want REQUEST_TOO_LARGE", text, err)
	}
	if w := w.post(`{ word } #` + strings.Repeat("x", most)); w.Code != 200 {
		t.Errorf("a query as long: status %d; want 200", w.Code)
	}
}
