// Package jsontext parses JSON texts key by key, so that duplicate keys are detected, and finds halves of surrogate
// pairs.
package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text parses a JSON text that json.Valid has accepted, from front to back. The values it returns never share memory
// with the text, except those of type []byte.
type Text struct {
	Raw []byte
	at  int
}

// Next skips white space and returns the next byte; 0 at the end.
func (t *Text) Next() byte {
	for ; t.at < len(t.Raw); t.at++ {
		switch c := t.Raw[t.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// More reports whether the object or list has another entry, and moves to it. open reports that none was read yet.
func (t *Text) More(open bool) bool {
	if open {
		t.at++
	}
	switch t.Next() {
	case '}', ']', 0:
		t.at++
		return false
	case ',':
		t.at++
		t.Next()
	}
	return true
}

// Key parses the name of an entry of an object, up to its value.
func (t *Text) Key() string {
	name := t.Text()
	t.Next()
	t.at++ // the colon
	t.Next()
	return name
}

// Value parses a value as encoding/json does, with numbers as they were written. It returns false if an object has a
// duplicate key: decoders use one of the two, but not all the same one.
func (t *Text) Value() (any, bool) {
	switch t.Next() {
	case '{':
		return t.Object()
	case '[':
		return t.list()
	case '"':
		return t.Text(), true
	case 't':
		t.at += len("true")
		return true, true
	case 'f':
		t.at += len("false")
		return false, true
	case 'n':
		t.at += len("null")
		return nil, true
	}
	return json.Number(t.Skip()), true
}

// Object parses an object; false if it has a duplicate key.
func (t *Text) Object() (map[string]any, bool) {
	object := map[string]any{}
	for open := true; t.More(open); open = false {
		name := t.Key()
		value, ok := t.Value()
		if _, twice := object[name]; twice || !ok {
			return nil, false
		}
		object[name] = value
	}
	return object, true
}

func (t *Text) list() ([]any, bool) {
	list := []any{}
	for open := true; t.More(open); open = false {
		value, ok := t.Value()
		if !ok {
			return nil, false
		}
		list = append(list, value)
	}
	return list, true
}

// Skip skips the next value and returns its text, which is a part of the whole.
func (t *Text) Skip() []byte {
	t.Next()
	start, nested := t.at, 0
	for ; t.at < len(t.Raw); t.at++ {
		switch t.Raw[t.at] {
		case '"':
			t.at = ClosingQuote(t.Raw, t.at)
		case '{', '[':
			nested++
		case '}', ']':
			if nested--; nested < 0 { // it ends the enclosing value
				return t.Raw[start:t.at]
			}
		case ',', ' ', '\t', '\n', '\r':
			if nested == 0 {
				return t.Raw[start:t.at]
			}
			continue
		default: // a number or a literal
			continue
		}
		if nested == 0 {
			t.at++
			break
		}
	}
	return t.Raw[start:t.at]
}

// escapes are the characters that JSON writes as a backslash and a letter.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// Text parses a string.
func (t *Text) Text() string {
	start := t.at + 1
	t.at = ClosingQuote(t.Raw, t.at) + 1
	inner := t.Raw[start : t.at-1]
	if bytes.IndexByte(inner, '\\') >= 0 {
		return unescaped(inner)
	}
	return string(inner)
}

// unescaped returns the content of a string.
func unescaped(raw []byte) string {
	var b strings.Builder
	b.Grow(len(raw))
	for {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			b.Write(raw)
			return b.String()
		}
		b.Write(raw[:n])
		raw = raw[n:]
		if raw[1] != 'u' {
			b.WriteByte(escapes[raw[1]])
			raw = raw[len(`\n`):]
			continue
		}
		r := codeUnit(raw)
		raw = raw[len(`\u0000`):]
		if utf16.IsSurrogate(r) {
			first := r
			if r = utf8.RuneError; len(raw) > 1 && raw[0] == '\\' && raw[1] == 'u' {
				r = utf16.DecodeRune(first, codeUnit(raw))
			}
			if r != utf8.RuneError {
				raw = raw[len(`\u0000`):]
			}
		}
		b.WriteRune(r)
	}
}

// codeUnit parses an escape of four hexadecimal digits at the start of raw.
func codeUnit(raw []byte) (unit rune) {
	for _, c := range raw[2:6] {
		if c <= '9' {
			c -= '0'
		} else {
			c = c&^0x20 - 'A' + 10
		}
		unit = unit<<4 | rune(c)
	}
	return unit
}

// ClosingQuote returns where the JSON string that begins at i ends.
func ClosingQuote(raw []byte, i int) int {
	for i++; i < len(raw) && raw[i] != '"'; i++ {
		if raw[i] == '\\' {
			i++
		}
	}
	return i
}
