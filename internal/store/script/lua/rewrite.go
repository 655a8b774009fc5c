package lua

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// internal defines the function that every script may call: the key of the internal hash of an object.
const internal = `local function internal(key) return key .. ":internal" end`

// text returns the code that is sent to Redis: bindings, includes, and the script's own code.
func (sc *script) text() (string, error) {
	var parts []string
	for _, inc := range sc.includes {
		code, err := sc.code(inc)
		if err != nil {
			return "", err
		}
		parts = append(parts, code)
	}
	code, err := sc.code(sc.source)
	if err != nil {
		return "", err
	}
	parts = append(parts, code)
	if slices.ContainsFunc(parts, func(code string) bool { return strings.Contains(code, "internal(") }) {
		parts = append([]string{internal}, parts...)
	}
	parts = append(sc.bindings(), parts...) // after the code, which determines the bindings it needs
	if sc.slots != "" {
		parts = append([]string{"-- Slots  " + sc.slots}, parts...)
	}
	return strings.Join(parts, "\n"), nil
}

// code returns the code of a script or an include, with lists, fields and results replaced.
func (sc *script) code(of *source) (string, error) {
	r := &rewriter{sc: sc, of: of, tokens: of.code}
	r.resultsIn = of == sc.source
	out, err := r.run(len(of.code))
	if err != nil {
		return "", err
	}
	return join(out), nil
}

// rewriter rewrites the tokens of one source.
type rewriter struct {
	sc        *script
	of        *source
	tokens    []token
	at        int
	resultsIn bool
}

func (r *rewriter) fail(format string, args ...any) error {
	line := 0
	if r.at < len(r.tokens) {
		line = r.tokens[r.at].line
	}
	return fmt.Errorf("%s.lua:%d: %s", r.of.name, line, fmt.Sprintf(format, args...))
}

// run rewrites the tokens up to number end.
func (r *rewriter) run(end int) ([]token, error) {
	out := make([]token, 0, end-r.at)
	for r.at < end {
		if t := r.tokens[r.at]; t.kind != name && !t.is("#") { // most tokens
			out = append(out, t)
			r.at++
			continue
		}
		more, err := r.next()
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// next rewrites the construct at the next token.
func (r *rewriter) next() ([]token, error) {
	t := r.tokens[r.at]
	switch {
	case t.is("#") && r.listAt(r.at+1) != nil && !r.peek(2).is("["):
		l := r.listAt(r.at + 1)
		r.at += 2
		return []token{{symbol, r.sc.count(l), t.space, t.line}}, nil
	case t.is("unpack") && r.peek(1).is("(") && r.listAt(r.at+2) != nil && r.peek(3).is(")"):
		return r.unpack()
	case r.listAt(r.at) != nil:
		return r.row()
	case t.is("FIELDS") && r.peek(1).is("."):
		return r.field()
	case t.is("FIELDS"):
		r.at++
		return []token{{symbol, fieldNames(r.of, "FIELD"), t.space, t.line}}, nil
	case t.is("INTERNALS"):
		r.at++
		return []token{{symbol, fieldNames(r.of, "INTERNAL"), t.space, t.line}}, nil
	case t.is("ERASED") && r.peek(1).is("."):
		return r.named(erased)
	case t.is("ROWS") && r.peek(1).is("."):
		return r.named(rows)
	case t.is("CHANGES"):
		r.at++
		return []token{{symbol, changes, t.space, t.line}}, nil
	case t.is("return") && r.resultsIn && len(r.sc.results) > 0 && r.peek(1).is("{") && !r.peek(2).is("}"):
		return r.result()
	}
	r.at++
	return []token{t}, nil
}

func (r *rewriter) peek(n int) token {
	if r.at+n < len(r.tokens) {
		return r.tokens[r.at+n]
	}
	return token{}
}

// field rewrites FIELDS.name: the position of the field among those of the include.
func (r *rewriter) field() ([]token, error) {
	t, n := r.tokens[r.at], 0
	for _, it := range r.of.items {
		if !it.ofHash() {
			continue
		}
		if n++; it.name == r.peek(2).text {
			r.at += 3
			return []token{{symbol, strconv.Itoa(n), t.space, t.line}}, nil
		}
	}
	return nil, r.fail("there is no field %s", r.peek(2).text)
}

// listAt returns the list that token number i names, or nil.
func (r *rewriter) listAt(i int) *list {
	if i >= len(r.tokens) || r.tokens[i].kind != name || i > 0 && (r.tokens[i-1].is(".") || r.tokens[i-1].is(":")) {
		return nil
	}
	return r.sc.list(r.tokens[i].text)
}

// unpack rewrites unpack(list): the last list in ARGV, or all keys of a list that has no arguments.
func (r *rewriter) unpack() ([]token, error) {
	t, l := r.tokens[r.at], r.listAt(r.at+2)
	if len(l.args) == 0 {
		r.at += 4
		first, keys := r.sc.base(l, true), times(r.sc.count(l), len(l.keys))
		text := fmt.Sprintf("unpack(KEYS,%s,%s+%s)", first.plus(1), first, keys)
		return []token{{symbol, text, t.space, t.line}}, nil
	}
	if len(l.keys) > 0 || l != r.sc.lists[len(r.sc.lists)-1] {
		return nil, r.fail("%s cannot be unpacked: it is not last in ARGV", l.name)
	}
	r.at += 4
	return []token{{symbol, fmt.Sprintf("unpack(ARGV,%s)", r.sc.base(l, false).plus(1)), t.space, t.line}}, nil
}

// row rewrites list[i], list[i].column and list[i].column[j].
func (r *rewriter) row() ([]token, error) {
	t, l := r.tokens[r.at], r.listAt(r.at)
	r.at++
	i, err := r.index()
	if err != nil {
		return nil, err
	}
	column := ""
	if r.peek(0).is(".") {
		column = r.peek(1).text
		r.at += 2
	}
	for c, it := range l.keys {
		if it.column == column {
			return []token{{symbol, r.sc.at(l, true, c, i), t.space, t.line}}, nil
		}
	}
	for c, it := range l.args {
		if it.column != column {
			continue
		}
		where := r.sc.at(l, false, c, i)
		if it.per != "" {
			j, err := r.index()
			if err != nil {
				return nil, err
			}
			// The last column: the values begin at its position.
			from := r.sc.base(l, false).plus(c)
			if n, err := strconv.Atoi(j); err == nil {
				where = fmt.Sprintf("ARGV[(%s-1)*%s_width+%s]", bracket(i), l.name, from.plus(n))
			} else {
				where = fmt.Sprintf("ARGV[(%s-1)*%s_width+%s+%s]", bracket(i), l.name, from, j)
			}
		}
		if it.typ == "flag" {
			where = "(" + where + `=="1")`
		}
		return []token{{symbol, where, t.space, t.line}}, nil
	}
	return nil, r.fail("%s has no column %q", l.name, column)
}

// index rewrites the expression in square brackets.
func (r *rewriter) index() (string, error) {
	if !r.peek(0).is("[") {
		return "", r.fail("%s is a list; expected [, not %s", r.tokens[r.at-1].text, r.peek(0).text)
	}
	end := closing(r.tokens, r.at)
	if end < 0 {
		return "", r.fail("unclosed bracket")
	}
	r.at++
	inner, err := r.run(end)
	r.at = end + 1
	return join(inner), err
}

// closing returns the number of the token that closes the bracket at number i, or -1.
func closing(tokens []token, i int) int {
	depth := 0
	for ; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// result rewrites return {name = value, …}: it puts the values in the order of the header.
func (r *rewriter) result() ([]token, error) {
	out := []token{r.tokens[r.at], r.tokens[r.at+1]}
	end := closing(r.tokens, r.at+1)
	if end < 0 {
		return nil, r.fail("unclosed bracket")
	}
	start := r.at
	values := map[string][]token{}
	for r.at += 2; r.at < end; {
		key := r.tokens[r.at].text
		if r.tokens[r.at].kind != name || !r.peek(1).is("=") {
			return nil, r.fail("a result is {name = value, …}")
		}
		if _, twice := values[key]; twice {
			return nil, r.fail("the result has %s twice", key)
		}
		r.at += 2
		value, err := r.run(comma(r.tokens, r.at, end))
		if err != nil {
			return nil, err
		}
		values[key] = value
		if r.peek(0).is(",") {
			r.at++
		}
	}
	for i, it := range r.sc.results {
		value := values[it.name]
		if len(value) == 0 {
			r.at = start
			return nil, r.fail("the result lacks %s", it.name)
		}
		delete(values, it.name)
		if i > 0 {
			out = append(out, token{kind: symbol, text: ","})
		}
		value[0].space = ""
		out = append(out, value...)
	}
	for key := range values {
		r.at = start
		return nil, r.fail("the header does not name the result %s", key)
	}
	r.at = end + 1
	return append(out, token{kind: symbol, text: "}"}), nil
}

// comma returns the number of the token that ends an entry of a table: a comma, or end.
func comma(tokens []token, from, end int) int {
	depth := 0
	for i := from; i < end; i++ {
		switch t := tokens[i]; {
		case t.is("(") || t.is("[") || t.is("{") || t.is("function"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			depth--
		case t.is(",") && depth == 0:
			return i
		}
	}
	return end
}

// use returns an error if the header declares names that the code does not use, or the code uses undeclared
// ones.
func (sc *script) use(of *source) error {
	declared, used := map[string]bool{
		"ERASED": true, "ROWS": true, "CHANGES": true, "FIELDS": fieldNames(of, "FIELD") != "", "INTERNALS": fieldNames(of, "INTERNAL") != "",
	}, map[string]bool{}
	var own []item
	for _, it := range sc.all {
		if it.kind == "RETURN" {
			continue
		}
		if it.include == nil && of == sc.source || it.include == of {
			own = append(own, it)
		}
		if it.include == nil && of != sc.source {
			continue
		}
		declared[it.name] = true
	}
	bound := locals(of.code)
	for _, it := range own {
		if slices.Contains(bound, it.name) {
			return fmt.Errorf("%s.lua: %s is also a variable; it is declared in the header", of.name, it.name)
		}
	}
	for _, l := range bound {
		declared[l] = true
	}
	for i, inc := range sc.includes {
		if inc == of {
			break // it can use the includes before it
		}
		for _, f := range functions(inc.code) {
			if slices.Contains(bound, f) || slices.ContainsFunc(sc.all, func(it item) bool { return it.kind != "RETURN" && it.name == f }) {
				return fmt.Errorf("%s.lua: %s is also a function of the include %s", of.name, f, inc.name)
			}
			declared[f] = true
		}
		if of == sc.source && !sc.calls(inc, sc.includes[i+1:]) {
			return fmt.Errorf("%s.lua: the code does not use the include %s", of.name, inc.name)
		}
	}
	for i, t := range of.code {
		if t.kind != name || i > 0 && (of.code[i-1].is(".") || of.code[i-1].is(":")) {
			continue
		}
		used[t.text] = true
		if i+1 < len(of.code) && of.code[i+1].is("=") && i > 0 && (of.code[i-1].is("{") || of.code[i-1].is(",")) {
			continue // the name of an entry of a table
		}
		if !declared[t.text] && !reserved[t.text] {
			return fmt.Errorf("%s.lua:%d: undeclared name %s", of.name, t.line, t.text)
		}
	}
	for _, it := range own {
		if !used[it.name] {
			return fmt.Errorf("%s.lua: the code does not use %s", of.name, it.name)
		}
	}
	return nil
}

// calls reports whether the script, or one of the later includes, uses an include.
func (sc *script) calls(inc *source, later []*source) bool {
	for _, f := range functions(inc.code) {
		for _, s := range append([]*source{sc.source}, later...) {
			if mentions(s.code, f) {
				return true
			}
		}
	}
	return false
}
