package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Log is an ordered list of events that only grows at its end and can be read on from any entry. Redis
// publishes on Channel when there may be more entries; that only wakes readers. It is a value: two logs
// with the same fields are equal.
//
// Comments and notifications are logs by themselves, because they have increasing numbers. Events of
// timelines are written into streams, which are kept only while they are watched. Of read marks only the
// last change is kept.
type Log struct {
	// Channel is the pub/sub channel on which new entries are announced.
	Channel string
	// note is the first word of messages that announce entries of this log, on a channel that several logs
	// share; "" is every message.
	note string
	key  string // "" is a signal: no entries are kept
	sort logSort
}

type logSort int

const (
	numbered logSort = iota // a ZSET whose scores are the numbers of the entries
	streamed                // a STREAM
	counted                 // a HASH whose field has the number and time of the last change
)

// CommentLog is the log of a topic's comments, in order of posting.
func CommentLog(id forum.TopicID) Log {
	return Log{Channel: key.Topic(id), note: "c", key: key.TopicComments(id)}
}

// NotificationLog is the log of a user's notifications.
func NotificationLog(id forum.UserID) Log {
	return Log{Channel: key.User(id), note: "note", key: key.Notes(id)}
}

// ReadLog is the log of a user's notifications being marked as read: the entry's ID is the number of the
// notification, or 0 if there were several.
func ReadLog(id forum.UserID) Log {
	return Log{Channel: key.User(id), note: "read", key: key.User(id), sort: counted}
}

// TopicSignal announces that a topic has changed.
func TopicSignal(id forum.TopicID) Log { return Log{Channel: key.Topic(id)} }

// SessionSignal announces that sessions of a user, or the rights of these, have changed.
func SessionSignal(id forum.UserID) Log { return Log{Channel: key.Sessions(id)} }

// SourceSignals announce that the logs of a timeline have changed: the categories of a tab, the members of a list, or
// the parts of an index.
func SourceSignals(t forum.Timeline) []Log {
	divided := Log{Channel: key.Divisions}
	switch t.Kind {
	case forum.FrontTimeline, forum.CategoryTimeline:
		return []Log{divided}
	case forum.TabTimeline:
		return []Log{{Channel: key.Tab(forum.TabID(t.Owner))}, divided}
	case forum.ListTimeline:
		return []Log{{Channel: key.List(forum.ListID(t.Owner))}}
	}
	return nil
}

// TimelineLogs returns the logs of a timeline: one for each of its indexes or parts of these, or for each user on a
// list.
func (s *Store) TimelineLogs(ctx context.Context, t forum.Timeline, categories []forum.CategoryID,
	members []forum.UserID) []Log {
	switch t.Kind {
	case forum.HomeTimeline:
		return []Log{streamOf(key.Events(key.Home(forum.UserID(t.Owner))))}
	case forum.ProfileTimeline:
		return []Log{streamOf(key.Events(key.Profile(forum.UserID(t.Owner))))}
	case forum.BookmarksTimeline:
		return []Log{streamOf(key.Events(key.Bookmarks(forum.UserID(t.Owner))))}
	case forum.ListTimeline:
		logs := make([]Log, len(members))
		for i, id := range slices.Sorted(slices.Values(members)) {
			logs[i] = streamOf(key.Events(key.Profile(id)))
		}
		return logs
	}
	view, logs := s.lists.View(ctx), []Log(nil)
	for _, index := range timelineContainers(t, categories) {
		for _, c := range view.Containers(index) {
			logs = append(logs, streamOf(c.Events()))
		}
	}
	return logs
}

func streamOf(key string) Log { return Log{Channel: key, key: key, sort: streamed} }

// Name identifies the log in event ids.
func (l Log) Name() string { return l.key }

// Signal reports whether no entries are kept: there is nothing to read.
func (l Log) Signal() bool { return l.key == "" }

// Announces reports whether a message on the log's channel is about it.
func (l Log) Announces(message string) bool {
	word, _, _ := strings.Cut(message, " ")
	return l.note == "" || word == l.note
}

// Announced parses the entry that a message announces, in a log whose numbers have no gaps. If it is the
// next entry, the log need not be read.
func (l Log) Announced(message string) (e Entry, ok bool) {
	var word string
	if l.sort == counted {
		n, err := fmt.Sscanf(message, "%s %d %d %d", &word, &e.Major, &e.Minor, &e.ID)
		e.Kind = forum.EventRead
		return e, err == nil && n == 4 && word == l.note
	}
	n, err := fmt.Sscanf(message, "%s %d %d", &word, &e.Major, &e.Minor)
	e.Kind, e.ID = forum.EventAdded, e.Minor
	return e, err == nil && n == 3 && word == l.note
}

// Watch returns where logs currently end, or why that cannot be read. It also extends the life of the
// streams among them.
func (s *Store) Watch(ctx context.Context, logs []Log) (ends []LogPosition, errs []error) {
	b := s.rdb.Batch()
	gets := make([]func() (LogPosition, error), len(logs))
	for i, l := range logs {
		gets[i] = queueEnd(ctx, b, l)
	}
	if b.Len() > 0 {
		_ = b.Exec(ctx) // each command has its own error
	}
	ends, errs = make([]LogPosition, len(logs)), make([]error, len(logs))
	for i, get := range gets {
		var err error
		if ends[i], err = get(); err != nil {
			errs[i] = fmt.Errorf("find the end of %s: %w", logs[i].key, err)
		}
	}
	return ends, errs
}

// queueEnd queues finding the end of a log. A stream is kept from then on.
func queueEnd(ctx context.Context, b *pipeline.Batch, l Log) func() (LogPosition, error) {
	switch {
	case l.Signal():
		return func() (LogPosition, error) { return LogPosition{}, nil }
	case l.sort == streamed:
		cmd := b.Run(ctx, script.LogWatch{Events: l.key, Life: forum.StreamLife})
		return func() (LogPosition, error) {
			id, err := cmd.Text()
			return record.ParseStreamID(id), err
		}
	case l.sort == counted:
		cmd := b.HGet(ctx, l.key, record.ReadsField)
		return func() (LogPosition, error) {
			return record.ReadsPosition(cmd.Val()), pipeline.UnlessNil(cmd.Err())
		}
	}
	cmd := b.ZRevRangeWithScores(ctx, l.key, 0, 0)
	return func() (LogPosition, error) {
		if len(cmd.Val()) == 0 {
			return LogPosition{}, cmd.Err()
		}
		return record.NumberedPosition(cmd.Val()[0]), cmd.Err()
	}
}

// Ends finds where logs end now. What is queued afterwards sees at least what the logs have up to there. A stream that
// Redis cannot keep now, because it refuses writes, is not known.
func (r *Read) Ends(logs []Log) func() ([]End, error) {
	r.b.FromMasters()
	gets := make([]func() (LogPosition, error), len(logs))
	for i, l := range logs {
		gets[i] = queueEnd(r.ctx, r.b, l)
		if l.sort == streamed {
			r.optional = append(r.optional, r.b.Cmds()[r.b.Len()-1])
		}
	}
	return func() ([]End, error) {
		if r.err != nil {
			return nil, r.err
		}
		ends := make([]End, len(logs))
		for i, get := range gets {
			at, err := get()
			ends[i] = End{Position: at, Known: err == nil && (logs[i].sort != streamed || at != LogPosition{})}
		}
		return ends, nil
	}
}

// Since reads up to most entries of a log after a position. Its result does not depend on whether other
// reads fail.
func (r *Read) Since(l Log, after LogPosition, most int) func() (Part, error) {
	switch l.sort {
	case streamed:
		return r.streamSince(l, after, most)
	case counted:
		return r.countSince(l, after)
	}
	// From that entry on, to check that it still exists, and one more, to see whether there are more.
	cmd := r.b.ZRangeByScoreWithScores(r.ctx, l.key,
		&redis.ZRangeBy{Min: strconv.FormatInt(after.Major, 10), Max: "+inf", Count: int64(most + 2)})
	return func() (Part, error) {
		if err := cmd.Err(); err != nil {
			return Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		all := make([]Entry, 0, len(cmd.Val()))
		for _, z := range cmd.Val() {
			p := record.NumberedPosition(z)
			all = append(all, Entry{LogPosition: p, Kind: forum.EventAdded, ID: p.Minor})
		}
		if after == (LogPosition{}) {
			lost := len(all) > 0 && all[0].Major != 1
			return record.PartOf(all, lost, most), nil
		}
		return record.PartAfter(all, after, most), nil
	}
}

func (r *Read) streamSince(l Log, after LogPosition, most int) func() (Part, error) {
	cmd := r.b.XRangeN(r.ctx, l.key, fmt.Sprintf("%d-%d", after.Major, after.Minor), "+", int64(most+2))
	return func() (Part, error) {
		if err := cmd.Err(); err != nil {
			return Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		all := make([]Entry, 0, len(cmd.Val()))
		for _, m := range cmd.Val() {
			all = append(all, record.StreamEntry(m))
		}
		return record.PartAfter(all, after, most), nil
	}
}

// countSince returns one entry for all changes after a position.
func (r *Read) countSince(l Log, after LogPosition) func() (Part, error) {
	cmd := r.b.HGet(r.ctx, l.key, record.ReadsField)
	return func() (Part, error) {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		last := record.ReadsPosition(cmd.Val())
		part := Part{Whole: true}
		switch {
		case last.Major > after.Major:
			part.Entries = []Entry{{LogPosition: last, Kind: forum.EventRead}}
		case last != after:
			part.Lost = true
		}
		return part, nil
	}
}

// LogsOf reads the current logs of a timeline, for a viewer who may read it.
func (s *Store) LogsOf(ctx context.Context, t forum.Timeline, viewer *forum.Viewer) ([]Log, error) {
	r := s.Read(ctx)
	var categories []forum.CategoryID
	var members []forum.UserID
	switch t.Kind {
	case forum.TabTimeline:
		get := r.Page(TabCategories(forum.TabID(t.Owner)),
			forum.Window{Count: forum.MaxTabCategories, Bare: true, Uncounted: true})
		if err := r.Exec(); err != nil {
			return nil, fmt.Errorf("categories of tab %d: %w", t.Owner, err)
		}
		page, err := get()
		if err != nil {
			return nil, err
		}
		for _, row := range page.Rows {
			categories = append(categories, forum.CategoryID(row.ID))
		}
	case forum.ListTimeline:
		get := r.ListedUsers(viewer.ID, forum.ListID(t.Owner))
		if err := r.Exec(); err != nil {
			return nil, fmt.Errorf("members of list %d: %w", t.Owner, err)
		}
		var err error
		if members, err = get(); err != nil {
			return nil, err
		}
	}
	return s.TimelineLogs(ctx, t, categories, members), nil
}

// LogPosition is the position of an entry in its log.
type LogPosition = record.LogPosition

// Entry is one event.
type Entry = record.Entry

// End is where a log ends, if that could be found.
type End = record.End

// Part is what follows a position in a log.
type Part = record.Part
