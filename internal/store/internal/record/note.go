package record

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// ReadsField is the field of a user's hash with the number of times that notifications were marked as read,
// and the last time.
const ReadsField = "noteReads"

// ParseReads parses a catalogue.ReadsRow; an empty value is 0 and 0.
func ParseReads(value string) (number, time int64, ok bool) {
	v, _ := catalogue.ReadsRow.Parse(value)
	number, time = v.Int("number"), v.Int("time")
	return number, time, value == "" || number > 0 && time > 0
}

// Withheld says why notifications of a subject are withheld, as scripts do (include/withhold.lua).
type Withheld string

// Why notifications are withheld: not at all, because the comment is hidden or the follower has
// gone, because the topic is hidden, because both are. Those of what is deleted are read.
const (
	Shown          Withheld = "0"
	HiddenSubject  Withheld = "1"
	HiddenTopic    Withheld = "2"
	HiddenBoth     Withheld = "3"
	DeletedSubject Withheld = ""
)

// WithheldField is the field of the notes of a user with those that are withheld.
const WithheldField = "withheld"

// Revisions are those of a comment and of its topic, of which something is said; 0 if it is said of none.
type Revisions struct{ Comment, Topic int64 }

// WithheldNote is what is known of a notification whose subject was ever hidden.
type WithheldNote struct {
	Why Withheld
	Of  Revisions // of which that is known
}

// ParseWithheld returns what is known of notifications, by number.
func ParseWithheld(value string) map[string]WithheldNote {
	known := map[string]WithheldNote{}
	for entry := range strings.FieldsSeq(value) {
		seq, of, _ := strings.Cut(entry, ":")
		why, revisions, _ := strings.Cut(of, ":")
		comment, topic, _ := strings.Cut(revisions, ":")
		known[seq] = WithheldNote{Withheld(why), Revisions{Atoi(comment), Atoi(topic)}}
	}
	return known
}

// EncodeWithheld returns what ParseWithheld parses.
func EncodeWithheld(known map[string]WithheldNote) string {
	var entries []string
	for seq, of := range known {
		entries = append(entries, fmt.Sprintf("%s:%s:%d:%d", seq, of.Why, of.Of.Comment, of.Of.Topic))
	}
	slices.Sort(entries)
	return strings.Join(entries, " ")
}

// TopicWithheld is why notifications of a topic are withheld.
func TopicWithheld(state forum.TopicState) Withheld {
	switch {
	case state.Listed():
		return Shown
	case state == forum.TopicHidden || state == forum.TopicHeld:
		return HiddenTopic
	}
	return DeletedSubject
}

// CommentWithheld is why notifications of a comment are withheld, by its fields deleted and state, and the state of its
// topic.
func CommentWithheld(f Fields, topic forum.TopicState) Withheld {
	why := TopicWithheld(topic)
	switch state := cmp.Or(forum.CommentState(f["state"]), forum.CommentOpen); {
	case f["deleted"] != "" || why == DeletedSubject:
		return DeletedSubject
	case state.Live():
		return why
	case why == Shown:
		return HiddenSubject
	}
	return HiddenBoth
}

// EncodeSubject formats the subject of a notification: "c<comment>", "t<topic>", "f<follower>", "m<act>".
func EncodeSubject(s forum.Subject) string {
	switch {
	case s.Act != 0:
		return "m" + key.Itoa(s.Act)
	case s.Comment != 0:
		return "c" + key.Itoa(s.Comment)
	case s.Topic != 0:
		return "t" + key.Itoa(s.Topic)
	}
	return "f" + key.Itoa(s.User)
}

// ParseSubject parses the result of EncodeSubject.
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
	case 'm':
		s.Act = forum.ActID(id)
	default:
		err = errNoSubject
	}
	return s, err
}

var errNoSubject = errors.New("invalid subject of a notification")

// WatchReason is how note_add and its entries name NotifyWatch: with the topic that is watched.
func WatchReason(id forum.TopicID) string { return string(forum.NotifyWatch) + ":" + key.Itoa(id) }

// ParseNote parses a catalogue.NoteRow.
func ParseNote(value string) (*forum.Notification, bool) {
	v, _ := catalogue.NoteRow.Parse(value)
	reason, topic, watched := strings.Cut(v.Text("reason"), ":")
	n := &forum.Notification{Reason: forum.NotificationReason(reason)}
	var errs [4]error
	if watched {
		n.Watched, errs[3] = forum.ParseID[forum.TopicID](topic)
	}
	if watched != (n.Reason == forum.NotifyWatch) {
		return nil, false
	}
	n.Subject, errs[1] = ParseSubject(v.Text("subject"))
	n.ActorID, errs[0] = forum.ParseID[forum.UserID](v.Text("actor"))
	created, err := strconv.ParseInt(v.Text("created"), 10, 64)
	n.CreatedAt, errs[2] = forum.Time(created), err
	return n, errors.Join(errs[:]...) == nil && created > 0 && n.Fits()
}

// NotifyAll is the value of the field `tell` if all affected users must be notified; otherwise the field
// has the ids of the users to notify.
const NotifyAll = "all"
