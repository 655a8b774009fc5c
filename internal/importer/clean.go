package importer

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
	"agora/internal/text"
)

// text returns a text of several lines that text.Body accepts: all line ends become LF, other
// control characters except tabs are dropped, and noncharacters become U+FFFD.
func (c *Changes) text(s string) string {
	if strings.IndexFunc(s, unclean) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	afterCR := false
	for _, r := range s {
		switch {
		case r == '\n' && afterCR: // the second half of a line end
		case r == '\r':
			b.WriteByte('\n')
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		default:
			c.write(&b, r)
		}
		afterCR = r == '\r'
	}
	return b.String()
}

// line returns one line that text.Line accepts, except for its length: runs of line ends and tabs
// become a space, control characters, line separators and direction overrides are dropped, and
// noncharacters become U+FFFD.
func (c *Changes) line(s string) string {
	if strings.IndexFunc(s, uncleanInLine) < 0 {
		return s
	}
	var b strings.Builder
	space := false
	for _, r := range s {
		switch {
		case r == '\r' || r == '\n' || r == '\t':
			space = true
			continue
		case overrides(r):
			c.Overrides++
			continue
		case space && !unicode.IsControl(r):
			b.WriteByte(' ')
			space = false
		}
		c.write(&b, r)
	}
	return b.String()
}

// write writes r, unless it is a control character.
func (c *Changes) write(b *strings.Builder, r rune) {
	switch {
	case unicode.IsControl(r):
		c.ControlCharacters++
	case noncharacter(r):
		b.WriteRune(utf8.RuneError)
	default: // including utf8.RuneError, which replaces ill-formed bytes
		b.WriteRune(r)
	}
}

// unclean reports whether a text that contains r may have to change.
func unclean(r rune) bool {
	if r < utf8.RuneSelf {
		return r < ' ' && r != '\n' && r != '\t' || r == '\x7f'
	}
	return unicode.IsControl(r) || noncharacter(r) || r == utf8.RuneError
}

// uncleanInLine reports whether a line that contains r may have to change.
func uncleanInLine(r rune) bool {
	return unclean(r) || r == '\n' || r == '\t' || overrides(r)
}

// noncharacter reports whether r is a Unicode noncharacter.
func noncharacter(r rune) bool { return r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF }

// overrides reports whether r ends a line without being a control character, or
// overrides the direction of what follows.
func overrides(r rune) bool {
	return r == '\u2028' || r == '\u2029' || r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// title cleans a title.
func (c *Changes) title(s string) (string, error) {
	s, err := text.Line([]string{"title"}, c.line(s), 0, MaxTitle)
	var fault *forum.Error
	if errors.As(err, &fault) {
		return "", errors.New(fault.Message)
	}
	if s == "" {
		return "", errors.New("title is empty")
	}
	return s, err
}

// cleaned cleans a text. It may be empty.
func (c *Changes) cleaned(s string) (string, error) {
	s = c.text(s)
	if len(s) > MaxContent {
		return "", fmt.Errorf("the text has %d bytes; at most %d are allowed", len(s), MaxContent)
	}
	return s, nil
}

// name cleans the name of a person, category or tab, and truncates it to forum.MaxName. A name
// without visible characters becomes empty.
func (c *Changes) name(s string) string {
	s, err := text.Line(nil, c.line(s), 0, math.MaxInt)
	if err != nil {
		return ""
	}
	return text.Shorten(s, forum.MaxName, forum.MaxName/2)
}

// person returns a member; id 0 means no id. Without a name it returns the zero Person.
func (c *Changes) person(id int64, name string, joined forum.Time) Person {
	p := Person{Name: c.name(name), CreatedAt: joined}
	if p.Name == "" {
		return Person{}
	}
	p.ID = "name:" + p.Name
	if id != 0 {
		p.ID = itoa(id)
	}
	if id > 0 { // Discourse's own accounts have negative ids
		p.SourceID = p.ID
	}
	return p
}

// tags cleans the names of tags and drops those that are not valid here. Duplicates are dropped
// too, but not counted.
func (c *Changes) tags(names []string) []string {
	var kept []string
	known := map[forum.TagID]bool{}
	for _, name := range names {
		t, err := text.Tag(nil, c.line(name))
		switch {
		case err == nil && known[t.ID]:
		case err != nil || len(kept) == forum.MaxTopicTags:
			c.Tags++
		default:
			known[t.ID] = true
			kept = append(kept, t.Name)
		}
	}
	return kept
}

// link returns a URL that text.Link accepts, or "".
func (c *Changes) link(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	link, err := text.Link(nil, s)
	if err != nil {
		c.Links++
		return ""
	}
	return link
}

// description converts an HTML description to plain text.
func (c *Changes) description(markup string) string {
	plain := markup
	if strings.ContainsAny(markup, "<&") {
		plain = withoutMarkup(markup)
	}
	return text.Shorten(norm.NFC.String(strings.TrimSpace(c.text(plain))), forum.MaxDescription, forum.MaxDescription/2)
}

func withoutMarkup(markup string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(markup))
	for z.Next() != html.ErrorToken {
		switch t := z.Token(); {
		case t.Type == html.TextToken:
			b.WriteString(t.Data)
		case t.Data == "br" || t.Data == "p" && t.Type == html.StartTagToken:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// count checks that a count is at most MaxCount.
func count(field string, n int64) (int, error) {
	if n > MaxCount || n < -MaxCount {
		return 0, fmt.Errorf("%s is beyond %d", field, MaxCount)
	}
	return int(n), nil
}
