package text

import (
	"strings"
	"testing"

	"agora/internal/forum"
	"agora/internal/test/must"
)

func TestImages(t *testing.T) {
	const lazy = ` loading="lazy" referrerpolicy="no-referrer"`
	link := func(href, name string) string {
		return `<a href="` + href + `" rel="nofollow ugc noopener">` + name + `</a>`
	}
	tests := []struct{ images, content, want string }{
		{
			"all",
			`<img src="https://a.example/i.png?x=1&y=2" alt="A">`,
			`<img src="https://a.example/i.png?x=1&amp;y=2" alt="A"` + lazy + `>`,
		},
		{
			"all",
			`<img src="https://u:pw@a.example/i" loading="eager" referrerpolicy="unsafe-url" srcset="https://b.example/i 2x">`,
			`<img src="https://a.example/i"` + lazy + `>`,
		},
		{"none", `<img src="https://a.example/i.png" alt="A <b>">`, link("https://a.example/i.png", "A &lt;b&gt;")},
		{
			"none",
			`<img src="https://u:pw@a.example/i?x=1&y=2">`,
			link("https://a.example/i?x=1&amp;y=2", "https://a.example/i?x=1&amp;y=2"),
		},
		{"none", `<a href="/b"><img src="https://a.example/i" alt="A"></a>`, link("/b", "A")},
		{"none", `<img alt="A">`, `<img alt="A">`},
		{"https://p.example/?url=", `<img src="https://a.example/i.png?x=1&y=&quot;2">`,
			`<img src="https://p.example/?url=https%3A%2F%2Fa.example%2Fi.png%3Fx%3D1%26y%3D%26quot%3B2"` + lazy + `>`},
		{
			"/proxy/",
			`<img src="http://a.example/" width="10">`,
			`<img src="/proxy/http%3A%2F%2Fa.example%2F" width="10"` + lazy + `>`,
		},
	}
	for _, tt := range tests {
		images := must.Do(ParseImages(tt.images))(t)
		tt.want = strings.ReplaceAll(tt.want, "%26y%3D%26quot%3B2", "%26y%3D%222")
		if got := render(Source{Content: tt.content, Format: forum.HTML}, images); got != tt.want {
			t.Errorf("with images %s %s is\n%s; want\n%s", tt.images, tt.content, got, tt.want)
		}
	}
	for _, bad := range []string{"some", "ftp://a.example/", "//a.example/", "javascript:alert(1)", "https://u@a.example/",
		"https://", "data:,", "/a b", "https://a.example/\\b", "x/"} {
		if _, err := ParseImages(bad); err == nil {
			t.Errorf("ParseImages(%q) = nil; want an error", bad)
		}
	}
}

func TestLinksCannotHideTheirHost(t *testing.T) {
	for href, want := range map[string]string{
		"https://bank.example:pw@evil.example/a?b=c@d#e": "https://evil.example/a?b=c@d#e",
		"//bank.example@evil.example/":                   "//evil.example/",
		"https://example.org/@bob":                       "https://example.org/@bob",
		"mailto:bob@example.org":                         "mailto:bob@example.org",
		"/@bob":                                          "/@bob",
	} {
		out := HTML(`<a href="`+href+`">a</a>`, forum.HTML, nil)
		if got := `<a href="` + want + `" rel="nofollow ugc noopener">a</a>`; out != got {
			t.Errorf("%s is shown as %s; want %s", href, out, got)
		}
	}
}

// A change of direction ends with the element in which it begins.
func TestDirectionEndsWithItsElement(t *testing.T) {
	many := strings.Repeat("\u202e", 1000)
	tests := []struct{ name, content, want string }{
		{"plain", "a\u200fb", "a\u200fb"},
		{"override to the end", "a\u202eb", "a\u202eb\u202c"},
		{"in a block", "<p>a\u202eb</p>c", "<p>a\u202eb\u202c</p>c"},
		{"in a span", "a<b>\u2067b\u202a</b>c", "a<b>\u2067b\u202a\u202c\u2069</b>c"},
		{"closed by the writer", "\u2066a\u2069b\u202bc\u202cd", "\u2066a\u2069b\u202bc\u202cd"},
		{"closing characters without openers", "a\u202cb\u2069c", "abc"},
		{"closing characters of outer openers", "\u2067a<b>b\u2069\u202cc</b>d", "\u2067a<b>bc</b>d\u2069"},
		{"the end of an isolate closes embeddings in it", "\u2067a\u202eb\u2069c", "\u2067a\u202eb\u2069c"},
		{"an embedding does not end an isolate", "\u2067a\u202cb", "\u2067ab\u2069"},
		{
			"in an attribute",
			"<a href=\"/\" title=\"a\u202eb\u2069\">c</a>",
			`<a href="/" title="ab" rel="nofollow ugc noopener">c</a>`,
		},
		{"too many", many, many[:3*maxBidi] + strings.Repeat("\u202c", maxBidi)},
	}
	for _, tt := range tests {
		if got := HTML(tt.content, forum.HTML, nil); got != tt.want {
			t.Errorf("%s: %+q is shown as %+q; want %+q", tt.name, tt.content, got, tt.want)
		}
	}
	if got := HTML("a\u202eb\n\nc", forum.Markdown, nil); got != "<p>a\u202eb\u202c</p>\n<p>c</p>\n" {
		t.Errorf("Markdown: %+q", got)
	}
}
