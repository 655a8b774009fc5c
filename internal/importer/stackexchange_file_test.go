package importer

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"agora/internal/test/testlevel"
)

// outlineRows summarizes what rows yields: "3=7" is row 7 in line 3, "3!" an invalid one; a file
// error ends it as text.
func outlineRows(r io.Reader) string {
	var parts []string
	in := Input{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	for row, err := range postsTable.rows(noContext, in, nil) {
		switch {
		case err != nil:
			parts = append(parts, err.Error())
		case row.err != nil:
			parts = append(parts, fmt.Sprintf("%d!", row.line))
		default:
			parts = append(parts, fmt.Sprintf("%d=%s", row.line, row.text("Id")))
		}
	}
	return strings.Join(parts, " ")
}

func TestTableOf(t *testing.T) {
	tests := []struct {
		file     string
		want     Table
		imported bool
	}{
		{"Posts.xml", "posts", true},
		{"a.example.org/Comments.xml.gz", "comments", true},
		{"/x/users.XML.GZ", "users", true},
		{"Votes.xml", "votes", true},
		{"Tags.xml", "tags", false},
		{"PostHistory.xml.gz", "posthistory", false},
		{"Posts.json", "", false},
		{"Posts.xml.7z", "", false},
		{"Posts", "", false},
		{"old-Posts.xml", "", false},
		{".xml", "", false},
		{"posts/x", "", false},
	}
	for _, tt := range tests {
		if got := TableOf(tt.file); got != tt.want || got.Imported() != tt.imported {
			t.Errorf("TableOf(%q) = %q, imported %t; want %q, %t", tt.file, got, got.Imported(), tt.want, tt.imported)
		}
	}
}

const (
	head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n"
	foot = "\n</posts>"
)

func TestRowsAreSplit(t *testing.T) {
	testlevel.Usual(t)
	const one, two = `<row Id="1" Body="a" />`, `<row Id="2" />`
	tests := []struct {
		name string
		file string
		want string
	}{
		{"rows", head + one + "\n" + two + foot + "\n", "3=1 4=2"},
		{"byte order mark, CR LF", "\ufeff" + strings.ReplaceAll(head+"  "+one+"\n  "+two+foot, "\n", "\r\n"), "3=1 4=2"},
		{"all in one line", "<posts>" + one + two + "</posts>", "1=1 1=2"},
		{"attributes in lines", head + "<row\n Id=\"1\"\n Body='\n'\n/>\n" + two + foot, "3=1 8=2"},
		{"a closing tag", head + `<row Id="1"></row>` + "\n" + two + foot, "3=1 4=2"},
		{
			"brackets and quotes in quotes",
			head + `<row Id="1" Body="a > b 'c'" />` + "\n" + `<row Id='2' Body='"/>'/>` + foot,
			"3=1 4=2",
		},
		{"comments", "<!-- don't -->" + head + "<!-- \" -->" + one + foot, "3=1"},
		{"no rows", head + foot, ""},
		{"no rows, one tag", "<posts />", ""},
		{"a bracket in a text", head + `<row Id="1" Body="a<b" />` + "\n" + two + foot, "3! 4=2"},
		{"a quote is missing", head + `<row Id="1" Body="a />` + "\n" + two + foot, "3! 4=2"},
		{"an extra quote", head + `<row Id="1" Body="a"b" />` + "\n" + two + foot, "3! 4=2"},
		{"no end", head + `<row Id="1" Body="a"` + "\n" + two + foot, "3! 4=2"},
		{"no end of the last row", head + one + "\n" + `<row Id="1" Body="a` + foot, "3=1 4!"},
		{"an unknown entity", head + `<row Id="1" Body="&nbsp;" />` + "\n" + two + foot, "3! 4=2"},
		{"text between rows", head + one + " and\n" + two + foot, "3=1 3! 4=2"},
		{"other data between rows", head + one + "<col/>\n" + two + foot, "3=1 3! 4=2"},
		{"a too long row", head + `<row Id="1" Body="` + strings.Repeat("x", MaxRecord) + "\" />\n" + two + foot, "3! 4=2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for form, r := range map[string]io.Reader{
				"plain": strings.NewReader(tt.file), "packed": bytes.NewReader(packed(tt.file)),
				"in pieces": iotest.HalfReader(strings.NewReader(tt.file)),
			} {
				if got := outlineRows(r); got != tt.want {
					t.Errorf("rows(%.200q), %s, yields %q; want %q", tt.file, form, got, tt.want)
				}
			}
		})
	}
}

func TestRowsOfABadFile(t *testing.T) {
	whole := packed(head + `<row Id="1"/>` + foot)
	tests := []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "in: line 1: the file is empty"},
		{"header alone", []byte(head[:38]), "in: line 1: the file is empty"},
		{"ends early", []byte(head + `<row Id="1"/>` + "\n"), "3=1 in: line 4: the file ends before </posts>"},
		{"ends within a row", []byte(head + `<row Id="1" Bo`), "3! in: line 3: the file ends before </posts>"},
		{"gzip ends early", whole[:len(whole)-8], "3=1 in: line 4: the file is truncated: its gzip data ends early"},
		{"empty gzip", whole[:5], "in: the file is truncated: its gzip data ends early"},
		{"another table", []byte("<comments><row/></comments>"), "in: line 1: this is a file of <comments>, not of <posts>"},
		{"a page", []byte("<!DOCTYPE html>\n<html lang=\"en\">"), "in: line 2: this is a file of <html>, not of <posts>"},
		{"JSON", lines(articles(1)...), "in: line 2: this is not XML"},
		{"two files in one", []byte("<posts/>\n<posts/>"), "in: line 2: unexpected data after </posts>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outlineRows(bytes.NewReader(tt.file)); got != tt.want {
				t.Errorf("rows(%.60q) yields %q; want %q", tt.file, got, tt.want)
			}
		})
	}
}

// Dumps contain characters that XML does not allow; they make no row invalid.
func TestRowsAreCleaned(t *testing.T) {
	tests := []struct {
		name, value string
		want        string
		dropped     int
	}{
		{"all is well", "a&#xA;b&#9;&amp;&#x1F600;", "a\nb\t&😀", 0},
		{"a control character by its number", "a&#x0E;b&#14;&#0;&amp;", "ab&", 3},
		{"a control character", "a\x0eb\x00\n", "ab\n", 2},
		{"surrogates and other numbers", "&#xD83D;&#xFFFE;&#x110000;&#99999999999;", "\ufffd\ufffd\ufffd\ufffd", 0},
		{"noncharacter", "a\uffff", "a\ufffd", 0},
		{"ill-formed UTF-8", "a\xffb", "a\ufffdb", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r row
			r.decode([]byte(`<row Id="1" Body="` + tt.value + `" />`))
			if got := r.text("Body"); got != tt.want || r.err != nil || r.changes != (Changes{ControlCharacters: tt.dropped}) {
				t.Errorf(
					"decode(%q) = %q, %v, %+v; want %q, %d control characters dropped",
					tt.value,
					got,
					r.err,
					r.changes,
					tt.want,
					tt.dropped,
				)
			}
		})
	}
}

func FuzzRowsOfADump(f *testing.F) {
	for _, seed := range []string{head + `<row Id="1" Body="a > b" />` + foot, "<posts/>", "<posts><row Id='1'><row",
		"\ufeff<!-- ' --><posts>\"<</posts>", "<posts>&#x0E;"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		line, ended := 1, false
		in := Input{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(file)), nil }}
		for r, err := range postsTable.rows(noContext, in, nil) {
			if ended || err == nil && r.line < line {
				t.Fatalf("rows(%q) yields %+v, %v after line %d", file, r, err, line)
			}
			line, ended = max(line, r.line), err != nil
		}
	})
}
