package archive

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"agora/internal/store/catalogue"
)

// row is a line between the first and the last: a key, or a part of a big one.
type row struct {
	kind    *catalogue.Kind
	key     string
	expires int64 // Unix ms; 0 for never
	// content are the arguments of the command that writes the key, after its name.
	content []any
}

// parser reads a row. It accepts only what writer writes: JSON without blanks, its members in one order.
// This is several times as fast as package encoding/json.
type parser struct {
	rest string
	err  error
	// keeps is false for a row that is only verified.
	keeps bool
	args  []any
}

var errForm = errors.New("it does not have the form of a row")

// verifyRow checks that an export may contain a row.
func verifyRow(line string) error {
	if !utf8.ValidString(line) {
		return errNotUTF8
	}
	r, err := (&parser{rest: line}).row()
	if err != nil {
		return err
	}
	if _, ok := r.kind.Read(r.key); !ok {
		return fmt.Errorf("%q is not a key of kind %s", r.key, r.kind.Name)
	}
	return nil
}

// parseRow parses a row that was verified.
func parseRow(line string) (row, error) { return (&parser{rest: line, keeps: true}).row() }

// row parses a row.
func (p *parser) row() (row, error) {
	var r row
	p.expect(`{"kind":`)
	name := p.text()
	p.expect(`,"key":`)
	r.key = p.text()
	if p.accept(`,"expires":`) {
		r.expires = p.whole()
	}
	if p.accept(`,"part":`) {
		p.whole()
	}
	if p.err != nil {
		return row{}, p.err
	}
	var ok bool
	if r.kind, ok = catalogue.KindNamed(name); !ok || r.kind.Export != catalogue.InRows {
		return row{}, fmt.Errorf("exports have no rows of kind %q", name)
	}
	if !p.accept(`,"` + string(r.kind.Type) + `":`) {
		return row{}, fmt.Errorf("the content of %q is not a %s", r.key, r.kind.Type)
	}
	p.content(r.kind.Type)
	p.expect("}\n")
	if p.err == nil && p.rest != "" {
		p.err = errForm
	}
	r.content = p.args
	return r, p.err
}

// keep appends to the content.
func (p *parser) keep(texts ...string) {
	if p.keeps {
		for _, text := range texts {
			p.args = append(p.args, text)
		}
	}
}

// content parses the elements of a key, of which there is at least one.
func (p *parser) content(typ catalogue.Type) {
	p.expect(brackets[typ].open)
	for more := true; more && p.err == nil; more = typ != catalogue.String && p.accept(",") {
		first := p.text()
		switch typ {
		case catalogue.Hash:
			p.expect(":")
			p.keep(first, p.text())
		case catalogue.ZSet:
			p.expect(":")
			p.keep(p.score(), first) // the score as text: exact
		default:
			p.keep(first)
		}
	}
	p.expect(brackets[typ].close)
}

// accept skips a text if it is next, and reports whether it was.
func (p *parser) accept(text string) bool {
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok && p.err == nil {
		p.rest = rest
	}
	return ok && p.err == nil
}

// expect skips a text that must be next.
func (p *parser) expect(text string) {
	if !p.accept(text) && p.err == nil {
		p.err = errForm
	}
}

// token skips a text that consists of these characters, and returns it.
func (p *parser) token(characters string) string {
	end := 0
	for end < len(p.rest) && strings.IndexByte(characters, p.rest[end]) >= 0 {
		end++
	}
	token := p.rest[:end]
	p.rest = p.rest[end:]
	return token
}

// whole parses a positive whole number.
func (p *parser) whole() int64 {
	n, err := strconv.ParseInt(p.token("0123456789"), 10, 64)
	if err != nil || n < 1 {
		p.err = errForm
	}
	return n
}

// score parses a score, which it returns as text.
func (p *parser) score() string {
	token := p.token("-+.e0123456789")
	if p.keeps {
		return token
	}
	if f, err := strconv.ParseFloat(token, 64); err != nil || math.IsInf(f, 0) {
		p.err = errForm
	}
	return token
}

// text parses a string.
func (p *parser) text() string {
	p.expect(`"`)
	var b strings.Builder
	for p.err == nil {
		i := 0
		for i < len(p.rest) && p.rest[i] >= ' ' && p.rest[i] != '"' && p.rest[i] != '\\' {
			i++
		}
		part := p.rest[:i]
		p.rest = p.rest[i:]
		if p.accept(`"`) {
			if b.Len() == 0 {
				return part
			}
			b.WriteString(part)
			return b.String()
		}
		b.WriteString(part)
		b.WriteByte(p.escaped())
	}
	return ""
}

// escaped parses an escaped character.
func (p *parser) escaped() byte {
	p.expect(`\`)
	if p.err != nil || p.rest == "" {
		p.err = errForm
		return 0
	}
	c := p.rest[0]
	p.rest = p.rest[1:]
	switch c {
	case '"', '\\':
		return c
	case 'n':
		return '\n'
	case 't':
		return '\t'
	}
	if c == 'u' && len(p.rest) >= 4 {
		if n, err := strconv.ParseUint(p.rest[:4], 16, 8); err == nil && n < ' ' {
			p.rest = p.rest[4:]
			return byte(n)
		}
	}
	p.err = errForm
	return 0
}
