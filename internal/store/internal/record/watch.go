package record

import (
	"fmt"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// WatchCursor formats a position among a topic's watchers as the cursor of a TaskWatch: "score:member".
func WatchCursor(p forum.Position) string { return FormatMicros(p.Score) + ":" + p.Member }

// ParseWatchCursor parses the result of WatchCursor; "" is the beginning, nil.
func ParseWatchCursor(cursor string) (*forum.Position, error) {
	if cursor == "" {
		return nil, nil
	}
	score, member, _ := strings.Cut(cursor, ":")
	n, err := strconv.ParseFloat(score, 64)
	if err == nil {
		_, err = forum.ParseID[forum.UserID](member)
	}
	if err != nil {
		return nil, fmt.Errorf("invalid cursor %q of watchers", cursor)
	}
	return &forum.Position{Score: n, Member: member}, nil
}
