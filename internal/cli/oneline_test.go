package cli

import "testing"

func TestTextsCannotControlTheTerminal(t *testing.T) {
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
		if got := oneLine(tt.text); got != tt.want {
			t.Errorf("%s: oneLine(%q) = %q; want %q", tt.name, tt.text, got, tt.want)
		}
	}
}
