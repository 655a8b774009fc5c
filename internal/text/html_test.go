package text

import (
	"errors"
	"strings"
	"testing"

	"agora/internal/forum"
)

// known are the users whom the texts of these tests can mention.
var known = []Mention{{"bob", "bob"}, {"小明", "小明"}, {"foo_bar", "foo_bar"}, {"ann", "Anna"}}

func mentionOf(login, href string) string {
	return `<a class="mention" href="/@` + href + `" rel="nofollow">@` + login + `</a>`
}

func TestHTMLOfMarkdown(t *testing.T) {
	bob := mentionOf("bob", "bob")
	tests := []struct{ name, content, want string }{
		{"empty", "", ""},
		{"paragraph", "a *b* **c** ~~d~~", "<p>a <em>b</em> <strong>c</strong> <del>d</del></p>\n"},
		{"Chinese", "你好，**世界**", "<p>你好，<strong>世界</strong></p>\n"},
		{"heading has no id", "# a", "<h1>a</h1>\n"},
		{
			"table",
			"a|b\n-|:-:\n1|2",
			"<table>\n<thead>\n<tr>\n<th>a</th>\n<th align=\"center\">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td " +
				"align=\"center\">2</td>\n</tr>\n</tbody>\n</table>\n",
		},
		{"code", "```go\na < b\n```", "<pre><code class=\"language-go\">a &lt; b\n</code></pre>\n"},
		{"class of code cannot be forged", "```\"onclick=x\na\n```", "<pre><code>a\n</code></pre>\n"},
		{"list starts elsewhere", "3. a", "<ol start=\"3\">\n<li>a</li>\n</ol>\n"},
		{
			"link",
			"[a](https://example.org 't')",
			"<p><a href=\"https://example.org\" title=\"t\" rel=\"nofollow ugc noopener\">a</a></p>\n",
		},
		{"relative link", "[a](/b)", "<p><a href=\"/b\" rel=\"nofollow ugc noopener\">a</a></p>\n"},
		{
			"bare link",
			"see https://example.org/a.",
			"<p>see <a href=\"https://example.org/a\" rel=\"nofollow ugc noopener\">https://example.org/a</a>.</p>\n",
		},
		{
			"bare e-mail address",
			"to bob@example.org",
			"<p>to <a href=\"mailto:bob@example.org\" rel=\"nofollow ugc noopener\">bob@example.org</a></p>\n",
		},
		{"script link", "[a](javascript:alert(1))", "<p>a</p>\n"},
		{"script link in disguise", "[a](&#x6A;ava&Tab;script:alert(1))", "<p>a</p>\n"},
		{"data link", "[a](data:text/html;base64,eA==)", "<p>a</p>\n"},
		{"ftp link", "<ftp://example.org>", "<p>ftp://example.org</p>\n"},
		{
			"image",
			"![a](https://example.org/i.png)",
			"<p><img src=\"https://example.org/i.png\" alt=\"a\" loading=\"lazy\" referrerpolicy=\"no-referrer\"></p>\n",
		},
		{"image from elsewhere", "![a](data:image/png;base64,eA==)", "<p><img alt=\"a\"></p>\n"},
		{"relative image", "![a](/i.png)", "<p><img alt=\"a\"></p>\n"},
		{"raw HTML is text", "a <b onclick=x>b</b> <!-- c -->", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt; &lt;!-- c --&gt;</p>\n"},
		{"raw script is text", "<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"},
		{"raw block is text", "<div>\n*a*\n</div>", "<p>&lt;div&gt;<br>\n<em>a</em><br>\n&lt;/div&gt;</p>\n"},
		{"line break is kept", "一\n二", "<p>一<br>\n二</p>\n"},
		{"entities are text", "&lt;b&gt; &amp;", "<p>&lt;b&gt; &amp;</p>\n"},
		{"ill-formed", "a\xffb\x00", "<p>a\uFFFDb\uFFFD</p>\n"},
		{"mention", "Hi @bob!", "<p>Hi " + bob + "!</p>\n"},
		{"mention as it was written", "@BoB", "<p>" + mentionOf("BoB", "bob") + "</p>\n"},
		{"mention in Chinese", "你好 @小明，谢谢", "<p>你好 " + mentionOf("小明", "%E5%B0%8F%E6%98%8E") + "，谢谢</p>\n"},
		{"mention before another script", "@bob你好", "<p>" + bob + "你好</p>\n"},
		{"mention with joiners", "@foo_bar", "<p>" + mentionOf("foo_bar", "foo_bar") + "</p>\n"},
		{"mention of an unknown user", "@carol", "<p>@carol</p>\n"},
		{"mention in emphasis", "**@bob**", "<p><strong>" + bob + "</strong></p>\n"},
		{"mention in a quote", "> @bob", "<blockquote>\n<p>" + bob + "</p>\n</blockquote>\n"},
		{"mention of a member who has another login now", "@ANN", "<p>" + mentionOf("Anna", "Anna") + "</p>\n"},
		{"mention after a letter of a script without spaces", "谢谢@bob", "<p>谢谢" + bob + "</p>\n"},
		{"name of a package", "npm install @bob/core", "<p>npm install @bob/core</p>\n"},
		{"twice", "@bob @bob", "<p>" + bob + " " + bob + "</p>\n"},
		{"in a code span", "`@bob`", "<p><code>@bob</code></p>\n"},
		{"in a code block", "    @bob", "<pre><code>@bob\n</code></pre>\n"},
		{"in a link", "[@bob](/b)", "<p><a href=\"/b\" rel=\"nofollow ugc noopener\">@bob</a></p>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := HTML(tt.content, forum.Markdown, known); got != tt.want {
				t.Errorf("HTML(%q, MARKDOWN) =\n%s; want\n%s", tt.content, got, tt.want)
			}
		})
	}
}

func TestHTMLOfHTML(t *testing.T) {
	bob := mentionOf("bob", "bob")
	tests := []struct{ name, content, want string }{
		{"empty", "", ""},
		{"harmless elements", "<p>a <b>b</b><br>c</p>", "<p>a <b>b</b><br>c</p>"},
		{"script", "a<script>alert(1)</script>b", "ab"},
		{"style", "<style>p{}</style><p style=\"color:red\">a</p>", "<p>a</p>"},
		{"frame", "a<iframe src=\"https://example.org\"></iframe>b", "ab"},
		{"form", "<form action=/x><input name=a><button>b</button></form>", "b"},
		{
			"handlers",
			"<p onclick=alert(1)><img src=https://example.org/i onerror=x></p>",
			"<p><img src=\"https://example.org/i\" loading=\"lazy\" referrerpolicy=\"no-referrer\"></p>",
		},
		{"ids and classes", "<p id=a class=b>c</p>", "<p>c</p>"},
		{
			"class of code",
			"<code class=\"language-c++\">a</code><code class=\"x\">b</code>",
			"<code class=\"language-c++\">a</code><code>b</code>",
		},
		{
			"mention cannot be forged",
			"<a class=\"mention\" href=\"https://example.org\">@bob</a>",
			"<a href=\"https://example.org\" rel=\"nofollow ugc noopener\">@bob</a>",
		},
		{
			"rel cannot be chosen",
			"<a href=\"/b\" rel=\"me\" target=\"_blank\">a</a>",
			"<a href=\"/b\" rel=\"nofollow ugc noopener\">a</a>",
		},
		{"script link", "<a href=\"java\nscript:alert(1)\">a</a>", "a"},
		{"entities in a link", "<a href=\"&#106;avascript:alert(1)\">a</a>", "a"},
		{"link without a host", "<a href=\"https:example.org\">a</a><a href=\"http://?a\">b</a>", "ab"},
		{"vector images", "<svg><script>alert(1)</script><a xlink:href=\"javascript:x\">a</a></svg>", "a"},
		{"comment", "a<!-- <b> -->b", "ab"},
		{"stray end tags", "a</div></p>b", "ab"},
		{"elements left open", "<div><b>a", "<div><b>a</b></div>"},
		{"elements that overlap", "<b><i>a</b>b</i>", "<b><i>a</i></b>b"},
		{"element closed in itself", "<div/>a", "<div>a</div>"},
		{"mention", "<p>Hi @bob</p>", "<p>Hi " + bob + "</p>"},
		{"mention by an entity", "&commat;bob", bob},
		{"mention next to punctuation", "<p>\"@bob\" &lt;b&gt;</p>", "<p>&#34;" + bob + "&#34; &lt;b&gt;</p>"},
		{
			"in an attribute",
			"<a href=\"/b\" title=\"@bob\">a</a>",
			"<a href=\"/b\" title=\"@bob\" rel=\"nofollow ugc noopener\">a</a>",
		},
		{"in code", "<code>@bob <b>@bob</b></code> @bob", "<code>@bob <b>@bob</b></code> " + bob},
		{"in preformatted text", "<pre>@bob</pre>", "<pre>@bob</pre>"},
		{"in a link", "<a href=\"/b\"><b>@bob</b></a>", "<a href=\"/b\" rel=\"nofollow ugc noopener\"><b>@bob</b></a>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := HTML(tt.content, forum.HTML, known); got != tt.want {
				t.Errorf("HTML(%q, HTML) =\n%s; want\n%s", tt.content, got, tt.want)
			}
		})
	}
}

func TestHTMLWithoutMentions(t *testing.T) {
	if got := HTML("@bob", forum.Markdown, nil); got != "<p>@bob</p>\n" {
		t.Errorf("HTML(@bob) without mentions = %q; want no link", got)
	}
}

func TestMentionedLogins(t *testing.T) {
	const md, html = forum.Markdown, forum.HTML
	tests := []struct {
		name    string
		content string
		format  forum.ContentFormat
		want    string
	}{
		{"none", "hello", md, ""},
		{"in order", "@bob and @alice", md, "bob alice"},
		{"each once", "@bob @BOB ＠ @ｂｏｂ", md, "bob"},
		{"reserved words fold too", "@ghost", md, "ghost"},
		{"trailing dot and hyphen", "@bob. @alice- @eve_.", md, "bob alice eve"},
		{"inner joiners", "@a.b-c_d", md, "a.b-c_d"},
		{"after a bracket or quote", "(@bob) \"@alice\" —@eve", md, "bob alice eve"},
		{"after a line break", "a\n@bob", md, "bob"},
		{"after an emoji", "👋@bob", md, "bob"},
		{"after a letter, digit or joiner", "a@bob 1@bob _@bob .@bob /@bob я@bob é@bob", md, ""},
		{"after a letter of a script without spaces", "中@a1 ありがとー@a2 감사@a3 ขอบคุณที่@a4 〇@a5", md, "a1 a2 a3 a4 a5"},
		{"name of a package", "npm i @bob/core @types/node@20 @eve/小明", md, ""},
		{"slashes that name no package", "@bob/@alice @alice/ @eve // x", md, "bob alice eve"},
		{"quotation", "> @bob @eve\n\n@alice @eve", md, "alice eve > bob"},
		{"quotation in HTML", "<blockquote><p>@bob</p></blockquote><q>@eve</q> @alice", html, "alice > bob eve"},
		{"quotation in a list", "- > > @bob\n- @alice", md, "alice > bob"},
		{"the most with quotations", "> @q0 @q1 @q2\n\n@u0 @u1 @u2 @u3 @u4 @u5 @u6 @u7 @u8", md,
			"u0 u1 u2 u3 u4 u5 u6 u7 u8 > q0"},
		{"two signs", "@@bob", md, ""},
		{"e-mail address", "bob@example.org", md, ""},
		{"e-mail address in HTML", "bob@example.org", html, ""},
		{"address of another site", "@bob@example.org", md, ""},
		{"too short", "@a @", md, ""},
		{"longest", "@" + strings.Repeat("a", forum.MaxLogin), md, strings.Repeat("a", forum.MaxLogin)},
		{"longer", "@" + strings.Repeat("a", forum.MaxLogin+1), md, ""},
		{"much longer", "@" + strings.Repeat("a", 10*forum.MaxLogin), md, ""},
		{"Chinese", "@小明 你好", md, "小明"},
		{"right to left", "שלום @משה", md, "משה"},
		{"combining marks", "@Jose\u0301", md, "josé"},
		{"look-alikes", "@сосо", md, "coco"},
		{"mixed scripts end the login", "@bobчто", md, "bob"},
		{"code span", "`@bob` @alice", md, "alice"},
		{"fenced code", "```\n@bob\n```\n@alice", md, "alice"},
		{"indented code", "    @bob\n\n@alice", md, "alice"},
		{"link text and destination", "[@bob](/@bob) @alice", md, "alice"},
		{"autolink", "<https://example.org/@bob> https://example.org/@bob", md, ""},
		{"image", "![@bob](https://example.org/@bob)", md, ""},
		{"emphasis", "*@bob* **@alice** ~~@eve~~", md, "bob alice eve"},
		{"raw HTML in Markdown is text", "<b>@bob</b>", md, "bob"},
		{"HTML code", "<code>@bob</code><pre>@alice</pre>@eve", html, "eve"},
		{"HTML link", "<a href=\"/@bob\" title=\"@bob\">@bob</a> @alice", html, "alice"},
		{"HTML that is not shown", "<script>@bob</script><!-- @alice --><b title=\"@carol\">@eve</b>", html, "eve"},
		{"HTML entity", "&#64;bob", html, "bob"},
		{"Markdown in HTML is text", "`@bob`", html, "bob"},
		{"the most", "@u0 @u1 @u2 @u3 @u4 @u5 @u6 @u7 @u8 @u9 @u10", md, "u0 u1 u2 u3 u4 u5 u6 u7 u8 u9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			mentioned, quoted := MentionedLogins(tt.content, tt.format)
			got := strings.Join(mentioned, " ")
			if len(quoted) > 0 {
				got += " > " + strings.Join(quoted, " ")
			}
			if got != tt.want {
				t.Errorf("MentionedLogins(%q, %s) = %q; want %q", tt.content, tt.format, got, tt.want)
			}
		})
	}
}

func TestFailureShowsTextAsWritten(t *testing.T) {
	const want = "<pre>a &lt;b&gt;</pre>"
	if got := orAsWritten("a <b>", func() (string, error) { panic("flaw") }); got != want {
		t.Errorf("orAsWritten after a panic = %q; want %q", got, want)
	}
	if got := orAsWritten("a <b>", func() (string, error) { return "", errors.New("flaw") }); got != want {
		t.Errorf("orAsWritten after an error = %q; want %q", got, want)
	}
}
