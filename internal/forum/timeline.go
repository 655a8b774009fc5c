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
)

// TopicOrderField is the key by which topics are sorted.
type TopicOrderField string

// The live orders of topics.
const (
	ByCreated TopicOrderField = "CREATED"
	ByActive  TopicOrderField = "ACTIVE"
)

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
	// Owner is the category's or tab's id; 0 for the site's front.
	Owner     int64
	Order     TopicOrderField
	Direction OrderDirection
}

// Name is the timeline's canonical name, such as "category:7:active:desc". It
// binds cursors to the list and is part of the global id.
func (t Timeline) Name() string {
	return strings.ToLower(strings.Join([]string{string(t.Kind), strconv.FormatInt(t.Owner, 10), string(t.Order), string(t.Direction)}, ":"))
}

// ID is the timeline's name.
func (t Timeline) ID() TimelineID { return TimelineID(t.Name()) }

// Capacity is the most topics the timeline keeps: nil, all, in the present kinds.
func (t Timeline) Capacity() *int { return nil }

// ExpiresAt is when the timeline stops being readable: 0, never, in the present kinds.
func (t Timeline) ExpiresAt() Time { return 0 }

// ParseTimeline reads a name that Name made.
func ParseTimeline(name string) (Timeline, bool) {
	parts := strings.Split(name, ":")
	if len(parts) != 4 {
		return Timeline{}, false
	}
	owner, err := strconv.ParseInt(parts[1], 10, 64)
	t := Timeline{
		Kind:      TimelineKind(strings.ToUpper(parts[0])),
		Owner:     owner,
		Order:     TopicOrderField(strings.ToUpper(parts[2])),
		Direction: OrderDirection(strings.ToUpper(parts[3])),
	}
	return t, err == nil && t.valid() && t.Name() == name
}

func (t Timeline) valid() bool {
	owned := t.Kind == CategoryTimeline || t.Kind == TabTimeline
	return (t.Kind == FrontTimeline && t.Owner == 0 || owned && t.Owner > 0 && t.Owner <= MaxID) &&
		(t.Order == ByCreated || t.Order == ByActive) &&
		(t.Direction == Ascending || t.Direction == Descending)
}
