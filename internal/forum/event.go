package forum

// EventKind is what an event tells.
type EventKind string

// The kinds of events.
const (
	// EventAdded tells that something came.
	EventAdded EventKind = "ADDED"
	// EventMoved tells that something stands at another place.
	EventMoved EventKind = "MOVED"
	// EventRemoved tells that something went.
	EventRemoved EventKind = "REMOVED"
	// EventRead means that notifications were marked as read.
	EventRead EventKind = "READ"
	// EventReset tells that more was missed than is kept.
	EventReset EventKind = "RESET"
)
