package record

import (
	"errors"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// CaseFields are the fields of a case that ParseCase needs.
var CaseFields = func() []string {
	names := []string{"rev", "reports", "through", "first", "last", "held", "outcome", "act", "resolved", "count",
		"category", "topic", "author", "entry"}
	for _, r := range forum.Reasons {
		names = append(names, "reason:"+string(r))
	}
	return names
}()

// ParseCase returns the case of a subject with these fields; nil if there is none.
func ParseCase(s forum.Subject, f Fields) *forum.ReportCase {
	if f["rev"] == "" {
		return nil
	}
	c := &forum.ReportCase{Subject: s, Reports: f.Int("reports"), Through: f.Int("through"),
		FirstAt: f.Time("first"), HeldAt: f.Time("held"), Reasons: map[forum.Reason]int{},
		Category: forum.CategoryID(f.Int("category")), Topic: forum.TopicID(f.Int("topic")),
		Author: forum.UserID(f.Int("author")), Act: forum.ActID(f.Int("act")), Resolved: f.Int("count")}
	for _, r := range forum.Reasons {
		if n := f.Int("reason:" + string(r)); n > 0 {
			c.Reasons[r] = n
		}
	}
	entry, _ := catalogue.CaseRow.Parse(f["entry"])
	if c.State = forum.ReportState(entry.Text("state")); c.Open() > 0 {
		c.LastAt = f.Time("last")
	}
	return c
}

// CaseState is what the queue shows of a case.
type CaseState struct {
	Subject forum.Subject
	Rev     int64
	// State is "" if it is in no list.
	State    forum.ReportState
	Category forum.CategoryID
	Topic    forum.TopicID // of a comment
	At       forum.Time
}

// ParseCaseState parses the revision and the entry of a case, a catalogue.CaseRow.
func ParseCaseState(s forum.Subject, rev int64, entry string) (CaseState, error) {
	c := CaseState{Subject: s, Rev: rev}
	v, ok := catalogue.CaseRow.Parse(entry)
	c.Category, c.Topic = forum.CategoryID(v.Int("category")), forum.TopicID(v.Int("topic"))
	c.At = forum.Time(v.Int("time"))
	if state := v.Text("state"); state != "-" {
		c.State = forum.ReportState(state)
		ok = ok && c.State.IsValid()
	}
	if !ok || rev < 1 {
		return c, errNoCase
	}
	return c, nil
}

var errNoCase = errors.New("no state of a case")

// QueueState returns the state as the lists of the queue name it.
func (c CaseState) QueueState() string {
	if c.State == "" {
		return "-"
	}
	return strings.ToLower(string(c.State))
}

// CaseMark returns the dirty mark of a case.
func CaseMark(s forum.Subject) string { return "r:" + EncodeActSubject(s) }

// CaseMember returns the member of a case in the queue: the subject, of a comment followed by a colon and its topic, so
// that whoever reads a page can read both at once.
func (c CaseState) CaseMember() string {
	if c.Subject.Comment != 0 {
		return EncodeActSubject(c.Subject) + ":" + key.Itoa(c.Topic)
	}
	return EncodeActSubject(c.Subject)
}

// ParseCaseMember parses the result of CaseMember into a CaseRow.
func ParseCaseMember(m string) (row int64, err error) {
	about, topic, is := strings.Cut(m, ":")
	s, err := ParseActSubject(about)
	if err != nil || is != (s.Comment != 0) {
		return 0, errNoCase
	}
	if !is {
		return CaseRow(s, 0), nil
	}
	id, err := forum.ParseID[forum.TopicID](topic)
	return CaseRow(s, id), err
}

// userRow distinguishes users from topics in rows.
const userRow = 1 << 62

// CaseRow packs a case into a number: rows of pages and events have one. Ids have 31 bits.
func CaseRow(s forum.Subject, topic forum.TopicID) int64 {
	switch {
	case s.Comment != 0:
		return int64(s.Comment) | int64(topic)<<31
	case s.User != 0:
		return int64(s.User) | userRow
	}
	return int64(s.Topic)
}

// ParseCaseRow is the reverse of CaseRow.
func ParseCaseRow(row int64) (forum.Subject, forum.TopicID) {
	topic := forum.TopicID(row >> 31 & forum.MaxID)
	switch {
	case row&userRow != 0:
		return forum.Subject{User: forum.UserID(row &^ userRow)}, 0
	case topic != 0:
		return forum.Subject{Comment: forum.CommentID(row & forum.MaxID)}, topic
	}
	return forum.Subject{Topic: forum.TopicID(row)}, 0
}

// ParseReport parses a catalogue.ReportRow; ok is false if it is none.
func ParseReport(reporter forum.UserID, value string) (r *forum.Report, ok bool) {
	v, ok := catalogue.ReportRow.Parse(value)
	r = &forum.Report{Number: int(v.Int("number")), Reporter: reporter, Reason: forum.Reason(v.Text("reason")),
		CreatedAt: forum.Time(v.Int("created")), Note: some(v.Text("note"))}
	return r, ok && r.CreatedAt > 0 && r.Number > 0 && slices.Contains(forum.Reasons, r.Reason)
}
