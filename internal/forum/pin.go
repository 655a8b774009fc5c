package forum

import (
	"slices"
	"strconv"
	"strings"
)

// MaxPins is how many topics may be pinned in a category, and on the front.
const MaxPins = 3

// pinMember begins the members of the positions of pinned topics, which no list has.
const pinMember = "pin"

// PinPosition is the position of the n-th pinned topic of a page, from 0. It comes before the whole list.
func PinPosition(n int) Position { return Position{Member: pinMember + strconv.Itoa(n)} }

// isPin reports whether the position, which may be nil, is that of a pinned topic.
func (p *Position) isPin() bool { return p != nil && strings.HasPrefix(p.Member, pinMember) }

// Unpinned returns the window of the list without its pinned topics, and whether the page begins with these: it is the
// first one, from the start. With a cursor of a pinned topic, after it comes the list from its start, and before it
// nothing.
func (w Window) Unpinned() (of Window, first bool) {
	first = !w.Backward && !w.Empty && !w.Bounded() && w.Skip == 0
	if w.After.isPin() {
		w.After = nil
	}
	if w.Before.isPin() {
		w.Before, w.Empty = nil, true
	}
	return w, first
}

// HasPins reports whether the first page of the timeline begins with pinned topics.
func (t Timeline) HasPins() bool {
	return t.Kind == FrontTimeline || t.Kind == CategoryTimeline
}

// WithPins returns the first page of a list with the pinned rows first. The others follow as far as there is room for
// most rows, without those that are pinned.
func (p Page) WithPins(pins []Row, most int) Page {
	if len(pins) == 0 {
		return p
	}
	with := p
	with.Rows, with.Pinned = nil, min(len(pins), most)
	for _, pin := range pins[:with.Pinned] {
		place := slices.IndexFunc(p.Rows, func(r Row) bool { return r.ID == pin.ID })
		if place >= 0 {
			pin = p.Rows[place]
		}
		with.Rows, with.Places = append(with.Rows, pin), append(with.Places, place)
	}
	var shown []int // the places of the others in p.Rows
	left := false
	for i, row := range p.Rows {
		switch {
		case slices.ContainsFunc(pins[:with.Pinned], func(r Row) bool { return r.ID == row.ID }):
		case len(with.Rows) < most:
			with.Rows, with.Places, shown = append(with.Rows, row), append(with.Places, p.Start+i), append(shown, i)
		default:
			left = true
		}
	}
	if p.Examined != nil {
		with.Examined = p.Examined.withPins(with.Pinned, shown, left)
	}
	return with
}

// withPins is WithPins for what a page was chosen from. shown are the places of the rows that follow the pinned ones;
// left reports whether others were left out for lack of room. These begin the next page.
func (e *Examined) withPins(pinned int, shown []int, left bool) *Examined {
	with := *e
	with.At = nil
	for n := range pinned {
		with.At = append(with.At, PinPosition(n))
	}
	for _, i := range shown {
		with.At = append(with.At, e.At[i])
	}
	with.First = &with.At[0]
	if left {
		with.Last, with.Next = &with.At[len(with.At)-1], true
	}
	return &with
}

// Place returns the place of a row in the whole list, from 0; -1 if it is not known, of a pinned one.
func (p Page) Place(row int) int {
	if p.Places != nil {
		return p.Places[row]
	}
	return p.Start + row
}
