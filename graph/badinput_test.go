package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"agora/internal/test/testlevel"
)

// refusal is a request that must be refused without a trace.
type refusal struct {
	name, token string
	operation   string // the field of a mutation with the input in; else a document with the variables in, or a body
	in          input
	want        string // verdict; "" if there is nothing to refuse
}

func (r refusal) send(b *fullSite) answer {
	switch {
	case strings.HasPrefix(r.operation, `{"query"`):
		return b.send(r.token, []byte(r.operation))
	case strings.Contains(r.operation, "{"):
		return b.ask(r.token, r.operation, r.in)
	}
	return b.mutate(r.token, r.operation, r.in, "")
}

// badInputs are the refusals of a new site.
var badInputs = map[string]func(*fullSite) []refusal{
	"texts":               (*fullSite).badTexts,
	"credentials":         (*fullSite).badCredentials,
	"ill-formed UTF-8":    (*fullSite).illFormedTexts,
	"escaped characters":  (*fullSite).escapedTexts,
	"passwords as proofs": (*fullSite).badProofs,
	"ids in mutations":    (*fullSite).badIDsInMutations,
	"ids in queries":      (*fullSite).badIDsInQueries,
	"references":          (*fullSite).badReferences,
	"one of":              (*fullSite).badOneOfs,
	"types in literals":   (*fullSite).badLiterals,
	"types in variables":  (*fullSite).badVariables,
	"directions of votes": (*fullSite).badDirections,
	"tags":                (*fullSite).badTags,
	"orders":              (*fullSite).badOrders,
}

func TestBadInput(t *testing.T) {
	testlevel.Usual(t)
	for name, rows := range badInputs {
		t.Run(name, func(t *testing.T) {
			b := newFullSite(t)
			b.wantRefused(rows(b))
		})
	}
}

// wantRefused sends the requests, and checks after each that no key of Redis changed and that nothing internal was
// revealed.
func (b *fullSite) wantRefused(tests []refusal) {
	b.t.Helper()
	before := b.contents()
	for _, tt := range tests {
		b.forgetCalls()
		name := tt.operation + ": " + tt.name
		a := tt.send(b)
		b.wantVerdict(name, a, tt.want)
		b.wantUntouched(name, before, a)
	}
}

// badText is a text and the code with which a kind of field refuses it.
type badText struct{ name, text, code string }

var (
	// badEverywhere are texts that no field accepts.
	badEverywhere = []badText{
		{"NUL", "a\x00b", "INVALID"},
		{"control character", "a\x01b", "INVALID"},
		{"escape", "a\x1b[2Jb", "INVALID"},
		{"DEL", "a\x7fb", "INVALID"},
		{"next line U+0085", "a\u0085b", "INVALID"},
		{"C1 control U+009F", "a\u009fb", "INVALID"},
		{"noncharacter", "a\ufffeb", "INVALID"},
		{"noncharacter of plane 16", "a\U0010ffffb", "INVALID"},
	}
	// badEmpty are texts that a required field refuses.
	badEmpty = []badText{
		{"empty", "", "TOO_SHORT"},
		{"spaces", "   ", "TOO_SHORT"},
		{"white space of other scripts", "\u2003\u3000\u00a0", "TOO_SHORT"},
		{"zero width only", "\u200b\u200d\u2060\ufeff", "TOO_SHORT"},
		{"braille blank only", "\u2800", "TOO_SHORT"},
	}
	// badLine are texts that a field of one line refuses.
	badLine = []badText{
		{"line feed", "a\nb", "INVALID"},
		{"tab", "a\tb", "INVALID"},
		{"line separator", "a\u2028b", "INVALID"},
		{"paragraph separator", "a\u2029b", "INVALID"},
		{"right-to-left override", "a\u202eb", "INVALID"},
		{"embedding", "a\u202ab", "INVALID"},
		{"isolate", "a\u2066b", "INVALID"},
	}
	badLogin = []badText{
		{"empty", "", "TOO_SHORT"},
		{"line feed", "a\nb", "INVALID"},
		{"colon", "a:b", "INVALID"},
		{"braces", "a{b}c", "INVALID"},
		{"asterisk", "a*", "INVALID"},
		{"reserved in capitals and full width", "ＡＤＭＩＮ", "INVALID"},
	}
	badEmail = []badText{
		{"empty", "", "INVALID"},
		{"no at sign", "ann.example.com", "INVALID"},
		{"no host", "ann@", "INVALID"},
		{"line feed", "ann@a.org\nBcc: x@a.org", "INVALID"},
		{"right-to-left override", "\u202eann@a.org", "INVALID"},
	}
	badLink = []badText{
		{"empty", "", "INVALID"},
		{"relative", "/x", "INVALID"},
		{"no scheme", "go.dev", "INVALID"},
		{"javascript", "javascript:alert(1)", "INVALID"},
		{"javascript behind a line feed", "java\nscript:alert(1)", "INVALID"},
		{"data", "data:text/html,x", "INVALID"},
		{"ftp", "ftp://go.dev/", "INVALID"},
		{"no host", "https:///?x", "INVALID"},
		{"password", "https://a:b@go.dev/", "INVALID"},
		{"space", "https://go .dev/x", "INVALID"},
		{"port", "https://go.dev:65536/", "INVALID"},
		{"number", "https://go.256/", "INVALID"},
	}
	badPassword = []badText{
		{"empty", "", "TOO_SHORT"},
		{"seven", "1234567", "TOO_SHORT"},
		{"NUL", "a good\x00 password", "INVALID"},
		{"control character", "a good\u0085 password", "INVALID"},
		{"zero width", "a good\u200b password", "INVALID"},
		{"line feed", "a good\n password", "INVALID"},
		{"the login", "Newcomer", "INVALID"},
		{"the login in full width", "ｎｅｗｃｏｍｅｒ", "INVALID"},
		{"the e-mail", "New@Agora.ORG", "INVALID"},
	}
)

// textField is a text of an input: the texts it refuses, and its bounds in code points.
type textField struct {
	name string
	max  int
	fill string // repeated up to max, and one more
	bad  [][]badText
}

// textForm is a mutation with an input.
type textForm struct {
	mutation, token string
	good            input
	fields          []textField
}

func (b *fullSite) textForms() []textForm {
	line := [][]badText{badEverywhere, badEmpty, badLine}
	key := textField{"idempotencyKey", 64, "🔑", [][]badText{badEverywhere, badLine[:2], {{"empty", "", "TOO_SHORT"}}}}
	name := textField{"name", 64, "é", line} // one code point in NFC, two in NFD
	another := textField{"name", 64, "è", line}
	description := textField{"description", 1000, "🍵", [][]badText{badEverywhere}}
	title := textField{"title", 200, "題", line}
	text := textField{"content", 65_536, "x", [][]badText{badEverywhere}}
	required := textField{"content", 65_536, "x", [][]badText{badEverywhere, badEmpty}}
	link := textField{"link", 2048, "", [][]badText{badEverywhere, badLink}}
	return append(b.accountForms(), []textForm{
		{"register", "", input{"login": "newcomer", "email": "new@agora.org", "password": "a good password"}, []textField{
			{"login", 32, "a", [][]badText{badEverywhere, badLogin}}, name,
			{"email", 254, "n", [][]badText{badEverywhere, badEmail}},
			{"password", 256, "🍵", [][]badText{badPassword}}, key}},
		{"createTopic", b.ann, input{"title": "New", "content": "x", "category": input{"id": b.tea}},
			[]textField{title, text, link, key}},
		{"updateTopic", b.ann, input{"topicId": b.topic}, []textField{title, text, link}},
		{"createComment", b.bob, input{"topicId": b.topic, "content": "x"}, []textField{required, key}},
		{"updateComment", b.ann, input{"commentId": b.comment}, []textField{required}},
		{"createList", b.ann, input{"name": "New"}, []textField{name}},
		{"updateList", b.ann, input{"listId": b.list(b.ann, "Friends")}, []textField{another}},
		{"createCategory", b.mod, input{"name": "New"}, []textField{name, description}},
		{"updateCategory", b.mod, input{"category": input{"id": b.tea}}, []textField{another, description}},
		{"createTab", b.mod, input{"name": "New"}, []textField{name}},
		{"updateTab", b.mod, input{"tabId": b.tab}, []textField{another}},
	}...)
}

// ofLength returns a text of n code points that the field accepts if it is not too long.
func (f textField) ofLength(n int) string {
	switch f.name {
	case "link":
		return "https://go.dev/" + strings.Repeat("x", n-15)
	case "email":
		host := strings.Repeat(strings.Repeat("h", 60)+".", 3) + "org"
		return strings.Repeat(f.fill, 50) + "@" + strings.Repeat("h", n-51-len(host)-1) + "." + host
	case "password", "newPassword": // A run of one character, or of adjacent ones, is easily guessed.
		varied := make([]rune, n)
		for i := range varied {
			varied[i] = '🌀' + rune(i*i%251)
		}
		return string(varied)
	}
	return strings.Repeat(f.fill, n)
}

func (b *fullSite) badTexts() (tests []refusal) {
	for _, form := range b.textForms() {
		for _, f := range form.fields {
			path := " input." + f.name
			for _, bad := range concat(f.bad) {
				tests = append(tests, refusal{f.name + ": " + bad.name, form.token, form.mutation,
					with(form.good, f.name, bad.text), bad.code + path})
			}
			tests = append(tests, refusal{f.name + ": too long by one", form.token, form.mutation,
				with(form.good, f.name, f.ofLength(f.max+1)), "TOO_LONG" + path})
		}
	}
	return tests
}

// A text of exactly the maximum length is accepted unchanged.
func TestLongestTexts(t *testing.T) {
	b := newFullSite(t)
	for _, form := range b.textForms() {
		for i, f := range form.fields {
			in := with(form.good, f.name, f.ofLength(f.max))
			for unique, value := range map[string]string{"name": fmt.Sprint("Name ", i), "login": fmt.Sprint("login", i),
				"email": fmt.Sprint("e", i, "@agora.org")} {
				if form.good[unique] != nil && unique != f.name {
					in[unique] = value
				}
			}
			b.wantVerdict(fmt.Sprintf("%s with %s of %d", form.mutation, f.name, f.max),
				b.mutate(form.token, form.mutation, in, ""), "")
		}
	}
	a := b.must(b.ann, `query($id: ID!) { node(id: $id) { ... on Topic { title content link } } }`, map[string]any{"id": b.topic})
	wantEqual(t, "title", a.text("node", "title"), strings.Repeat("題", 200))
	wantEqual(t, "length of content", len(a.text("node", "content")), 65_536)
	wantEqual(t, "length of link", len(a.text("node", "link")), 2048)
}

func concat(lists [][]badText) []badText {
	var all []badText
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// badCredentials get the same answer, whatever is typed to sign in.
func (b *fullSite) badCredentials() (tests []refusal) {
	add := func(name, identifier, password string) {
		tests = append(tests, refusal{name, "", "login", input{"identifier": identifier, "password": password},
			"WRONG_CREDENTIALS input.password"})
	}
	for _, bad := range concat([][]badText{badEverywhere, badEmpty, badLine, badLogin, badEmail}) {
		add("identifier "+bad.name, bad.text, "a good password")
		add("password "+bad.name, "ann", bad.text)
	}
	long := strings.Repeat("a", 100_000)
	add("a very long identifier", long, "a good password")
	add("a very long e-mail", long+"@a.org", "a good password")
	add("a very long password", "ann", long)
	return tests
}

// illFormedTexts are not UTF-8. They are refused before JSON would turn them into U+FFFD.
func (b *fullSite) illFormedTexts() (tests []refusal) {
	for _, bad := range []string{"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"} {
		for _, field := range []string{"title", "content", "idempotencyKey"} {
			tests = append(tests, refusal{fmt.Sprintf("%s with %q", field, bad), b.ann,
				`{"query": "mutation($i: CreateTopicInput!) { createTopic(input: $i) { topic { id } errors { code path } } }",
				"variables": {"i": {"title": "x", "category": {"name": "Tea"}, "` + field + `": "a` + bad + `b"}}}`, nil, "BAD_USER_INPUT"})
		}
	}
	return tests
}

// escapedTexts write forbidden characters in a second way.
func (b *fullSite) escapedTexts() (tests []refusal) {
	for _, escape := range []string{`\u0000`, `\u0085`, `\u001b`, `\u202e`, `\uFFFE`} {
		tests = append(tests, refusal{escape, b.mod,
			`mutation { createCategory(input: {name: "a` + escape + `b"}) { errors { code path } } }`, nil, "INVALID input.name"})
	}
	// Half a surrogate pair is not a character: JSON decoders turn it into U+FFFD.
	return append(tests, refusal{"half a surrogate pair", b.mod,
		`{"query": "mutation { createCategory(input: {name: \"a\ud800b\"}) { category { name } errors { code path } } }"}`, nil, "BAD_USER_INPUT"})
}
