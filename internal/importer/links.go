package importer

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"agora/internal/forum"
	"agora/internal/text"
)

// content cleans a text of a post. Addresses in it that are relative to the page of the post on the
// other site become absolute, and links that are mentions there become mentions.
func (o origin) content(c *Changes, s string, f forum.ContentFormat, page string) (string, error) {
	s, err := c.cleaned(s)
	if err != nil {
		return "", err
	}
	absolute := o.absolute(page)
	resolve := func(address string) string {
		to := absolute(address)
		if to == "" && address != "" {
			c.Relative++
		}
		return to
	}
	if f == forum.HTML {
		return convertHTML(s, resolve), nil
	}
	return convertMarkdown(s, resolve), nil
}

// absolute returns a function that makes addresses on a page absolute. It returns "" for one that is
// relative to a site whose address is not known. What browsers cannot parse remains.
func (o origin) absolute(page string) func(address string) string {
	base := o.url
	if base != nil {
		if on, err := base.Parse(page); err == nil {
			base = on
		}
	}
	return func(address string) string {
		u, err := url.Parse(strings.TrimSpace(address))
		switch {
		case err != nil || u.IsAbs():
			return address
		case base != nil:
			return base.ResolveReference(u).String()
		case u.Host != "":
			u.Scheme = "https"
			return u.String()
		}
		return ""
	}
}

// addressed are the attributes with addresses that posts may have; see text.HTML.
var addressed = map[string]string{"a": "href", "img": "src"}

// convertHTML resolves the addresses in HTML, and replaces links that are mentions. The rest stays as
// written.
func convertHTML(s string, resolve func(string) string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for read := 0; ; { // bytes of s
		kind := z.Next()
		raw := s[read : read+len(z.Raw())]
		read += len(raw)
		switch kind {
		case html.ErrorToken:
			return b.String() + raw + s[read:]
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if name := mentioned(t); name != "" {
				if rest := mentionRest.FindStringSubmatch(s[read:]); rest != nil {
					for end := read + len(rest[0]); read < end && z.Next() != html.ErrorToken; {
						read += len(z.Raw())
					}
					b.WriteString(mention(name, rest[1]))
					continue
				}
			}
			raw = resolved(raw, t, resolve)
		}
		b.WriteString(raw)
	}
}

// resolved returns a tag with its address resolved, or as written if that is the same.
func resolved(raw string, t html.Token, resolve func(string) string) string {
	for i, a := range t.Attr {
		if a.Key != addressed[t.Data] || a.Val == "" {
			continue
		}
		to := resolve(a.Val)
		if to == a.Val {
			return raw
		}
		if t.Attr[i].Val = to; to == "" {
			t.Attr = slices.Delete(t.Attr, i, i+1)
		}
		return t.String()
	}
	return raw
}

// mentionPath matches the path of a member's page in a mention of Discourse.
var mentionPath = regexp.MustCompile(`/(?:u|users)/([^/]+)/?$`)

// mentionRest matches the rest of a mention after its start tag.
var mentionRest = regexp.MustCompile(`(?i)^([^<]*)</a\s*>`)

// mention returns a mention of a member. It is an element of its own, which separates the name from
// text beside it.
func mention(name, as string) string {
	if !strings.EqualFold(strings.TrimSpace(as), "@"+name) {
		as = "@" + html.EscapeString(name)
	}
	return "<span>" + as + "</span>"
}

// mentioned returns the name of the member whom a start tag of a link mentions, or "".
func mentioned(t html.Token) string {
	if t.Data != "a" {
		return ""
	}
	var class, href string
	for _, a := range t.Attr {
		switch a.Key {
		case "class":
			class = a.Val
		case "href":
			href = a.Val
		}
	}
	u, err := url.Parse(href)
	if err != nil || !slices.Contains(strings.Fields(class), "mention") {
		return ""
	}
	if m := mentionPath.FindStringSubmatch(u.Path); m != nil {
		return m[1]
	}
	return ""
}

// destination matches where the address of a link may be in Markdown: in brackets, or not.
var destination = regexp.MustCompile(`(?:\]\(\s*|\]:[ \t]*\n?[ \t]*)(?:<([^<>\n]*)>|((?:[^\s()<>\\]|\\.|\([^\s()]*\))+))`)

// convertMarkdown resolves the addresses of links and images in Markdown. The rest stays as written.
func convertMarkdown(s string, resolve func(string) string) string {
	places := destination.FindAllStringSubmatchIndex(s, -1)
	if places == nil {
		return s
	}
	links := map[string]bool{}
	for _, address := range text.Destinations(s) {
		links[address] = true
	}
	var b strings.Builder
	done := 0
	for _, p := range places {
		from, to := max(p[2], p[4]), max(p[3], p[5])
		if !links[s[from:to]] {
			continue
		}
		b.WriteString(s[done:from])
		b.WriteString(resolve(s[from:to]))
		done = to
	}
	return b.String() + s[done:]
}
