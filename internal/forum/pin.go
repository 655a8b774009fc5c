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
	return (t.Kind == FrontTimeline || t.Kind == CategoryTimeline) && t.Kinds == 0
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
	for i, row := range p.Rows {
		pinned := slices.ContainsFunc(pins[:with.Pinned], func(r Row) bool { return r.ID == row.ID })
		if !pinned && len(with.Rows) < most {
			with.Rows, with.Places = append(with.Rows, row), append(with.Places, p.Start+i)
		}
	}
	return with
}

// Place returns the place of a row in the whole list, from 0; -1 if it is not known, of a pinned one.
func (p Page) Place(row int) int {
	if p.Places != nil {
		return p.Places[row]
	}
	return p.Start + row
}
