package text

import (
	"strings"
	"testing"

	"agora/internal/forum"
)

var path = forum.Path("title")

func TestLine(t *testing.T) {
	tests := []struct {
		name string
		s    string
		want string
		code forum.Code
	}{
		{"plain", "Hello, world", "Hello, world", ""},
		{"white space at the ends goes", " \u3000Hello\u00a0 ", "Hello", ""},
		{"inner white space stays", "a  b", "a  b", ""},
		{"line and page breaks of other programs are spaces", "\fa\vb\rc\r", "a b c", ""},
		{"Chinese", "红宝石与雷迪斯", "红宝石与雷迪斯", ""},
		{"right to left", "שלום עולם", "שלום עולם", ""},
		{"direction marks are no overrides", "a\u200eb\u200fc", "a\u200eb\u200fc", ""},
		{"emoji with joiners", "👨‍👩‍👧", "👨‍👩‍👧", ""},
		{"NFC", "Cafe\u0301", "Café", ""},
		{"ten code points in NFC", strings.Repeat("e\u0301", 10), strings.Repeat("é", 10), ""},
		{"twenty are the most", strings.Repeat("𝔸", 20), strings.Repeat("𝔸", 20), ""},
		{"twenty-one are too many", strings.Repeat("𝔸", 21), "", forum.CodeTooLong},
		{"two are the least", "ab", "ab", ""},
		{"one is too few", "a", "", forum.CodeTooShort},
		{"one and white space are too few", " a ", "", forum.CodeTooShort},
		{"empty", "", "", forum.CodeTooShort},
		{"white space", " \u2003\u3000", "", forum.CodeTooShort},
		{"zero width", "\u200b\u200c\u200d\u2060\ufeff", "", forum.CodeTooShort},
		{"zero width and white space", "\u200b \u200b", "", forum.CodeTooShort},
		{"fillers", "\u3164\u115f\uffa0\u2800", "", forum.CodeTooShort},
		{"variation selectors and tags", "\ufe0f\U000e0061\U000e0100", "", forum.CodeTooShort},
		{"soft hyphens", "\u00ad\u00ad", "", forum.CodeTooShort},
		{"NUL", "ab\x00", "", forum.CodeInvalid},
		{"control character", "ab\x1b", "", forum.CodeInvalid},
		{"C1 control character", "ab\u0085", "", forum.CodeInvalid},
		{"delete", "ab\x7f", "", forum.CodeInvalid},
		{"tab", "a\tb", "", forum.CodeInvalid},
		{"line feed at the end", "ab\n", "", forum.CodeInvalid},
		{"line separator", "a\u2028b", "", forum.CodeInvalid},
		{"paragraph separator", "a\u2029b", "", forum.CodeInvalid},
		{"override", "a\u202eb", "", forum.CodeInvalid},
		{"isolate", "a\u2067b", "", forum.CodeInvalid},
		{"noncharacter", "ab\uffff", "", forum.CodeInvalid},
		{"noncharacter of Arabic", "ab\ufdd0", "", forum.CodeInvalid},
		{"noncharacter of the last plane", "ab\U0010fffe", "", forum.CodeInvalid},
		{"ill-formed", "ab\xff", "", forum.CodeInvalid},
		{"surrogate", "ab\xed\xa0\x80", "", forum.CodeInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Line(path, tt.s, 2, 20)
			if got != tt.want || forum.CodeOf(err) != tt.code {
				t.Errorf("Line(%+q) = %+q, %v; want %+q, code %q", tt.s, got, err, tt.want, tt.code)
			}
		})
	}
}

func TestLineMayBeEmpty(t *testing.T) {
	got, err := Line(path, " \u200b ", 0, 20)
	if got != "" || err != nil {
		t.Errorf("Line of invisible characters, min 0 = %+q, %v; want empty, no error", got, err)
	}
}

func TestBody(t *testing.T) {
	tests := []struct {
		name string
		s    string
		min  int
		code forum.Code
	}{
		{"lines and tabs", "a\n\tb", 1, ""},
		{"four in NFC are the most", "e\u0301e\u0301e\u0301e\u0301", 1, ""},
		{"five are too many", "abcde", 1, forum.CodeTooLong},
		{"white space counts", "a    ", 1, forum.CodeTooLong},
		{"empty", "", 1, forum.CodeTooShort},
		{"empty if it may be", "", 0, ""},
		{"blank", " \n\t", 1, forum.CodeTooShort},
		{"blank if it may be", " \n\t", 0, ""},
		{"invisible", "\u200b", 1, forum.CodeTooShort},
		{"too few", "a", 2, forum.CodeTooShort},
		{"CR LF counts as one", "ab\r\nd", 1, ""},
		{"a page break is white space", "\v\f\r", 1, forum.CodeTooShort},
		{"escape", "a\x1bb", 1, forum.CodeInvalid},
		{"NUL", "\x00", 0, forum.CodeInvalid},
		{"noncharacter", "\ufffe", 0, forum.CodeInvalid},
		{"ill-formed", "\xc0\x80", 0, forum.CodeInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := Body(path, tt.s, tt.min, 4); forum.CodeOf(err) != tt.code {
				t.Errorf("Body(%+q, %d, 4) = %v; want code %q", tt.s, tt.min, err, tt.code)
			}
		})
	}
}

func TestBodyIsStoredWithLineFeeds(t *testing.T) {
	const pasted, want = "a\r\nb\rc\r\r\nd\ve\f\n", "a\nb\nc\n\nd e \n"
	if got, err := Body(path, pasted, 1, 20); got != want || err != nil {
		t.Errorf("Body(%+q) = %+q, %v; want %+q", pasted, got, err, want)
	}
}

func TestKey(t *testing.T) {
	tests := []struct {
		name string
		s    string
		code forum.Code
	}{
		{"one character", "k", ""},
		{"the most", strings.Repeat("键", forum.MaxKey), ""},
		{"one more", strings.Repeat("键", forum.MaxKey+1), forum.CodeTooLong},
		{"empty", "", forum.CodeTooShort},
		{"line feed", "a\nb", forum.CodeInvalid},
		{"ill-formed", "\xff", forum.CodeInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := Key(path, tt.s); forum.CodeOf(err) != tt.code {
				t.Errorf("Key(%+q) = %v; want code %q", tt.s, err, tt.code)
			}
		})
	}
}

func TestEmail(t *testing.T) {
	local := strings.Repeat("l", maxLocal)
	tests := []struct {
		name string
		s    string
		fold string
		code forum.Code
	}{
		{"plain", "ann@example.org", "ann@example.org", ""},
		{"capitals", "Ann.B+tag@Example.ORG", "ann.b+tag@example.org", ""},
		{"full width", "ａｎｎ@example.org", "ann@example.org", ""},
		{"sharp s", "GROẞ@example.org", "gross@example.org", ""},
		{"international", "用户@例子.公司", "用户@例子.公司", ""},
		{"longest local part", local + "@example.org", local + "@example.org", ""},
		{"longer local part", "l" + local + "@example.org", "", forum.CodeInvalid},
		{
			"longest",
			"a@" + strings.Repeat("b", forum.MaxEmail-4) + ".c",
			"a@" + strings.Repeat("b", forum.MaxEmail-4) + ".c",
			"",
		},
		{"longer", "a@" + strings.Repeat("b", forum.MaxEmail-3) + ".c", "", forum.CodeTooLong},
		{"empty", "", "", forum.CodeInvalid},
		{"no sign", "example.org", "", forum.CodeInvalid},
		{"no dot in the domain", "ann@localhost", "", forum.CodeInvalid},
		{"dot at the end", "ann@example.org.", "", forum.CodeInvalid},
		{"two dots", "ann@example..org", "", forum.CodeInvalid},
		{"address of a machine", "ann@[127.0.0.1]", "", forum.CodeInvalid},
		{"hyphen at the end of a label", "ann@example-.org", "", forum.CodeInvalid},
		{"display name", "Ann <ann@example.org>", "", forum.CodeInvalid},
		{"brackets", "<ann@example.org>", "", forum.CodeInvalid},
		{"comment", "ann@example.org (Ann)", "", forum.CodeInvalid},
		{"quotes", `"ann b"@example.org`, "", forum.CodeInvalid},
		{"two addresses", "ann@example.org,bob@example.org", "", forum.CodeInvalid},
		{"white space around", " ann@example.org", "", forum.CodeInvalid},
		{"line break", "ann@example.org\n", "", forum.CodeInvalid},
		{"zero width", "an\u200bn@example.org", "", forum.CodeInvalid},
		{"no-break space", "an\u00a0n@example.org", "", forum.CodeInvalid},
		{"ill-formed", "an\xffn@example.org", "", forum.CodeInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, fold, err := Email(path, tt.s)
			if fold != tt.fold || forum.CodeOf(err) != tt.code {
				t.Errorf("Email(%+q) = fold %q, %v; want %q, code %q", tt.s, fold, err, tt.fold, tt.code)
			}
		})
	}
}

func TestEmailIsKeptInNFC(t *testing.T) {
	got, _, err := Email(path, "Jose\u0301@example.org")
	if got != "José@example.org" || err != nil {
		t.Errorf("Email = %q, %v; want the address in NFC as it was written", got, err)
	}
}
