package breadth

import (
	"slices"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// The functions that write scalars append to a buffer. They return false, with nothing appended, for null.

const hexDigits = "0123456789ABCDEF"

// AppendString appends a String as gqlgen writes it: it escapes only what JSON requires.
func AppendString(b []byte, s string) []byte {
	b = append(reserve(b, len(s)), '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
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
	}
	b = append(b, s[start:]...)
	return append(b, '"')
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
