package forum

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"strings"
)

// PageArgs are the paging arguments of a connection as the client gave them.
type PageArgs struct {
	First, Last   *int
	After, Before *string
	Skip          int
	// NoCursors tells that nobody will ask for the cursor of a row, NoCount that
	// nobody will ask how long the list is or what else is in it.
	NoCursors, NoCount bool
	// Lead tells that what stands before the page is wanted too.
	Lead bool
}

// Position is a place in a sorted list: a score, and the member that tells
// equal scores apart.
type Position struct {
	Score  float64
	Member string
}

// Window is a checked request for one page of a list.
type Window struct {
	// Count is how many rows are wanted, 1 to MaxPage.
	Count int
	// Backward takes the rows from the end of the list.
	Backward bool
	// Empty wants no rows, only what is known of the list; Count is 1.
	Empty bool
	// After and Before bound the list; nil is no bound.
	After, Before *Position
	// Skip leaves out rows at the start, 0 to MaxSkip.
	Skip int
	// Bare leaves out the rows' positions.
	Bare bool
	// Uncounted leaves out the length of the list: Total is only as much as the page
	// shows of it.
	Uncounted bool
	// Lead also reads the row that stands before the page.
	Lead bool
}

// Equal reports whether two windows are of the same page.
func (w Window) Equal(o Window) bool {
	return w.Count == o.Count && w.Backward == o.Backward && w.Empty == o.Empty && w.Skip == o.Skip && w.Bare == o.Bare &&
		w.Uncounted == o.Uncounted && w.Lead == o.Lead &&
		same(w.After, o.After) &&
		same(w.Before, o.Before)
}

func same(a, b *Position) bool { return a == b || a != nil && b != nil && *a == *b }

// Bounded reports whether a cursor bounds the window.
func (w Window) Bounded() bool { return w.After != nil || w.Before != nil }

// Window checks the arguments against the list named list. It returns
// BAD_USER_INPUT for sizes and combinations that are not allowed and
// CURSOR_INVALID for a cursor that is not of this list.
func (a PageArgs) Window(list string) (Window, error) {
	w := Window{Count: DefaultPage, Skip: a.Skip, Bare: a.NoCursors, Uncounted: a.NoCount, Lead: a.Lead}
	switch {
	case a.First != nil && a.Last != nil:
		return w, BadInput([]string{"last"}, "Give first or last, not both.")
	case a.First != nil:
		w.Count = *a.First
	case a.Last != nil:
		w.Count, w.Backward = *a.Last, true
	}
	if w.Count < 0 || w.Count > MaxPage {
		field := "first"
		if w.Backward {
			field = "last"
		}
		return w, BadInput([]string{field}, "%s must be 0 to %d.", field, MaxPage)
	}
	if w.Count == 0 {
		w.Empty, w.Count = true, 1
	}
	if w.Skip < 0 || w.Skip > MaxSkip {
		return w, BadInput([]string{"skip"}, "skip must be 0 to %d.", MaxSkip)
	}
	if w.Skip > 0 && (a.After != nil || a.Before != nil) {
		return w, BadInput([]string{"skip"}, "skip does not go together with after or before.")
	}
	var err error
	if w.After, err = parseCursor("after", list, a.After); err != nil {
		return w, err
	}
	w.Before, err = parseCursor("before", list, a.Before)
	return w, err
}

// Shown returns what the window shows of the page that was read for it.
func (w Window) Shown(p Page) Page {
	if !w.Empty {
		return p
	}
	if w.Backward {
		p.Start += len(p.Rows)
	}
	p.Rows = nil
	return p
}

// CursorInvalid says that a cursor, given as the argument field, is not of the list.
func CursorInvalid(field string) *Error {
	return &Error{Code: CodeCursorInvalid, Path: []string{field}, Message: "This is not a cursor of this list."}
}

// CursorExpired says that what the window's cursor leads to is no longer kept.
func (w Window) CursorExpired() *Error {
	field := "after"
	if w.After == nil {
		field = "before"
	}
	return &Error{
		Code:    CodeCursorExpired,
		Path:    []string{field},
		Message: "What this cursor belongs to is no longer kept; begin again with the first page.",
	}
}

// Page is a part of a list.
type Page struct {
	Rows []Row
	// Start is the place of the first row in the whole list, from 0.
	Start int
	// Total is the length of the whole list.
	Total int
	// Lead is the row before the first; nil if there is none, or nobody asked for it.
	Lead *Row
	// AsOf is when the snapshot that was read was taken; 0 in live lists.
	AsOf Time
	// Ranking is to be kept before the page is shown, because its cursors lead there.
	Ranking *Ranking
}

// Ranking is a list of comments in an order by votes.
type Ranking struct {
	// List is the key of the list.
	List string
	// Sum is a hash of IDs, and IDs are the comments in their order, packed.
	Sum, IDs string
}

// Row is one entry of a list.
type Row struct {
	// ID is the id of what stands here.
	ID int64
	// Position is where it stands; empty on a bare page.
	Position
	// CreatedAt is when a topic was posted, in lists of topics that are not bare.
	CreatedAt Time
	// Up and Down are the votes by which it stands in a snapshot.
	Up, Down int
}

// HasNext reports whether more follows the page.
func (p Page) HasNext() bool { return p.Start+len(p.Rows) < p.Total }

// HasPrevious reports whether something precedes the page.
func (p Page) HasPrevious() bool { return p.Start > 0 }

const cursorVersion = 1

// Cursor names the position in the list: version, a sum of the list's name and
// of what follows, score, member. It is opaque to clients, unsigned, and grants
// nothing; the sum tells cursors of other lists, and torn ones.
func (p Position) Cursor(list string) string {
	b := make([]byte, 9, 17+len(p.Member))
	b[0] = cursorVersion
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(p.Score))
	b = append(b, p.Member...)
	binary.BigEndian.PutUint64(b[1:], cursorSum(list, b[9:]))
	return base64.RawURLEncoding.EncodeToString(b)
}

// maxMember is the longest member of any list, in bytes.
const maxMember = 32

func parseCursor(field, list string, cursor *string) (*Position, error) {
	if cursor == nil {
		return nil, nil
	}
	invalid := CursorInvalid(field)
	b, err := base64.RawURLEncoding.Strict().DecodeString(*cursor)
	if err != nil || len(b) <= 17 || len(b) > 17+maxMember || b[0] != cursorVersion {
		return nil, invalid
	}
	if base64.RawURLEncoding.EncodeToString(b) != *cursor { // the decoder skips line breaks
		return nil, invalid
	}
	score := math.Float64frombits(binary.BigEndian.Uint64(b[9:]))
	member := string(b[17:])
	if binary.BigEndian.Uint64(b[1:]) != cursorSum(list, b[9:]) || math.IsNaN(score) || math.IsInf(score, 0) ||
		!plain(member) {
		return nil, invalid
	}
	return &Position{Score: score, Member: member}, nil
}

func plain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '!' || r > '~' }) < 0
}

func cursorSum(list string, position []byte) uint64 {
	h := fnv.New64a()
	h.Write([]byte(list))
	h.Write([]byte{0})
	h.Write(position)
	return h.Sum64()
}
