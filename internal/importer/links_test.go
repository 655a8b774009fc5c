package importer

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agora/internal/forum"
	"agora/internal/text"
)

// originOf returns the origin of a site with an address; "" is one that is not known.
func originOf(t testing.TB, address string) origin {
	t.Helper()
	o := Options{Format: Discourse, Source: "discourse", SourceURL: address}
	if err := o.locate(); err != nil {
		t.Fatalf("locate(%q) = %v; want no error", address, err)
	}
	return o.origin
}

func TestRelativeAddressesBecomeAbsolute(t *testing.T) {
	const site = "https://old.example.org/forum"
	tests := []struct {
		name, site string
		format     forum.ContentFormat
		s, want    string
		relative   int
	}{
		{"link", site, forum.HTML, `<p>a <a href="/t/tea/5">b</a>`, `<p>a <a href="https://old.example.org/t/tea/5">b</a>`, 0},
		{"picture", site, forum.HTML, `<img src='/u/a b.png' width=3>`,
			`<img src="https://old.example.org/u/a%20b.png" width="3">`, 0},
		{"upper case", site, forum.HTML, `<A HREF=/x>b</A>`, `<a href="https://old.example.org/x">b</A>`, 0},
		{"relative to the page", site, forum.HTML, `<a href="6#p">b</a>`, `<a href="https://old.example.org/forum/t/5/6#p">b</a>`, 0},
		{"up", site, forum.HTML, `<a href="../x">b</a>`, `<a href="https://old.example.org/forum/t/x">b</a>`, 0},
		{"query", site, forum.HTML, `<a href="?a=1&amp;b=2">b</a>`,
			`<a href="https://old.example.org/forum/t/5/2?a=1&amp;b=2">b</a>`, 0},
		{"fragment", site, forum.HTML, `<a href="#p">b</a>`, `<a href="https://old.example.org/forum/t/5/2#p">b</a>`, 0},
		{"other host", site, forum.HTML, `<img src="//cdn.example.org/a">`, `<img src="https://cdn.example.org/a">`, 0},
		{"other host, unknown site", "", forum.HTML, `<img src="//cdn.example.org/a">`, `<img src="https://cdn.example.org/a">`, 0},
		{"absolute", site, forum.HTML, `<a  href="http://x.example/?a&b">b</a>`, `<a  href="http://x.example/?a&b">b</a>`, 0},
		{"mail", site, forum.HTML, `<a href="mailto:a@example.org">b</a>`, `<a href="mailto:a@example.org">b</a>`, 0},
		{"no address", site, forum.HTML, `<a name="/x" href="">b</a>`, `<a name="/x" href="">b</a>`, 0},
		{"no tag", site, forum.HTML, `href="/x" &lt;a href="/x"> <!-- <a href="/x"> --> <b href="/x">`,
			`href="/x" &lt;a href="/x"> <!-- <a href="/x"> --> <b href="/x">`, 0},
		{"end within a tag", site, forum.HTML, `<a href="/x">b</a><a href="/y`, `<a href="https://old.example.org/x">b</a><a href="/y`, 0},
		{"unknown site", "", forum.HTML, `<a href="/x" title="t">b</a><img src="/y">`, `<a title="t">b</a><img>`, 2},
		{"Markdown link", site, forum.Markdown, `a [b](/t/5 "c") d`, `a [b](https://old.example.org/t/5 "c") d`, 0},
		{"Markdown picture", site, forum.Markdown, "![](/a_(b).png)\n[![x](<b c.png>)](y)",
			"![](https://old.example.org/a_(b).png)\n[![x](<https://old.example.org/forum/t/5/b%20c.png>)](https://old.example.org/forum/t/5/y)", 0},
		{"Markdown reference", site, forum.Markdown, "[a][1]\n\n[1]: /x 'y'", "[a][1]\n\n[1]: https://old.example.org/x 'y'", 0},
		{"Markdown code", site, forum.Markdown, "`[b](/x)` [b](/y)\n\n    [b](/z)\n", "`[b](/x)` [b](https://old.example.org/y)\n\n    [b](/z)\n", 0},
		{"absolute Markdown", site, forum.Markdown, `[b](http://x.example/) <http://y.example/> http://z.example/`,
			`[b](http://x.example/) <http://y.example/> http://z.example/`, 0},
		{"Markdown of an unknown site", "", forum.Markdown, `[b](/x)`, `[b]()`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c Changes
			got, err := originOf(t, tt.site).content(&c, tt.s, tt.format, "t/5/2")
			if got != tt.want || err != nil || c.Relative != tt.relative {
				t.Errorf("content(%s) = %s, %v, %d left out; want %s, %d", tt.s, got, err, c.Relative, tt.want, tt.relative)
			}
		})
	}
}

// Links that are mentions on a Discourse forum mention the member, whatever is beside them.
func TestLinksThatAreMentionsMention(t *testing.T) {
	tests := []struct{ name, s, want string }{
		{"usual", `<p>Hi <a class="mention" href="/u/ann">@Ann</a>!</p>`, `<p>Hi <span>@Ann</span>!</p>`},
		{"old path", `<a href='/users/ann' class='mention'>@ann</a>`, `<span>@ann</span>`},
		{"subfolder and host", `<a class="x mention y" href="https://old.example.org/forum/u/ann/">@ann</a>`, `<span>@ann</span>`},
		{"beside text", `a<a class="mention" href="/u/ann">@ann</a>s`, `a<span>@ann</span>s`},
		{"other text", `<a class="mention" href="/u/ann">Ann Lee</a>`, `<span>@ann</span>`},
		{"escaped", `<a class="mention" href="/u/%E5%B0%8F%E6%98%8E">@小明</a>`, `<span>@小明</span>`},
		{"group", `<a class="mention-group" href="/groups/staff">@staff</a>`, `<a class="mention-group" href="https://old.example.org/groups/staff">@staff</a>`},
		{"link to a member", `<a href="/u/ann">@ann</a>`, `<a href="https://old.example.org/u/ann">@ann</a>`},
		{"with a picture", `<a class="mention" href="/u/ann"><img src="/a"></a>`,
			`<a class="mention" href="https://old.example.org/u/ann"><img src="https://old.example.org/a"></a>`},
		{"no end", `<a class="mention" href="/u/ann">@ann`, `<a class="mention" href="https://old.example.org/u/ann">@ann`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := originOf(t, "https://old.example.org").content(&Changes{}, tt.s, forum.HTML, "t/5/2")
			if got != tt.want || err != nil {
				t.Errorf("content(%s) = %s, %v; want %s", tt.s, got, err, tt.want)
			}
			logins, _ := text.MentionedLogins(got, forum.HTML)
			if mentions := strings.Contains(tt.want, "<span>"); mentions != (len(logins) == 1) {
				t.Errorf("%s mentions %q", got, logins)
			}
		})
	}
}

// Text without relative addresses stays as it is, byte for byte.
func TestTextsWithoutAddressesStay(t *testing.T) {
	parts := []string{"<", ">", "</a>", "<p class=x>", "<!--", "-->", "<![CDATA[", "<script>", "</script>", "<textarea>", "<b",
		"&amp;", "&#x27;", "\"", "'", "@ann", "](", "[a]", "`", "\n", "é", "<a href=http://x.example/>", "<plaintext>", "<?x"}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		if got := convertHTML(s, func(address string) string { return address }); got != s {
			t.Errorf("convertHTML(%q) = %q", s, got)
		}
	})
}

func TestAddressOfTheSource(t *testing.T) {
	tests := []struct {
		o    Options
		want string // "" for none, or a part of the error
		bad  bool
	}{
		{Options{Format: Discourse, Source: "discourse"}, "", false},
		{Options{Format: Discourse, Source: "Forum.example.org"}, "https://Forum.example.org/", false},
		{Options{Format: StackExchange, Source: "ai.stackexchange.com"}, "https://ai.stackexchange.com/", false},
		{Options{Format: V2EX, Source: "v2ex"}, "https://www.v2ex.com/", false},
		{Options{Format: HackerNews, Source: "second"}, "https://news.ycombinator.com/", false},
		{Options{Format: HackerNews, Source: "hn.example.org", SourceURL: "http://localhost:8080/a"}, "http://localhost:8080/a/", false},
		{Options{Format: Discourse, Source: "x", SourceURL: "forum.example.org"}, "must be an http or https URL", true},
		{Options{Format: Discourse, Source: "x", SourceURL: "ftp://forum.example.org"}, "must be an http or https URL", true},
		{Options{Format: Discourse, Source: "x", SourceURL: "https://forum.example.org/?a"}, "must be an http or https URL", true},
		{Options{Format: Discourse, Source: "x", SourceURL: "https://a:b@forum.example.org/"}, "must be an http or https URL", true},
	}
	for _, tt := range tests {
		err := tt.o.locate()
		got := ""
		if tt.o.origin.url != nil {
			got = tt.o.origin.url.String()
		}
		if tt.bad && (err == nil || !strings.Contains(err.Error(), tt.want)) || !tt.bad && (err != nil || got != tt.want) {
			t.Errorf("locate(%+v) = %q, %v; want %q", tt.o, got, err, tt.want)
		}
	}
}
