package httpserver

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"agora/internal/httpserver/limit"
)

// jsonText reads a JSON text that json.Valid has found good, from front to back.
// What it gives never shares memory with the text, unless it is of type []byte.
type jsonText struct {
	raw []byte
	at  int
}

// next is the first byte of what comes next, after space; 0 at the end.
func (t *jsonText) next() byte {
	for ; t.at < len(t.raw); t.at++ {
		switch c := t.raw[t.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// more tells whether the object or list has another entry, and goes there. open
// tells that none was read yet.
func (t *jsonText) more(open bool) bool {
	if open {
		t.at++
	}
	switch t.next() {
	case '}', ']', 0:
		t.at++
		return false
	case ',':
		t.at++
		t.next()
	}
	return true
}

// key reads the name of an entry of an object, up to its value.
func (t *jsonText) key() string {
	name := t.text()
	t.next()
	t.at++ // the colon
	t.next()
	return name
}

// value reads a value as encoding/json does, numbers as they were written. It is
// false if an object has a key twice: decoders take one of the two, and not all
// the same one.
func (t *jsonText) value() (any, bool) {
	switch t.next() {
	case '{':
		return t.object()
	case '[':
		return t.list()
	case '"':
		return t.text(), true
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
	return json.Number(t.skip()), true
}

// object reads an object; false if a key stands there twice.
func (t *jsonText) object() (map[string]any, bool) {
	object := map[string]any{}
	for open := true; t.more(open); open = false {
		name := t.key()
		value, ok := t.value()
		if _, twice := object[name]; twice || !ok {
			return nil, false
		}
		object[name] = value
	}
	return object, true
}

func (t *jsonText) list() ([]any, bool) {
	list := []any{}
	for open := true; t.more(open); open = false {
		value, ok := t.value()
		if !ok {
			return nil, false
		}
		list = append(list, value)
	}
	return list, true
}

// skip goes behind the next value and gives its text, which is a part of the whole.
func (t *jsonText) skip() []byte {
	t.next()
	start, nested := t.at, 0
	for ; t.at < len(t.raw); t.at++ {
		switch t.raw[t.at] {
		case '"':
			t.at = limit.ClosingQuote(t.raw, t.at)
		case '{', '[':
			nested++
		case '}', ']':
			if nested--; nested < 0 { // it belongs to what is around
				return t.raw[start:t.at]
			}
		case ',', ' ', '\t', '\n', '\r':
			if nested == 0 {
				return t.raw[start:t.at]
			}
			continue
		default: // of a number or a word
			continue
		}
		if nested == 0 {
			t.at++
			break
		}
	}
	return t.raw[start:t.at]
}

// escapes are the characters that JSON writes as a backslash and a letter.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// text reads a string.
func (t *jsonText) text() string {
	start := t.at + 1
	t.at = limit.ClosingQuote(t.raw, t.at) + 1
	inner := t.raw[start : t.at-1]
	if bytes.IndexByte(inner, '\\') >= 0 {
		return unescaped(inner)
	}
	return string(inner)
}

// unescaped is what stands between the quotes of a string.
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

// codeUnit reads an escape of four hexadecimal digits at the start of raw.
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
