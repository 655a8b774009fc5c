package catalogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Row is a text of several parts, separated by spaces, which only the last may have itself. Scripts read and write it
// as ROWS.name (package script), and docs/keys.md shows its shape.
type Row struct {
	// Name is the name that scripts use.
	Name string
	// Shape is the parts in their order. A part of several has them separated by colons, and the name of the first.
	Shape string
	parts []string
}

// Rows are all rows, in the order below.
var Rows []*Row

// The rows of the store.
var (
	NoteRow     = row("note", "reason actor subject created")
	ReadsRow    = row("reads", "number time")
	ReportRow   = row("report", "number reason created note")
	CaseRow     = row("case", "state category time topic")
	QueueRow    = row("queue", "revision state category")
	EvidenceRow = row("evidence", "time cause author revision format truncated")
	RevisionRow = row("revision", "number editor time act text")
	SessionRow  = row("session", "began seen ends:proved:origin userAgent")
	TokenRow    = row("token", "created seen ends scopes:origin name")
	ExternalRow = row("external", "issued:loggedOut applied:said issuer subject")
	// MadeRow is what a call with an idempotency key made, and what an imported record became.
	MadeRow  = row("made", "time input result")
	KarmaRow = row("karma", "revision net")
	TakenRow = row("taken", "time user")
	TallyRow = row("tally", "up down")
	// TakeoutRow is a take-out that may begin, or is under way.
	TakeoutRow = row("takeout", "state ends digest")
	// GroupsRow is in which groups the sets of members have a user, and as of which revision of the user's groups.
	GroupsRow = row("groups", "rev groups")
	// ConsumerRow is how far a consumer of changes is in a slot, and AsideRow what it could not handle of an object.
	ConsumerRow = row("consumer", "position token lease seen walk retry aside")
	AsideRow    = row("aside", "due attempts since changes failure")
)

func row(name, shape string) *Row {
	r := &Row{Name: name, Shape: shape}
	for part := range strings.FieldsSeq(shape) {
		first, _, _ := strings.Cut(part, ":")
		r.parts = append(r.parts, first)
	}
	Rows = append(Rows, r)
	return r
}

// Parts returns the names of the parts.
func (r *Row) Parts() []string { return r.parts }

// mostParts is the largest number of parts.
const mostParts = 7

// Parts are the parts of a text.
type Parts struct {
	row  *Row
	text [mostParts]string
}

// Parse returns the parts of a text; ok is false if it has fewer.
func (r *Row) Parse(text string) (p Parts, ok bool) {
	p.row = r
	last := len(r.parts) - 1
	for i := range last {
		if p.text[i], text, ok = strings.Cut(text, " "); !ok {
			return Parts{row: r}, false
		}
	}
	p.text[last] = text
	return p, true
}

// Format returns the text with these parts, which are pairs of names and values.
func (r *Row) Format(pairs ...any) string {
	texts := make([]string, len(r.parts))
	for i := 0; i < len(pairs); i += 2 {
		texts[r.index(pairs[i].(string))] = fmt.Sprint(pairs[i+1])
	}
	return strings.Join(texts, " ")
}

// index returns the position of a part. It panics if the row has no such part: names are constants.
func (r *Row) index(part string) int {
	i := slices.Index(r.parts, part)
	if i < 0 {
		panic("the row " + r.Name + " has no part " + part)
	}
	return i
}

// Text returns a part.
func (p Parts) Text(name string) string { return p.text[p.row.index(name)] }

// Int returns a part that is a whole number, 0 if it is not.
func (p Parts) Int(name string) int64 {
	n, _ := strconv.ParseInt(p.Text(name), 10, 64)
	return n
}
