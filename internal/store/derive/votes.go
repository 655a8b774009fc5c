package derive

import (
	"fmt"
	"strconv"

	"agora/internal/store/internal/record"
)

// Votes are the votes on a subject: as it counts them, those of the import, and those in the sets of voters.
type Votes struct {
	Up, Down, BaseUp, BaseDown, SetUp, SetDown int
	// Closed reports that voting is over: from then on each set may expire at any time, and the counts stay.
	Closed bool
}

// Counts returns what the subject must count.
func (v Votes) Counts() (up, down int) {
	up, down = v.BaseUp+v.SetUp, v.BaseDown+v.SetDown
	if v.Closed && v.SetUp == 0 {
		up = max(up, v.Up)
	}
	if v.Closed && v.SetDown == 0 {
		down = max(down, v.Down)
	}
	return up, down
}

// Counted returns what the topic and the parent of a comment store of its votes; "" for none.
func (v Votes) Counted() string {
	up, down := v.Counts()
	if up+down == 0 {
		return ""
	}
	return strconv.Itoa(up) + " " + strconv.Itoa(down)
}

// Karma returns what the karma of a comment's author stores of it; "" for nothing. active reports whether the author has
// an account.
func Karma(c record.CommentState, active bool) string {
	if c.Votes == nil || !active || c.Author == 0 {
		return ""
	}
	return fmt.Sprintf("%d %d", c.Karma().Rev, c.Karma().Net)
}

// Own returns what a topic or comment stores of its author's own vote.
func Own(up, down bool) string {
	switch {
	case up:
		return "1"
	case down:
		return "-1"
	}
	return ""
}
