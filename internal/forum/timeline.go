package forum

import (
	"strconv"
	"strings"
)

// TimelineKind is whose list a timeline is.
type TimelineKind string

// The kinds of timelines.
const (
	FrontTimeline    TimelineKind = "FRONT"
	CategoryTimeline TimelineKind = "CATEGORY"
	TabTimeline      TimelineKind = "TAB"
	TagTimeline      TimelineKind = "TAG"
	// DayRankTimeline is the topics with the most comments of one day.
	DayRankTimeline TimelineKind = "DAY_RANK"
	// ProfileTimeline is everything that a user posted.
	ProfileTimeline TimelineKind = "PROFILE"
	// HomeTimeline is what its owner posted and what comes from whom and what they follow.
	HomeTimeline TimelineKind = "HOME"
	// ListTimeline is everything that the users on a list posted.
	ListTimeline TimelineKind = "LIST"
	// BookmarksTimeline is what its owner keeps, by the time of that.
	BookmarksTimeline TimelineKind = "BOOKMARKS"
)

// TopicOrderField is the key by which topics are sorted.
type TopicOrderField string

// The live orders of topics: they show every change at once.
const (
	ByCreated TopicOrderField = "CREATED"
	ByActive  TopicOrderField = "ACTIVE"
	ByScore   TopicOrderField = "SCORE"
	ByHot     TopicOrderField = "HOT"
)

// The orders that are read from snapshots.
const (
	// ByTop is by net votes, among the topics of a Period.
	ByTop           TopicOrderField = "TOP"
	ByControversial TopicOrderField = "CONTROVERSIAL"
	// ByRepliesToday is by comments of a day; only DayRankTimeline has it.
	ByRepliesToday TopicOrderField = "REPLIES_TODAY"
	// ByBookmarked is by time of bookmark; only BookmarksTimeline has it, and the schema
	// has no name for it.
	ByBookmarked TopicOrderField = ""
)

// Period is how far back TOP looks from now.
type Period string

// The periods; PeriodAll has no limit.
const (
	PeriodDay   Period = "DAY"
	PeriodWeek  Period = "WEEK"
	PeriodMonth Period = "MONTH"
	PeriodYear  Period = "YEAR"
	PeriodAll   Period = "ALL"
)

// periods are the lengths of the periods, in days.
var periods = map[Period]int64{PeriodDay: 1, PeriodWeek: 7, PeriodMonth: 30, PeriodYear: 365, PeriodAll: 0}

// Since is the earliest time of posting that a topic of the period has; 0 for all.
func (p Period) Since(now Time) Time {
	days := periods[p]
	if days == 0 {
		return 0
	}
	return now - Time(days*secondsPerDay*1000)
}

// OrderDirection is which end of an order comes first.
type OrderDirection string

// The two directions.
const (
	Ascending  OrderDirection = "ASC"
	Descending OrderDirection = "DESC"
)

// TimelineID is the name of a timeline as part of its global id.
type TimelineID string

// Timeline is an ordered list of topics. It is a value: two timelines with the
// same fields are the same list.
type Timeline struct {
	Kind TimelineKind
	// Owner is the category's, tab's, tag's, user's or list's id, the number of a Day; 0 for the site's front.
	Owner     int64
	Order     TopicOrderField
	Direction OrderDirection
	// Period is how far back TOP looks; "" in all other orders.
	Period Period
}

// Name is the timeline's canonical name, such as "category:7:active:desc" or
// "front:0:top:desc:week". It binds cursors to the list and is part of the global id.
func (t Timeline) Name() string {
	parts := []string{string(t.Kind), strconv.FormatInt(t.Owner, 10), string(t.Order), string(t.Direction)}
	if t.Period != "" {
		parts = append(parts, string(t.Period))
	}
	return strings.ToLower(strings.Join(parts, ":"))
}

// ID is the timeline's name.
func (t Timeline) ID() TimelineID { return TimelineID(t.Name()) }

// NamedOrder is the order; nil where the schema has no name for it.
func (t Timeline) NamedOrder() *TopicOrderField {
	if t.Order == ByBookmarked {
		return nil
	}
	return &t.Order
}

// PeriodOfTop is the period; nil where there is none.
func (t Timeline) PeriodOfTop() *Period {
	if t.Period == "" {
		return nil
	}
	return &t.Period
}

// Snapshot reports whether the timeline is read from snapshots.
func (t Timeline) Snapshot() bool { return t.Order == ByTop || t.Order == ByControversial }

// Capacity is the most topics the timeline keeps; nil for all.
func (t Timeline) Capacity() *int {
	most := SnapshotSize
	switch {
	case t.Kind == HomeTimeline:
		most = HomeSize
	case !t.Snapshot():
		return nil
	}
	return &most
}

// Counted reports whether the timeline knows how long it is: homes and lists would have
// to be counted by filtering.
func (t Timeline) Counted() bool { return t.Kind != HomeTimeline && t.Kind != ListTimeline }

// ParseTimeline reads a name that Name made.
func ParseTimeline(name string) (Timeline, bool) {
	parts := strings.Split(strings.ToUpper(name), ":")
	if len(parts) == 4 {
		parts = append(parts, "")
	}
	if len(parts) != 5 {
		return Timeline{}, false
	}
	owner, err := strconv.ParseInt(parts[1], 10, 64)
	t := Timeline{
		Kind:      TimelineKind(parts[0]),
		Owner:     owner,
		Order:     TopicOrderField(parts[2]),
		Direction: OrderDirection(parts[3]),
		Period:    Period(parts[4]),
	}
	return t, err == nil && t.Valid() && t.Name() == name
}

// Valid reports whether there can be such a timeline.
func (t Timeline) Valid() bool {
	if t.Direction != Ascending && t.Direction != Descending {
		return false
	}
	if _, ok := periods[t.Period]; ok != (t.Order == ByTop) {
		return false
	}
	switch t.Order {
	case ByRepliesToday:
		return t.Kind == DayRankTimeline && t.Direction == Descending && t.Owner > 0 && t.Owner <= maxDay
	case ByBookmarked:
		return t.Kind == BookmarksTimeline && t.Direction == Descending && t.Owner > 0 && t.Owner <= MaxID
	case ByCreated, ByActive, ByScore, ByHot, ByTop, ByControversial:
	default:
		return false
	}
	switch t.Kind {
	case FrontTimeline:
		return t.Owner == 0
	case ProfileTimeline: // the ghost's is empty
		return t.Order == ByCreated && t.Direction == Descending && t.Owner >= 0 && t.Owner <= MaxID
	case HomeTimeline, ListTimeline:
		return t.Order == ByCreated && t.Direction == Descending && t.Owner > 0 && t.Owner <= MaxID
	case CategoryTimeline, TabTimeline:
		return t.Owner > 0 && t.Owner <= MaxID
	case TagTimeline:
		return t.Owner > 0 && t.Owner <= int64(MaxTagID)
	}
	return false
}

// maxDay is in the year 9999, the last that dates can name.
const maxDay = 2_932_896
