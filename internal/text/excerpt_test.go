package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agora/internal/forum"
	_ "agora/internal/test/testseed"
)

func TestExcerpt(t *testing.T) {
	tests := []struct {
		name, content string
		format        forum.ContentFormat
		length        int
		want          string
	}{
		{"a short text", "Good *morning*", forum.Markdown, 100, "Good morning"},
		{"paragraphs are one line", "One\n\nTwo\n- three\n- four", forum.Markdown, 100, "One Two three four"},
		{"cut at a word", "Good morning, everybody", forum.Markdown, 20, "Good morning,…"},
		{"a word that is too long", strings.Repeat("x", 30), forum.Markdown, 20, strings.Repeat("x", 19) + "…"},
		{"exactly as long", strings.Repeat("x", 20), forum.Markdown, 20, strings.Repeat("x", 20)},
		{"entities", "Tea &amp; ink", forum.Markdown, 100, "Tea & ink"},
		{"HTML", "<p>My <b>first</b></p><p>Two</p>", forum.HTML, 100, "My first Two"},
		{"code", "```go\nx := 1\ny := 2\n```", forum.Markdown, 100, "x := 1 y := 2"},
		{"a rule", "---", forum.Markdown, 100, ""},
		{"right to left", "שלום עולם וברכה לכולם", forum.Markdown, 20, "שלום עולם וברכה…"},
	}
	for _, tt := range tests {
		if got := Excerpt(HTML(tt.content, tt.format, nil), tt.length); got != tt.want {
			t.Errorf("%s: Excerpt = %q; want %q", tt.name, got, tt.want)
		}
	}
}

// What Start leaves out begins with a whole character, also where the text has no line ends and no ASCII characters.
func TestStartTearsNoCharacter(t *testing.T) {
	for _, character := range []string{"👩\u200d👩\u200d👧", "🇫🇷", "क्षि", "x", "茶"} {
		for shift := range 40 {
			content := strings.Repeat("a", shift) + strings.Repeat(character, 2000)
			got := Start(Source{Content: content}, 20).Content
			if len(got) > 1024+8*20 || strings.Trim(content[len(got):], character) != "" || !strings.HasSuffix(got, character) ||
				(len(got)-shift)%len(character) != 0 {
				t.Errorf("Start of %d a and many %s is %d bytes, which end with %q; want whole characters", shift, character,
					len(got), got[len(got)-8:])
			}
		}
	}
}

// Whatever the text, its excerpt is one line within the length, which Line accepts unless it is empty.
func TestExcerptIsALine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Repeat(rapid.String().Draw(t, "content"), rapid.IntRange(1, 50).Draw(t, "times"))
		format := rapid.SampledFrom([]forum.ContentFormat{forum.Markdown, forum.HTML}).Draw(t, "format")
		length := rapid.IntRange(20, 500).Draw(t, "length")
		got := Excerpt(HTML(content, format, nil), length)
		if n := utf8.RuneCountInString(got); n > length {
			t.Errorf("Excerpt has %d code points; want at most %d", n, length)
		}
		if strings.ContainsAny(got, "\n\r\t") || got != strings.TrimSpace(got) {
			t.Errorf("Excerpt = %q; want one line", got)
		}
	})
}
