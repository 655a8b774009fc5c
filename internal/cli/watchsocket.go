package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

const (
	// connectWithin is how long connecting, or writing a message, may take.
	connectWithin = 10 * time.Second
	// silence is how long a server may send nothing: it sends a ping after 20 seconds.
	silence = time.Minute
	// largestMessage is the maximum size of a message, in bytes. Ten replies with texts of the maximum length are
	// smaller.
	largestMessage = 16 << 20
)

// socketMessage is a message of graphql-transport-ws. Source:
// https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
type socketMessage struct {
	Type    string          `json:"type"`
	ID      string          `json:"id,omitempty"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// clientSocket is the client's side of graphql-transport-ws.
type clientSocket struct {
	conn   *websocket.Conn
	forget func() bool // forgets the context that ends it
}

// openSocket connects to a server, and signs in if there is a token. The socket ends with ctx, or when it is closed.
func openSocket(ctx context.Context, address, token string) (*clientSocket, error) {
	dialing, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	conn, resp, err := websocket.Dial(
		dialing,
		address,
		&websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}},
	)
	if err != nil {
		where := "http" + strings.TrimPrefix(address, "ws")
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			return nil, fmt.Errorf(
				"%s answered %s instead of opening a WebSocket; set the server with --url",
				where,
				oneLine(resp.Status),
			)
		}
		return nil, fmt.Errorf("no server answers at %s; set another one with --url: %w", where, rootOf(err))
	}
	conn.SetReadLimit(largestMessage)
	s := &clientSocket{conn: conn}
	s.forget = context.AfterFunc(ctx, s.goodbye)
	init := map[string]string{}
	if token != "" {
		init["authorization"] = "Bearer " + token
	}
	if err := s.send("connection_init", "", init); err != nil {
		s.close()
		return nil, err
	}
	m, err := s.read(connectWithin)
	if err == nil && m.Type != "connection_ack" {
		err = fmt.Errorf("the server answered %q instead of connection_ack", oneLine(m.Type))
	}
	if err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// rootOf returns the error at the end of a chain.
func rootOf(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
}

func (s *clientSocket) close() {
	s.forget()
	s.goodbye()
}

// goodbye ends the socket, and with it its reader. It is not an error if it has already ended.
func (s *clientSocket) goodbye() { _ = s.conn.Close(websocket.StatusNormalClosure, "") }

func (s *clientSocket) send(kind, id string, payload any) error {
	ctx, cancel := context.WithTimeout(context.Background(), connectWithin)
	defer cancel()
	m := map[string]any{"type": kind}
	if id != "" {
		m["id"] = id
	}
	if payload != nil {
		m["payload"] = payload
	}
	return wsjson.Write(ctx, s.conn, m)
}

// run starts an operation; its answers have the id.
func (s *clientSocket) run(id, query string, variables map[string]any) error {
	return s.send("subscribe", id, map[string]any{"query": query, "variables": variables})
}

// read returns the next message that is not a ping; pings are answered. It fails if the socket ends, or if nothing
// arrives within a time, which also ends the socket.
func (s *clientSocket) read(within time.Duration) (socketMessage, error) {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		var m socketMessage
		err := wsjson.Read(ctx, s.conn, &m)
		cancel()
		if err != nil {
			return m, endOf(err)
		}
		if m.Type != "ping" {
			return m, nil
		}
		if err := s.send("pong", "", nil); err != nil {
			return m, err
		}
	}
}

// endOf describes in plain words why a socket has ended, and whether for good: with a code of 4400 or above, which
// blames the client, except the one for a late client.
func endOf(err error) error {
	var closed websocket.CloseError
	if !errors.As(err, &closed) {
		return rootOf(err)
	}
	end := fmt.Errorf("the server closed it with %d %s", closed.Code, oneLine(closed.Reason))
	switch {
	case closed.Code == 4401:
		return final{
			errors.New(
				"the server does not accept the token, or no longer does (4401): log in again, and set the new one with " +
					"--token or AGORA_TOKEN",
			),
		}
	case closed.Code >= 4400 && closed.Code != 4408:
		return final{end}
	}
	return end
}

// answer is the result of an operation.
type answer struct {
	Data   json.RawMessage `json:"data"`
	Errors []answerError   `json:"errors"`
}

type answerError struct {
	Message    string `json:"message"`
	Extensions struct {
		Code string `json:"code"`
	} `json:"extensions"`
}

// errorOf returns one error for those of an answer, or nil if there are none. An error that another attempt may fix
// is not final.
func errorOf(errs []answerError) error {
	if len(errs) == 0 {
		return nil
	}
	err := fmt.Errorf("the server says: %s", oneLine(errs[0].Message))
	switch errs[0].Extensions.Code {
	case "CURSOR_INVALID":
		return errReset
	case "UNAVAILABLE", "RATE_LIMITED", "TIMEOUT", "INTERNAL_SERVER_ERROR":
		return err
	}
	return final{err}
}

// ask runs a query and reads its data. Nothing else may run on the socket.
func (s *clientSocket) ask(query string, variables map[string]any, data any) error {
	if err := s.run("ask", query, variables); err != nil {
		return err
	}
	var got answer
	for {
		m, err := s.read(silence)
		switch {
		case err != nil:
			return err
		case m.Type == "error":
			return refusal(m)
		case m.Type == "next":
			if err := json.Unmarshal(m.Payload, &got); err != nil {
				return fmt.Errorf("read the answer: %w", err)
			}
		case m.Type == "complete":
			if err := errorOf(got.Errors); err != nil {
				return err
			}
			return json.Unmarshal(got.Data, data)
		}
	}
}

// refusal returns the error in a message.
func refusal(m socketMessage) error {
	var errs []answerError
	if err := json.Unmarshal(m.Payload, &errs); err != nil || len(errs) == 0 {
		return final{errors.New("the server refuses the operation")}
	}
	return errorOf(errs)
}
