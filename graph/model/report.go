package model

import (
	"cmp"
	"slices"
	"strconv"

	"agora/internal/forum"
	"agora/internal/globalid"
)

// ReportCase is the reports on one subject.
type ReportCase struct{ Case *forum.ReportCase }

// SubjectID is the global id of the subject.
func (c *ReportCase) SubjectID() string { return SubjectID(c.Case.Subject) }

// State is whether it waits for a moderator.
func (c *ReportCase) State() forum.ReportState { return c.Case.State }

// ReportCount is how many reports the case is about.
func (c *ReportCase) ReportCount() int { return c.Case.Count() }

// ThroughReport is the number of the last report.
func (c *ReportCase) ThroughReport() int { return c.Case.Reports }

// FirstReportedAt is when the first of the open reports was made.
func (c *ReportCase) FirstReportedAt() forum.Time { return c.Case.FirstAt }

// LastReportedAt is when the last of the open reports was made.
func (c *ReportCase) LastReportedAt() forum.Time { return c.Case.LastAt }

// IsHeld reports whether the subject is held for approval.
func (c *ReportCase) IsHeld() bool { return c.Case.HeldAt != 0 }

// Reasons are the reasons of open reports.
func (c *ReportCase) Reasons() []*ReasonCount {
	counts := []*ReasonCount{}
	for _, r := range forum.Reasons {
		if n := c.Case.Reasons[r]; n > 0 {
			counts = append(counts, &ReasonCount{Reason: r, Count: n})
		}
	}
	slices.SortStableFunc(counts, func(a, b *ReasonCount) int { return cmp.Compare(b.Count, a.Count) })
	return counts
}

// SubjectID returns the global id of a topic, comment or user.
func SubjectID(s forum.Subject) string {
	switch {
	case s.Comment != 0:
		return globalid.New(globalid.Comment, strconv.FormatInt(int64(s.Comment), 10))
	case s.Category != 0:
		return globalid.New(globalid.Category, strconv.FormatInt(int64(s.Category), 10))
	case s.Tab != 0:
		return globalid.New(globalid.Tab, strconv.FormatInt(int64(s.Tab), 10))
	case s.Topic != 0:
		return globalid.New(globalid.Topic, strconv.FormatInt(int64(s.Topic), 10))
	}
	return globalid.New(globalid.User, strconv.FormatInt(int64(s.User), 10))
}

// ReportCaseConnection is a page of cases.
type ReportCaseConnection struct{ connection }

// NewReportCaseConnection returns the connection of a page.
func NewReportCaseConnection(list string, p *forum.Page) *ReportCaseConnection {
	return &ReportCaseConnection{connection{list, p}}
}

// Edge returns the edge of one of the page's rows.
func (c *ReportCaseConnection) Edge(row int, node *ReportCase) *ReportCaseEdge {
	return &ReportCaseEdge{Cursor: c.Cursor(row), Node: node}
}

// ReportConnection is a page of the reports on a subject.
type ReportConnection struct {
	connection
	On forum.Subject
}

// NewReportConnection returns the connection of a page.
func NewReportConnection(list string, p *forum.Page) *ReportConnection {
	return &ReportConnection{connection: connection{list, p}}
}

// Edge returns the edge of one of the page's rows.
func (c *ReportConnection) Edge(row int, node *forum.Report) *ReportEdge {
	return &ReportEdge{Cursor: c.Cursor(row), Node: node}
}

// ReportAddedEvent reports that an open case changed, or a RESET.
type ReportAddedEvent struct {
	EventID string
	Kind    forum.EventKind
	// Subject is zero on RESET.
	Subject forum.Subject
	Topic   forum.TopicID // of a comment
}

// Lost is described at CommentAddedEvent.
func (e *ReportAddedEvent) Lost() any {
	return &ReportAddedEvent{EventID: e.EventID, Kind: forum.EventReset}
}

// SubjectID is the global id of the subject; nil on RESET.
func (e *ReportAddedEvent) SubjectID() *string {
	if e.Subject == (forum.Subject{}) {
		return nil
	}
	id := SubjectID(e.Subject)
	return &id
}

// Position is the event's ID.
func (e *ReportAddedEvent) Position() string {
	if e == nil {
		return ""
	}
	return e.EventID
}
