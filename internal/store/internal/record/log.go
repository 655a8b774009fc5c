package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// LiveOrders are the stored orders of a container by their names in the API.
var LiveOrders = map[forum.TopicOrderField]string{
	forum.ByCreated: key.OrderCreated, forum.ByActive: key.OrderActive, forum.ByScore: key.OrderScore,
	forum.ByHot:          key.OrderHot,
	forum.ByRepliesToday: key.OrderReplies,
}

// Place is where an entry stands in its log: Major rises, Minor tells entries with the same
// Major apart, or the entry from another that has taken its number since. The zero Place
// stands before all.
type LogPosition struct{ Major, Minor int64 }

// Compare tells which of two places comes first, as cmp.Compare does.
func (p LogPosition) Compare(o LogPosition) int {
	return cmp.Or(cmp.Compare(p.Major, o.Major), cmp.Compare(p.Minor, o.Minor))
}

// Entry is one thing that happened.
type Entry struct {
	LogPosition
	// Kind is "" of an entry that tells nothing, RESET of one that tells too much.
	Kind forum.EventKind
	// ID is the comment, the notification's number, or the topic.
	ID int64
	// CreatedAt is when the topic was posted.
	CreatedAt forum.Time
	// orders are the orders of a container in which the topic moved.
	orders string
}

// Moves reports whether the entry is of interest in an order of a timeline: all are but such
// as stand where they stood.
func (e Entry) Moves(order forum.TopicOrderField) bool {
	if e.Kind != forum.EventMoved {
		return true
	}
	at := slices.Index(key.TopicOrders, LiveOrders[order])
	if order == forum.ByRepliesToday {
		at = 0
	}
	return at < 0 || strings.Contains(e.orders, strconv.Itoa(at))
}

// NumberedPosition is the place of an entry of a sorted set whose scores are numbers.
func NumberedPosition(z redis.Z) LogPosition {
	text, _ := z.Member.(string)
	return LogPosition{Major: int64(z.Score), Minor: Atoi(text)}
}

// ParseStreamID reads the id of an entry of a stream.
func ParseStreamID(id string) LogPosition {
	ms, n, _ := strings.Cut(id, "-")
	return LogPosition{Major: Atoi(ms), Minor: Atoi(n)}
}

// Part is a part of a log.
type Part struct {
	Entries []Entry
	// Lost tells that the place from which it was to be read on is no longer there: there
	// are no entries, and what happened since is unknown.
	Lost bool
	// Whole tells that there is no more.
	Whole bool
}

// ReadsPosition is the place of the last change in what note_read wrote.
func ReadsPosition(value string) LogPosition {
	number, time, _ := ParseReads(value)
	return LogPosition{Major: number, Minor: time}
}

// streamKinds are the kinds of entries of streams. That with which it begins has none.
var streamKinds = map[string]forum.EventKind{"A": forum.EventAdded, "M": forum.EventMoved, "R": forum.EventRemoved,
	"X": forum.EventReset}

// StreamEntry reads an entry of a stream.
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

// PartAfter is what follows the place with which all should begin.
func PartAfter(all []Entry, after LogPosition, most int) Part {
	if len(all) == 0 || all[0].LogPosition != after {
		return Part{Lost: true, Whole: true}
	}
	return PartOf(all[1:], false, most)
}

// PartOf is up to most entries of all; lost says that nobody knows what came before them.
func PartOf(all []Entry, lost bool, most int) Part {
	if lost {
		return Part{Lost: true, Whole: true}
	}
	return Part{Entries: all[:min(len(all), most)], Whole: len(all) <= most}
}
