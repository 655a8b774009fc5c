package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/text"
)

func shownHunks(hunks []forum.Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString("@")
		for _, l := range h.Lines {
			b.WriteString(map[forum.LineChange]string{
				forum.LineKept: " ", forum.LineAdded: "+", forum.LineRemoved: "-",
			}[l.Change] + l.Text + "\n")
		}
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	tests := []struct {
		name, before, after string
		context             int
		want                string
	}{
		{"equal", "a\nb", "a\nb", 3, ""},
		{"both empty", "", "", 3, ""},
		{"from nothing", "", "a\nb", 3, "@+a\n+b\n"},
		{"to nothing", "a", "", 3, "@-a\n"},
		{"one line", "a\nb\nc", "a\nB\nc", 1, "@ a\n-b\n+B\n c\n"},
		{"without context", "a\nb\nc", "a\nB\nc", 0, "@-b\n+B\n"},
		{"two hunks", "a\nb\nc\nd\ne", "A\nb\nc\nd\nE", 1, "@-a\n+A\n b\n@ d\n-e\n+E\n"},
		{"a final line feed", "a", "a\n", 1, "@ a\n+\n"},
	}
	for _, tt := range tests {
		if got := shownHunks(text.Compare(tt.before, tt.after).Hunks(tt.context, 1000)); got != tt.want {
			t.Errorf("%s: %q; want %q", tt.name, got, tt.want)
		}
	}
}

// Applying the hunks to the text before gives the text after, also of texts that are compared coarsely.
func TestDiffCanBeApplied(t *testing.T) {
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	write := func(n int) string {
		lines := make([]string, n)
		for i := range lines {
			lines[i] = string(rune('a' + r.IntN(3)))
		}
		return strings.Join(lines, "\n")
	}
	sizes := []int{0, 1, 2, 5, 20, 50}
	for n := range 300 {
		before, after := write(sizes[r.IntN(len(sizes))]), write(sizes[r.IntN(len(sizes))])
		if n == 0 {
			before, after = write(3000), write(3000)
		}
		if got := apply(t, before, text.Compare(before, after).Hunks(r.IntN(text.MaxHunkContext+1), 10_000)); got != after {
			t.Fatalf("%q with the difference from %q is %q", before, after, got)
		}
	}
}

func apply(t *testing.T, before string, hunks []forum.Hunk) string {
	var old, result []string
	if before != "" {
		old = strings.Split(before, "\n")
	}
	at := 0
	for _, h := range hunks {
		for ; at < h.OldStart-1; at++ {
			result = append(result, old[at])
		}
		if len(result) != max(h.NewStart-1, 0) {
			t.Fatalf("a hunk begins at line %d; want %d", h.NewStart, len(result)+1)
		}
		for _, l := range h.Lines {
			if l.Change != forum.LineRemoved {
				result = append(result, l.Text)
			}
			if l.Change != forum.LineAdded {
				if old[at] != l.Text {
					t.Fatalf("line %d is %q; the hunk says %q", at+1, old[at], l.Text)
				}
				at++
			}
		}
	}
	return strings.Join(append(result, old[at:]...), "\n")
}
