package record

import (
	"cmp"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// End is where a log ends, if that could be found.
type End struct {
	Position LogPosition
	Known    bool
}

// StreamKept is the approximate number of entries that a stream keeps: those sent to a returning subscriber, and the
// one after which they come.
const StreamKept = forum.StreamLength + 1

// LogPosition is the position of an entry in its log. Major rises; Minor distinguishes entries with the
// same Major, or the entry from another that has reused its number. The zero LogPosition comes before all.
type LogPosition struct{ Major, Minor int64 }

// Compare compares two positions like cmp.Compare.
func (p LogPosition) Compare(o LogPosition) int {
	return cmp.Or(cmp.Compare(p.Major, o.Major), cmp.Compare(p.Minor, o.Minor))
}

// Entry is one event.
type Entry struct {
	LogPosition
	// Kind is "" for an entry without an event, RESET if too many events happened together.
	Kind forum.EventKind
	// ID is the id of the comment or topic, or the notification's number.
	ID int64
	// Number is the number of a comment that was changed.
	Number int64
	// CreatedAt is when the topic was posted.
	CreatedAt forum.Time
	// orders are the places of the orders of a container in which the topic moved; of a case it is the category.
	orders string
}

// Moves reports whether the entry matters in an order of a timeline: all do, except moves that leave the
// topic's position in the order unchanged.
func (e Entry) Moves(order forum.TopicOrderField) bool {
	if e.Kind != forum.EventMoved {
		return true
	}
	stored, live := LiveOrders[order]
	if order == forum.ByRepliesToday {
		stored = key.TopicOrders[0] // a day has one order
	}
	return !live || strings.ContainsAny(e.orders, places(stored, key.OrderPinned)) // a pinned topic moves in all orders
}

// In returns the category of an entry of the log of cases; 0 for none.
func (e Entry) In() forum.CategoryID { return forum.CategoryID(Atoi(e.orders)) }

// NumberedPosition returns the position of an entry of a sorted set whose scores are numbers.
func NumberedPosition(z redis.Z) LogPosition {
	text, _ := z.Member.(string)
	return LogPosition{Major: int64(z.Score), Minor: Atoi(text)}
}

// ParseStreamID parses the id of an entry of a stream.
func ParseStreamID(id string) LogPosition {
	ms, n, _ := strings.Cut(id, "-")
	return LogPosition{Major: Atoi(ms), Minor: Atoi(n)}
}

// Part is a part of a log.
type Part struct {
	Entries []Entry
	// Lost reports that the position to read from no longer exists: there are no entries, and the events
	// since are unknown.
	Lost bool
	// Whole reports that there are no more entries.
	Whole bool
}

// ReadsPosition returns the position of the last change in a value that note_read wrote.
func ReadsPosition(value string) LogPosition {
	number, time, _ := ParseReads(value)
	return LogPosition{Major: number, Minor: time}
}

// streamKinds are the kinds of entries of streams. The first entry of a stream has none.
var streamKinds = map[string]forum.EventKind{"A": forum.EventAdded, "M": forum.EventMoved, "R": forum.EventRemoved,
	"X": forum.EventReset}

// StreamEntry parses an entry of a stream.
func StreamEntry(m redis.XMessage) Entry {
	text := func(field string) string { v, _ := m.Values[field].(string); return v }
	e := Entry{LogPosition: ParseStreamID(m.ID), Kind: streamKinds[text("k")], orders: text("o")}
	if id, created, err := ParseMember(text("m")); err == nil {
		e.ID, e.CreatedAt = id, created
	} else { // a bookmark
		e.ID = Atoi(text("m"))
	}
	return e
}

// PartAfter returns the entries after a position, which must be that of the first entry.
func PartAfter(all []Entry, after LogPosition, most int) Part {
	if len(all) == 0 || all[0].LogPosition != after {
		return Part{Lost: true, Whole: true}
	}
	return PartOf(all[1:], false, most)
}

// PartOf returns up to most entries of all; lost reports that earlier entries are unknown.
func PartOf(all []Entry, lost bool, most int) Part {
	if lost {
		return Part{Lost: true, Whole: true}
	}
	return Part{Entries: all[:min(len(all), most)], Whole: len(all) <= most}
}
