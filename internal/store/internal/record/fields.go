package record

import (
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
)

// Fields is a hash as returned by Redis.
type Fields map[string]string

// Int returns a field as an integer, 0 if it is missing.
func (f Fields) Int(name string) int { return int(Atoi(f[name])) }

// Time returns a field as a time, 0 if it is missing.
func (f Fields) Time(name string) forum.Time { return forum.Time(f.Int(name)) }

// IsWhole reports whether a field is an integer in canonical form, min or more.
func (f Fields) IsWhole(name string, min int64) bool {
	n, err := strconv.ParseInt(f[name], 10, 64)
	return err == nil && n >= min && strconv.FormatInt(n, 10) == f[name]
}

// IsWholeOrNone is IsWhole for a field that may be missing.
func (f Fields) IsWholeOrNone(name string, min int64) bool {
	_, ok := f[name]
	return !ok || f.IsWhole(name, min)
}

// Atoi parses an integer; an invalid or empty one is 0.
func Atoi(v string) int64 {
	if v == "" {
		return 0
	}
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

// FormatMicros formats a score that is a time in microseconds.
func FormatMicros(score float64) string { return strconv.FormatFloat(score, 'f', 0, 64) }

// HMGet returns the reply to an HMGET of names.
func HMGet(names []string, cmd *redis.SliceCmd) Fields {
	f := make(Fields, len(names))
	for i, v := range cmd.Val() {
		if s, ok := v.(string); ok {
			f[names[i]] = s
		}
	}
	return f
}

// ParseIDs parses ids separated by spaces.
func ParseIDs[T ~int64](s string) []T {
	var ids []T
	for _, f := range strings.Fields(s) {
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			ids = append(ids, T(n))
		}
	}
	return ids
}

// EncodeIDs formats ids as ParseIDs reads them.
func EncodeIDs[T ~int64](ids []T) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.FormatInt(int64(id), 10)
	}
	return strings.Join(words, " ")
}

// FormatScore formats a score so that Redis reads the same number.
func FormatScore(score float64) string { return strconv.FormatFloat(score, 'f', -1, 64) }

// ExpireAt returns when Redis drops a key that is valid until t, in Unix seconds.
func ExpireAt(t forum.Time) string {
	return strconv.FormatInt((int64(t)+forum.ExpiryGrace.Milliseconds()+999)/1000, 10)
}
