package forum

// EventKind is the kind of an event.
type EventKind string

// The kinds of events.
const (
	// EventAdded means that an entry was added.
	EventAdded EventKind = "ADDED"
	// EventMoved means that an entry changed its position.
	EventMoved EventKind = "MOVED"
	// EventChanged means that an entry was edited or voted on.
	EventChanged EventKind = "CHANGED"
	// EventRemoved means that an entry was removed.
	EventRemoved EventKind = "REMOVED"
	// EventRead means that notifications were marked as read.
	EventRead EventKind = "READ"
	// EventReset means that events were lost, so the client must read again.
	EventReset EventKind = "RESET"
)
