package importer

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"agora/internal/text"
)

func TestReadSnap(t *testing.T) {
	got := only(t, Snap, "# notes\r\n0\t17\r\n")
	want := Record{File: "in", Line: 2, Follow: &Follow{
		From: Person{ID: "0", Name: "User 0", SourceID: "0"},
		To:   Person{ID: "17", Name: "User 17", SourceID: "17"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Read(an edge) differs (-want +got):\n%s", diff)
	}
	for login := range text.Logins(got.Follow.To.Name, got.Follow.To.SourceID) {
		if login != "User17" {
			t.Errorf("Logins of user 17 begin %q; want User17", login)
		}
		break
	}
}

func TestReadSnapLineByLine(t *testing.T) {
	tests := []struct {
		name string
		file string
		want string
	}{
		{"empty file", "", ""},
		{"notes only", "# a\n#b", ""},
		{"notes and empty lines between edges", "# a\n\n1\t2\n  \n# b\n2\t1\n", "3=1>2 6=2>1"},
		{"byte order mark, spaces, no last line end", "\ufeff1 2\n 2   3 \n3\t1", "1=1>2 2=2>3 3=3>1"},
		{"one number in several forms", "007\t0\n", "1=7>0"},
		{"the largest number", "1\t9223372036854775807\n", "1=1>9223372036854775807"},
		{"a user following themselves", "1\t1\n1\t2\n3\t03\n", "1- 2=1>2 3-"},
		{"bad lines", "1\t2\n1\n1\t2\t3\nx\ty\n1\t-2\n1\t9223372036854775808\n2\t1\n", "1=1>2 2! 3! 4! 5! 6! 7=2>1"},
		{"a bad first line", "1,2\n1\t2\n", "1! 2=1>2"},
		{"JSON", "# a\n[1, 2]\n1\t2", "in: line 2: this is not an edge list: it begins with '[', not with # or a number"},
		{"words", "from\tto\n1\t2", "in: line 1: this is not an edge list: it begins with 'f', not with # or a number"},
		{"another script", "题", "in: line 1: this is not an edge list: it begins with '题', not with # or a number"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := outline(strings.NewReader(tt.file), Snap); got != tt.want {
				t.Errorf("Read(%q) yields %q; want %q", tt.file, got, tt.want)
			}
			if got := outline(bytes.NewReader(packed(tt.file)), Snap); got != tt.want {
				t.Errorf("Read(%q), packed, yields %q; want %q", tt.file, got, tt.want)
			}
			if got := outline(iotest.OneByteReader(strings.NewReader(tt.file)), Snap); got != tt.want {
				t.Errorf("Read(%q) byte by byte yields %q; want %q", tt.file, got, tt.want)
			}
		})
	}
}

func TestReadSnapOfDamagedFiles(t *testing.T) {
	file := packed("1\t2\n2\t3\n")
	if got, want := outline(bytes.NewReader(file[:len(file)-8]), Snap), "1=1>2 2=2>3 in: line 3: the file is truncated: "+
		"its gzip data ends early"; got != want {
		t.Errorf("Read(a truncated file) yields %q; want %q", got, want)
	}
	long := "1\t2\n" + strings.Repeat("1", MaxRecord+1) + "\n2\t3\n"
	if got, want := outline(strings.NewReader(long), Snap), "1=1>2 2! 3=2>3"; got != want {
		t.Errorf("Read(a too long line) yields %q; want %q", got, want)
	}
}

func TestBadSnap(t *testing.T) {
	tests := []struct{ name, line, want string }{
		{"one number", "1", "the line has 1 fields, not the numbers of two users"},
		{"a weight", "1\t2\t-1", "the line has 3 fields, not the numbers of two users"},
		{"below 0", "1\t-2", `"-2" is not the number of a user`},
		{"with a sign", "1\t+2", `"+2" is not the number of a user`},
		{"a word", "1\t" + strings.Repeat("x", 30), `"xxxxxxxxxxxxxxxxxxxx" is not the number of a user`},
		{"two bad ones", "1.5\t2.5", `"1.5" is not the number of a user`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := only(t, Snap, tt.line); got.Follow != nil || got.Err == nil || got.Err.Error() != tt.want {
				t.Errorf("Read(%q) = %+v; want error %q", tt.line, got, tt.want)
			}
		})
	}
}
