package text

import (
	"slices"
	"testing"

	"agora/internal/forum"
)

func TestBlockedWords(t *testing.T) {
	l := NewBlocklist([]string{"viagra", "Casino", "buy now", "发票", "ass", "4chan"}, nil)
	tests := []struct{ text, want string }{
		{"Cheap VIAGRA here", "viagra"},
		{"V1agrа", "viagra"}, // the last letter is Cyrillic
		{"v!@gra", "viagra"},
		{"vi\u200bagra", "viagra"},
		{"ｖｉａｇｒａ", "viagra"},
		{"viagras", ""},
		{"a cаsino.", "Casino"},
		{"a cas1n0.", "Casino"},
		{"BUY\n  now!", "buy now"},
		{"buy nowhere", ""},
		{"代开发票哦", "发票"},
		{"a class of bass", ""},
		{"an ass", "ass"},
		{"4chan", "4chan"},
		{"", ""},
		{"nothing to see", ""},
	}
	for _, tt := range tests {
		if got := l.Word(tt.text); got != tt.want {
			t.Errorf("Word(%q) = %q; want %q", tt.text, got, tt.want)
		}
	}
	if got := (*Blocklist)(nil).Word("viagra"); got != "" {
		t.Errorf("no list blocks %q", got)
	}
}

func TestBlockedDomains(t *testing.T) {
	l := NewBlocklist(nil, []string{Domain("Spam.example"), Domain("bücher.example")})
	tests := []struct{ address, want string }{
		{"https://spam.example/x", "spam.example"},
		{"http://a.b.SPAM.example:8080", "spam.example"},
		{"https://spam.example.", "spam.example"},
		{"https://nospam.example/", ""},
		{"https://spam.example.org/", ""},
		{"https://xn--bcher-kva.example/", "xn--bcher-kva.example"},
		{"https://BÜCHER.example/", "xn--bcher-kva.example"},
		{"/topic/1", ""},
	}
	for _, tt := range tests {
		if got := l.Domain(Host(tt.address)); got != tt.want {
			t.Errorf("Domain(Host(%q)) = %q; want %q", tt.address, got, tt.want)
		}
	}
	for _, bad := range []string{"", "  ", "a b", "http://x.example", "."} {
		if got := Domain(bad); got != "" {
			t.Errorf("Domain(%q) = %q; want none", bad, got)
		}
	}
}

func TestContentOf(t *testing.T) {
	tests := []struct {
		name, text string
		format     forum.ContentFormat
		plain      string
		hosts      []string
	}{
		{"markup within a word", "v**ia**gra", forum.Markdown, " viagra ", nil},
		{"links", "[a](https://a.example) <https://b.example/x> https://c.example [home](/about)", forum.Markdown,
			" a https://b.example/x https://c.example home ", []string{"a.example", "b.example", "c.example"}},
		{"a picture", "![x](https://p.example/x.png)", forum.Markdown, "", []string{"p.example"}},
		{"HTML", `<a href="https://A.example">x</a><br>y`, forum.HTML, "x y", []string{"a.example"}},
		{"in code", "`https://a.example`", forum.Markdown, " https://a.example ", nil},
	}
	for _, tt := range tests {
		c := ContentOf(tt.text, tt.format)
		if !slices.Equal(c.Hosts, tt.hosts) || tt.plain != "" && Fold(c.Plain) != Fold(tt.plain) {
			t.Errorf("%s: ContentOf(%q) = %+v; want %q, %q", tt.name, tt.text, c, tt.plain, tt.hosts)
		}
	}
}
