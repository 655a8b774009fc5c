package forum

import (
	"strconv"
	"strings"
)

// TimelineKind is the kind of a timeline.
type TimelineKind string

// The kinds of timelines.
const (
	FrontTimeline    TimelineKind = "FRONT"
	CategoryTimeline TimelineKind = "CATEGORY"
	TabTimeline      TimelineKind = "TAB"
	TagTimeline      TimelineKind = "TAG"
	// DayRankTimeline is the topics with the most comments of one day.
	DayRankTimeline TimelineKind = "DAY_RANK"
	// ProfileTimeline is all topics of a user.
	ProfileTimeline TimelineKind = "PROFILE"
	// HomeTimeline is the owner's topics and those of the users, categories and tags that the owner
	// follows.
	HomeTimeline TimelineKind = "HOME"
	// ListTimeline is all topics of the users on a list.
	ListTimeline TimelineKind = "LIST"
	// BookmarksTimeline is the owner's bookmarks, by time of bookmarking.
	BookmarksTimeline TimelineKind = "BOOKMARKS"
)

// TopicOrderField is the sort key of a list of topics.
type TopicOrderField string

// The live orders of topics. They show every change immediately.
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
	// ByRepliesToday is by the number of comments on a day; only DayRankTimeline has it.
	ByRepliesToday TopicOrderField = "REPLIES_TODAY"
	// ByBookmarked is by time of bookmarking; only BookmarksTimeline has it, and it has no name in
	// the schema.
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

// Since returns the earliest posting time in the period; 0 for PeriodAll.
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
	// Owner is the id of the category, tab, tag, user or list, or the number of a Day; 0 for the
	// front page.
	Owner     int64
	Order     TopicOrderField
	Direction OrderDirection
	// Period is how far back TOP looks; "" in all other orders.
	Period Period
	// Kinds are the kinds of topics that it shows; 0 is all. Such a timeline has the positions of the one of all kinds.
	Kinds TopicKinds
	// Rooms names the rooms of a tab that its snapshots have; "" if they have none. It is no part of the name.
	Rooms string
}

// AllKinds returns the timeline without regard to kinds.
func (t Timeline) AllKinds() Timeline {
	t.Kinds = 0
	return t
}

// NamedKinds returns the kinds that it shows; nil for all.
func (t Timeline) NamedKinds() []TopicKind {
	if t.Kinds == 0 {
		return nil
	}
	return t.Kinds.Kinds()
}

// Name returns the timeline's canonical name, such as "category:7:active:desc" or
// "front:0:top:desc:week". It binds cursors to the list and is part of the global id.
func (t Timeline) Name() string {
	parts := []string{string(t.Kind), strconv.FormatInt(t.Owner, 10), string(t.Order), string(t.Direction)}
	if t.Period != "" || t.Kinds != 0 {
		parts = append(parts, string(t.Period))
	}
	if t.Kinds != 0 {
		parts = append(parts, t.Kinds.String())
	}
	return strings.ToLower(strings.Join(parts, ":"))
}

// ID returns the timeline's name.
func (t Timeline) ID() TimelineID { return TimelineID(t.Name()) }

// NamedOrder returns the order, or nil if it has no name in the schema.
func (t Timeline) NamedOrder() *TopicOrderField {
	if t.Order == ByBookmarked {
		return nil
	}
	return &t.Order
}

// PeriodOfTop returns the period, or nil if the order is not TOP.
func (t Timeline) PeriodOfTop() *Period {
	if t.Period == "" {
		return nil
	}
	return &t.Period
}

// Snapshot reports whether the timeline is read from snapshots.
func (t Timeline) Snapshot() bool { return t.Order == ByTop || t.Order == ByControversial }

// Capacity returns the maximum number of topics in the timeline, or nil if it is unlimited.
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

// Counted reports whether the timeline has a total. Counting a home, a list or the topics of some kinds would mean
// filtering all of it.
func (t Timeline) Counted() bool {
	return t.Kind != HomeTimeline && t.Kind != ListTimeline && t.Kinds == 0
}

// ParseTimeline parses a name returned by Name.
func ParseTimeline(name string) (Timeline, bool) {
	parts := strings.Split(strings.ToUpper(name), ":")
	if len(parts) < 4 || len(parts) > 6 {
		return Timeline{}, false
	}
	parts = append(parts, "", "")
	kinds, ok := parseKinds(parts[5])
	owner, err := strconv.ParseInt(parts[1], 10, 64)
	t := Timeline{
		Kind:      TimelineKind(parts[0]),
		Owner:     owner,
		Order:     TopicOrderField(parts[2]),
		Direction: OrderDirection(parts[3]),
		Period:    Period(parts[4]),
		Kinds:     kinds,
	}
	return t, ok && err == nil && t.Valid() && t.Name() == name
}

// Valid reports whether such a timeline can exist.
func (t Timeline) Valid() bool {
	if t.Direction != Ascending && t.Direction != Descending {
		return false
	}
	if _, ok := periods[t.Period]; ok != (t.Order == ByTop) {
		return false
	}
	if t.Kinds != 0 && (t.Kind == DayRankTimeline || t.Kind == BookmarksTimeline) {
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

// maxDay is in the year 9999, the last that dates can express.
const maxDay = 2_932_896
