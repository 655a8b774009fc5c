package jsontext

import (
	"encoding/json"
	"strings"
)

// UnicodeEscape begins an escape of four hexadecimal digits.
var UnicodeEscape = []byte(`\u`)

// IsNull reports whether a value is missing, or null.
func IsNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

// LoneSurrogate reports whether a \u escape with four digits in JSON or GraphQL is one half of a surrogate pair
// without the other: decoders turn it into U+FFFD.
func LoneSurrogate(s string) bool {
	for {
		at := strings.IndexByte(s, '\\')
		if at < 0 || at+1 >= len(s) {
			return false
		}
		first, ok := surrogate(s[at:])
		switch {
		case !ok:
			s = s[at+2:] // the escape, or its first letters
			continue
		case first >= 0xDC00:
			return true
		}
		second, ok := surrogate(s[at+6:])
		if !ok || second < 0xDC00 {
			return true
		}
		s = s[at+12:]
	}
}

// surrogate parses an escape of half a pair at the start of s.
func surrogate(s string) (half int, ok bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	for _, c := range []byte(s[2:6]) {
		digit := strings.IndexByte("0123456789abcdef", c|0x20)
		if c < '0' || digit < 0 {
			return 0, false
		}
		half = half<<4 | digit
	}
	return half, half >= 0xD800 && half < 0xE000
}
