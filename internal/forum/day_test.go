package forum

import (
	"testing"
	"time"
	_ "time/tzdata" // the machine may have no zone files

	"pgregory.net/rapid"

	_ "agora/internal/test/testseed"

	"agora/internal/test/must"
)

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	return must.Do(time.LoadLocation(name))(t)
}

func day(t testing.TB, s string) Day {
	t.Helper()
	d, ok := ParseDay(s)
	if !ok {
		t.Fatalf("%q is not a day", s)
	}
	return d
}

// A day begins at midnight, or right after it if clocks skip it, or with the next day if the time
// zone skipped the day.
func TestDayBegins(t *testing.T) {
	tests := []struct{ zone, day, want string }{
		{"UTC", "2026-11-21", "2026-11-21T00:00:00Z"},
		{"UTC", "1970-01-01", "1970-01-01T00:00:00Z"},
		{"UTC", "1969-12-31", "1969-12-31T00:00:00Z"},
		{"UTC", "9999-12-31", "9999-12-31T00:00:00Z"},
		{"Asia/Shanghai", "2026-11-21", "2026-11-20T16:00:00Z"},
		{"Asia/Kathmandu", "2026-11-21", "2026-11-20T18:15:00Z"},
		{"Pacific/Kiritimati", "2026-11-21", "2026-11-20T10:00:00Z"},
		{"America/Los_Angeles", "2026-03-08", "2026-03-08T08:00:00Z"},
		{"America/Los_Angeles", "2026-03-09", "2026-03-09T07:00:00Z"}, // after a day of 23 hours
		{"America/Los_Angeles", "2026-11-02", "2026-11-02T08:00:00Z"}, // after a day of 25 hours
		{"America/Sao_Paulo", "2018-11-03", "2018-11-03T03:00:00Z"},
		{"America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"}, // at 01:00: there was no midnight
		{"America/Sao_Paulo", "2018-11-05", "2018-11-05T02:00:00Z"},
		{"America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z"}, // after the second 23:59
		{"Asia/Beirut", "2021-03-28", "2021-03-27T22:00:00Z"},       // at 01:00
		{"Asia/Beirut", "2021-10-31", "2021-10-30T22:00:00Z"},       // after the second 23:59
		{"Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z"},
		{"Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"}, // skipped: it begins with the next
		{"Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"},
		{"Pacific/Apia", "2012-01-01", "2011-12-31T10:00:00Z"},
	}
	for _, tt := range tests {
		got := time.UnixMilli(int64(day(t, tt.day).Begins(zone(t, tt.zone)))).UTC().Format(time.RFC3339Nano)
		if got != tt.want {
			t.Errorf("%s in %s begins at %s; want %s", tt.day, tt.zone, got, tt.want)
		}
	}
}

func TestDayOf(t *testing.T) {
	tests := []struct{ zone, at, want string }{
		{"UTC", "2026-11-21T00:00:00Z", "2026-11-21"},
		{"UTC", "2026-11-20T23:59:59.999Z", "2026-11-20"},
		{"UTC", "1969-12-31T23:59:59.999Z", "1969-12-31"},
		{"UTC", "1970-01-01T00:00:00Z", "1970-01-01"},
		{"Asia/Shanghai", "2026-11-20T16:00:00Z", "2026-11-21"},
		{"Asia/Shanghai", "2026-11-20T15:59:59.999Z", "2026-11-20"},
		{"America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"},
		{"America/Sao_Paulo", "2018-11-04T02:59:59.999Z", "2018-11-03"},
		{"Asia/Beirut", "2021-10-30T21:00:00Z", "2021-10-30"}, // 23:00 for the second time
		{"Pacific/Apia", "2011-12-30T09:59:59.999Z", "2011-12-29"},
		{"Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"},
	}
	for _, tt := range tests {
		at := must.Do(time.Parse(time.RFC3339, tt.at))(t)
		if got := DayOf(Time(at.UnixMilli()), zone(t, tt.zone)).String(); got != tt.want {
			t.Errorf("DayOf(%s) in %s = %s; want %s", tt.at, tt.zone, got, tt.want)
		}
	}
}

// skipped are the days that time zones skipped.
var skipped = map[string]map[string]bool{
	"Pacific/Apia": {
		"2011-12-30": true,
	}, "Pacific/Kiritimati": {"1994-12-31": true}, "Pacific/Kwajalein": {"1993-08-21": true},
}

// Each day begins at its first instant, and its rank ends at the end of the next day. St John's set
// its clocks back at one minute past midnight, so some of its days began twice.
func TestDayBeginsAndEndsInEveryZone(t *testing.T) {
	names := []string{
		"UTC",
		"Asia/Shanghai",
		"America/Sao_Paulo",
		"Asia/Beirut",
		"Pacific/Apia",
		"Pacific/Kiritimati",
		"Pacific/Kwajalein",
		"America/St_Johns",
		"Europe/Berlin",
		"Australia/Lord_Howe",
		"Africa/Cairo",
		"America/Havana",
		"Asia/Tehran",
		"Pacific/Chatham",
	}
	zones := map[string]*time.Location{}
	for _, name := range names {
		zones[name] = zone(t, name)
	}
	wantBeginAndEnd := func(t interface{ Fatalf(string, ...any) }, name string, d Day) {
		z := zones[name]
		begins := d.Begins(z)
		if got, before := DayOf(begins, z), DayOf(begins-1, z); before >= d || got != d != skipped[name][d.String()] ||
			got < d {
			t.Fatalf("%s in %s begins at %d, on %s; a millisecond earlier it is %s", d, name, begins, got, before)
		}
		if ends := d.Ends(z); DayOf(ends, z) < d+2 || DayOf(ends-1, z) >= d+2 || ends <= begins {
			t.Fatalf("the rank of %s in %s ends at %d, on %s; want the end of the next day", d, name, ends, DayOf(ends, z))
		}
	}
	for name, days := range skipped {
		for s := range days {
			for d := day(t, s) - 3; d <= day(t, s)+3; d++ {
				wantBeginAndEnd(t, name, d)
			}
		}
	}
	for d := day(t, "2006-10-26"); d < day(t, "2006-11-01"); d++ {
		wantBeginAndEnd(t, "America/St_Johns", d)
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "zone")
		wantBeginAndEnd(t, name, Day(rapid.IntRange(0, 24_500).Draw(t, "day"))) // up to 2037
	})
}

func TestParseDay(t *testing.T) {
	tests := []struct {
		text string
		want Day
	}{
		{
			"1970-01-01",
			0,
		}, {"1970-01-02", 1}, {"1969-12-31", -1}, {"2000-02-29", 11_016}, {"2026-11-21", 20_778}, {"9999-12-31", maxDay},
	}
	for _, tt := range tests {
		if got, ok := ParseDay(tt.text); !ok || got != tt.want || got.String() != tt.text {
			t.Errorf("ParseDay(%q) = %d (%s), %t; want %d", tt.text, got, got, ok, tt.want)
		}
	}
	for _, bad := range []string{"", "x", "2026", "2026-11", "2026-11-31", "2026-02-29", "2026-13-01", "2026-00-01",
		"2026-1-1", "26-11-21", " 2026-11-21", "2026-11-21 ",
		"2026-11-21T00:00:00Z", "2026/11/21", "20261121", "-2026-11-21", "+2026-11-21", "12026-11-21", "２０２６-11-21",
		"2026-11-2१"} {
		if got, ok := ParseDay(bad); ok {
			t.Errorf("ParseDay(%q) = %s; want none", bad, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := Day(rapid.IntRange(-719_162, maxDay).Draw(t, "day"))
		if got, ok := ParseDay(d.String()); !ok || got != d {
			t.Fatalf("ParseDay(%q) = %d, %t; want %d", d, got, ok, d)
		}
		s := rapid.String().Draw(t, "text")
		if got, ok := ParseDay(s); ok && got.String() != s {
			t.Fatalf("ParseDay(%q) = %s, which is formatted differently", s, got)
		}
	})
}

// Only the latest two days with comments are known for a topic.
func TestCommentsOnDays(t *testing.T) {
	tests := []struct {
		name  string
		topic Topic
		on    Day
		want  int
	}{
		{"never commented on", Topic{}, 20_000, 0},
		{"never, on day 0", Topic{}, 0, 0},
		{"the latest day", Topic{Day: 20_000, DayComments: 5, DayBefore: 3}, 20_000, 5},
		{"the day before", Topic{Day: 20_000, DayComments: 5, DayBefore: 3}, 19_999, 3},
		{"two days before", Topic{Day: 20_000, DayComments: 5, DayBefore: 3}, 19_998, 0},
		{"the day after", Topic{Day: 20_000, DayComments: 5, DayBefore: 3}, 20_001, 0},
	}
	for _, tt := range tests {
		if got := tt.topic.CommentsOn(tt.on); got != tt.want {
			t.Errorf("%s: %d comments; want %d", tt.name, got, tt.want)
		}
	}
	for net, want := range map[int]bool{-200: false, 0: false, 199: false, 200: true, 201: true} {
		topic := Topic{Upvotes: 300 + net, Downvotes: 300}
		if topic.IsInteresting() != want {
			t.Errorf("a topic of %d net votes: IsInteresting = %t; want %t", net, !want, want)
		}
	}
}
