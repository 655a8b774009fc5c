//go:build linux

package floods

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"github.com/coder/websocket"
)

// operationsAtOnce is how many operations a flooder keeps running on each socket.
const operationsAtOnce = 32

// message is a message of a socket.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// open opens a socket from the address of the n-th connection.
func (f *flooder) open(ctx context.Context, n int) (*websocket.Conn, error) {
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return f.dial(ctx, n)
	}}
	c, resp, err := websocket.Dial(ctx, "ws://"+f.Target+"/graphql", &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: transport}, Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		why := "no connection"
		if resp != nil {
			why = fmt.Sprint(resp.StatusCode)
		}
		f.refuse(why)
		return nil, err
	}
	c.SetReadLimit(-1)
	start := message{Type: "connection_init"}
	if len(f.Tokens) > 0 {
		start.Payload = json.RawMessage(fmt.Sprintf(`{"Authorization":"Bearer %s"}`, f.Tokens[n%len(f.Tokens)]))
	}
	if err := say(ctx, c, start); err != nil {
		f.refuse("disconnected")
		c.CloseNow()
		return nil, err
	}
	return c, nil
}

func say(ctx context.Context, c *websocket.Conn, m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.Write(ctx, websocket.MessageText, text)
}

// socket keeps operations running on a socket. Another goroutine writes, so that answers are read meanwhile.
func (f *flooder) socket(ctx context.Context, n int) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := f.open(ctx, n)
	if err != nil {
		return
	}
	defer c.CloseNow()
	room := make(chan struct{}, operationsAtOnce) // a place for each operation
	pings := make(chan struct{}, 16)
	go func() { // ends with ctx
		for {
			m := message{Type: "pong"}
			select {
			case <-ctx.Done():
				return
			case <-pings:
			case room <- struct{}{}:
				m = f.operation()
			}
			if say(ctx, c, m) != nil {
				cancel()
			}
		}
	}()
	for {
		_, text, err := c.Read(ctx)
		if err != nil {
			f.refuse(fmt.Sprint("closed with ", int(websocket.CloseStatus(err))))
			return
		}
		switch kind(text) {
		case "ping":
			select {
			case pings <- struct{}{}:
			default:
			}
		case "next":
			f.answered(http.StatusOK, text[:min(len(text), 400)])
		case "error":
			f.answered(http.StatusOK, text)
			<-room
		case "complete":
			<-room
		}
	}
}

// kind returns the type of a message, whose payload may be long.
func kind(text []byte) string {
	_, rest, _ := bytes.Cut(text[:min(len(text), 200)], []byte(`"type":"`))
	word, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(word)
}

// operation is the next operation to start.
func (f *flooder) operation() message {
	document, n := f.next()
	payload, err := json.Marshal(map[string]string{"query": document})
	if err != nil {
		panic(err)
	}
	return message{ID: fmt.Sprint(n), Type: "subscribe", Payload: payload}
}

// ping sends pings on a socket until it is closed.
func (f *flooder) ping(ctx context.Context, n int) {
	c, err := f.open(ctx, n)
	if err != nil {
		return
	}
	defer c.CloseNow()
	go func() { // ends with the socket
		for {
			if _, _, err := c.Read(ctx); err != nil {
				return
			}
			f.serve.Add(1)
		}
	}()
	for err == nil {
		err = say(ctx, c, message{Type: "ping"})
	}
	f.refuse("closed")
}
