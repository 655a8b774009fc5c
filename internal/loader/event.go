package loader

import (
	"context"

	"agora/internal/event"
	"agora/internal/forum"
	"agora/internal/store/listing"
)

// EventIDs returns where streams are now: the ID after which whatever the response does not show yet comes; nil if that
// cannot be found because Redis refuses writes.
func (l *Loaders) EventIDs(ctx context.Context, streams []event.Stream) ([]*string, []error) {
	var logs []listing.Log
	for _, s := range streams {
		logs = append(logs, s.Logs...)
	}
	ends, failed := l.logEnds.many(ctx, logs)
	ids := make([]*string, len(streams))
	var errs []error
	for i, s := range streams {
		at, known := make([]listing.LogPosition, len(s.Logs)), true
		for n := range s.Logs {
			at[n], known = ends[n].Position, known && ends[n].Known
			if len(failed) > 0 {
				errs = addError(errs, len(streams), i, failed[n])
			}
		}
		ends = ends[len(s.Logs):]
		if len(failed) > 0 {
			failed = failed[len(s.Logs):]
		}
		if known {
			id := s.ID(at)
			ids[i] = &id
		}
	}
	return ids, errs
}

// TimelineStreams returns the streams of timelines. It takes another step of reads for the categories of tabs and the
// members of lists, with those of the timelines themselves.
func (l *Loaders) TimelineStreams(ctx context.Context, timelines []forum.Timeline) ([]event.Stream, []error) {
	categories, users, errs := l.timelineSources(ctx, timelines)
	streams := make([]event.Stream, len(timelines))
	for i, t := range timelines {
		streams[i] = event.OfTimeline(t, listing.TimelineLogs(t, categories[i], users[i]))
	}
	return streams, errs
}
