package text

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// maxElements is the maximum nesting depth of elements in rendered HTML. Browsers stop at 512, and
// readers must cope with it too. Deeper tags are dropped, their text remains.
const maxElements = 100

// maxSigns is how many mentions in a text are considered, whether or not they name a user.
const maxSigns = 2_000

// printer writes sanitised HTML and links mentions. It closes every element in order, because a
// stray `</div>` would end an element of the page around it.
type printer struct {
	// link returns the link for `@login`, "" for none. quoted reports whether it is in a quotation.
	link   func(login string, quoted bool) string
	images Images
	id     string // begins the ids

	out strings.Builder
	// open are the names of the open elements, outermost first.
	open []string
	// outers are the values of bidi.outer before each of them began.
	outers []int
	bidi   bidi
	// tooDeep counts the open elements beyond maxElements.
	tooDeep int
	// signs counts the mentions considered.
	signs int
	// literal counts the open elements in which '@' means nothing, quotes those that quote others.
	literal, quotes int
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
	// Browsers treat `<div/>` as `<div>`.
	t.Type = html.StartTagToken
	for i := range t.Attr {
		t.Attr[i].Val = withoutBidi(t.Attr[i].Val)
		if t.Attr[i].Key == "id" {
			t.Attr[i].Val = p.id + t.Attr[i].Val
		}
	}
	switch t.Data {
	case "a":
		guardLink(t)
		if href := attribute(t, "href"); href != nil && leadsToNote(t) {
			href.Val = "#" + p.id + strings.TrimPrefix(href.Val, "#")
		}
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
	p.outers = append(p.outers, p.bidi.outer)
	p.bidi.outer = len(p.bidi.ends)
	p.count(t.Data, 1)
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

// closeTo closes the innermost elements until n remain open.
func (p *printer) closeTo(n int) {
	for i, name := range slices.Backward(p.open) {
		if i < n {
			break
		}
		p.out.WriteString(p.bidi.closeTo(p.bidi.outer))
		p.bidi.outer = p.outers[i]
		p.out.WriteString("</" + name + ">")
		p.count(name, -1)
	}
	p.open, p.outers = p.open[:n], p.outers[:n]
}

func (p *printer) text(s string) {
	s = p.bidi.isolate(s)
	done := 0
	if p.literal == 0 && p.signs < maxSigns {
		for start, end := nextMention(s, 0); start >= 0; start, end = nextMention(s, end) {
			if p.signs++; p.signs > maxSigns {
				break
			}
			login := s[start+1 : end]
			link := p.link(login, p.quotes > 0)
			if link == "" {
				continue
			}
			p.out.WriteString(html.EscapeString(s[done:start]))
			p.out.WriteString(link)
			done = end
		}
	}
	p.out.WriteString(html.EscapeString(s[done:]))
}

// isVoid reports whether the element has no end tag.
func isVoid(name string) bool {
	return name == "br" || name == "hr" || name == "img" || name == "wbr" || name == "input"
}

// count adds n to how many elements like this one are open.
func (p *printer) count(name string, n int) {
	switch name {
	case "a", "code", "pre":
		p.literal += n
	case "blockquote", "q":
		p.quotes += n
	}
}

// leadsToNote reports whether the element is the sign of a footnote, which is not part of the text.
func leadsToNote(t html.Token) bool { return t.Data == "a" && attribute(t, "role") != nil }
