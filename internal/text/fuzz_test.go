package text

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"agora/internal/forum"
)

// shown is the policy for the output of HTML: that for users' texts, and the class of links that
// HTML adds.
var shown = newMarkdownPolicy().AllowAttrs("class").Matching(regexp.MustCompile(`^mention$`)).OnElements("a")

// ofNotes are the ids of footnotes and of references to them.
var ofNotes = regexp.MustCompile(`^fn(ref\d*)?:\d+$`)

// added removes what the policy does not allow, because authors may not choose it.
var added = strings.NewReplacer(
	` rel="`+linkRel+`"`,
	` rel="nofollow"`,
	` loading="lazy" referrerpolicy="no-referrer"`,
	"",
)

func FuzzHTML(f *testing.F) {
	seeds := []string{
		"", "# a\n\n*b* `c` [d](https://example.org 'e') ![f](https://example.org/g.png)\n\n- h\n  1. i\n\n> " +
			"j\n\na|b\n-|:-\n1|2\n",
		"@bob @小明, @BOB. bob@example.org", "你好，**世界**👋@bob שלום Cafe\u0301", "[a]: javascript:alert(1)\n\n[a] <javascript:x>",
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<a href=' javascript:alert(1)'>a</a>",
		"<a href=java&#10;script:x>a</a>",
		"<svg><style><img src=x onerror=y></style></svg>", "<math><mtext><table><mglyph><style><!--</style><img " +
			"title='--&gt;&lt;img src=1 onerror=x&gt;'>",
		"<noscript><p title='</noscript><img src=x onerror=y>'>", "<textarea><img src=x onerror=y>",
		"<!--><img src=x onerror=y>-->", "<![CDATA[<img src=x onerror=y>]]>",
		"<a href=http://[::1]:x>", "<a href='//a/%zz'>b</a><a href='./a:b'>c</a><a href='?a=b&c=d#e'>f</a>",
		"<a title='a\"b' href=mailto:a@b.c>d</a>",
		"<p/><b><i>a</b></i></p></div><li>", "<plaintext><b>", "<xmp><b>", "<object>a</object>b<object>",
		"&commat;bob &lt;script&gt; &#x3c;b&#x3e;",
		"`a`` `\\`` ```", "[[[a](b)](c)](d)", "![![a](b)](c)", "***a** b*", "\\<b\\>", "<b\x00>\xff\r\n\r",
		"> - > 1. a\n\n\n    b", "~~~\"onclick=x\na",
		"a\u202eb *c\u2066d* e\u2069f\u202c\n\ng", "<p title='\u202e'>\u2067<b>\u2069\u202b</b>a",
		"- [ ] a\n- [x] b[^1] c[^1]\n\n[^1]: d\n", "看https://例子.中国/路径（，维基。www.a.b、a_b@c.d",
		"![a](https://u:p@b.c/d) [e](https://f:g@h)",
	}
	for _, seed := range seeds {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	formats := map[bool]forum.ContentFormat{false: forum.Markdown, true: forum.HTML}
	f.Fuzz(func(t *testing.T, content string, isHTML bool) {
		out := HTML(content, formats[isHTML], known)
		plain := added.Replace(out)
		if again := shown.Sanitize(plain); again != plain {
			t.Errorf("HTML(%q) = %q, which the policy changes to %q", content, out, again)
		}
		for _, fault := range faults(out) {
			t.Errorf("HTML(%q) = %q has %s", content, out, fault)
		}
		mentioned, quoted := MentionedLogins(content, formats[isHTML])
		if n := len(mentioned) + len(quoted); n > forum.MaxMentions {
			t.Errorf("MentionedLogins(%q) found %d; want at most %d", content, n, forum.MaxMentions)
		}
	})
}

// faults parses HTML independently of the policy and returns what is unsafe in it.
func faults(out string) []string {
	var found []string
	if strings.Contains(strings.ToLower(out), "<script") {
		found = append(found, "a script")
	}
	var open []string
	z := html.NewTokenizer(strings.NewReader(out))
	for z.Next() != html.ErrorToken {
		t := z.Token()
		for _, a := range t.Attr {
			found = append(found, attributeFaults(t.Data, a)...)
		}
		switch {
		case t.Type == html.StartTagToken && !isVoid(t.Data):
			open = append(open, t.Data)
		case t.Type == html.EndTagToken && (len(open) == 0 || open[len(open)-1] != t.Data):
			return append(found, "a stray end tag "+t.Data)
		case t.Type == html.EndTagToken:
			open = open[:len(open)-1]
		case t.Type == html.CommentToken || t.Type == html.DoctypeToken:
			found = append(found, "a comment")
		}
	}
	if len(open) > 0 {
		found = append(found, "an open element "+open[0])
	}
	return found
}

func attributeFaults(element string, a html.Attribute) []string {
	var found []string
	if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "id" && !ofNotes.MatchString(a.Val) {
		found = append(found, "the attribute "+a.Key)
	}
	if a.Key == "class" && element != "code" && a.Val != "mention" && !strings.HasPrefix(a.Val, "footnote") {
		found = append(found, "the class "+a.Val)
	}
	// Browsers drop controls and white space before determining the scheme.
	address := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, a.Val))
	scheme, _, ok := strings.Cut(address, ":")
	if (a.Key == "href" || a.Key == "src") && ok && !strings.ContainsAny(scheme, "/?#") &&
		scheme != "http" && scheme != "https" && scheme != "mailto" {
		found = append(found, "the scheme "+scheme)
	}
	return found
}
