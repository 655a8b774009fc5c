package forum

// Text is what the members wrote of a topic or comment. A comment has neither title nor link.
type Text struct {
	Title, Link, Content string
	Format               ContentFormat
}

// Revision is the text of a topic or comment from one edit to the next.
type Revision struct {
	Subject Subject
	// Number rises with each edit, from 1. Edits that were merged into the next one leave gaps.
	Number int
	// EditorID is who wrote the text; CreatedAt is when.
	EditorID  UserID
	CreatedAt Time
	// Text is empty but for the format if the revision was read without it.
	Text
	// Stored is the size of what is stored of it, in bytes; 0 for the present revision, which is the topic or comment.
	Stored int
	// RedactedBy is the act that took it out of sight; 0 for none.
	RedactedBy ActID
	// Previous is the revision before, nil if this is the first.
	Previous *Revision
}

// IsRedacted reports whether a moderator took the text out of sight.
func (r *Revision) IsRedacted() bool { return r.RedactedBy != 0 }

// VisibleTo reports whether the viewer, who sees the topic or comment, may see this text of it.
func (r *Revision) VisibleTo(v *Viewer) bool { return !r.IsRedacted() || v.Sees(r.EditorID) }

// Revised is what is known of the edits of a topic or comment.
type Revised struct {
	// Revision is the number of the present revision; 0 and 1 mean that it was never edited.
	Revision int
	// EditorID is who edited it last, 0 if nobody did. Since is when the present revision began, before later edits
	// were merged into it.
	EditorID UserID
	Since    Time
}

// PresentNumber returns the number of the present revision.
func (r Revised) PresentNumber() int { return max(r.Revision, 1) }

// Present returns the topic's present revision, with its text.
func (t *Topic) Present(content string) *Revision {
	return present(Subject{Topic: t.ID}, t.Revised, t.AuthorID, t.CreatedAt, t.EditedAt,
		Text{t.Title, t.Link, content, t.Format})
}

// Present returns the comment's present revision, with its text.
func (c *Comment) Present(content string) *Revision {
	return present(Subject{Comment: c.ID}, c.Revised, c.AuthorID, c.CreatedAt, c.EditedAt,
		Text{Content: content, Format: c.Format})
}

func present(of Subject, r Revised, author UserID, created, edited Time, text Text) *Revision {
	p := &Revision{Subject: of, Number: r.PresentNumber(), EditorID: author, CreatedAt: created, Text: text}
	if r.EditorID != 0 {
		p.EditorID, p.CreatedAt = r.EditorID, edited
	}
	return p
}

// Hunk is neighbouring changes of a text, with the lines around them.
type Hunk struct {
	// OldStart and NewStart are the numbers of its first line in the text before and after, from 1; 0 in a text without
	// lines.
	OldStart, NewStart int
	Lines              []HunkLine
	// IsTruncated reports that more lines follow, which are left out.
	IsTruncated bool
}

// HunkLine is a line of a hunk.
type HunkLine struct {
	Change LineChange
	Text   string
}

// LineChange is what an edit did to a line.
type LineChange string

// What an edit does to a line.
const (
	LineKept    LineChange = "KEPT"
	LineAdded   LineChange = "ADDED"
	LineRemoved LineChange = "REMOVED"
)
