package forum

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// drawTimeline draws a valid timeline.
func drawTimeline(t *rapid.T) Timeline {
	tl := Timeline{
		Kind: rapid.SampledFrom([]TimelineKind{FrontTimeline, CategoryTimeline, TabTimeline, TagTimeline, DayRankTimeline,
			ProfileTimeline, BookmarksTimeline}).
			Draw(t, "kind"),
		Order: rapid.SampledFrom([]TopicOrderField{ByCreated, ByActive, ByScore, ByHot, ByTop, ByControversial}).
			Draw(t, "order"),
		Direction: rapid.SampledFrom([]OrderDirection{Ascending, Descending}).Draw(t, "direction"),
	}
	switch tl.Kind {
	case CategoryTimeline, TabTimeline:
		tl.Owner = rapid.Int64Range(1, MaxID).Draw(t, "owner")
	case TagTimeline:
		tl.Owner = rapid.Int64Range(1, int64(MaxTagID)).Draw(t, "owner")
	case ProfileTimeline:
		tl.Owner, tl.Order, tl.Direction = rapid.Int64Range(0, MaxID).Draw(t, "owner"), ByCreated, Descending
	case BookmarksTimeline:
		tl.Owner, tl.Order, tl.Direction = rapid.Int64Range(1, MaxID).Draw(t, "owner"), ByBookmarked, Descending
	case DayRankTimeline:
		tl.Owner, tl.Order, tl.Direction = rapid.Int64Range(1, maxDay).Draw(t, "owner"), ByRepliesToday, Descending
	}
	if tl.Order == ByTop {
		tl.Period = rapid.SampledFrom([]Period{PeriodDay, PeriodWeek, PeriodMonth, PeriodYear, PeriodAll}).Draw(t, "period")
	}
	return tl
}

func TestTimelineNamesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawTimeline(t)
		if got, ok := ParseTimeline(want.Name()); !ok || got != want || !want.Valid() {
			t.Fatalf("ParseTimeline(%q) = %+v, %t; want %+v", want.Name(), got, ok, want)
		}
		if string(want.ID()) != want.Name() {
			t.Fatalf("ID = %q; want the name %q", want.ID(), want.Name())
		}
		other := drawTimeline(t)
		if (other.Name() == want.Name()) != (other == want) {
			t.Fatalf("%+v and %+v have the names %q and %q", want, other, want.Name(), other.Name())
		}
		// A global id is base64 of this, at most 64 characters.
		if n := len("Timeline:" + want.Name()); n > 48 {
			t.Fatalf("the name %q is too long for an id: %d bytes with its type; want 48 at most", want.Name(), n)
		}
	})
}

func TestTimelineNames(t *testing.T) {
	tests := []struct {
		timeline Timeline
		want     string
		snapshot bool
	}{
		{Timeline{Kind: FrontTimeline, Order: ByActive, Direction: Descending}, "front:0:active:desc", false},
		{Timeline{Kind: FrontTimeline, Order: ByTop, Direction: Ascending, Period: PeriodWeek}, "front:0:top:asc:week", true},
		{Timeline{Kind: CategoryTimeline, Owner: 7, Order: ByHot, Direction: Descending}, "category:7:hot:desc", false},
		{
			Timeline{Kind: TabTimeline, Owner: MaxID, Order: ByControversial, Direction: Descending},
			"tab:2147483647:controversial:desc",
			true,
		},
		{
			Timeline{Kind: TagTimeline, Owner: int64(MaxTagID), Order: ByScore, Direction: Ascending},
			"tag:4503599627370495:score:asc",
			false,
		},
		{
			Timeline{Kind: ProfileTimeline, Owner: MaxID, Order: ByCreated, Direction: Descending},
			"profile:2147483647:created:desc",
			false,
		},
		{
			Timeline{Kind: BookmarksTimeline, Owner: MaxID, Order: ByBookmarked, Direction: Descending},
			"bookmarks:2147483647::desc",
			false,
		},
		{
			Timeline{Kind: DayRankTimeline, Owner: 20_778, Order: ByRepliesToday, Direction: Descending},
			"day_rank:20778:replies_today:desc",
			false,
		},
	}
	for _, tt := range tests {
		tl := tt.timeline
		if tl.Name() != tt.want {
			t.Errorf("%+v has the name %q; want %q", tl, tl.Name(), tt.want)
		}
		if capacity := tl.Capacity(); tl.Snapshot() != tt.snapshot || (capacity != nil) != tt.snapshot ||
			capacity != nil && *capacity != SnapshotSize {
			t.Errorf(
				"%s: Snapshot %t, Capacity %v; want a snapshot with a capacity: %t",
				tl.Name(),
				tl.Snapshot(),
				show(capacity),
				tt.snapshot,
			)
		}
		if o := tl.NamedOrder(); (o != nil) != (tl.Kind != BookmarksTimeline) || o != nil && *o != tl.Order {
			t.Errorf("%s: NamedOrder = %v; want %q, or nil for bookmarks", tl.Name(), o, tl.Order)
		}
		if p := tl.PeriodOfTop(); (p != nil) != (tl.Period != "") || p != nil && *p != tl.Period {
			t.Errorf("%s: PeriodOfTop = %v; want %q", tl.Name(), p, tl.Period)
		}
	}
}

func TestParseTimelineRejectsInvalidNames(t *testing.T) {
	names := []string{
		"", "front", "front:0:active", "front:0:active:desc:", "front:1:active:desc", "front:-1:active:desc",
		"front:00:active:desc",
		"category:0:active:desc", "category:-1:active:desc", "category:07:active:desc", "category:2147483648:active:desc",
		"Category:7:active:desc", "category:7:ACTIVE:desc", "category:7:active:DESC", "category:7:active:down",
		"category:7:warm:desc", "category:7:active:desc:week", "category:7:top:desc",
		"front:0:top:desc:hour", "front:0:top:desc:", "front:0:top:desc:week:week", "front:0:top:desc:WEEK",
		"front:0:top:week:desc", "front:0:hot:desc:all", "front:0:controversial:desc:day",
		"front:0:replies_today:desc", "category:7:replies_today:desc", "front:0:replies:desc", "front:0:down:desc",
		"day_rank:20000:hot:desc", "day_rank:20000:top:desc:day", "day_rank:20000:replies_today:asc",
		"day_rank:20000:replies_today:desc:day",
		"day_rank:0:replies_today:desc", "day_rank:-1:replies_today:desc", "day_rank:2932897:replies_today:desc",
		"day_rank:2026-11-21:replies_today:desc", "dayrank:20000:replies_today:desc",
		"tag:0:active:desc", "tag:-5:active:desc", "tag:4503599627370496:active:desc", "tag:tea:active:desc",
		"tab:2147483648:hot:desc", " category:7:active:desc", "category:7 :active:desc", "category:٧:active:desc",
		"category:+7:active:desc", "user:7:created:desc",
		"profile:7:created:asc", "profile:7:active:desc", "profile:7:top:desc:all", "profile:-1:created:desc",
		"profile:2147483648:created:desc", "profile:00:created:desc",
		"bookmarks:7::asc", "bookmarks:0::desc", "bookmarks:2147483648::desc", "bookmarks:7:created:desc",
		"bookmarks:7::desc:week", "front:0::desc", "home:7::desc",
	}
	for _, name := range names {
		if got, ok := ParseTimeline(name); ok {
			t.Errorf("ParseTimeline(%q) = %+v, true; want false", name, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if got, ok := ParseTimeline(name); ok && got.Name() != name {
			t.Fatalf("ParseTimeline(%q) = %+v, whose name is %q", name, got, got.Name())
		}
	})
}

// Periods reach back from now; ALL has no limit.
func TestPeriods(t *testing.T) {
	now := Time(time.Date(2026, 11, 21, 8, 33, 46, 250_000_000, time.UTC).UnixMilli())
	for p, days := range map[Period]int{PeriodDay: 1, PeriodWeek: 7, PeriodMonth: 30, PeriodYear: 365} {
		if got, want := p.Since(now), now-Time((time.Duration(days)*24*time.Hour).Milliseconds()); got != want {
			t.Errorf("%s began at %d; want %d, %d days before", p, got, want, days)
		}
	}
	if got := PeriodAll.Since(now); got != 0 {
		t.Errorf("ALL began at %d; want 0", got)
	}
}
