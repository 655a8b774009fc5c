package model

import (
	"encoding/json"
	"io"
	"math"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth"
	"agora/internal/forum"
)

// A scalar has two writers: our executor calls AppendX, gqlgen's calls MarshalX. False, with nothing appended, is
// null.

// MarshalString writes a String.
func MarshalString(s string) graphql.Marshaler { return graphql.MarshalString(s) }

// AppendString appends a String.
func AppendString(b []byte, s string) []byte { return breadth.AppendString(b, s) }

// UnmarshalString reads a String; unlike gqlgen's own it accepts no numbers.
func UnmarshalString(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", forum.BadInput(nil, "A String must be a string.")
	}
	return s, nil
}

// MarshalInt writes an Int.
func MarshalInt(n int) graphql.Marshaler { return graphql.MarshalInt(n) }

// AppendInt appends an Int.
func AppendInt(b []byte, n int) []byte { return breadth.AppendInt(b, n) }

// MarshalTopicNumber writes a topic's id as its readable number.
func MarshalTopicNumber(id forum.TopicID) graphql.Marshaler { return graphql.MarshalInt64(int64(id)) }

// AppendTopicNumber appends a topic's id as its readable number.
func AppendTopicNumber(b []byte, id forum.TopicID) []byte { return breadth.AppendInt(b, id) }

// UnmarshalTopicNumber reads a topic's number.
func UnmarshalTopicNumber(v any) (forum.TopicID, error) {
	n, err := UnmarshalInt(v)
	return forum.TopicID(n), err
}

// UnmarshalInt reads an Int: a 32-bit integer, not in quotes.
func UnmarshalInt(v any) (int, error) {
	var n int64
	switch v := v.(type) {
	case int:
		n = int64(v)
	case int64:
		n = v
	case json.Number:
		i, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil {
			return 0, errNotInt()
		}
		n = i
	default:
		return 0, errNotInt()
	}
	if n < math.MinInt32 || n > math.MaxInt32 {
		return 0, errNotInt()
	}
	return int(n), nil
}

func errNotInt() error {
	return forum.BadInput(nil, "An Int must be a whole number from %d to %d.", math.MinInt32, math.MaxInt32)
}

// DateTimeLayout is RFC 3339 in UTC, always with three digits of milliseconds, so that strings sort as times.
const DateTimeLayout = "2006-01-02T15:04:05.000Z"

// MarshalDateTime writes an instant; 0 (never) is null.
func MarshalDateTime(t forum.Time) graphql.Marshaler {
	if t == 0 {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) {
		b, _ := AppendDateTime(nil, t)
		w.Write(b)
	})
}

// AppendDateTime appends an instant.
func AppendDateTime(b []byte, t forum.Time) ([]byte, bool) {
	if t == 0 {
		return b, false
	}
	b = append(b, '"')
	b = time.UnixMilli(int64(t)).UTC().AppendFormat(b, DateTimeLayout)
	return append(b, '"'), true
}

// UnmarshalDateTime reads an instant in RFC 3339 form.
func UnmarshalDateTime(v any) (forum.Time, error) {
	s, _ := v.(string)
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return 0, forum.BadInput(nil, "A DateTime must be a string such as %q.", "2026-11-21T09:30:00Z")
	}
	return forum.Time(t.UnixMilli()), nil
}

// MarshalDate writes a day.
func MarshalDate(d forum.Day) graphql.Marshaler { return graphql.MarshalString(d.String()) }

// AppendDate appends a day.
func AppendDate(b []byte, d forum.Day) []byte { return breadth.AppendString(b, d.String()) }

// UnmarshalDate reads a day such as "2026-11-21".
func UnmarshalDate(v any) (forum.Day, error) {
	s, _ := v.(string)
	d, ok := forum.ParseDay(s)
	if !ok {
		return 0, forum.BadInput(nil, "A Date must be a string such as %q.", "2026-11-21")
	}
	return d, nil
}

// MarshalURL writes a URL; "" (none) is null.
func MarshalURL(s string) graphql.Marshaler {
	if s == "" {
		return graphql.Null
	}
	return graphql.MarshalString(s)
}

// AppendURL appends a URL.
func AppendURL(b []byte, s string) ([]byte, bool) {
	if s == "" {
		return b, false
	}
	return breadth.AppendString(b, s), true
}

// UnmarshalURL reads a URL without checking it. The mutation checks it, so that a bad one is reported in the payload.
func UnmarshalURL(v any) (string, error) { return UnmarshalString(v) }
