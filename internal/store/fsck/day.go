package fsck

import (
	"strconv"

	"agora/internal/forum"
)

// readable reports whether the rank of a day can still be read. Older ranks cannot be compared,
// because topics record two days only.
func (c *checker) readable(d forum.Day) bool { return d >= c.s.Today()-1 }

// checkDays compares the day counts of a topic with its comments.
func (c *checker) checkDays(t thread) {
	var latest forum.Day
	live, posted := map[forum.Day]int{}, map[forum.Day]bool{}
	for _, m := range t.known {
		if m.created < 1 {
			return // the comment has a finding of its own
		}
		day := forum.DayOf(m.created, c.s.Zone())
		latest, posted[day] = max(latest, day), true
		if !m.gone {
			live[day]++
		}
	}
	want := [3]string{}
	switch {
	case latest > 0:
		want[0], want[1] = strconv.Itoa(int(latest)), strconv.Itoa(live[latest])
	case len(t.known) > 0:
		return // day 0 is indistinguishable from no day
	}
	if before := latest - 1; before > 0 && posted[before] {
		want[2] = strconv.Itoa(live[before])
	}
	if has := [3]string{t.f["day"], t.f["dayComments"], t.f["dayBefore"]}; has != want {
		count := c.amend(t.topicView, "day", want[0], "dayComments", want[1], "dayBefore", want[2])
		c.add(t.on(), RuleDayCount, t.key(), count, "day, its comments and those of the day before are %q; want %q",
			has, want)
	}
}
