package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

func TestRetractCursor(t *testing.T) {
	at := func(score float64, member string) *forum.Position {
		return &forum.Position{Score: score, Member: member}
	}
	for text, want := range map[string]RetractCursor{
		"":              {},
		"12":            {Comment: "12"},
		"0 5:256 -":     {Comment: "0", Bookmark: at(5, "256")},
		"7 - 6:257":     {Comment: "7", Watch: at(6, "257")},
		"7 5:256 6:257": {Comment: "7", Bookmark: at(5, "256"), Watch: at(6, "257")},
	} {
		got, err := ParseRetractCursor(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("ParseRetractCursor(%q), %v (-want +got):\n%s", text, err, diff)
		}
		if again := got.String(); again != text {
			t.Errorf("the cursor %q is %q again", text, again)
		}
	}
	for _, text := range []string{"x", "-1", " ", "1 2", "1 - - -", "1 5 -", "1  -", "1 5:x -"} {
		if got, err := ParseRetractCursor(text); err == nil {
			t.Errorf("ParseRetractCursor(%q) = %v; want an error", text, got)
		}
	}
}
