package record

import (
	"fmt"
	"strconv"

	"agora/internal/forum"
)

// Authored returns the member of key.Authors for a comment.
func Authored(author forum.UserID, number int64) string {
	return fmt.Sprintf("%08x%08x", int64(author), number)
}

// Member returns the member of an entry in a container's orders: the time of posting and the id in
// hexadecimal of fixed width, so that Redis's order of bytes sorts equal scores by time of posting, then by
// id.
func Member(created forum.Time, id int64) string { return fmt.Sprintf("%011x%08x", int64(created), id) }

// ParseMember returns the id and the time of posting of a member.
func ParseMember(m string) (id int64, created forum.Time, err error) {
	if len(m) != 19 {
		return 0, 0, fmt.Errorf("invalid index member %q", m)
	}
	at, err := strconv.ParseInt(m[:11], 16, 64)
	if err != nil {
		return 0, 0, err
	}
	id, err = strconv.ParseInt(m[11:], 16, 64)
	return id, forum.Time(at), err
}

// HomeMember returns the member in a home, whose scores are times already, for a member of an index.
func HomeMember(m string) string { return m[len(m)-8:] }

// IndexMember returns the member of indexes for an entry of a home.
func IndexMember(score float64, m string) string { return fmt.Sprintf("%011x", int64(score)) + m }

// HomeNotKept is the watermark of a home that is not kept: nothing is above it.
const HomeNotKept = "g"

// TopicsOf returns the topic ids of members of indexes.
func TopicsOf(members []string) []int64 {
	ids := make([]int64, len(members))
	for i, m := range members {
		ids[i], _, _ = ParseMember(m) // an invalid member yields 0, which is no topic
	}
	return ids
}
