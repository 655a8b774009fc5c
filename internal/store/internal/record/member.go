package record

import (
	"fmt"
	"strconv"

	"agora/internal/forum"
)

// Authored is the member of key.Authors for a comment.
func Authored(author forum.UserID, number int64) string {
	return fmt.Sprintf("%08x%08x", int64(author), number)
}

// Member is how an entry stands in a container's orders: the time of posting
// and the id in hexadecimal of fixed width, so that equal scores stand by time
// of posting, then by id, in Redis's order of bytes too.
func Member(created forum.Time, id int64) string { return fmt.Sprintf("%011x%08x", int64(created), id) }

// ParseMember reads the id and the time of posting back.
func ParseMember(m string) (id int64, created forum.Time, err error) {
	if len(m) != 19 {
		return 0, 0, fmt.Errorf("member %q of an index", m)
	}
	at, err := strconv.ParseInt(m[:11], 16, 64)
	if err != nil {
		return 0, 0, err
	}
	id, err = strconv.ParseInt(m[11:], 16, 64)
	return id, forum.Time(at), err
}

// HomeMember is how a member of an index stands in a home, whose scores are times already.
func HomeMember(m string) string { return m[len(m)-8:] }

// IndexMember is the member of indexes of an entry of a home.
func IndexMember(score float64, m string) string { return fmt.Sprintf("%011x", int64(score)) + m }

// HomeNotKept is the watermark of a home that is not kept: nothing lies above it.
const HomeNotKept = "g"

// TopicsOf are the topics of members of indexes.
func TopicsOf(members []string) []int64 {
	ids := make([]int64, len(members))
	for i, m := range members {
		ids[i], _, _ = ParseMember(m) // 0, which is no topic, of what is no member
	}
	return ids
}
