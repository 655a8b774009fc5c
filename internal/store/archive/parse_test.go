package archive

import (
	"strings"
	"testing"

	"agora/internal/store/catalogue"
)

// Whatever a line is, it is refused, or it can be parsed again to be written.
func FuzzRow(f *testing.F) {
	for _, line := range []string{
		`{"kind":"topic","key":"{p07}:t:519","hash":{"title":"a\n\"b\"\\\u0000é","link":""}}`,
		`{"kind":"topic-votes","key":"{p07}:t:519:up","expires":1796024426000,"part":2,"zset":{"269":-1.5e-7,"512":512}}`,
		`{"kind":"sequence","key":"{p07}:seq","string":"515"}`,
		`{"kind":"releases","key":"{p07}:u:263:rel","set":["a","b"]}`,
		`{"kind":"topic","key":"{p07}:t:519","hash":{"title":"\u0080"}}`,
		`{"kind":"topic","key":"{p07}:t:519","hash":{"title":"\u00`,
	} {
		f.Add(line + "\n")
	}
	f.Fuzz(func(t *testing.T, line string) {
		if verifyRow(line) != nil {
			return
		}
		r, err := parseRow(line)
		if err != nil || len(r.content) == 0 {
			t.Errorf("parseRow(%q) = %d texts, %v; want those of a verified row", line, len(r.content), err)
		}
	})
}

// A text is the same once it was encoded and parsed, and takes no other form.
func TestTextsOfRows(t *testing.T) {
	all := strings.Join(odd, "")
	for c := range rune(0x300) {
		all += string(c)
	}
	encoded, err := appendString(nil, all)
	p := &parser{rest: string(encoded)}
	if got := p.text(); err != nil || p.err != nil || p.rest != "" || got != all {
		t.Errorf("the text is %q, %v, %v after encoding and parsing; want %q", got, err, p.err, all)
	}
	for _, text := range []string{`"\u0080"`, `"\u002"`, `"\x"`, `"\`, `"`, "\"\n\"", `'a'`} {
		p := &parser{rest: text}
		if got := p.text(); p.err == nil {
			t.Errorf("the text of %s is %q; want an error", text, got)
		}
	}
}

// The commands that import rows have the types that exports have.
func TestCommandsHaveTypes(t *testing.T) {
	for _, k := range catalogue.Kinds {
		if _, ok := brackets[k.Type]; k.Export == catalogue.InRows && (!ok || commands[k.Type] == "") {
			t.Errorf("rows of kind %s, a %s, cannot be written or read", k.Name, k.Type)
		}
	}
}
