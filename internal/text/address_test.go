package text

import (
	"strings"
	"testing"

	"agora/internal/forum"
)

// hostTests are hosts of URLs, and what browsers make of them; "" is what `new URL` refuses. The facts are those of the
// URL standard, https://url.spec.whatwg.org/#host-parsing, and of UTS 46.
var hostTests = []struct{ host, want string }{
	{"example.org", "example.org"}, {"EXAMPLE.org", "example.org"}, {"example.org.", "example.org."}, {"a..b", "a..b"},
	{"a b", ""}, {"a%20b", ""}, {"a<b", ""}, {"a>b", ""}, {"a^b", ""}, {"a|b", ""}, {"a[b", ""}, {"a]b", ""},
	{"a%00b", ""}, {"a%7Fb", ""}, {"a\x01b", ""}, {"a%25b", ""}, {"a%b", ""}, {"a%2fb", ""}, {"a%3Ab", ""}, {"a%40b", ""},
	{"a%23b", ""}, {"a%5Cb", ""}, {"a\tb\n.c", "ab.c"},
	{"a_b.example", "a_b.example"}, {"-a-.example", "-a-.example"}, {"a--b.example", "a--b.example"},
	{"a!\"$&'()*+,;=`{}~b", "a!\"$&'()*+,;=`{}~b"}, {strings.Repeat("a", 300), strings.Repeat("a", 300)},
	{"ｅｘａｍｐｌｅ．ｏｒｇ", "example.org"}, {"example。org", "example.org"}, {"example｡org", "example.org"},
	{"%65xample%2Eorg", "example.org"}, {"%EF%BC%85.org", ""}, {"%ef%bc%8e", "."}, {"a%c3%bc", "xn--a-eha"}, {"a%ff", ""},
	{"ex\u00adam\u200bple.org", "example.org"}, {"ex\u2060ample.org", "example.org"}, {"ⓔxample.org", "example.org"},
	{"BÜCHER.example", "xn--bcher-kva.example"}, {"bu\u0308cher.example", "xn--bcher-kva.example"},
	{"xn--bcher-kva.example", "xn--bcher-kva.example"}, {"XN--BCHER-KVA.example", "xn--bcher-kva.example"},
	{"straße.example", "xn--strae-oqa.example"}, {"βόλος.com", "xn--nxasmm1c.com"}, {"İ.com", "xn--i-9bb.com"},
	{"☕.example", "xn--53h.example"}, {"例え.テスト", "xn--r8jz45g.xn--zckzah"}, {"ü~.example", "xn--~-dha.example"},
	{"≠.example", "xn--1ch.example"}, {"xn--", ""}, {"xn--a", ""}, {"xn--a-", ""}, {"xn--0.pt", ""}, {"a\u200db.example", ""},
	{"\u0301a.example", ""}, {"\ufdd0.example", ""}, {"1א.example", ""}, {"אב.example", "xn--4dbc.example"}, {"\u00ad", ""},
	{"127.0.0.1", "127.0.0.1"}, {"127.0.0.1.", "127.0.0.1"}, {"127.1", "127.0.0.1"}, {"2130706433", "127.0.0.1"},
	{"0x7f.0.0.1", "127.0.0.1"}, {"0X7F.1", "127.0.0.1"}, {"0177.1", "127.0.0.1"}, {"0x.0x.0", "0.0.0.0"}, {"0", "0.0.0.0"},
	{"１２７．１", "127.0.0.1"}, {"127%2E1", "127.0.0.1"}, {"255.255.65535", "255.255.255.255"}, {"4294967295", "255.255.255.255"},
	{"4294967296", ""}, {"256.0.0.1", ""}, {"1.2.3.256", ""}, {"1.2.65536", ""}, {"1.2.3.4.5", ""}, {"1.2.3.08", ""},
	{"a.1", ""}, {"a.0x1", ""}, {"a.09", ""}, {"a.0xg", "a.0xg"}, {"1..2", ""}, {"1.2.3.4..", "1.2.3.4.."}, {"99999999999999999999", ""},
	{"0x99999999999999999999", ""}, {"+1", "+1"}, {"1.-1", "1.-1"}, {"1e3", "1e3"}, {"1.2.a", "1.2.a"},
	{"[::1]", "[::1]"}, {"[1:2:0:0:5:0:0:0]", "[1:2:0:0:5::]"}, {"[2001:DB8::0001]", "[2001:db8::1]"},
	{"[::ffff:127.0.0.1]", "[::ffff:7f00:1]"}, {"[::127.0.0.1]", "[::7f00:1]"}, {"[::1", ""}, {"[[::1]]", ""}, {"[::1]a", ""},
	{"[::1%25eth0]", ""}, {"[127.0.0.1]", ""}, {"[1:2:3]", ""}, {"[::12345]", ""}, {"[1::2::3]", ""}, {"[::1.2.3]", ""}, {"[]", ""},
}

func TestHostsAreThoseOfBrowsers(t *testing.T) {
	for _, tt := range hostTests {
		a, ok := parseAddress("https://" + tt.host + "/x")
		if ok != (tt.want != "") || ok && a.host != tt.want {
			t.Errorf("the host of https://%q/x is %q, %v; want %q", tt.host, a.host, ok, tt.want)
		}
		if _, err := Link(nil, "https://"+tt.host+"/x"); (err == nil) != (tt.want != "") {
			t.Errorf("Link(https://%q/x) returned %v; want a host %q", tt.host, err, tt.want)
		}
	}
}

func TestLinksAreThoseOfBrowsers(t *testing.T) {
	for _, tt := range []struct{ sent, want string }{
		// As they were written.
		{"http://a.example", "http://a.example"}, {"HTTPS://A.example/B?c=d#e", "HTTPS://A.example/B?c=d#e"},
		{"https://bücher.example/ü?ü#ü", "https://bücher.example/ü?ü#ü"}, {"https://a.example/%zz[]|^`{}<>\"", "https://a.example/%zz[]|^`{}<>\""},
		{"http://e.org/" + strings.Repeat("路", forum.MaxLink-13), "http://e.org/" + strings.Repeat("路", forum.MaxLink-13)},
		{"http://a.example:0", "http://a.example:0"}, {"http://a.example:65535/", "http://a.example:65535/"},
		{"http://a.example:/", "http://a.example:/"}, {"http://a.example:00080/", "http://a.example:00080/"},
		{"https://@a.example/", "https://@a.example/"}, {"https://a.example/@b:c@d", "https://a.example/@b:c@d"},
		// As browsers read them.
		{" \x00https://a.example/ \x1f\n", "https://a.example/"}, {"ht\ntps://a\t.example/\rb", "https://a.example/b"},
		{"https:a.example", "https://a.example"}, {"https:/a.example", "https://a.example"}, {"http:///a.example", "http://a.example"},
		{`https:\\a.example\b\c?d\e`, "https://a.example/b/c?d%5Ce"}, {`https://a.example\@b.example/`, "https://a.example/@b.example/"},
		{"https://a.example/b c", "https://a.example/b%20c"}, {"https://a.example/\u202eb", "https://a.example/%E2%80%AEb"},
		{"https://a.example/\x00\x7f\ufdd0", "https://a.example/%00%7F%EF%B7%90"}, {"https://a\u00ad.example?b", "https://a.example?b"},
		// Refused.
		{"http://a.example:65536/", ""}, {"http://a.example:99999", ""}, {"http://a.example:8a", ""}, {"http://a.example:-1", ""},
		{"http://a.example:80:80", ""}, {"http://a.example:8 0", ""}, {"http://:80", ""}, {"http://", ""}, {"http:", ""}, {"https://?a", ""},
		{"https://#a", ""}, {"//a.example", ""}, {"a.example", ""}, {"/a", ""}, {"", ""}, {"ftp://a.example", ""}, {"javascript:a", ""},
		{"https//a.example", ""}, {"http s://a.example", ""}, {"https://a@", ""}, {"https://a@b.example", ""}, {"https://:b@c.example", ""},
		{"https://a:b@c.example", ""}, {"https://a@b@c.example", ""}, {"https://a.example/\xff", ""},
		{"data:text/html,x", ""}, {"javascript://a.example/%0aalert(1)", ""},
		{"http://e.org/" + strings.Repeat("路", forum.MaxLink-12), ""},
		{"https://a.example/" + strings.Repeat("\u202e", forum.MaxLink/5), ""},
	} {
		got, err := Link(nil, tt.sent)
		if got != tt.want && err == nil || (err == nil) != (tt.want != "") {
			t.Errorf("Link(%q) = %q, %v; want %q", tt.sent, got, err, tt.want)
		}
		if again, err := Link(nil, got); tt.want != "" && (err != nil || again != got) {
			t.Errorf("Link(%q) = %q, %v; want it unchanged", got, again, err)
		}
	}
}

// A link to a blocked domain is found however it is written, and so is the name of one.
func TestBlockedHostsInDisguise(t *testing.T) {
	l := NewBlocklist(nil, []string{"spam.example", "xn--strae-oqa.example", "xn--r8jz45g.jp", "203.0.113.9"})
	for _, tt := range []struct{ host, want string }{
		{"spam.example", "spam.example"}, {"SPAM.example.", "spam.example"}, {"a.spam.example", "spam.example"},
		{"ｓｐａｍ．ｅｘａｍｐｌｅ", "spam.example"}, {"spam。example", "spam.example"}, {"spam｡example", "spam.example"},
		{"spam%2eexample", "spam.example"}, {"s%70am.example", "spam.example"}, {"%EF%BD%93pam.example", "spam.example"},
		{"sp\u00adam.example", "spam.example"}, {"spam\u200b.example", "spam.example"}, {"ⓢpam.example..", "spam.example"},
		{"straße.example", "xn--strae-oqa.example"}, {"STRAßE.example", "xn--strae-oqa.example"}, {"strasse.example", ""},
		{"例え.jp", "xn--r8jz45g.jp"}, {"xn--R8JZ45G.jp", "xn--r8jz45g.jp"}, {"203.0.113.9", "203.0.113.9"},
		{"nospam.example", ""}, {"spam.example.org", ""}, {"spam-example", ""}, {"spam.examples", ""}, {"spam.example-x", ""},
	} {
		for _, link := range []string{"https://" + tt.host + "/x", "//" + tt.host, `\\` + tt.host + `\x`, " hTTp:" + tt.host + "?a",
			"https://u:p@" + tt.host + ":8080/", "/\t/" + tt.host} {
			if got := l.Domain(Host(link)); got != tt.want {
				t.Errorf("Domain(Host(%q)) = %q; want %q", link, got, tt.want)
			}
		}
		for _, text := range []string{tt.host, "See " + tt.host + ", now", "https://" + tt.host + "/x", "x@" + tt.host, "(" + tt.host + ")",
			"看" + "：" + tt.host, "…" + tt.host + "!"} {
			if got := l.Named(text); got != tt.want {
				t.Errorf("Named(%q) = %q; want %q", text, got, tt.want)
			}
		}
	}
	for host, want := range map[string]string{"0xcb.0.0x7109": "203.0.113.9", "3405803785": "203.0.113.9", "2.3": ""} {
		if got := l.Domain(Host("http://" + host)); got != want {
			t.Errorf("Domain(Host(http://%s)) = %q; want %q", host, got, want)
		}
	}
	for text, want := range map[string]string{"请看spam.example吧": "spam.example", "see a/spam.example": "", "Spam. Example": "", "": "",
		"https://a.example/spam.example": "", "https://a.example/https://spam.example": "spam.example", "50% spam.example": "spam.example"} {
		if got := l.Named(text); got != want {
			t.Errorf("Named(%q) = %q; want %q", text, got, want)
		}
	}
}
