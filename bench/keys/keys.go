// Package keys returns the keys that the hand-written handlers of the benchmark read. It repeats a small part of
// internal/store/internal/key on purpose: the handlers that Agora is compared with must not depend on it. Tests that
// compare the answers keep the two consistent.
package keys

import (
	"errors"
	"strconv"
)

// partitions is forum.Partitions.
const partitions = 256

const digits = "0123456789abcdef"

// Front is the ZSET of all topics by their last activity.
const Front = "{ix:front}:active"

// Topic appends the key of a topic's hash.
func Topic(b []byte, id int64) []byte { return entity(b, 't', id) }

// TopicComments appends the key of the ZSET of a topic's comments by number.
func TopicComments(b []byte, id int64) []byte { return append(entity(b, 't', id), ":comments"...) }

// Comment appends the key of a comment's hash.
func Comment(b []byte, id int64) []byte { return entity(b, 'c', id) }

// User appends the key of a user's hash.
func User(b []byte, id int64) []byte { return entity(b, 'u', id) }

// Category appends the key of a category's hash.
func Category(b []byte, id int64) []byte {
	return strconv.AppendInt(append(b, "{cat}:c:"...), id, 10)
}

// CategoryTabs appends the key of the ZSET of the tabs that show a category.
func CategoryTabs(b []byte, id int64) []byte { return append(Category(b, id), ":tabs"...) }

// Tab appends the key of a tab's hash.
func Tab(b []byte, id int64) []byte { return strconv.AppendInt(append(b, "{cat}:t:"...), id, 10) }

// entity appends the key of an entity in a partition, such as "{p1f}:t:543".
func entity(b []byte, kind byte, id int64) []byte {
	p := id % partitions
	b = append(b, '{', 'p', digits[p>>4], digits[p&15], '}', ':', kind, ':')
	return strconv.AppendInt(b, id, 10)
}

// MemberID parses the id in an entry of an index: its last eight digits, in hexadecimal, of nineteen.
func MemberID(m string) (int64, error) {
	if len(m) != 19 {
		return 0, errors.New("not an entry of an index: " + m)
	}
	return strconv.ParseInt(m[11:], 16, 64)
}
