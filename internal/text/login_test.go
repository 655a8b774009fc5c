package text

import (
	"slices"
	"strings"
	"testing"

	"agora/internal/forum"
)

type loginTest struct {
	name  string
	s     string
	login string
	fold  string
	code  forum.Code
}

var scriptTests = []loginTest{
	{"plain", "bob", "bob", "bob", ""},
	{"capitals are kept and folded", "BoB", "BoB", "bob", ""},
	{"joiners", "a.b-c_d", "a.b-c_d", "a.b-c_d", ""},
	{"digits", "1a2", "1a2", "1a2", ""},
	{"digits only", "42", "42", "42", ""},
	{"accents in NFC", "Jose\u0301", "José", "josé", ""},
	{"full width", "Ｂｏｂ＿１", "Bob_1", "bob_1", ""},
	{"sharp s", "Groß", "Groß", "gross", ""},
	{"Chinese", "小明", "小明", "小明", ""},
	{"Chinese zero", "二〇二六", "二〇二六", "二〇二六", ""},
	{"Japanese", "さくらサーバー桜", "さくらサーバー桜", "さくらサーバー桜", ""},
	{"half-width kana", "ﾊﾞﾅﾅ", "バナナ", "バナナ", ""},
	{"Korean with Han", "김金", "김金", "김金", ""},
	{"Chinese with Bopomofo", "小ㄇㄧ", "小ㄇㄧ", "小ㄇㄧ", ""},
	{"Russian", "Борис", "Борис", "борис", ""},
	{"Greek with final sigma", "Νίκος", "Νίκος", "νίκοσ", ""},
	{"Hebrew", "שלום", "שלום", "שלום", ""},
	{"Arabic with its digits", "سلام١", "سلام١", "سلام١", ""},
	{"Hindi ends with a vowel sign", "नमस्ते", "नमस्ते", "नमस्ते", ""},
	{"Thai tone marks", "น้ำ", "", "", forum.CodeInvalid}, // U+0E33 is a compatibility form
	{"Yoruba has no composed form", "Ọ̀ṣun", "Ọ̀ṣun", "ọ̀ṣun", ""},
}

var shapeTests = []loginTest{
	{"shortest", "ab", "ab", "ab", ""},
	{"shorter", "a", "", "", forum.CodeTooShort},
	{"one code point in NFC", "e\u0301", "", "", forum.CodeTooShort},
	{"one code point in normal width", "ﾊﾞ", "", "", forum.CodeTooShort},
	{"empty", "", "", "", forum.CodeTooShort},
	{
		"longest",
		strings.Repeat("a", forum.MaxLogin),
		strings.Repeat("a", forum.MaxLogin),
		strings.Repeat("a", forum.MaxLogin),
		"",
	},
	{"longer", strings.Repeat("a", forum.MaxLogin+1), "", "", forum.CodeTooLong},
	{"Latin with a Cyrillic letter", "bоb", "", "", forum.CodeInvalid},
	{"Latin with a Greek letter", "bοb", "", "", forum.CodeInvalid},
	{"Latin with Chinese", "bob明", "", "", forum.CodeInvalid},
	{"kana with Hangul", "さ김", "", "", forum.CodeInvalid},
	{"kana, Han and Hangul", "さ金김", "", "", forum.CodeInvalid},
	{"Latin with a foreign mark", "bobि", "", "", forum.CodeInvalid},
	{"Latin with Arabic digits", "bob١", "", "", forum.CodeInvalid},
	{"okina", "hawaiʻi", "", "", forum.CodeInvalid},
	{"too many marks", "bo\u0316\u0317\u0318\u0319\u031cb", "", "", forum.CodeInvalid},
	{"a mark twice", "bo\u0316\u0316b", "", "", forum.CodeInvalid},
	{"mark in front", "\u0316bob", "", "", forum.CodeInvalid},
	{"ligature", "oﬃce", "", "", forum.CodeInvalid},
	{"mathematical letters", "𝐛𝐨𝐛", "", "", forum.CodeInvalid},
	{"joiner in front", "_bob", "", "", forum.CodeInvalid},
	{"dot at the end", "bob.", "", "", forum.CodeInvalid},
	{"joiners only", "_-_", "", "", forum.CodeInvalid},
	{"zero width", "bo\u200bb", "", "", forum.CodeInvalid},
	{"zero width only", "\u200b\u200b\u200b", "", "", forum.CodeInvalid},
	{"zero-width joiner", "bo\u200db", "", "", forum.CodeInvalid},
	{"variation selector", "bob\ufe0f", "", "", forum.CodeInvalid},
	{"override", "\u202ebob", "", "", forum.CodeInvalid},
	{"emoji", "bob😀", "", "", forum.CodeInvalid},
	{"space", "bob b", "", "", forum.CodeInvalid},
	{"space at the end", "bob ", "", "", forum.CodeInvalid},
	{"sign", "b@b", "", "", forum.CodeInvalid},
	{"slash", "b/b", "", "", forum.CodeInvalid},
	{"middle dot", "col·lega", "", "", forum.CodeInvalid},
	{"right to left after left to right", "1שלום", "", "", forum.CodeInvalid},
	{"ill-formed", "bo\xff", "", "", forum.CodeInvalid},
	{"NUL", "bo\x00b", "", "", forum.CodeInvalid},
	{"reserved", "ghost", "", "", forum.CodeInvalid},
	{"reserved in capitals", "Admin", "", "", forum.CodeInvalid},
	{"reserved in full width", "ｒｏｏｔ", "", "", forum.CodeInvalid},
	{"reserved in look-alikes", "аӏӏ", "", "", forum.CodeInvalid},
}

func TestLogin(t *testing.T) {
	for _, tt := range slices.Concat(scriptTests, shapeTests) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			login, fold, err := Login(path, tt.s)
			if login != tt.login || fold != tt.fold || forum.CodeOf(err) != tt.code {
				t.Errorf("Login(%+q) = %q, %q, %v; want %q, %q, code %q", tt.s, login, fold, err, tt.login, tt.fold, tt.code)
			}
		})
	}
}

func TestReservedLoginIsReported(t *testing.T) {
	_, _, err := Login(path, "Moderator")
	if err == nil || !strings.Contains(err.Error(), "reserved") {
		t.Errorf("Login(Moderator) = %v; want an error with the word reserved", err)
	}
}

func TestReservedLoginsCanBeLookedUp(t *testing.T) {
	for word := range reserved {
		if fold, ok := FoldLogin(strings.ToUpper(word)); fold != word || !ok {
			t.Errorf("FoldLogin(%s) = %q, %t; want %q, true", strings.ToUpper(word), fold, ok, word)
		}
	}
}

func TestFoldLoginCollisions(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		same bool
	}{
		{"case", "coco", "COCO", true},
		{"width", "coco", "ｃｏｃｏ", true},
		{"composition", "jos\u00e9", "Jose\u0301", true},
		{"all Cyrillic", "coco", "сосо", true},
		{"all Cyrillic in capitals", "BOB", "ВОВ", true},
		{"Cyrillic with joiners and digits", "ace_1", "асе_1", true},
		{"all Greek", "oxo", "οχο", true},
		{"Cyrillic with letters that have no lookalike", "вода", "boda", false},
		{"accents", "jose", "josé", false},
		{"joiners", "a.b", "a_b", false},
		{"kana", "さくら", "サクラ", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, okA := FoldLogin(tt.a)
			b, okB := FoldLogin(tt.b)
			if !okA || !okB || (a == b) != tt.same {
				t.Errorf("FoldLogin(%q), FoldLogin(%q) = %q, %q; want same %t", tt.a, tt.b, a, b, tt.same)
			}
		})
	}
}

func TestFold(t *testing.T) {
	tests := []struct {
		name string
		s    string
		want string
	}{
		{"case", "Redis", "redis"},
		{"sharp s", "Straße", "strasse"},
		{"final sigma", "ΟΔΟΣ", "οδοσ"},
		{"dotted capital I", "İ", "i\u0307"},
		{"full width", "Ｇｏ　１", "go 1"},
		{"ligature", "oﬃce", "office"},
		{"composition", "Cafe\u0301", "café"},
		{"runs of white space", "  a \t\u00a0 b ", "a b"},
		{"zero width", "a\u200bb", "ab"},
		{"filler of half width", "a\uffa0b", "ab"},
		{"Chinese", "数据库", "数据库"},
		{"half-width kana", "ｶﾞ", "ガ"},
		{"iota below after an accent", "\u03b1\u0345\u0301", "\u03ac\u03b9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Fold(tt.s); got != tt.want {
				t.Errorf("Fold(%+q) = %+q; want %+q", tt.s, got, tt.want)
			}
		})
	}
}

func TestLookalikesAreFolded(t *testing.T) {
	for from, to := range lookalikes {
		if caseless(string(from)) != string(from) || caseless(string(to)) != string(to) {
			t.Errorf("%c looks like %c; want both in folded form", from, to)
		}
		if lookalike(string(from)) != string(to) {
			t.Errorf("lookalike(%c) = %s; want %c", from, lookalike(string(from)), to)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, seed := range []string{"", "Redis", "Straße", "ΟΔΟΣ", "\u03b1\u0345\u0301", "\uffa0\u3164", "\u1e9e \u2009x",
		"\u0130\u0307", "\xff", "각\u115f\u1160"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		fold := Fold(s)
		if again := Fold(fold); again != fold {
			t.Errorf("Fold(%+q) = %+q, folded again %+q; want no change", s, fold, again)
		}
	})
}

func FuzzLogin(f *testing.F) {
	for _, seed := range []string{"bob", "Groß", "сосо", "ﾊﾞﾅﾅ", "नमस्ते", "שלום", "1שלום", "a\u0345\u0301",
		"\u200b\u200b", "\xff\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		login, fold, err := Login(nil, s)
		if err != nil {
			return
		}
		if again, fold2, err := Login(nil, login); again != login || fold2 != fold || err != nil {
			t.Errorf("Login(%+q) = %+q, %+q; as shown %+q, %+q, %v; want the same", s, login, fold, again, fold2, err)
		}
		text := "@" + login
		if start, end := nextMention(text, 0); start != 0 || end != len(text) {
			t.Errorf("nextMention(%+q) = %d, %d; want all of it", text, start, end)
		}
	})
}
