package forum

import (
	"sort"
	"time"
)

// Day is a calendar day, in days since 1970-01-01. When it begins depends on the time zone.
type Day int32

// DayOf returns the calendar day at an instant in a time zone.
func DayOf(t Time, zone *time.Location) Day {
	y, m, d := time.UnixMilli(int64(t)).In(zone).Date()
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay)
}

const secondsPerDay = 86_400

func (d Day) utc() time.Time { return time.Unix(int64(d)*secondsPerDay, 0).UTC() }

// String formats the day as in "2026-11-21".
func (d Day) String() string { return d.utc().Format(time.DateOnly) }

// ParseDay parses the format of String.
func ParseDay(s string) (Day, bool) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Format(time.DateOnly) != s {
		return 0, false
	}
	return Day(t.Unix() / secondsPerDay), true
}

// Begins returns the first instant of the day in a time zone. It is not always midnight, which some
// zones skip when daylight saving time begins.
func (d Day) Begins(zone *time.Location) Time {
	const reach = 48 * time.Hour // more than any zone's offset from UTC
	from := Time(d.utc().Add(-reach).UnixMilli())
	n := sort.Search(int(2*reach/time.Millisecond), func(ms int) bool { return DayOf(from+Time(ms), zone) >= d })
	return from + Time(n)
}

// Ends returns when the rank of the day stops being readable: at the end of the next day.
func (d Day) Ends(zone *time.Location) Time { return (d + 2).Begins(zone) }
