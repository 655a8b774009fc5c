package text

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// maxElements is how deep elements may stand in each other in what is shown.
// Browsers stop at 512, and readers have to cope with it too; deeper tags are
// left out, their text stays.
const maxElements = 100

// maxSigns is how many mentions of a text are looked at, whoever they name.
const maxSigns = 2_000

// printer writes sanitised HTML so that every element is closed in order, for a
// stray `</div>` would end an element of the page around it, and links mentions.
type printer struct {
	// link reports whether `@login` becomes a link.
	link   func(login string) bool
	images Images

	out strings.Builder
	// open are the names of the elements that are open, outermost first.
	open []string
	// floors are what bidi.floor was before each of them began.
	floors []int
	bidi   bidi
	// tooDeep counts the open elements beyond maxElements.
	tooDeep int
	// signs counts the mentions that were looked at.
	signs int
	// quoted counts the open elements in which '@' means nothing.
	quoted int
}

func (p *printer) print(sanitised string) string {
	z := html.NewTokenizer(strings.NewReader(sanitised))
	for z.Next() != html.ErrorToken {
		t := z.Token()
		switch t.Type {
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(t)
		case html.EndTagToken:
			p.end(t.Data)
		case html.TextToken:
			p.text(t.Data)
		}
	}
	p.closeTo(0)
	p.out.WriteString(p.bidi.closeTo(0))
	return p.out.String()
}

func (p *printer) start(t html.Token) {
	// A browser takes `<div/>` for `<div>`.
	t.Type = html.StartTagToken
	for i := range t.Attr {
		t.Attr[i].Val = withoutBidi(t.Attr[i].Val)
	}
	switch t.Data {
	case "a":
		guardLink(t)
	case "img":
		p.image(t)
		return
	}
	if isVoid(t.Data) {
		p.out.WriteString(t.String())
		return
	}
	if len(p.open) == maxElements {
		p.tooDeep++
		return
	}
	p.out.WriteString(t.String())
	p.open = append(p.open, t.Data)
	p.floors = append(p.floors, p.bidi.floor)
	p.bidi.floor = len(p.bidi.ends)
	if isQuote(t.Data) {
		p.quoted++
	}
}

func (p *printer) end(name string) {
	if p.tooDeep > 0 {
		p.tooDeep--
		return
	}
	for i, open := range slices.Backward(p.open) {
		if open == name {
			p.closeTo(i)
			return
		}
	}
}

// closeTo closes the innermost elements until n are open.
func (p *printer) closeTo(n int) {
	for i, name := range slices.Backward(p.open) {
		if i < n {
			break
		}
		p.out.WriteString(p.bidi.closeTo(p.bidi.floor))
		p.bidi.floor = p.floors[i]
		p.out.WriteString("</" + name + ">")
		if isQuote(name) {
			p.quoted--
		}
	}
	p.open, p.floors = p.open[:n], p.floors[:n]
}

func (p *printer) text(s string) {
	s = p.bidi.isolate(s)
	done := 0
	if p.quoted == 0 && p.signs < maxSigns {
		for start, end := nextMention(s, 0); start >= 0; start, end = nextMention(s, end) {
			if p.signs++; p.signs > maxSigns {
				break
			}
			login := s[start+1 : end]
			if !p.link(login) {
				continue
			}
			p.out.WriteString(html.EscapeString(s[done:start]))
			p.out.WriteString(mentionLink(login))
			done = end
		}
	}
	p.out.WriteString(html.EscapeString(s[done:]))
}

// isVoid reports whether the element has no end tag.
func isVoid(name string) bool {
	return name == "br" || name == "hr" || name == "img" || name == "wbr"
}

// isQuote reports whether what stands in the element is not the writer's speech.
func isQuote(name string) bool { return name == "a" || name == "code" || name == "pre" }
