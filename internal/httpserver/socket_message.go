package httpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"agora/internal/httpserver/limit"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// subprotocol is the one that sockets speak.
const subprotocol = "graphql-transport-ws"

// maxOperationID is the longest id of an operation on a socket, in bytes.
const maxOperationID = 128

const (
	// maxSignalPayload is the longest payload of a ping or pong, in bytes: a ping's is
	// sent back.
	maxSignalPayload = 1 << 10
	// maxSignal is the longest message that asks for no operation, in bytes: a payload,
	// and what stands around it.
	maxSignal = maxSignalPayload + 512
)

// message is what a client sends on a socket.
// Source: https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
type message struct {
	typ string
	id  string
	// payload is a JSON object, or nil; it shares memory with the message.
	payload json.RawMessage
}

// readMessage reads a message. It is false, with what is wrong with it, if it is none.
// What is wrong never repeats what was sent.
func readMessage(raw []byte) (m message, wrong string) {
	switch {
	case !utf8.Valid(raw):
		return m, "A message is not well-formed UTF-8"
	case !json.Valid(raw):
		return m, "A message is not JSON"
	}
	t := jsonText{raw: raw}
	if t.next() != '{' {
		return m, "A message is not an object"
	}
	var typ, id, payload json.RawMessage
	places := map[string]*json.RawMessage{"type": &typ, "id": &id, "payload": &payload}
	for open := true; t.more(open); open = false {
		name := t.key()
		value := t.skip()
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
	if !isNull(payload) {
		if payload[0] != '{' {
			return m, "The payload is not an object"
		}
		m.payload = payload
	}
	m.typ = (&jsonText{raw: typ}).text()
	return m, m.readID(id)
}

// isSignal reports whether a message is a sign of life, or ends an operation.
func (m message) isSignal() bool { return m.typ == "ping" || m.typ == "pong" || m.typ == "complete" }

// readID reads the id of a message whose type is known, and tells what is wrong with it.
func (m *message) readID(raw json.RawMessage) (wrong string) {
	switch m.typ {
	case "ping", "pong":
		if len(m.payload) > maxSignalPayload {
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
	if m.id = (&jsonText{raw: raw}).text(); m.id == "" || len(m.id) > maxOperationID {
		return "The id of a message is empty or too long"
	}
	if m.typ == "subscribe" && m.payload == nil {
		return "A subscribe has no payload"
	}
	return ""
}

// request reads the payload of a subscribe. A limit that it is over is told in an
// error, anything else is wrong.
func (m message) request(limits limit.Limits) (p params, over gqlerror.List, wrong string) {
	if bytes.Contains(m.payload, unicodeEscape) && loneSurrogate(string(m.payload)) {
		return params{}, nil, "The payload of a subscribe holds half of a surrogate pair"
	}
	p, why := readBody(m.payload, limits)
	switch {
	case why != nil && why.errors[0].Extensions["code"] == "BAD_USER_INPUT":
		return params{}, nil, "The payload of a subscribe is not a GraphQL request"
	case why != nil:
		return params{}, why.errors, ""
	case p.query == "" && p.documentID == "" && p.persisted == "":
		return params{}, nil, "The payload of a subscribe has no query"
	}
	return p, nil, ""
}

// authorization is what a connection_init says of who connects: "" is nothing.
func (m message) authorization() (header, wrong string) {
	if m.payload == nil {
		return "", ""
	}
	t, found := jsonText{raw: m.payload}, false
	for open := true; t.more(open); open = false {
		name := t.key()
		value := t.skip()
		if !strings.EqualFold(name, "authorization") {
			continue
		}
		switch {
		case found:
			return "", "The payload of connection_init has authorization more than once"
		case isNull(value):
		case value[0] != '"':
			return "", "authorization in the payload of connection_init is not a string"
		default:
			header = (&jsonText{raw: value}).text()
		}
		found = true
	}
	return header, ""
}

// Messages of the server that are always the same.
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
