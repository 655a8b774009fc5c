package cli

import (
	"strings"
	"testing"
	"time"
)

func TestReplyLineCannotControlTheTerminal(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)
	tests := []struct{ name, text, want string }{
		{"plain", "Hello there", "Hello there"},
		{"colours", "\x1b[31mred\x1b[0m", "[31mred[0m"},
		{"title of the window", "a\x1b]0;owned\x07b", "a]0;ownedb"},
		{"one-character introducers", "a\u009b2Jb\u0090c", "a2Jbc"},
		{"back and over", "safe\b\b\b\bevil\r\nnext\vline", "safeevil next line"},
		{"delete", "a\x7fb", "ab"},
		{"lines and tabs", "one\n\n\ttwo\u2028three\u0085four", "one two three four"},
		{"order of characters", "a\u202egnp.exe\u2066b\u200fc", "agnp.exebc"},
		{"no UTF-8", "a\xff\xfeb\xc2", "a\uFFFDb\uFFFD"},
		{"emoji of several parts", "👩\u200d💻 早", "👩\u200d💻 早"},
	}
	for _, tt := range tests {
		if got, want := replyLine(0, at, "Title", "ann", tt.text), "03:04:05  Title  ann  "+tt.want; got != want {
			t.Errorf("%s: the line is %q; want %q", tt.name, got, want)
		}
		if got, want := replyLine(0, at, tt.text, tt.text, "x"), "03:04:05  "+tt.want+"  "+tt.want+"  x"; got != want {
			t.Errorf("%s as title and author: the line is %q; want %q", tt.name, got, want)
		}
	}
}

func TestReplyLineFitsTheTerminal(t *testing.T) {
	long := strings.Repeat("word 漢字 👩\u200d💻 e\u0301 ", 40)
	for columns := 1; columns < 200; columns++ {
		for _, text := range []string{long, strings.Repeat("漢", 100), "short"} {
			line := replyLine(columns, time.Now(), long, "夜航船-with-a-long-name", text)
			if n := columnsOf(line); n >= columns || n == 0 && columns > 1 {
				t.Errorf("in %d columns the line takes %d: %q", columns, n, line)
			}
		}
	}
	got := replyLine(60, time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local), "Title", "ann", "A text that is too long for this")
	if want := "03:04:05  Title                 ann           A text that …"; got != want {
		t.Errorf("in 60 columns the line is %q; want %q", got, want)
	}
}
