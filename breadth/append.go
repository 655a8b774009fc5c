package breadth

import (
	"math/bits"
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// The functions that write scalars append to a buffer. They return false, with nothing appended, for null.

const hexDigits = "0123456789ABCDEF"

// AppendString appends a String as gqlgen writes it: it escapes only what JSON requires.
func AppendString(b []byte, s string) []byte {
	b = append(reserve(b, len(s)), '"')
	for {
		n := plain(s)
		if b = append(b, s[:n]...); n == len(s) {
			return append(b, '"')
		}
		switch c := s[n]; c {
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\n':
			b = append(b, `\n`...)
		case '\\', '"':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		s = s[n+1:]
	}
}

// StringSize returns how many bytes AppendString appends, without the quotes.
func StringSize(s string) int {
	size := len(s)
	for n := plain(s); n < len(s); n = plain(s) {
		switch c := s[n]; c {
		case '"', '\\', '\n', '\r', '\t':
			size++
		default:
			size += len(`\u0000`) - 1
		}
		s = s[n+1:]
	}
	return size
}

// ones has the lowest bit of each byte set, and highs the highest.
const ones, highs = 0x0101010101010101, 0x8080808080808080

// plain returns how many bytes s has before the first that JSON escapes. It looks at eight at a time. Source of the
// tests for a byte that is zero, or less than another: Bit Twiddling Hacks, "Determine if a word has a zero byte".
func plain(s string) int {
	i := 0
	for ; len(s)-i >= 8; i += 8 {
		t := s[i : i+8]
		w := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		escaped := ((w-ones*0x20)&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs
		if escaped != 0 {
			return i + bits.TrailingZeros64(escaped)/8 // the bits above the first may be wrong
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// reserve makes room for n more bytes. A buffer at least doubles when it grows, because append copies large ones five
// times as often.
func reserve(b []byte, n int) []byte {
	if n <= cap(b)-len(b) {
		return b
	}
	return slices.Grow(b, max(n, len(b)))
}

// AppendInt appends an integer.
func AppendInt[N ~int | ~int8 | ~int16 | ~int32 | ~int64](b []byte, n N) []byte {
	return strconv.AppendInt(b, int64(n), 10)
}

// AppendBoolean appends a Boolean.
func AppendBoolean(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

// AppendMarshaler appends the output of one of gqlgen's marshalers.
func AppendMarshaler(b []byte, m graphql.Marshaler) ([]byte, bool) {
	if m == nil || m == graphql.Null || m == graphql.RequiredNull {
		return b, false
	}
	out := appender{b}
	m.MarshalGQL(&out)
	return out.b, true
}

// appender is an io.Writer that appends to a buffer.
type appender struct{ b []byte }

// Write implements io.Writer.
func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}

// WriteString implements io.StringWriter.
func (a *appender) WriteString(s string) (int, error) {
	a.b = append(a.b, s...)
	return len(s), nil
}

// marshal writes the output of one of gqlgen's marshalers, and reports whether there was any. It writes nothing once
// the answer is too large.
func (w *writer) marshal(m graphql.Marshaler) bool {
	if m == nil || m == graphql.Null || m == graphql.RequiredNull {
		return false
	}
	m.MarshalGQL((*bounded)(w))
	return true
}

// bounded is a writer of an answer as an io.Writer. It drops whatever exceeds the limit.
type bounded writer

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if w := (*writer)(b); !w.over {
		w.b = append(w.b, p...)
		w.measure()
	}
	return len(p), nil
}

// WriteString implements io.StringWriter.
func (b *bounded) WriteString(s string) (int, error) {
	if w := (*writer)(b); !w.over {
		w.b = append(w.b, s...)
		w.measure()
	}
	return len(s), nil
}
