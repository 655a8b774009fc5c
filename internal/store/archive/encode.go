package archive

import (
	"errors"
	"math"
	"strconv"
	"unicode/utf8"
)

const (
	// maxElements and maxBytes bound one line: a larger key has several. A line may exceed maxBytes by one
	// element.
	maxElements = 1000
	maxBytes    = 256 << 10
	// maxLine is the maximum length of a line in bytes: that of a text of 1 MiB, each byte of which is
	// escaped, and more.
	maxLine = 16 << 20
)

var (
	errNotUTF8   = errors.New("it is not UTF-8")
	errNotNumber = errors.New("it has a score that is not a finite number")
)

// appendString appends a JSON string.
func appendString(b []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		return b, errNotUTF8
	}
	b = append(b, '"')
	begin := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[begin:i]...)
		begin = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\t':
			b = append(b, '\\', 't')
		default:
			const digits = "0123456789abcdef"
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	return append(append(b, s[begin:]...), '"'), nil
}

// appendPair appends a member of a JSON object with a string as value.
func appendPair(b []byte, name, value string) ([]byte, error) {
	b, err := appendString(b, name)
	if err != nil {
		return b, err
	}
	return appendString(append(b, ':'), value)
}

// appendScored appends a member of a JSON object with a score as value: the shortest number that is equal.
func appendScored(b []byte, member string, score float64) ([]byte, error) {
	if math.IsNaN(score) || math.IsInf(score, 0) {
		return b, errNotNumber
	}
	b, err := appendString(b, member)
	format := byte('f')
	if math.Abs(score) >= 1e21 {
		format = 'e'
	}
	return strconv.AppendFloat(append(b, ':'), score, format, -1, 64), err
}
