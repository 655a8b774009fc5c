package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agora/internal/forum"
)

func TestStatusTitle(t *testing.T) {
	word := strings.Repeat("word ", 15) // 75
	tests := []struct {
		name, content string
		format        forum.ContentFormat
		want          string
	}{
		{"one line", "Good morning", forum.Markdown, "Good morning"},
		{"the first of several", "One\nTwo", forum.Markdown, "One"},
		{"the first that is not empty", "\n \n\t\n  One  \n\nTwo", forum.Markdown, "One"},
		{"white space is collapsed", "One \t two\u3000 three", forum.Markdown, "One two three"},
		{
			"without markup",
			"# My *first* `status` by [me](https://example.net/) @ann",
			forum.Markdown,
			"My first status by me @ann",
		},
		{"raw HTML in Markdown is text", "<b>One</b>", forum.Markdown, "<b>One</b>"},
		{"entities are decoded", "Tea &amp; ink", forum.Markdown, "Tea & ink"},
		{"a list", "- One\n- Two", forum.Markdown, "One"},
		{"code", "```go\n\nx := 1\ny := 2\n```", forum.Markdown, "x := 1"},
		{"a table", "| One | Two |\n|---|---|\n| 1 | 2 |", forum.Markdown, "One"},
		{"HTML without markup", "<p>My <b>first</b></p><p>Two</p>", forum.HTML, "My first"},
		{"a line of HTML goes on in the next", "My\nfirst<br>Two", forum.HTML, "My first"},
		{"preformatted HTML", "<pre>\nOne\nTwo</pre>", forum.HTML, "One"},
		{"scripts are no text", "<script>alert(1)</script>One", forum.HTML, "One"},
		{"only a picture", "![](https://example.net/a.png)\nTwo", forum.Markdown, "Two"},
		{"only pictures", "\n![](https://example.net/a.png)", forum.Markdown, "![](https://example.net/a.png)"},
		{"only a rule", "---", forum.Markdown, "---"},
		{
			"only a picture in HTML",
			`<img src="https://example.net/a.png">`,
			forum.HTML,
			`<img src="https://example.net/a.png">`,
		},
		{"invisible lines are empty", "\u200b\nOne", forum.Markdown, "One"},
		{"overrides are left out", "One \u202etwo&#x202e;&#7;", forum.Markdown, "One two"},
		{"a line separator is a space", "One\u2028two", forum.Markdown, "One two"},
		{"NFC", "Cafe\u0301", forum.Markdown, "Caf\u00e9"},
		{"80 code points", word + "abcde", forum.Markdown, word + "abcde"},
		{"81 code points, cut at a word", word + "abcdef", forum.Markdown, strings.TrimSpace(word) + "…"},
		{"a word ends at the bound", word + "abcd efgh", forum.Markdown, word + "abcd…"},
		{"no word ends", strings.Repeat("茶", 81), forum.Markdown, strings.Repeat("茶", 79) + "…"},
		{"no word ends late enough", "A " + strings.Repeat("b", 80), forum.Markdown, "A " + strings.Repeat("b", 77) + "…"},
		{"no character is torn", strings.Repeat("茶", 76) + "👩\u200d👩\u200d👧茶", forum.Markdown, strings.Repeat("茶", 76) + "…"},
		{"nor one of syllables", strings.Repeat("茶", 77) + "\u1112\u1161\u11ab\u1112\u1161\u11ab", forum.Markdown,
			strings.Repeat("茶", 77) + "한한"},
		{"nor a flag", strings.Repeat("茶", 75) + "🇫🇷🇩🇪🇯🇵", forum.Markdown, strings.Repeat("茶", 75) + "🇫🇷🇩🇪…"},
		{"nor a skin", strings.Repeat("茶", 78) + "👍🏽茶茶", forum.Markdown, strings.Repeat("茶", 78) + "…"},
		{"nor a keycap", strings.Repeat("茶", 77) + "1\ufe0f\u20e3茶", forum.Markdown, strings.Repeat("茶", 77) + "…"},
		{"nor a conjunct", strings.Repeat("茶", 77) + "क्षि茶", forum.Markdown, strings.Repeat("茶", 77) + "…"},
		{"nor a vowel", strings.Repeat("茶", 78) + "กำมา", forum.Markdown, strings.Repeat("茶", 78) + "…"},
		{"one character that is too long", "क" + strings.Repeat("\u200d", 90), forum.Markdown,
			"क" + strings.Repeat("\u200d", 78) + "…"},
	}
	for _, tt := range tests {
		got := StatusTitle(tt.content, tt.format)
		if got != tt.want {
			t.Errorf("%s: StatusTitle(%q) = %q; want %q", tt.name, tt.content, got, tt.want)
		}
		if line, err := Line(nil, got, 1, forum.MaxTitle); err != nil || line != got {
			t.Errorf("%s: the title %q is stored as %q, %v; want a valid title", tt.name, got, line, err)
		}
	}
}

// The title of a text that Body accepts is accepted by Line.
func FuzzStatusTitle(f *testing.F) {
	for _, seed := range []string{"One", "\u200b", "![](x)", "&#0;&#x202e;", "<pre>\n</pre>",
		strings.Repeat("e\u0301\u200d", 90)} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, content string, asHTML bool) {
		format := forum.Markdown
		if asHTML {
			format = forum.HTML
		}
		if _, err := Body(nil, content, 1, forum.MaxStatus); err != nil {
			return
		}
		got := StatusTitle(content, format)
		if line, err := Line(nil, got, 1, forum.MaxTitle); err != nil || line != got {
			t.Errorf("the title of %q is %q, stored as %q, %v; want a valid title", content, got, line, err)
		}
		if n := utf8.RuneCountInString(got); n > 80 {
			t.Errorf("the title of %q has %d code points; want at most 80", content, n)
		}
	})
}
