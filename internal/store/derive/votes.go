package derive

import "strconv"

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
