package text

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"agora/internal/forum"
)

// hrefs returns the destinations of a text's links, unescaped.
func hrefs(t *testing.T, shown string) []string {
	var all []string
	for _, m := range regexp.MustCompile(`<a href="([^"]*)"`).FindAllStringSubmatch(shown, -1) {
		href, err := url.PathUnescape(html.UnescapeString(m[1]))
		if err != nil {
			t.Fatalf("the link %q: %v", m[1], err)
		}
		all = append(all, href)
	}
	return all
}

// titles are titles of Wikipedia in scripts of the world, with the signs that titles have.
var titles = []string{
	"Köln", "L’Aquila", "Bose–Einstein_condensate", "C++", "Saturday_(song)", "Москва", "Αθήνα", "Երևան", "ירושלים",
	"القاهرة", "آیت\u200cالله", "هٻ", "दिल्ली", "ঢাকা", "ਪੰਜਾਬ", "ગુજરાત", "ଓଡ଼ିଶା", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල",
	"กรุงเทพมหานคร", "ລາວ", "བོད་", "မြန်မာ", "საქართველო", "አዲስ_አበባ", "ᏣᎳᎩ", "ភ្នំពេញ", "ᠮᠣᠩᠭᠣᠯ", "东京", "維基百科",
	"アルベルト・アインシュタイン", "劇場版「鬼滅の刃」無限列車編", "ひらがな", "서울특별시", "复仇者联盟4：终局之战", "哈利·波特", "𐌲𐌿𐍄𐌹𐍃𐌺", "❤️", "a=b&c=d",
}

// A bare link leads to the whole title, whatever is around it.
func TestBareLinksOfAllScripts(t *testing.T) {
	for _, around := range []string{"%", "see % there", "看%", "「%」", "『%』", "（%）", "(%)", "“%”", "«%»", "\"%\"", "链接：%。", "、%、另",
		"[%]", "[1 %", "**%**", "*%*", "~~%~~", "%，谢谢", "see %.", "%, and", "% 。", "%?", "- %", "> %", "|a|\n|-|\n|%|", "หน้า%", "보기:%"} {
		for _, title := range titles {
			address := "https://xx.wikipedia.org/wiki/" + title
			content := strings.ReplaceAll(around, "%", address)
			shown := HTML(content, forum.Markdown, nil)
			if got := hrefs(t, shown); len(got) != 1 || got[0] != address {
				t.Errorf("%q leads to %q; want %q", content, got, address)
			}
			if text := html.EscapeString(address); strings.Count(shown, ">"+text+"</a>") != 1 {
				t.Errorf("%q is shown as %s; want the address as it was written", content, shown)
			}
		}
	}
}

func TestBareLinks(t *testing.T) {
	tests := []struct{ content, want string }{
		{"https://xn--e1afmkfd.xn--p1ai/", "https://xn--e1afmkfd.xn--p1ai/"},
		{"https://пример.рф/путь?а=б#в", "https://пример.рф/путь?а=б#в"},
		{"https://例子.中国", "https://例子.中国"},
		{"https://bücher.example:8080/a", "https://bücher.example:8080/a"},
		{"https://日本語.jp、です", "https://日本語.jp"},
		{"https://السعودية.السعودية/", "https://السعودية.السعودية/"},
		{"https://উদাহরণ.বাংলা/", "https://উদাহরণ.বাংলা/"},
		{"HTTPS://EXAMPLE.ORG/A Http://a.org", "https://EXAMPLE.ORG/A http://a.org"},
		{"访问https://example.org谢谢", "https://example.org"},
		{"访问example.org谢谢", ""},
		{"请看www.example.org/a谢谢", "http://www.example.org/a谢谢"},
		{"Www.Example.org", "http://Www.Example.org"},
		{"http://192.0.2.1:80/a", "http://192.0.2.1:80/a"},
		{"https://example.org:谢谢 https://example.org:", "https://example.org https://example.org"},
		{"https://a.org/x、https://b.org/y", "https://a.org/x https://b.org/y"},
		{"https://a.org/x（英文） https://a.org/x【注】", "https://a.org/x https://a.org/x"},
		{"https://a.org/a?b[]=1&c={d}", "https://a.org/a?b[]=1&c={d}"},
		{"https://a.org/a_b_c*d*e", "https://a.org/a_b_c*d*e"},
		{"https://a.org/a(b(c))) (https://a.org/(a)", "https://a.org/a(b(c)) https://a.org/(a)"},
		{"https://a.org/a&copy; https://a.org/b;", "https://a.org/a https://a.org/b;"},
		{"https://a.org/नमस्ते। https://a.org/سلام؟ https://a.org/a…", "https://a.org/नमस्ते https://a.org/سلام https://a.org/a"},
		{"https://a.org/a\u200bb https://a.org/a\u202eb", "https://a.org/a https://a.org/a"},
		{"https://a.org/a\u3000b", "https://a.org/a"},
		{"<b>https://a.org/b</b>", "https://a.org/b"},
		{"xhttps://a.org 1https://a.org яhttps://a.org", ""},
		{"https://localhost/ https://a_b.c_d https://a..b http://", ""},
		{"https://a.org@b.org/ ", ""},
		{`http\://a.org \https://b.org`, "https://b.org"},
		{"`https://a.org`", ""},
		{"ftp://a.org javascript://a.org", ""},
		{"联系bob@example.org谢谢", "mailto:bob@example.org"},
		{"foo_bar.b-z+q@mail_a.b-c.example.org, a@bücher.de", "mailto:foo_bar.b-z+q@mail_a.b-c.example.org mailto:a@bücher.de"},
		{"@bob@example.org jörg@example.org //a@b.org a@b.c_ a@b.c- a@b", ""},
		{"[x](https://a.org) [https://a.org](https://b.org) [a@b.org c](/d)", "https://a.org https://b.org /d"},
		{"[a https://a.org/b] (c)", "https://a.org/b"},
		{"1. https://a.org/a\n   https://a.org/b", "https://a.org/a https://a.org/b"},
	}
	for _, tt := range tests {
		if got := strings.Join(hrefs(t, HTML(tt.content, forum.Markdown, nil)), " "); got != tt.want {
			t.Errorf("%q leads to %q; want %q", tt.content, got, tt.want)
		}
	}
}

func TestNestedBareLinksAreText(t *testing.T) {
	tests := []struct{ content, want string }{
		{"[*a@b.org* https://a.org/a&b](/b)",
			"<p><a href=\"/b\" rel=\"nofollow ugc noopener\"><em>a@b.org</em> https://a.org/a&amp;b</a></p>\n"},
		{"![https://a.org](https://b.org/c.png)", "<p><img src=\"https://b.org/c.png\" alt=\"https://a.org\" loading=\"lazy\" " +
			"referrerpolicy=\"no-referrer\"></p>\n"},
	}
	for _, tt := range tests {
		if got := HTML(tt.content, forum.Markdown, nil); got != tt.want {
			t.Errorf("HTML(%q) = %s; want %s", tt.content, got, tt.want)
		}
	}
}

func TestEmphasisBesideWideCharacters(t *testing.T) {
	tests := []struct{ content, want string }{
		{"**注意：**请阅读", "<strong>注意：</strong>请阅读"},
		{"请**“阅读”**这个", "请<strong>“阅读”</strong>这个"},
		{"これは**「強調」**です。", "これは<strong>「強調」</strong>です。"},
		{"이것은 **강조(emphasis)**를 위한", "이것은 <strong>강조(emphasis)</strong>를 위한"},
		{"我可以强调**这个`code`**吗", "我可以强调<strong>这个<code>code</code></strong>吗"},
		{"中文**(重点)**中文", "中文<strong>(重点)</strong>中文"},
		{"*重点。*后面 ~~删除。~~后面", "<em>重点。</em>后面 <del>删除。</del>后面"},
		{"**重点**", "<strong>重点</strong>"},
		{"中_文_字", "中_文_字"},
		{"_重点：_ 后", "<em>重点：</em> 后"},
		{"a**b:**c", "a**b:**c"},
		{"2 * 3 * 4", "2 * 3 * 4"},
		{"中 ** 文 ** 字", "中 ** 文 ** 字"},
		{"（**重点", "（**重点"},
	}
	for _, tt := range tests {
		if got, want := HTML(tt.content, forum.Markdown, nil), "<p>"+tt.want+"</p>\n"; got != want {
			t.Errorf("HTML(%q) = %s; want %s", tt.content, got, want)
		}
	}
}

func TestTaskListsAndFootnotes(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"tasks", "- [ ] a\n- [X] b", "<ul>\n<li><input disabled=\"\" type=\"checkbox\"> a</li>\n<li><input checked=\"\" " +
			"disabled=\"\" type=\"checkbox\"> b</li>\n</ul>\n"},
		{"a link is no task", "- [x](/b)", "<ul>\n<li><a href=\"/b\" rel=\"nofollow ugc noopener\">x</a></li>\n</ul>\n"},
		{"no list", "[ ] a", "<p>[ ] a</p>\n"},
		{"footnote", "a[^1]\n\n[^1]: note", "<p>a<sup id=\"topic-2-fnref:1\"><a href=\"#topic-2-fn:1\" " +
			"class=\"footnote-ref\" role=\"doc-noteref\" rel=\"nofollow ugc noopener\">1</a></sup></p>\n" +
			"<div class=\"footnotes\" role=\"doc-endnotes\">\n<hr>\n<ol>\n<li id=\"topic-2-fn:1\">\n<p>note\u00a0" +
			"<a href=\"#topic-2-fnref:1\" class=\"footnote-backref\" role=\"doc-backlink\" rel=\"nofollow ugc noopener\">" +
			"↩︎</a></p>\n</li>\n</ol>\n</div>\n"},
		{"reference without a footnote", "a[^1]", "<p>a[^1]</p>\n"},
	}
	for _, tt := range tests {
		if got := render(Source{Content: tt.content, ID: "topic-2-"}, Images{}); got != tt.want {
			t.Errorf("%s: HTML(%q) =\n%s; want\n%s", tt.name, tt.content, got, tt.want)
		}
	}
	const forged = `<input type="checkbox"><p id="fn:1" role="doc-noteref">a</p><a role="doc-noteref" href="#a">b</a>`
	if got, want := HTML(forged, forum.HTML, nil), `<p>a</p><a href="#a" rel="nofollow ugc noopener">b</a>`; got != want {
		t.Errorf("HTML(%s) = %s; want %s", forged, got, want)
	}
	const noted = "Tea[^1] and ink[^2]\n\n[^1]: green\n[^2]: black"
	if got, want := Excerpt(HTML(noted, forum.Markdown, nil), 100), "Tea and ink green black"; got != want {
		t.Errorf("Excerpt(%q) = %q; want %q", noted, got, want)
	}
	if got, want := StatusTitle(noted, forum.Markdown), "Tea and ink"; got != want {
		t.Errorf("StatusTitle(%q) = %q; want %q", noted, got, want)
	}
}
