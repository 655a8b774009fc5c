package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// EraseCursor is where the next turn of a TaskErase begins: first in the lists of the user, the latest posts first,
// then among all ids of the site.
type EraseCursor struct {
	// List is "t" for the profile, "c" for the list of comments, and "" for all ids.
	List string
	// Before is when the last post of the list was posted that is done; 0 for none.
	Before forum.Time
	// Partition and Number are those of the last id that is done. Number is 0 at the beginning of a partition.
	Partition int
	Number    int64
}

// String formats the cursor: "list before", or "partition number".
func (c EraseCursor) String() string {
	if c.List != "" {
		return c.List + " " + strconv.FormatInt(int64(c.Before), 10)
	}
	return strconv.Itoa(c.Partition) + " " + strconv.FormatInt(c.Number, 10)
}

// ParseEraseCursor parses what String returns; "" is the beginning.
func ParseEraseCursor(cursor string) (c EraseCursor, err error) {
	if cursor == "" {
		return EraseCursor{List: "t"}, nil
	}
	where, n, _ := strings.Cut(cursor, " ")
	if where == "t" || where == "c" {
		c.List, c.Before = where, forum.Time(Atoi(n))
	} else {
		c.Partition, c.Number = int(Atoi(where)), Atoi(n)
	}
	if c.String() != cursor || c.Before < 0 || c.Number < 0 || c.Partition < 0 || c.Partition >= forum.Partitions {
		return c, fmt.Errorf("invalid cursor %q of what a user wrote", cursor)
	}
	return c, nil
}
