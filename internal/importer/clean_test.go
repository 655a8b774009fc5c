package importer

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"agora/internal/forum"
	_ "agora/internal/test/testseed"
	"agora/internal/text"
)

func TestTitlesAreCleaned(t *testing.T) {
	tests := []struct {
		name    string
		s       string
		want    string
		changes Changes
	}{
		{"plain", "A title", "A title", Changes{}},
		{"Chinese", "红宝石与雷迪斯", "红宝石与雷迪斯", Changes{}},
		{"right to left", "שלום", "שלום", Changes{}},
		{"zero width and direction marks stay", "a\u200b\u200eb", "a\u200b\u200eb", Changes{}},
		{"markup stays", "<b>&amp;", "<b>&amp;", Changes{}},
		{"white space at the ends goes", " \u3000a ", "a", Changes{}},
		{"CR LF", "a\r\nb", "a b", Changes{}},
		{"runs of line ends and tabs", "a\r\n\n\t\rb\tc", "a b c", Changes{}},
		{"line ends at the ends", "\r\na\n", "a", Changes{}},
		{"control characters go", "a\x00\x1b\u0085\x7fb", "ab", Changes{ControlCharacters: 4}},
		{"control characters among line ends", "a\n\x00\nb", "a b", Changes{ControlCharacters: 1}},
		{"overrides and separators go", "a\u202eb\u2066\u2028c", "abc", Changes{Overrides: 3}},
		{"noncharacters", "a\uffff\ufdd0\U0010fffeb", "a\ufffd\ufffd\ufffdb", Changes{}},
		{"ill-formed", "a\xffb", "a\ufffdb", Changes{}},
		{"NFC", "Cafe\u0301", "Café", Changes{}},
		{"the longest", strings.Repeat("𝔸", MaxTitle), strings.Repeat("𝔸", MaxTitle), Changes{}},
		{"the longest in NFC", strings.Repeat("e\u0301", MaxTitle), strings.Repeat("é", MaxTitle), Changes{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			if got, err := c.title(tt.s); got != tt.want || err != nil || c != tt.changes {
				t.Errorf("title(%+q) = %+q, %v, %+v; want %+q, %+v", tt.s, got, err, c, tt.want, tt.changes)
			}
		})
	}
}

func TestInvalidTitles(t *testing.T) {
	tests := []struct{ name, s, want string }{
		{"empty", "", "title is empty"},
		{"white space", " \r\n\t\u3000", "title is empty"},
		{"invisible", "\u200b\ufeff\u3164", "title is empty"},
		{"control characters", "\x00", "title is empty"},
		{"too long", strings.Repeat("a", MaxTitle+1), "title must have at most 300 characters."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			if got, err := c.title(tt.s); got != "" || err == nil || err.Error() != tt.want {
				t.Errorf("title(%.20q) = %q, %v; want error %q", tt.s, got, err, tt.want)
			}
		})
	}
}

func TestContentIsCleaned(t *testing.T) {
	tests := []struct {
		name    string
		s       string
		want    string
		changes Changes
	}{
		{"empty", "", "", Changes{}},
		{"lines and tabs", "a\n\n\tb ", "a\n\n\tb ", Changes{}},
		{"CR LF", "a\r\nb\r\n", "a\nb\n", Changes{}},
		{"lone CR", "a\rb\r\r\nc", "a\nb\n\nc", Changes{}},
		{"CR LF LF", "a\r\n\nb", "a\n\nb", Changes{}},
		{"control characters go", "a\x00\v\f\u0085b\x7f", "ab", Changes{ControlCharacters: 5}},
		{"CR, control character, LF", "a\r\x00\nb", "a\n\nb", Changes{ControlCharacters: 1}},
		{"overrides and separators stay", "a\u202e\u2028b", "a\u202e\u2028b", Changes{}},
		{"noncharacters and ill-formed", "\ufffe\xc0\x80", "\ufffd\ufffd\ufffd", Changes{}},
		{"not converted to NFC", "e\u0301", "e\u0301", Changes{}},
		{"the longest", strings.Repeat("é", MaxContent/2), strings.Repeat("é", MaxContent/2), Changes{}},
		{
			"the longest after cleaning",
			"\r\n" + strings.Repeat("a", MaxContent-1),
			"\n" + strings.Repeat("a", MaxContent-1),
			Changes{},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			if got, err := c.cleaned(tt.s); got != tt.want || err != nil || c != tt.changes {
				t.Errorf("cleaned(%.20q) = %.20q, %v, %+v; want %.20q, %+v", tt.s, got, err, c, tt.want, tt.changes)
			}
		})
	}
	var c Changes
	const want = "the text has 1048577 bytes; at most 1048576 are allowed"
	if _, err := c.cleaned(strings.Repeat("a", MaxContent+1)); err == nil || err.Error() != want {
		t.Errorf("content(one byte too long): %v; want %q", err, want)
	}
}

func TestNamesAreTruncated(t *testing.T) {
	tests := []struct{ name, s, want string }{
		{"the longest", strings.Repeat("名", forum.MaxName), strings.Repeat("名", forum.MaxName)},
		{"one more", strings.Repeat("名", forum.MaxName+1), strings.Repeat("名", forum.MaxName-1) + "…"},
		{"between words", strings.Repeat("word ", 20), strings.TrimSpace(strings.Repeat("word ", 12)) + "…"},
		{"not at an early space", "a " + strings.Repeat("b", 100), "a " + strings.Repeat("b", 61) + "…"},
		{"not before a mark", strings.Repeat("a", 62) + "x\u0331" + "bc", strings.Repeat("a", 62) + "…"},
		{"one line", "a\r\nb", "a b"},
		{"invisible", "\u200b ", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			if got := c.name(tt.s); got != tt.want {
				t.Errorf("name(%q) = %q; want %q", tt.s, got, tt.want)
			}
		})
	}
}

func TestDescriptionsArePlainText(t *testing.T) {
	tests := []struct{ name, s, want string }{
		{"plain", "About <- Go, C & Rust", "About <- Go, C & Rust"},
		{"link", `See <a href="/go/x" title="<b>">the <em>x</em> node</a>.`, "See the x node."},
		{"comment", "<!--\r\nnot shown\r\n-->", ""},
		{"entities", "&lt;b&gt; &amp;amp; &#x4e2d;", "<b> &amp; 中"},
		{"line breaks", "a<br>b<br/>c<p>d</p>", "a\nb\nc\nd"},
		{"unclosed tag", "a <b", "a"},
		{"control characters", "a\x00&#1;b", "ab"},
		{"too long", strings.Repeat("文", forum.MaxDescription+1), strings.Repeat("文", forum.MaxDescription-1) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			if got := c.description(tt.s); got != tt.want {
				t.Errorf("description(%.40q) = %.40q; want %.40q", tt.s, got, tt.want)
			}
		})
	}
}

func TestLinksAreChecked(t *testing.T) {
	tests := []struct {
		name, s, want string
		dropped       int
	}{
		{"http", "http://example.org/a", "http://example.org/a", 0},
		{"white space around", " https://example.org/ \n", "https://example.org/", 0},
		{"none", "", "", 0},
		{"different scheme", "javascript:alert(1)", "", 1},
		{"relative", "item?id=1", "", 1},
		{"space", "http://example.org/a b", "http://example.org/a%20b", 0},
		{"too long", "http://example.org/" + strings.Repeat("a", forum.MaxLink), "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			if got := c.link(tt.s); got != tt.want || c.Links != tt.dropped {
				t.Errorf("link(%.40q) = %q, %d dropped; want %q, %d", tt.s, got, c.Links, tt.want, tt.dropped)
			}
		})
	}
}

// anyText returns texts with many problematic characters.
func anyText() *rapid.Generator[string] {
	nasty := rapid.SampledFrom([]string{
		"\r\n", "\r", "\t", "\x00", "\x7f", "\u0085", "\u2028", "\u202e", "\u2069", "\ufffe", "\ufdd0", "\xff",
		"\xed\xa0\x80",
		"\u200b", "\u200d", "e\u0301", "\u0301", "\u0958", "\ufb2c", "ﬁ", "Ａ", "ﾊﾞ", "😀", "ש", "١", "中", "ー", "_", "-", ".",
		"0", "a", "ж", "<p>", "&amp;", " ",
	})
	return rapid.Custom(func(t *rapid.T) string {
		parts := rapid.SliceOfN(rapid.OneOf(nasty, rapid.String()), 0, 40).Draw(t, "parts")
		return strings.Join(parts, "")
	})
}

func TestCleanedTextsAreAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyText().Draw(t, "text")
		var c Changes
		if title, err := c.title(s); err == nil {
			if again, err := text.Line(nil, title, 1, MaxTitle); again != title || err != nil {
				t.Fatalf("title(%+q) = %+q; text.Line makes it %+q, %v", s, title, again, err)
			}
		}
		if content, err := c.cleaned(s); err != nil || bad(content, MaxContent) {
			t.Fatalf("cleaned(%+q) = %+q, %v; want what text.Body accepts", s, content, err)
		}
		if name := c.name(s); name != "" {
			if again, err := text.Line(nil, name, 1, forum.MaxName); again != name || err != nil {
				t.Fatalf("name(%+q) = %+q; text.Line makes it %+q, %v", s, name, again, err)
			}
		}
		long := strings.Repeat(s, 20)
		if d := c.description(long); bad(d, forum.MaxDescription) || !norm.NFC.IsNormalString(d) {
			t.Fatalf("description(%+q) = %+q; want what text.Body accepts", long, d)
		}
	})
}

// bad reports whether the API refuses a text.
func bad(s string, max int) bool {
	_, err := text.Body(nil, s, 0, max)
	return err != nil
}
