package listing

import (
	"context"
	"fmt"
	"slices"

	"agora/internal/forum"
	"agora/internal/store/internal/eventlog"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
)

// Log is an ordered list of events that only grows at its end and can be read on from any entry.
type Log = eventlog.Log

// The logs that subscriptions follow.
var (
	// CommentLog is the log of a topic's comments, in order of posting.
	CommentLog = eventlog.Comments
	// ChangeLog is the log of a topic's comments being edited, voted on and deleted: the latest change of each.
	ChangeLog = eventlog.Changes
	// NotificationLog is the log of a user's notifications.
	NotificationLog = eventlog.Notifications
	// ReadLog is the log of a user's notifications being marked as read: the entry's ID is the number of the
	// notification, or 0 if there were several.
	ReadLog = eventlog.Reads
)

// TopicSignal announces that a topic has changed.
func TopicSignal(id forum.TopicID) Log { return eventlog.TopicSignal(id) }

// SessionSignal announces that sessions of a user, or the rights of these, have changed.
func SessionSignal(id forum.UserID) Log { return eventlog.AccessSignal(id) }

// SourceLogs are the logs of changes to the other logs of a timeline: to the categories of a tab, or the members of a
// list.
func SourceLogs(t forum.Timeline) []Log {
	switch t.Kind {
	case forum.TabTimeline:
		return []Log{eventlog.Stream(key.Events(key.Tab(forum.TabID(t.Owner))))}
	case forum.ListTimeline:
		return []Log{eventlog.Stream(key.Events(key.List(forum.ListID(t.Owner))))}
	}
	return nil
}

// TimelineLogs returns the logs of a timeline: one for each of its indexes, or for each user on a list.
func TimelineLogs(t forum.Timeline, categories []forum.CategoryID, members []forum.UserID) []Log {
	switch t.Kind {
	case forum.HomeTimeline:
		return []Log{eventlog.Stream(key.Events(key.Home(forum.UserID(t.Owner))))}
	case forum.ProfileTimeline:
		return []Log{eventlog.Stream(key.Events(key.Profile(forum.UserID(t.Owner))))}
	case forum.BookmarksTimeline:
		return []Log{eventlog.Stream(key.Events(key.Bookmarks(forum.UserID(t.Owner))))}
	case forum.ListTimeline:
		logs := make([]Log, len(members))
		for i, id := range slices.Sorted(slices.Values(members)) {
			logs[i] = eventlog.Stream(key.Events(key.Profile(id)))
		}
		return logs
	}
	var logs []Log
	for _, c := range TimelineContainers(t, categories) {
		logs = append(logs, eventlog.Stream(c.Events()))
	}
	return logs
}

// Watch returns where logs currently end, or why that cannot be read. It also extends the life of the
// streams among them.
func (s *Store) Watch(ctx context.Context, logs []Log) (ends []LogPosition, errs []error) {
	b := s.engine.Client.Batch()
	gets := make([]func() (LogPosition, error), len(logs))
	for i, l := range logs {
		gets[i] = l.End(ctx, b)
	}
	if b.Len() > 0 {
		_ = b.Exec(ctx) // each command has its own error
	}
	ends, errs = make([]LogPosition, len(logs)), make([]error, len(logs))
	for i, get := range gets {
		var err error
		if ends[i], err = get(); err != nil {
			errs[i] = fmt.Errorf("find the end of %s: %w", logs[i].Name(), err)
		}
	}
	return ends, errs
}

// Ends finds where logs end now. What is queued afterwards sees at least what the logs have up to there. A stream that
// Redis cannot keep now, because it refuses writes, is not known.
func (r Read) Ends(logs []Log) func() ([]End, error) {
	r.read.Batch.FromMasters()
	gets := make([]func() (LogPosition, error), len(logs))
	for i, l := range logs {
		gets[i] = l.End(r.read.Ctx, r.read.Batch)
		if l.Streamed() {
			r.read.Optional = append(r.read.Optional, r.read.Batch.Cmds()[r.read.Batch.Len()-1])
		}
	}
	return func() ([]End, error) {
		if r.read.Err != nil {
			return nil, r.read.Err
		}
		ends := make([]End, len(logs))
		for i, get := range gets {
			at, err := get()
			ends[i] = End{Position: at, Known: err == nil && (!logs[i].Streamed() || at != LogPosition{})}
		}
		return ends, nil
	}
}

// Since reads up to most entries of a log after a position. Its result does not depend on whether other
// reads fail.
func (r Read) Since(l Log, after LogPosition, most int) func() (Part, error) {
	return l.Since(r.read.Ctx, r.read.Batch, after, most)
}

// LogsOf reads the current logs of a timeline, for a viewer who may read it by the rules of the site.
func (s *Store) LogsOf(ctx context.Context, t forum.Timeline, viewer *forum.Viewer, rules forum.Rules) ([]Log, error) {
	r := s.engine.Read(ctx)
	var categories []forum.CategoryID
	var members []forum.UserID
	switch t.Kind {
	case forum.TabTimeline:
		get := On(r).Page(TabCategories(forum.TabID(t.Owner)),
			forum.Window{Count: forum.MaxTabCategories, Bare: true, Uncounted: true})
		if err := r.Exec(); err != nil {
			return nil, fmt.Errorf("categories of tab %d: %w", t.Owner, err)
		}
		page, err := get()
		if err != nil {
			return nil, err
		}
		for _, row := range page.Rows {
			if id := forum.CategoryID(row.ID); rules.In(id).SeenBy(viewer) {
				categories = append(categories, id)
			}
		}
	case forum.ListTimeline:
		get := On(r).ListedUsers(viewer.ID, forum.ListID(t.Owner))
		if err := r.Exec(); err != nil {
			return nil, fmt.Errorf("members of list %d: %w", t.Owner, err)
		}
		var err error
		if members, err = get(); err != nil {
			return nil, err
		}
	}
	return TimelineLogs(t, categories, members), nil
}

// LogPosition is the position of an entry in its log.
type LogPosition = record.LogPosition

// Entry is one event.
type Entry = record.Entry

// End is where a log ends, if that could be found.
type End = record.End

// Part is what follows a position in a log.
type Part = record.Part
