package live

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"agora/internal/httpserver/jsontext"
)

// Subprotocol is the subprotocol of sockets.
const Subprotocol = "graphql-transport-ws"

// MaxOperationID is the longest id of an operation on a socket, in bytes.
const MaxOperationID = 128

const (
	// MaxSignalPayload is the longest payload of a ping or pong, in bytes: a ping's is sent back.
	MaxSignalPayload = 1 << 10
	// MaxSignal is the longest message that requests no operation, in bytes: a payload and its envelope.
	MaxSignal = MaxSignalPayload + 512
)

// message is what a client sends on a socket. Source: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
type message struct {
	typ string
	id  string
	// payload is a JSON object, or nil; it shares memory with the message.
	payload json.RawMessage
}

// readMessage parses a message. If it is not valid, it returns false and the reason, which never repeats what was
// sent.
func readMessage(raw []byte) (m message, wrong string) {
	switch {
	case !utf8.Valid(raw):
		return m, "A message is not well-formed UTF-8"
	case !json.Valid(raw):
		return m, "A message is not JSON"
	}
	t := jsontext.Text{Raw: raw}
	if t.Next() != '{' {
		return m, "A message is not an object"
	}
	var typ, id, payload json.RawMessage
	places := map[string]*json.RawMessage{"type": &typ, "id": &id, "payload": &payload}
	for open := true; t.More(open); open = false {
		name := t.Key()
		value := t.Skip()
		if place := places[name]; place == nil {
			continue
		} else if *place != nil {
			return m, "A message has a key more than once"
		} else {
			*place = value
		}
	}
	if len(typ) == 0 || typ[0] != '"' {
		return m, "A message has no type"
	}
	if !jsontext.IsNull(payload) {
		if payload[0] != '{' {
			return m, "The payload is not an object"
		}
		m.payload = payload
	}
	m.typ = (&jsontext.Text{Raw: typ}).Text()
	return m, m.readID(id)
}

// isSignal reports whether a message is a sign of life, or ends an operation.
func (m message) isSignal() bool { return m.typ == "ping" || m.typ == "pong" || m.typ == "complete" }

// readID parses the id of a message whose type is known, and returns what is wrong with it.
func (m *message) readID(raw json.RawMessage) (wrong string) {
	switch m.typ {
	case "ping", "pong":
		if len(m.payload) > MaxSignalPayload {
			return "The payload of a ping or pong is too long"
		}
		return ""
	case "connection_init":
		return ""
	case "subscribe", "complete":
	default:
		return "The type of a message is unknown"
	}
	if len(raw) == 0 || raw[0] != '"' {
		return "A message has no id"
	}
	if m.id = (&jsontext.Text{Raw: raw}).Text(); m.id == "" || len(m.id) > MaxOperationID {
		return "The id of a message is empty or too long"
	}
	if m.typ == "subscribe" && m.payload == nil {
		return "A subscribe has no payload"
	}
	return ""
}

// isHalved reports whether the payload contains half of a surrogate pair, which is not a character.
func (m message) isHalved() bool {
	return bytes.Contains(m.payload, jsontext.UnicodeEscape) && jsontext.LoneSurrogate(string(m.payload))
}

// authorization returns the Authorization header in a connection_init, or "" if there is none.
func (m message) authorization() (header, wrong string) {
	if m.payload == nil {
		return "", ""
	}
	t, found := jsontext.Text{Raw: m.payload}, false
	for open := true; t.More(open); open = false {
		name := t.Key()
		value := t.Skip()
		if !strings.EqualFold(name, "authorization") {
			continue
		}
		switch {
		case found:
			return "", "The payload of connection_init has authorization more than once"
		case jsontext.IsNull(value):
		case value[0] != '"':
			return "", "authorization in the payload of connection_init is not a string"
		default:
			header = (&jsontext.Text{Raw: value}).Text()
		}
		found = true
	}
	return header, ""
}

// Constant messages of the server.
var (
	messageAck  = []byte(`{"type":"connection_ack"}`)
	messagePing = []byte(`{"type":"ping"}`)
)

// pong answers a ping.
func pong(payload []byte) []byte {
	if payload == nil {
		return []byte(`{"type":"pong"}`)
	}
	b := append(make([]byte, 0, len(payload)+32), `{"type":"pong","payload":`...)
	return append(append(b, payload...), '}')
}

// appendMessage writes a frame as a message of the socket.
func (f frame) appendMessage(to []byte) []byte {
	if f.kind == kindMessage {
		return append(to, f.payload...)
	}
	to = append(append(to, `{"id":`...), f.of.quoted...)
	switch f.kind {
	case kindNext:
		to = append(to, `,"type":"next","payload":`...)
	case kindError:
		to = append(to, `,"type":"error","payload":`...)
	default:
		return append(to, `,"type":"complete"}`...)
	}
	return append(append(to, f.payload...), '}')
}
