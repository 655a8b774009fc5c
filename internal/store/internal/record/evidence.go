package record

import (
	"errors"
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
)

// ParseEvidence parses a copy of a subject: a line that is a catalogue.EvidenceRow, lines with the title or name, the
// link or website, the login, the picture, the tags, and then the text or bio. Lines that a subject does not have are
// empty; the format of a user is "-".
func ParseEvidence(of forum.Subject, value string) (*forum.Evidence, error) {
	lines := strings.SplitN(value, "\n", 7)
	head, ok := catalogue.EvidenceRow.Parse(lines[0])
	if len(lines) != 7 || !ok {
		return nil, errNoEvidence
	}
	e := &forum.Evidence{TakenAt: forum.Time(head.Int("time")), Cause: forum.EvidenceCause(head.Text("cause")),
		Author: forum.UserID(head.Int("author")), Truncated: head.Text("truncated") == "1", Content: lines[6],
		Link: some(lines[2]), Login: some(lines[3]), AvatarURL: some(lines[4]), Tags: []string{}}
	if of.User != 0 {
		e.Name = some(lines[1])
	} else {
		revision, format := int(head.Int("revision")), forum.ContentFormat(head.Text("format"))
		e.Title, e.Revision, e.Format = some(lines[1]), &revision, &format
		if lines[5] != "" {
			e.Tags = strings.Split(lines[5], "\t")
		}
	}
	if e.TakenAt == 0 || !slices.Contains(forum.EvidenceCauses, e.Cause) {
		return nil, errNoEvidence
	}
	return e, nil
}

var errNoEvidence = errors.New("no copy of a subject")

// some returns a pointer to a text, nil for "".
func some(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
