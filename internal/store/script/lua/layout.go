package lua

import (
	"fmt"
	"slices"
	"strings"
)

// script is a script with its includes, the layout of its keys and arguments, and its results.
type script struct {
	*source
	includes []*source
	// keys and args are the single ones, in order; optional ones come last.
	keys, args []item
	// lists come after them, in order.
	lists   []*list
	results []item
	all     []item // with those of includes
}

// list is a list: rows of keys and arguments, or just values.
type list struct {
	name  string
	order int
	keys  []item // of each row, in KEYS
	args  []item // of each row, in ARGV
	// counted is whether an argument before the lists has the number of rows: for all lists except the
	// last.
	counted bool
	// usedCount and usedWidth are whether the code needs variables for the number of rows and for the width
	// of a row.
	usedCount, usedWidth bool
}

// layout determines the positions of the keys and arguments of a script.
func layout(s *source, includes map[string]*source) (*script, error) {
	sc := &script{source: s}
	items, err := sc.expand(includes)
	if err != nil {
		return nil, err
	}
	sc.all = items
	seen := map[string]bool{}
	for i, it := range items {
		full := it.name + "." + it.column
		if it.kind == "RETURN" {
			full += " returned"
		}
		if seen[full] {
			return nil, fmt.Errorf("%s: %s is in the header twice", s.name, it.name)
		}
		seen[full] = true
		switch {
		case it.kind == "RETURN":
			sc.results = append(sc.results, it)
		case it.list:
			l := sc.list(it.name)
			if l == nil {
				l = &list{name: it.name}
				sc.lists = append(sc.lists, l)
			}
			if it.kind == "KEYS" {
				l.keys = append(l.keys, it)
			} else {
				if len(l.args) == 0 {
					l.order = 1 + i
				}
				l.args = append(l.args, pairColumns(it)...)
			}
		case it.kind == "KEYS":
			sc.keys = append(sc.keys, it)
		default:
			sc.args = append(sc.args, it)
		}
	}
	// In the order of their arguments; those without arguments come first.
	slices.SortStableFunc(sc.lists, func(a, b *list) int { return a.order - b.order })
	for i, l := range sc.lists {
		l.counted = i < len(sc.lists)-1 && (len(l.args) > 0 || sc.keysAfter(i))
	}
	return sc, sc.check()
}

// keysAfter reports whether a list after number i has keys.
func (sc *script) keysAfter(i int) bool {
	for _, l := range sc.lists[i+1:] {
		if len(l.keys) > 0 {
			return true
		}
	}
	return false
}

// expand returns the items, with those of includes inserted.
func (sc *script) expand(includes map[string]*source) ([]item, error) {
	var all []item
	for _, it := range sc.items {
		if it.kind != "INCLUDE" {
			all = append(all, it)
			continue
		}
		inc, err := sc.include(it.name, includes)
		if err != nil {
			return nil, err
		}
		for _, of := range inc.items {
			if of.kind == "KEYS" || of.kind == "ARGV" {
				of.include = inc
				all = append(all, of)
			}
		}
	}
	return all, nil
}

// include adds an include, after those that it includes itself.
func (sc *script) include(name string, includes map[string]*source) (*source, error) {
	inc := includes[name]
	if inc == nil {
		return nil, fmt.Errorf("%s: there is no include %s", sc.name, name)
	}
	for _, of := range inc.includes {
		within, err := sc.include(of, includes)
		if err == nil && slices.ContainsFunc(within.items, func(it item) bool { return it.kind != "INCLUDE" }) {
			err = fmt.Errorf("%s: an include cannot include %s, which has keys, arguments or fields", name, of)
		}
		if err != nil {
			return nil, err
		}
	}
	if !slices.Contains(sc.includes, inc) {
		sc.includes = append(sc.includes, inc)
	}
	return inc, nil
}

// pairColumns returns the columns of an item: for a pair, a name and a value.
func pairColumns(it item) []item {
	if it.typ != "pair" {
		return []item{it}
	}
	first, second := it, it
	first.column, second.column = "name", "value"
	return []item{first, second}
}

func (sc *script) list(name string) *list {
	for _, l := range sc.lists {
		if l.name == name {
			return l
		}
	}
	return nil
}

func (sc *script) check() error {
	for _, of := range [][]item{sc.keys, sc.args} {
		for i, it := range of {
			if i > 0 && of[i-1].optional && !it.optional {
				return fmt.Errorf("%s: %s comes after an optional one", sc.name, it.name)
			}
			if it.optional && sc.listsIn(it.kind) {
				return fmt.Errorf("%s: %s is optional, but a list comes after it", sc.name, it.name)
			}
		}
	}
	for i, l := range sc.lists {
		if l.counted && l.nested() != "" {
			return fmt.Errorf("%s: %s must be the last list", sc.name, l.name)
		}
		if l.optional() && (len(l.args) == 0 || i < len(sc.lists)-1) {
			return fmt.Errorf("%s: %s has optional columns, so it must be the last list and have arguments", sc.name, l.name)
		}
		if len(l.keys)+len(l.args) > 1 {
			for _, c := range append(append([]item(nil), l.keys...), l.args...) {
				if c.column == "" {
					return fmt.Errorf("%s: %s is declared both with and without columns", sc.name, l.name)
				}
			}
		}
	}
	return nil
}

// listsIn reports whether lists have anything in KEYS or ARGV.
func (sc *script) listsIn(kind string) bool {
	return slices.ContainsFunc(sc.lists, func(l *list) bool {
		return kind == "KEYS" && len(l.keys) > 0 || kind == "ARGV" && len(l.args) > 0 || kind == "ARGV" && l.counted
	})
}

// nested returns the list for each of whose entries rows have one more value; "" for none.
func (l *list) nested() string {
	if n := len(l.args); n > 0 {
		return l.args[n-1].per
	}
	return ""
}

// optional reports whether rows have optional keys.
func (l *list) optional() bool {
	n := len(l.keys)
	return n > 0 && l.keys[n-1].optional
}

// place is a position: n, plus an expression that Lua evaluates.
type place struct {
	n    int
	more string // such as "+2*homes_count"
}

func (p place) plus(n int) place { return place{p.n + n, p.more} }

// String returns the position as a Lua expression.
func (p place) String() string { return fmt.Sprint(p.n) + p.more }

// base returns the number of keys (otherwise arguments) before the rows of a list.
func (sc *script) base(of *list, keys bool) place {
	p := place{n: len(sc.args)}
	if keys {
		p.n = len(sc.keys)
	} else {
		for _, l := range sc.lists {
			if l.counted {
				p.n++
			}
		}
	}
	for _, l := range sc.lists {
		if l == of {
			break
		}
		width := len(l.args)
		if keys {
			width = len(l.keys)
		}
		if width > 0 {
			l.usedCount = true
			p.more += "+" + times(l.name+"_count", width)
		}
	}
	return p
}

func times(what string, n int) string {
	if n == 1 {
		return what
	}
	return fmt.Sprintf("%d*%s", n, what)
}

// count returns the Lua expression for the number of rows of a list.
func (sc *script) count(l *list) string {
	if l.counted {
		l.usedCount = true
		return l.name + "_count"
	}
	if len(l.args) == 0 {
		return length("KEYS", sc.base(l, true), len(l.keys))
	}
	if l.nested() != "" {
		l.usedWidth = true
		return fmt.Sprintf("((#ARGV-%s)/%s_width)", sc.base(l, false).sum(), l.name)
	}
	return length("ARGV", sc.base(l, false), len(l.args))
}

func length(of string, from place, width int) string {
	n := fmt.Sprintf("(#%s-%s)", of, from.sum())
	if from == (place{}) {
		n = "#" + of
	}
	if width == 1 {
		return n
	}
	return fmt.Sprintf("(%s/%d)", n, width)
}

// sum returns the place, in brackets if it is a sum.
func (p place) sum() string {
	if p.more == "" {
		return p.String()
	}
	return "(" + p.String() + ")"
}

// at returns the Lua expression for the key or argument in column number c of row i.
func (sc *script) at(l *list, keys bool, c int, i string) string {
	of, width, varies := "ARGV", len(l.args), l.nested() != ""
	if keys {
		of, width, varies = "KEYS", len(l.keys), l.optional()
	}
	from := sc.base(l, keys)
	if varies {
		l.usedWidth = true
		return fmt.Sprintf("%s[(%s-1)*%s_width+%s]", of, bracket(i), l.name, from.plus(c+1))
	}
	from = from.plus(c + 1 - width)
	if width > 1 {
		i = fmt.Sprintf("%s*%d", bracket(i), width)
	}
	if from.n == 0 {
		return fmt.Sprintf("%s[%s%s]", of, i, from.more)
	}
	return fmt.Sprintf("%s[%s%s]", of, i, strings.Replace("+"+from.String(), "+-", "-", 1))
}

// bracket puts brackets around an expression of more than one word.
func bracket(s string) string {
	if span(s, func(c byte) bool { return isLetter(c) || isDigit(c) }) == len(s) {
		return s
	}
	return "(" + s + ")"
}

// bindings returns the Lua statements that name the keys and arguments.
func (sc *script) bindings() []string {
	var all []string
	all = append(all, bind("KEYS", sc.keys, sc.listsIn("KEYS"))...)
	all = append(all, bind("ARGV", sc.args, sc.listsIn("ARGV"))...)
	counted := 0
	for _, l := range sc.lists {
		if !l.counted {
			continue
		}
		counted++
		if l.usedCount {
			all = append(all, fmt.Sprintf("local %s_count=tonumber(ARGV[%d])", l.name, len(sc.args)+counted))
		}
	}
	for _, l := range sc.lists {
		if !l.usedWidth {
			continue
		}
		if l.optional() {
			from := sc.base(l, false)
			all = append(all, fmt.Sprintf("local %[1]s_width=#ARGV>%[2]s and(#KEYS-%[3]s)/%[4]s or 0",
				l.name, from.sum(), sc.base(l, true).sum(), length("ARGV", from, len(l.args))))
			continue
		}
		all = append(all, fmt.Sprintf("local %s_width=%d+%s", l.name, len(l.args)-1, sc.count(sc.list(l.nested()))))
	}
	return all
}

// bind names the first of KEYS or ARGV. It converts flags to booleans, and numbers.
func bind(of string, items []item, more bool) []string {
	if len(items) == 0 {
		return nil
	}
	var names, places, flags, numbers []string
	for i, it := range items {
		names = append(names, it.name)
		places = append(places, fmt.Sprintf("%s[%d]", of, i+1))
		if it.typ == "flag" {
			flags = append(flags, it.name)
		} else if it.number {
			numbers = append(numbers, it.name)
		}
	}
	from := strings.Join(places, ",")
	if len(items) > 2 {
		from = fmt.Sprintf("unpack(%s)", of)
		if more {
			from = fmt.Sprintf("unpack(%s,1,%d)", of, len(items))
		}
	}
	all := []string{"local " + strings.Join(names, ",") + "=" + from}
	var left, right []string
	for _, f := range flags {
		left, right = append(left, f), append(right, f+`=="1"`)
	}
	for _, n := range numbers {
		left, right = append(left, n), append(right, "tonumber("+n+")")
	}
	if len(left) > 0 {
		all = append(all, strings.Join(left, ",")+"="+strings.Join(right, ","))
	}
	return all
}
