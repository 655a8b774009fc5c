package lua

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// item is one line of a header: a key, an argument, a field of a result or of a hash.
type item struct {
	kind string // KEYS, ARGV, RETURN, FIELD or INTERNAL
	name string
	// list is set for a list: column names one value of a row, "" if there is just one; per is the list for
	// each of whose entries the column has one value.
	list        bool
	column, per string
	optional    bool
	typ         string
	number      bool // Lua gets a number, not its digits
	doc         string
	include     *source // the include that declares it; nil for the script itself
}

// source is a script or an include: its header and its code.
type source struct {
	name     string
	doc      []string
	items    []item
	includes []string
	returns  string
	errors   string
	slots    string // "several" if its keys may be in several slots outside a cluster
	code     []token
}

var (
	itemLine = regexp.MustCompile(`^-- (KEYS|ARGV|RETURN|FIELD|INTERNAL) +(\S+) +(\S+) +(\S.*)$`)
	itemName = regexp.MustCompile(`^([a-zA-Z][a-zA-Z0-9_]*)(\[\](?:\.([a-z][a-z0-9_]*)(?:\[([a-z_]+)\])?)?)?(\?)?$`)
	wordLine = regexp.MustCompile(`^-- (INCLUDE|Returns|Errors|Slots) +(\S.*)$`)
	shouted  = regexp.MustCompile(`^(KEYS|ARGV|RETURN|FIELD|INTERNAL|INCLUDE)\b`)
	moreLine = regexp.MustCompile(`^-- {4,}(\S.*)$`)
)

// parse parses a script or an include.
func parse(name, text string) (*source, error) {
	s := &source{name: name}
	lines := strings.Split(text, "\n")
	n := 0
	var last *string // the text that a continuation line extends
	for ; n < len(lines) && strings.HasPrefix(lines[n], "--"); n++ {
		var err error
		if last, err = s.headerLine(lines[n], last); err != nil {
			return nil, fmt.Errorf("%s.lua:%d: %w", name, n+1, err)
		}
	}
	if len(s.doc) == 0 {
		return nil, fmt.Errorf("%s.lua: the header does not begin with a description", name)
	}
	var err error
	if s.code, err = lex(strings.Join(lines[n:], "\n"), n+1); err != nil {
		return nil, fmt.Errorf("%s.lua: %w", name, err)
	}
	return s, nil
}

// headerLine parses one line; it returns the text that the next line may continue.
func (s *source) headerLine(line string, last *string) (*string, error) {
	if m := itemLine.FindStringSubmatch(line); m != nil {
		it := item{kind: m[1], typ: m[3], doc: m[4]}
		n := itemName.FindStringSubmatch(m[2])
		if n == nil {
			return nil, fmt.Errorf("%q is not a name", m[2])
		}
		it.name, it.list, it.column, it.per, it.optional = n[1], n[2] != "", n[3], n[4], n[5] != ""
		it.typ, it.number = strings.CutSuffix(it.typ, ":number")
		if err := it.check(); err != nil {
			return nil, err
		}
		s.items = append(s.items, it)
		return &s.items[len(s.items)-1].doc, nil
	}
	if m := wordLine.FindStringSubmatch(line); m != nil {
		switch m[1] {
		case "INCLUDE":
			// Its keys and arguments are inserted at its position among the items.
			for _, include := range strings.Fields(m[2]) {
				s.includes = append(s.includes, include)
				s.items = append(s.items, item{kind: "INCLUDE", name: include})
			}
			return nil, nil
		case "Slots":
			if s.slots = m[2]; s.slots != "several" {
				return nil, fmt.Errorf("the line Slots can only be several, not %s", s.slots)
			}
			return nil, nil
		case "Returns":
			s.returns = m[2]
			return &s.returns, nil
		default:
			s.errors = m[2]
			return &s.errors, nil
		}
	}
	if m := moreLine.FindStringSubmatch(line); m != nil && last != nil {
		*last += " " + m[1]
		return last, nil
	}
	doc, ok := strings.CutPrefix(line, "-- ")
	if !ok || len(s.items) > 0 || s.returns != "" || shouted.MatchString(doc) {
		return nil, fmt.Errorf("%q is not a header line", line)
	}
	s.doc = append(s.doc, doc)
	return nil, nil
}

// keyTypes are the types of Redis; a key may be of one of several.
var keyTypes = []string{"STRING", "HASH", "ZSET", "SET", "LIST", "STREAM"}

func (it item) check() error {
	if it.kind == "KEYS" {
		for _, t := range strings.Split(it.typ, "|") {
			if !slices.Contains(keyTypes, t) {
				return fmt.Errorf("%s: Redis has no type %s", it.name, t)
			}
		}
	} else if _, ok := goTypes[it.typ]; !ok && (it.kind != "RETURN" || !isStateName(it.typ)) {
		return fmt.Errorf("%s: there is no type %s", it.name, it.typ)
	}
	if it.number && (it.kind != "ARGV" || it.list) {
		return fmt.Errorf("%s: only a single argument can be a number", it.name)
	}
	if it.ofHash() {
		if it.list || it.optional {
			return fmt.Errorf("%s: a field must be one value", it.name)
		}
		return nil
	}
	if reserved[it.name] || it.name != strings.ToLower(it.name) {
		return fmt.Errorf("%s is not a valid variable name in a script", it.name)
	}
	return nil
}

// isStateName reports whether a type is the fields of a hash that an include declares.
func isStateName(typ string) bool { return typ[0] >= 'A' && typ[0] <= 'Z' }

// ofHash reports whether the item is a field of a hash that an include declares.
func (it item) ofHash() bool { return it.kind == "FIELD" || it.kind == "INTERNAL" }

// fieldNames returns the fields that an include declares by lines of some kinds, as arguments of a call.
func fieldNames(s *source, kinds ...string) string {
	var names []string
	for _, it := range s.items {
		if slices.Contains(kinds, it.kind) {
			names = append(names, `"`+it.name+`"`)
		}
	}
	return strings.Join(names, ",")
}
