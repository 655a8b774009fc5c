package event

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/listing"
)

// Stream is what can be subscribed to: one or more logs, and a scope, so that no event of another stream is taken for
// one of its own.
type Stream struct {
	Scope string
	Logs  []listing.Log
	// further are logs whose positions an ID may have after those of Logs, because it is of a stream with more logs.
	further []listing.Log
}

// Comments is the stream of a topic's new comments. It continues after events of CommentChanges, too.
func Comments(id forum.TopicID) Stream {
	all := CommentChanges(id)
	return Stream{all.Scope, all.Logs[:1], all.Logs[1:]}
}

// CommentChanges is the stream of a topic's comments: those that are posted, and changes to any. After an event of
// Comments it begins with a RESET, because that does not say which changes were seen.
func CommentChanges(id forum.TopicID) Stream {
	return Stream{Scope: "comments " + strconv.FormatInt(int64(id), 10),
		Logs: []listing.Log{listing.CommentLog(id), listing.ChangeLog(id)}}
}

// Notifications is the stream of a user's notifications, and of these being marked as read.
func Notifications(id forum.UserID) Stream {
	return Stream{Scope: "notifications " + strconv.FormatInt(int64(id), 10),
		Logs: []listing.Log{listing.NotificationLog(id), listing.ReadLog(id)}}
}

// Cases is the stream of what happens to open cases of a category, or, for 0, of all.
func Cases(of forum.CategoryID) Stream {
	return Stream{Scope: "cases " + strconv.FormatInt(int64(of), 10), Logs: []listing.Log{acts.CaseLog}}
}

// OfTimeline is the stream of a timeline, given its current logs. A change to these is a RESET.
func OfTimeline(t forum.Timeline, logs []listing.Log) Stream {
	return Stream{Scope: "timeline " + t.Name(), Logs: slices.Concat(logs, listing.SourceLogs(t))}
}

// ID returns the ID of the event after which what comes after some positions in the logs begins.
func (s Stream) ID(at []listing.LogPosition) string {
	var least int64
	for i, p := range at {
		if i == 0 || p.Major < least {
			least = p.Major
		}
	}
	b := make([]byte, 9, 32+12*len(at))
	b[0] = idVersion
	b = binary.BigEndian.AppendUint32(b, s.sum())
	b = binary.AppendUvarint(b, uint64(least))
	for _, p := range at {
		b = binary.AppendUvarint(b, uint64(p.Major-least))
		b = binary.AppendUvarint(b, uint64(p.Minor))
	}
	binary.BigEndian.PutUint64(b[1:], idSum(s.Scope, b[9:]))
	return base64.RawURLEncoding.EncodeToString(b)
}

// sum returns a hash that identifies the logs.
func (s Stream) sum() uint32 {
	h := fnv.New32a()
	for _, l := range s.Logs {
		h.Write([]byte(l.Name()))
		h.Write([]byte{0})
	}
	return h.Sum32()
}
