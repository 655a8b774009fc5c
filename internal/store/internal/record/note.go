package record

import (
	"errors"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/internal/key"
)

// ReadsField says, in a user's hash, how often notifications were marked as read, and when
// they were last.
const ReadsField = "noteReads"

// ParseReads reads "number time", as note_read writes it; nothing is 0 and 0.
func ParseReads(value string) (number, time int64, ok bool) {
	n, t, _ := strings.Cut(value, " ")
	number, time = Atoi(n), Atoi(t)
	return number, time, value == "" || number > 0 && time > 0
}

// EncodeSubject writes what a notification points to: "c<comment>", "t<topic>", "f<follower>".
func EncodeSubject(s forum.Subject) string {
	switch {
	case s.Comment != 0:
		return "c" + key.Itoa(s.Comment)
	case s.Topic != 0:
		return "t" + key.Itoa(s.Topic)
	}
	return "f" + key.Itoa(s.User)
}

// ParseSubject reads what EncodeSubject wrote.
func ParseSubject(text string) (forum.Subject, error) {
	var s forum.Subject
	if len(text) < 2 {
		return s, errNoSubject
	}
	id, err := forum.ParseID[int64](text[1:])
	switch text[0] {
	case 'c':
		s.Comment = forum.CommentID(id)
	case 't':
		s.Topic = forum.TopicID(id)
	case 'f':
		s.User = forum.UserID(id)
	default:
		err = errNoSubject
	}
	return s, err
}

var errNoSubject = errors.New("this is no subject of a notification")

// ParseNote reads "reason actor subject created", as note_add writes it.
func ParseNote(value string) (*forum.Notification, bool) {
	parts := strings.Split(value, " ")
	if len(parts) != 4 {
		return nil, false
	}
	n := &forum.Notification{Reason: forum.NotificationReason(parts[0])}
	var errs [3]error
	n.ActorID, errs[0] = forum.ParseID[forum.UserID](parts[1])
	n.Subject, errs[1] = ParseSubject(parts[2])
	created, err := strconv.ParseInt(parts[3], 10, 64)
	n.CreatedAt, errs[2] = forum.Time(created), err
	return n, errors.Join(errs[:]...) == nil && created > 0 && n.Fits()
}

// NotifyAll stands in the field `tell` of what is to be told to all whom it concerns;
// otherwise there are the ids of those to whom it is to be told.
const NotifyAll = "all"
