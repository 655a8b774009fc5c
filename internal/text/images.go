package text

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Images is how images are shown. They are all on other hosts, which learn who reads. The zero
// value shows them.
type Images struct {
	none bool
	// proxy is put before the address of each image; may be empty.
	proxy string
}

// ParseImages parses "all" or "", which shows images, "none", which shows links instead, or the
// address of a proxy, an http or https URL or a path that begins with one slash. The address of
// each image is appended to it, escaped for a query.
func ParseImages(s string) (Images, error) {
	switch s {
	case "", "all":
		return Images{}, nil
	case "none":
		return Images{none: true}, nil
	}
	u, err := url.Parse(s)
	absolute := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
	path := err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/")
	if !absolute && !path || strings.ContainsFunc(s, notInLink) {
		return Images{}, fmt.Errorf(
			"images %.200q: want all, none, or the address of a proxy, such as https://images.example.org/?url=",
			s,
		)
	}
	return Images{proxy: s}, nil
}

// image prints an image or its replacement.
func (p *printer) image(t html.Token) {
	src := attribute(t, "src")
	if src == nil { // the policy has removed it
		p.out.WriteString(t.String())
		return
	}
	if p.images.none {
		p.imageLink(t, src.Val)
		return
	}
	src.Val = withoutUser(src.Val)
	if p.images.proxy != "" {
		src.Val = p.images.proxy + url.QueryEscape(src.Val)
	}
	t.Attr = append(
		t.Attr,
		html.Attribute{Key: "loading", Val: "lazy"},
		html.Attribute{Key: "referrerpolicy", Val: "no-referrer"},
	)
	p.out.WriteString(t.String())
}

// imageLink prints a link to an image, with its alternative text; within a link or code only the
// text.
func (p *printer) imageLink(t html.Token, src string) {
	src = withoutUser(src)
	name := src
	if alt := attribute(t, "alt"); alt != nil && strings.TrimSpace(alt.Val) != "" {
		name = alt.Val
	}
	name = html.EscapeString(name)
	if p.literal > 0 {
		p.out.WriteString(name)
		return
	}
	p.out.WriteString(`<a href="` + html.EscapeString(src) + `" rel="` + linkRel + `">` + name + `</a>`)
}

// linkRel is the rel of links in users' texts.
const linkRel = "nofollow ugc noopener"

// guardLink sets the attributes of a link that its author must not control.
func guardLink(t html.Token) {
	if rel := attribute(t, "rel"); rel != nil {
		rel.Val = linkRel
	}
	if href := attribute(t, "href"); href != nil {
		href.Val = withoutUser(href.Val)
	}
}

// withoutUser returns an address without user name and password, which could make it look like that
// of another host.
func withoutUser(address string) string {
	if !strings.Contains(address, "@") {
		return address
	}
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = nil
	return u.String()
}

// attribute returns the attribute of a tag, or nil.
func attribute(t html.Token, key string) *html.Attribute {
	for i := range t.Attr {
		if t.Attr[i].Key == key {
			return &t.Attr[i]
		}
	}
	return nil
}
