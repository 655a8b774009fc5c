package httpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"agora/internal/httpserver/live"
)

// socketClient is the client's end of a socket.
type socketClient struct {
	t    testing.TB
	conn *websocket.Conn
}

// dial opens a socket with headers passed as "Name: value".
func (w *liveWire) dial(headers ...string) *socketClient {
	w.t.Helper()
	c, resp, err := w.try(headers...)
	if err != nil {
		w.t.Fatalf("dial: %v (%v)", err, resp)
	}
	return c
}

func (w *liveWire) try(headers ...string) (*socketClient, *http.Response, error) {
	o := &websocket.DialOptions{Subprotocols: []string{live.Subprotocol}, HTTPHeader: http.Header{}}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Sec-WebSocket-Protocol" {
			o.Subprotocols = strings.Fields(value)
			continue
		}
		o.HTTPHeader.Set(name, value)
	}
	conn, resp, err := websocket.Dial(w.t.Context(), w.url+"/graphql", o)
	if err != nil {
		return nil, resp, err
	}
	conn.SetReadLimit(-1)
	w.t.Cleanup(func() { conn.CloseNow() })
	return &socketClient{w.t, conn}, resp, nil
}

// connect opens a socket and completes the handshake.
func (w *liveWire) connect(headers ...string) *socketClient {
	w.t.Helper()
	c := w.dial(headers...)
	c.send(`{"type":"connection_init"}`)
	c.want(`{"type":"connection_ack"}`)
	return c
}

func (c *socketClient) send(message string) {
	c.t.Helper()
	if err := c.conn.Write(c.t.Context(), websocket.MessageText, []byte(message)); err != nil {
		c.t.Fatalf("send %.100s: %v", message, err)
	}
}

// subscribe sends a document.
func (c *socketClient) subscribe(id, document string) {
	c.t.Helper()
	c.send(fmt.Sprintf(`{"id":%q,"type":"subscribe","payload":%s}`, id, bodyOf(document)))
}

// read waits for the next message.
func (c *socketClient) read() string {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	_, text, err := c.conn.Read(ctx)
	if err != nil {
		c.t.Fatalf("read: %v", err)
	}
	return string(text)
}

// want checks the next messages.
func (c *socketClient) want(messages ...string) {
	c.t.Helper()
	for _, want := range messages {
		if got := c.read(); got != want {
			c.t.Errorf("message %.300s; want %.300s", got, want)
		}
	}
}

// wantError checks that the next message is the single error of an operation.
func (c *socketClient) wantError(id, code string) {
	c.t.Helper()
	text := c.read()
	var m struct {
		ID, Type string
		Payload  []struct {
			Message    string
			Extensions struct{ Code, RequestID string }
		}
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.ID != id || m.Type != "error" || len(m.Payload) == 0 ||
		m.Payload[0].Extensions.Code != code || m.Payload[0].Message == "" || m.Payload[0].Extensions.RequestID == "" {
		c.t.Errorf("message %s; want error of %s with code %s and a request's id", text, id, code)
	}
}

// wantClosed checks that the socket is closed without further messages.
func (c *socketClient) wantClosed(code websocket.StatusCode) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	_, text, err := c.conn.Read(ctx)
	if got := websocket.CloseStatus(err); got != code {
		c.t.Errorf("message %q, error %v; want the socket closed with %d", text, err, code)
	}
	if err != nil && strings.Contains(err.Error(), xyzzy) {
		c.t.Errorf("the reason repeats what was sent: %v", err)
	}
}

// wantQuiet checks that nothing was sent before the answer to a ping.
func (c *socketClient) wantQuiet() {
	c.t.Helper()
	c.send(`{"type":"ping","payload":{"quiet":true}}`)
	c.want(`{"type":"pong","payload":{"quiet":true}}`)
}

// member creates a user with a session of an hour and returns its token.
