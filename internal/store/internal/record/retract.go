package record

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// RetractCursor is where the next pass of a TaskRetract begins.
type RetractCursor struct {
	// Comment is the number of the last comment done, "" for none.
	Comment string
	// Bookmark and Watch are the positions of the last users done of those who bookmarked and watch the topic; nil for
	// none.
	Bookmark, Watch *forum.Position
}

// String formats the cursor: the number, and if there are positions "number bookmark watch", with 0 and - for none.
func (c RetractCursor) String() string {
	if c.Bookmark == nil && c.Watch == nil {
		return c.Comment
	}
	words := []string{cmp.Or(c.Comment, "0"), "-", "-"}
	for i, p := range []*forum.Position{c.Bookmark, c.Watch} {
		if p != nil {
			words[i+1] = WatchCursor(*p)
		}
	}
	return strings.Join(words, " ")
}

// ParseRetractCursor parses what String returns.
func ParseRetractCursor(cursor string) (c RetractCursor, err error) {
	words := strings.Split(cursor, " ")
	if c.Comment = words[0]; c.Comment != "" {
		if _, err := strconv.ParseUint(c.Comment, 10, 63); err != nil {
			return c, fmt.Errorf("invalid cursor %q of a topic", cursor)
		}
	}
	if len(words) != 1 && len(words) != 3 {
		return c, fmt.Errorf("invalid cursor %q of a topic", cursor)
	}
	for i, word := range words[1:] {
		if word == "-" {
			continue
		}
		p, err := ParseWatchCursor(word)
		if err != nil || p == nil {
			return c, fmt.Errorf("invalid cursor %q of a topic", cursor)
		}
		if c.Watch = p; i == 0 {
			c.Bookmark, c.Watch = p, nil
		}
	}
	return c, nil
}
