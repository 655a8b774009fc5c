package limit

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"
)

// errJSON reports JSON that is not of the expected form.
var errJSON = errors.New("the JSON is not of the expected form")

// scanner reads the members of a JSON object without copying them.
type scanner struct {
	b  []byte
	at int
}

// open begins an object.
func open(b []byte) (*scanner, bool) {
	s := &scanner{b: b}
	s.space()
	if s.at >= len(b) || b[s.at] != '{' {
		return nil, false
	}
	s.at++
	return s, true
}

func (s *scanner) space() {
	for s.at < len(s.b) && (s.b[s.at] == ' ' || s.b[s.at] == '\n' || s.b[s.at] == '\t' || s.b[s.at] == '\r' ||
		s.b[s.at] == ',' || s.b[s.at] == ':') {
		s.at++
	}
}

// next reads one member: its name without quotes, and its raw value.
func (s *scanner) next() (name, value []byte, ok bool) {
	s.space()
	if s.at >= len(s.b) || s.b[s.at] != '"' {
		return nil, nil, false
	}
	name = s.value()
	s.space()
	value = s.value()
	if len(name) < 2 || len(value) == 0 {
		return nil, nil, false
	}
	return name[1 : len(name)-1], value, true
}

// value reads one value.
func (s *scanner) value() []byte {
	from, depth := s.at, 0
	for s.at < len(s.b) {
		switch c := s.b[s.at]; c {
		case '"':
			for s.at++; s.at < len(s.b) && s.b[s.at] != '"'; s.at++ {
				if s.b[s.at] == '\\' {
					s.at++
				}
			}
			s.at++
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			if depth == 0 {
				return s.b[from:s.at]
			}
			depth--
			s.at++
		case ',', ' ', '\n', '\t', '\r':
			if depth == 0 {
				return s.b[from:s.at]
			}
			s.at++
			continue
		default:
			s.at++
			continue
		}
		if depth == 0 {
			return s.b[from:min(s.at, len(s.b))]
		}
	}
	return s.b[from:min(s.at, len(s.b))]
}

// readRequest finds the query, with its quotes, and the variables.
func readRequest(body []byte) (query, variables []byte, err error) {
	s, ok := open(body)
	if !ok {
		return nil, nil, errJSON
	}
	for {
		name, value, ok := s.next()
		if !ok {
			return query, variables, nil
		}
		switch string(name) {
		case "query":
			query = value
		case "variables":
			variables = value
		}
	}
}

// quoted returns a text as a JSON string.
func quoted(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// readInt parses an integer.
func readInt(value []byte) (int, error) { return strconv.Atoi(string(value)) }

// readString parses a text with its quotes.
func readString(value []byte) (string, error) {
	if len(value) < 2 || value[0] != '"' {
		return "", errJSON
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1]), nil
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err
}

const hexDigits = "0123456789abcdef"

// appendString appends a text as JSON.
func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		out = append(out, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		case '\t':
			out = append(out, '\\', 't')
		case '\r':
			out = append(out, '\\', 'r')
		default:
			out = append(out, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	out = append(out, s[from:]...)
	return append(out, '"')
}

// appendNumber appends a number as stored in Redis; a missing one is 0.
func appendNumber(out []byte, s string) []byte {
	if s == "" {
		return append(out, '0')
	}
	return append(out, s...)
}

// dateTime is RFC 3339 in UTC with milliseconds.
const dateTime = `"2006-01-02T15:04:05.000Z"`

// appendTime appends an instant in Unix milliseconds; 0 is null.
func appendTime(out []byte, ms int64) []byte {
	if ms == 0 {
		return append(out, "null"...)
	}
	return time.UnixMilli(ms).UTC().AppendFormat(out, dateTime)
}

// number parses a number as stored in Redis; an invalid one is 0.
func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}
