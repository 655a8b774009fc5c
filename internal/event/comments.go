package event

import (
	"context"
	"slices"
)

// NextOfComments is Next for a stream of CommentChanges: of several changes to a comment that are known at the same
// time only the last is returned, and none to a comment that is itself still to be reported.
func (sub *Sub) NextOfComments(ctx context.Context) ([]Event, error) {
	for {
		events, err := sub.Next(ctx)
		if events = sub.outdated(events); err != nil || len(events) > 0 {
			return events, err
		}
	}
}

// outdated removes what need not be reported from events. The position of what is left out is passed on with the next
// event.
func (sub *Sub) outdated(events []Event) []Event {
	later := map[int64]bool{}
	for i, e := range slices.Backward(events) {
		switch {
		case e.Log < 0 || !sub.sources[e.Log].log.Latest():
		case e.Kind == "", e.Number > sub.at[0].Major, later[e.Entry.ID]:
			events[i].Log = none
		default:
			later[e.Entry.ID] = true
		}
	}
	return slices.DeleteFunc(events, func(e Event) bool { return e.Log == none })
}

// none is the log of an event that is left out.
const none = -2
