// Package eventlog reads logs of events, which subscriptions follow.
package eventlog

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Log is an ordered list of events that only grows at its end and can be read on from any entry. Redis
// publishes on Channel when there may be more entries; that only wakes readers. It is a value: two logs
// with the same fields are equal.
//
// Comments and notifications are logs by themselves, because they have increasing numbers. Events of
// timelines are written into streams, which are kept only while they are watched. Of changes to comments the
// latest of each comment is kept, and of read marks only the last change.
type Log struct {
	// Channel is the pub/sub channel on which new entries are announced.
	Channel string
	// Object is the name of the object on a channel of changes whose changes announce entries; "" of a stream, whose
	// channel is its own.
	Object string
	// note is how those changes begin; "" is each that readers are shown.
	note string
	key  string // "" is a signal: no entries are kept
	sort sort
}

// of returns a log whose entries are announced by changes of the object with a key.
func (l Log) of(object string) Log {
	l.Channel = key.ChangesChannel(object)
	l.Object = strings.TrimPrefix(object, key.SlotPrefix(object))
	return l
}

// object returns the key of the object.
func (l Log) object() string { return key.SlotPrefix(l.Channel) + l.Object }

type sort int

const (
	numbered sort = iota // a ZSET whose scores are the numbers of the entries
	streamed             // a STREAM
	counted              // a HASH whose field has the number and time of the last change
	latest               // a ZSET with the latest change of each comment, and its number
)

// Comments is the log of a topic's comments, in order of posting.
func Comments(id forum.TopicID) Log {
	return Log{note: catalogue.ChangeReplies + ":", key: key.TopicComments(id)}.of(key.Topic(id))
}

// Changes is the log of a topic's comments being edited, voted on and deleted. It has the latest change of each
// comment, and reading it returns each comment at most once.
func Changes(id forum.TopicID) Log {
	return Log{note: catalogue.ChangeComment, key: key.Changes(id), sort: latest}.of(key.Topic(id))
}

// Notifications is the log of a user's notifications.
func Notifications(id forum.UserID) Log {
	return Log{note: catalogue.ChangeNotes + ":", key: key.Notes(id)}.of(key.User(id))
}

// Reads is the log of a user's notifications being marked as read: the entry's ID is the number of the
// notification, or 0 if there were several.
func Reads(id forum.UserID) Log {
	return Log{note: catalogue.ChangeRead + ":", key: key.User(id), sort: counted}.of(key.User(id))
}

// Stream is the log in a stream.
func Stream(key string) Log { return Log{Channel: key, key: key, sort: streamed} }

// Cases is the log of what happens to open cases.
var Cases = Stream(key.QueueEvents)

// TopicSignal announces that readers are shown something else of a topic, without entries.
func TopicSignal(id forum.TopicID) Log { return Log{}.of(key.Topic(id)) }

// AccessSignal announces that sessions or rights of a user have changed, without entries.
func AccessSignal(id forum.UserID) Log { return Log{note: catalogue.ChangeAccess}.of(key.User(id)) }

// Name identifies the log in event ids.
func (l Log) Name() string { return l.key }

// Signal reports whether no entries are kept: there is nothing to read.
func (l Log) Signal() bool { return l.key == "" }

// Latest reports whether the log has only the latest entry of each object: reading it more often than needed
// returns more entries, not others.
func (l Log) Latest() bool { return l.sort == latest }

// Streamed reports whether Redis may be unable to keep the log.
func (l Log) Streamed() bool { return l.sort == streamed }

// Announces reports whether a change of the log's object, or "" for a stream, announces entries.
func (l Log) Announces(change string) bool {
	return strings.HasPrefix(change, l.note) && (l.note != "" || !catalogue.IsQuiet(change))
}

// Announced parses the entry that a change announces, in a log whose numbers have no gaps. If it is the next entry, the
// log need not be read.
func (l Log) Announced(change string) (e record.Entry, ok bool) {
	text, ok := strings.CutPrefix(change, l.note)
	if !ok || !strings.HasSuffix(l.note, ":") {
		return e, false
	}
	if l.sort == counted {
		n, err := fmt.Sscanf(text, "%d:%d:%d", &e.Major, &e.Minor, &e.ID)
		e.Kind = forum.EventRead
		return e, err == nil && n == 3
	}
	n, err := fmt.Sscanf(text, "%d:%d", &e.Major, &e.Minor)
	e.Kind, e.ID = forum.EventAdded, e.Minor
	return e, err == nil && n == 2
}

// End queues finding the end of a log. A stream is kept from then on.
func (l Log) End(ctx context.Context, b *pipeline.Batch) func() (record.LogPosition, error) {
	switch {
	case l.Signal():
		return func() (record.LogPosition, error) { return record.LogPosition{}, nil }
	case l.sort == streamed:
		cmd := b.Run(ctx, script.LogWatch{Events: l.key, Life: forum.StreamLife})
		return func() (record.LogPosition, error) {
			id, err := cmd.Text()
			return record.ParseStreamID(id), err
		}
	case l.sort == counted:
		cmd := b.HGet(ctx, key.Internal(l.key), record.ReadsField)
		return func() (record.LogPosition, error) {
			return record.ReadsPosition(cmd.Val()), pipeline.UnlessNil(cmd.Err())
		}
	case l.sort == latest:
		return l.lastChange(ctx, b)
	}
	cmd := b.ZRevRangeWithScores(ctx, l.key, 0, 0)
	return func() (record.LogPosition, error) {
		if len(cmd.Val()) == 0 {
			return record.LogPosition{}, cmd.Err()
		}
		return record.NumberedPosition(cmd.Val()[0]), cmd.Err()
	}
}

// Since reads up to most entries of a log after a position. Its result does not depend on whether other
// reads fail.
func (l Log) Since(ctx context.Context, b *pipeline.Batch, after record.LogPosition,
	most int) func() (record.Part, error) {
	switch l.sort {
	case streamed:
		return l.streamSince(ctx, b, after, most)
	case counted:
		return l.countSince(ctx, b, after)
	case latest:
		return l.changesSince(ctx, b, after, most)
	}
	// From that entry on, to check that it still exists, and one more, to see whether there are more.
	cmd := b.ZRangeByScoreWithScores(ctx, l.key,
		&redis.ZRangeBy{Min: strconv.FormatInt(after.Major, 10), Max: "+inf", Count: int64(most + 2)})
	return func() (record.Part, error) {
		if err := cmd.Err(); err != nil {
			return record.Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		all := make([]record.Entry, 0, len(cmd.Val()))
		for _, z := range cmd.Val() {
			p := record.NumberedPosition(z)
			all = append(all, record.Entry{LogPosition: p, Kind: forum.EventAdded, ID: p.Minor})
		}
		if after == (record.LogPosition{}) {
			lost := len(all) > 0 && all[0].Major != 1
			return record.PartOf(all, lost, most), nil
		}
		return record.PartAfter(all, after, most), nil
	}
}

func (l Log) streamSince(ctx context.Context, b *pipeline.Batch, after record.LogPosition,
	most int) func() (record.Part, error) {
	cmd := b.XRangeN(ctx, l.key, fmt.Sprintf("%d-%d", after.Major, after.Minor), "+", int64(most+2))
	return func() (record.Part, error) {
		if err := cmd.Err(); err != nil {
			return record.Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		all := make([]record.Entry, 0, len(cmd.Val()))
		for _, m := range cmd.Val() {
			all = append(all, record.StreamEntry(m))
		}
		return record.PartAfter(all, after, most), nil
	}
}

// countSince returns one entry for all changes after a position.
func (l Log) countSince(ctx context.Context, b *pipeline.Batch, after record.LogPosition) func() (record.Part, error) {
	cmd := b.HGet(ctx, key.Internal(l.key), record.ReadsField)
	return func() (record.Part, error) {
		if err := cmd.Err(); err != nil && !errors.Is(err, redis.Nil) {
			return record.Part{}, fmt.Errorf("read %s: %w", l.key, err)
		}
		last := record.ReadsPosition(cmd.Val())
		part := record.Part{Whole: true}
		switch {
		case last.Major > after.Major:
			part.Entries = []record.Entry{{LogPosition: last, Kind: forum.EventRead}}
		case last != after:
			part.Lost = true
		}
		return part, nil
	}
}
