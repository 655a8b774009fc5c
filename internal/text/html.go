package text

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"

	"agora/internal/forum"
)

// HTML renders a text as safe HTML: no scripts, styles, frames, forms or event handlers, and no ids
// but those of footnotes, which begin with that of the text. Links
// lead only to http, https, mailto and relative addresses without user names, and are nofollow and
// ugc. Images come from http and https only, which get no referrer. Every element and change of
// direction is closed. Raw HTML in Markdown is shown as text. Each `@login` whose fold is among the
// mentions becomes a link of class "mention" to the member's present login, which it shows if it is
// another one; except in code and links.
//
// It accepts any content, including what Body refuses. Time and size are bounded: see guard.go and
// printer.go for texts that exceed the limits.
func HTML(content string, format forum.ContentFormat, mentions []Mention) string {
	return render(Source{Content: content, Format: format, Mentions: mentions}, Images{})
}

func render(s Source, images Images) string {
	renamed := make([]bool, len(s.Mentions))
	for i, m := range s.Mentions {
		now, _ := FoldLogin(m.Login)
		renamed[i] = now != m.Fold
	}
	return show(s, images, func(login string, _ bool) string {
		if len(s.Mentions) == 0 {
			return ""
		}
		fold, _ := FoldLogin(login)
		for i, m := range s.Mentions {
			switch {
			case m.Fold != fold:
			case renamed[i]:
				return mentionLink(m.Login, m.Login)
			default:
				return mentionLink(login, m.Login)
			}
		}
		return ""
	})
}

// show renders a text with what link returns for `@login` in it, "" for what stays as it is.
func show(s Source, images Images, link func(login string, quoted bool) string) string {
	content, policy := strings.ToValidUTF8(s.Content, "\uFFFD"), policy
	if s.Format != forum.HTML {
		content, policy = markdownHTML(content), markdownPolicy
	}
	p := printer{link: link, images: images, id: s.ID}
	return p.print(policy.Sanitize(content))
}

// policy decides which elements and attributes may be shown. It alone determines what is safe, with
// markdownPolicy for what only Markdown makes.
var policy, markdownPolicy = newPolicy(), newMarkdownPolicy()

// newMarkdownPolicy allows check boxes and footnotes, too.
func newMarkdownPolicy() *bluemonday.Policy {
	p := newPolicy()
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").OnElements("input")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^fn(ref[0-9]*)?:[0-9]+$`)).OnElements("li", "sup")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^footnotes$`)).OnElements("div")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^footnote-(ref|backref)$`)).OnElements("a")
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^doc-(noteref|backlink|endnotes)$`)).OnElements("a", "div")
	return p
}

func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(
		"p", "br", "hr", "div", "span", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "kbd", "samp", "var",
		"em", "strong", "b", "i", "u", "s", "strike", "del", "ins", "sub", "sup", "small", "mark", "abbr", "cite", "dfn", "q",
		"ul", "ol", "li", "dl", "dt", "dd", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td",
		"details", "summary", "figure", "figcaption", "ruby", "rb", "rp", "rt", "wbr", "bdi",
	)
	number := regexp.MustCompile(`^[0-9]{1,4}$`)
	p.AllowAttrs("start", "value").Matching(number).OnElements("ol", "li")
	p.AllowAttrs("colspan", "rowspan").Matching(regexp.MustCompile(`^[0-9]{1,2}$`)).OnElements("th", "td")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("class").Matching(regexp.MustCompile(`^language-[\pL\pN+#_.-]{1,40}$`)).OnElements("code")
	p.AllowAttrs("title").OnElements("a", "img", "abbr")

	p.RequireParseableURLs(true)
	p.AllowRelativeURLs(true)
	p.AllowURLSchemes("mailto")
	p.AllowURLSchemeWithCustomPolicy("http", hasHost)
	p.AllowURLSchemeWithCustomPolicy("https", hasHost)
	p.RequireNoFollowOnLinks(true)
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^(?i:https?)://`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("width", "height").Matching(number).OnElements("img")
	return p
}

// hasHost refuses addresses such as `http:a` and `http://?a`, which browsers and Go interpret
// differently.
func hasHost(u *url.URL) bool { return u.Host != "" }

// mentionLink returns the link to a member for `@login`. It is added after the policy was applied, so that no text can
// contain a link that looks like one.
func mentionLink(login, present string) string {
	return `<a class="mention" href="/@` + url.PathEscape(present) + `" rel="nofollow">@` + html.EscapeString(login) + `</a>`
}
