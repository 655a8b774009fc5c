package forum

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"unicode/utf8"
)

// PageArgs are the paging arguments of a connection as sent by the client.
type PageArgs struct {
	First, Last   *int
	After, Before *string
	Skip          int
	// Around is the number of a comment, for the page in whose middle it is, or that opens a tree there; nil for other
	// pages.
	Around *int
	// Default is the size of a page if neither First nor Last is given; 0 means DefaultPage.
	Default int
	// NoCursors reports that no row's cursor is requested, NoCount that neither the length of the
	// list nor the presence of further pages is requested.
	NoCursors, NoCount bool
	// Preceding reports that the row before the page is needed too.
	Preceding bool
}

// Position is a position in a sorted list: a score, and the member that breaks ties.
type Position struct {
	Score  float64
	Member string
}

// Window is a validated request for one page of a list.
type Window struct {
	// Count is the number of rows to read, 1 to MaxPage.
	Count int
	// Backward reads the rows from the end of the list.
	Backward bool
	// Empty requests no rows, only facts about the list; Count is 1.
	Empty bool
	// After and Before bound the list; nil means no bound.
	After, Before *Position
	// Skip is the number of rows to skip at the start, 0 to MaxSkip.
	Skip int
	// Around is the number of the comment in whose middle the page is, or at which it opens a tree; 0 for other pages.
	Around int
	// Walk reads the order that was fixed at the first page.
	Walk bool
	// Bare omits the rows' positions.
	Bare bool
	// Uncounted omits the length of the list: Total covers only what the page shows of it.
	Uncounted bool
	// Preceding also reads the row before the page.
	Preceding bool
}

// Equal reports whether two windows request the same page.
func (w Window) Equal(o Window) bool {
	return w.Count == o.Count && w.Backward == o.Backward && w.Empty == o.Empty && w.Skip == o.Skip &&
		w.Around == o.Around && w.Walk == o.Walk && w.Bare == o.Bare &&
		w.Uncounted == o.Uncounted && w.Preceding == o.Preceding &&
		same(w.After, o.After) &&
		same(w.Before, o.Before)
}

func same(a, b *Position) bool { return a == b || a != nil && b != nil && *a == *b }

// Bounded reports whether a cursor bounds the window.
func (w Window) Bounded() bool { return w.After != nil || w.Before != nil }

// Window validates the arguments for the list named list. It returns BAD_USER_INPUT for sizes and
// combinations that are not allowed and CURSOR_INVALID for a cursor of another list.
func (a PageArgs) Window(list string) (Window, error) {
	w := Window{Count: cmp.Or(a.Default, DefaultPage), Skip: a.Skip, Bare: a.NoCursors, Uncounted: a.NoCount,
		Preceding: a.Preceding}
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
		return w, BadInput([]string{field}, "%s must be from 0 to %d.", field, MaxPage)
	}
	if w.Count == 0 {
		w.Empty, w.Count = true, 1
	}
	if w.Skip < 0 || w.Skip > MaxSkip {
		return w, BadInput([]string{"skip"}, "skip must be from 0 to %d.", MaxSkip)
	}
	if w.Skip > 0 && (a.After != nil || a.Before != nil) {
		return w, BadInput([]string{"skip"}, "skip cannot be combined with after or before.")
	}
	if a.Around != nil {
		w.Around = *a.Around
		if w.Around < 1 || w.Around > MaxID {
			return w, BadInput([]string{"around"}, "around must be the number of a comment, 1 or more.")
		}
		if a.After != nil || a.Before != nil || a.Skip > 0 || w.Backward {
			return w, BadInput([]string{"around"}, "around cannot be combined with last, after, before or skip.")
		}
	}
	var err error
	if w.After, err = parseCursor("after", list, a.After); err != nil {
		return w, err
	}
	w.Before, err = parseCursor("before", list, a.Before)
	return w, err
}

// Shown returns the part of the page read for the window that the client requested.
func (w Window) Shown(whole *Page) *Page {
	if !w.Empty {
		return whole
	}
	p := *whole
	if w.Backward {
		p.Start += len(p.Rows)
	}
	if e := p.Examined; e != nil { // an empty page leads nowhere: a cursor would skip rows
		p.Examined = &Examined{Previous: e.Previous || w.Backward && len(p.Rows) > 0,
			Next: e.Next || !w.Backward && len(p.Rows) > 0}
	}
	p.Rows = nil
	return &p
}

// CursorInvalid returns a CURSOR_INVALID error: the cursor in the argument field is not one of this
// list.
func CursorInvalid(field string) *Error {
	return &Error{Code: CodeCursorInvalid, Path: []string{field}, Message: "This is not a cursor of this list."}
}

// CursorExpired returns a CURSOR_EXPIRED error: the data that the window's cursor refers to have
// expired.
func (w Window) CursorExpired() *Error {
	field := "after"
	if w.After == nil {
		field = "before"
	}
	return &Error{
		Code:    CodeCursorExpired,
		Path:    []string{field},
		Message: "This cursor has expired. Start again from the first page.",
	}
}

// Page is a part of a list.
type Page struct {
	Rows []Row
	// Start is the position of the first row in the whole list, from 0.
	Start int
	// Total is the length of the whole list.
	Total int
	// All is the length to show if Total is less, because only the rows up to the page and one more are counted; 0 if
	// it is Total.
	All int
	// Hidden is how many of Total are not shown, and not counted.
	Hidden int
	// Preceding is the row before the first; nil if there is no such row or it was not requested.
	Preceding *Row
	// AsOf is the time of the snapshot or walk that was read; 0 in live lists.
	AsOf Time
	// Walk is the number of the walk that was read, to which cursors refer; 0 for others. First is its first row; nil
	// if it has none.
	Walk  int64
	First *Row
	// Examined is what the rows were chosen from, if they are only those of some kinds; nil otherwise.
	Examined *Examined
	// Pinned is how many of the first rows are pinned. Places are the places of the rows in the whole list, -1 if
	// unknown; nil if they follow one another from Start on.
	Pinned int
	Places []int
	// Ranking must be stored before the page is shown, because the page's cursors refer to it.
	Ranking *Ranking
}

// Examined is the part of a list from which a page's rows were chosen. First and Last are nil if it is empty; Last is
// where the next page begins. Previous and Next report whether there may be rows before and after it. At are the
// positions that the cursors of the rows refer to, which in a walk are not those of the rows.
type Examined struct {
	At             []Position
	First, Last    *Position
	Previous, Next bool
}

// Ranking is a list of comments in an order by votes.
type Ranking struct {
	// List is the key of the list.
	List string
	// Sum is a hash of IDs. IDs are the comments in their order, packed.
	Sum, IDs string
}

// Row is one entry of a list.
type Row struct {
	// ID is the id of the object.
	ID int64
	// Position is empty on a bare page.
	Position
	// CreatedAt is when a topic was posted, in lists of topics that are not bare.
	CreatedAt Time
	// Up and Down are the votes by which a snapshot is sorted.
	Up, Down int
	// Gap reports that rows between the one before and this one are left out, as around a comment of a tree.
	Gap bool
}

// HasNext reports whether there are rows after the page.
func (p Page) HasNext() bool {
	if p.Examined != nil {
		return p.Examined.Next
	}
	return p.Start+len(p.Rows) < p.Total
}

// HasPrevious reports whether there are rows before the page.
func (p Page) HasPrevious() bool {
	if p.Examined != nil {
		return p.Examined.Previous
	}
	return p.Start > 0
}

const cursorVersion = 1

// Cursor returns the cursor of the position: version, a checksum of the list's name and the rest,
// score, member. It is opaque to clients, unsigned, and grants nothing. The checksum detects
// truncated cursors and those of other lists.
func (p Position) Cursor(list string) string {
	b := make([]byte, 9, 17+len(p.Member))
	b[0] = cursorVersion
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(p.Score))
	b = append(b, p.Member...)
	binary.BigEndian.PutUint64(b[1:], cursorSum(list, b[9:]))
	return base64.RawURLEncoding.EncodeToString(b)
}

// maxMember is the longest member of any list, in bytes: a name, a line feed and an id.
const maxMember = 1024

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
		!utf8.ValidString(member) {
		return nil, invalid
	}
	return &Position{Score: score, Member: member}, nil
}

func cursorSum(list string, position []byte) uint64 {
	h := fnv.New64a()
	h.Write([]byte(list))
	h.Write([]byte{0})
	h.Write(position)
	return h.Sum64()
}
