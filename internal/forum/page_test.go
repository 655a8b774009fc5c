package forum

import (
	"encoding/base64"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func number(n int) *int       { return &n }
func cursor(s string) *string { return &s }

// Behaviour X7: sizes are 0 to 100; no other value is interpreted.
func TestWindowBounds(t *testing.T) {
	for name, args := range map[string]PageArgs{
		"first -1": {First: number(-1)}, "first 101": {First: number(MaxPage + 1)},
		"last -1": {Last: number(-1)}, "last 101": {Last: number(MaxPage + 1)},
		"both": {First: number(1), Last: number(1)},
	} {
		if _, err := args.Window("l"); CodeOf(err) != CodeBadUserInput {
			t.Errorf("Window, %s = %v; want BAD_USER_INPUT", name, err)
		}
	}
}

func TestWindow(t *testing.T) {
	tests := []struct {
		name string
		args PageArgs
		want Window
	}{
		{"default", PageArgs{}, Window{Count: DefaultPage}},
		{"first", PageArgs{First: number(7), Skip: 3}, Window{Count: 7, Skip: 3}},
		{"last", PageArgs{Last: number(7)}, Window{Count: 7, Backward: true}},
	}
	for _, tt := range tests {
		if got, err := tt.args.Window("l"); err != nil || got != tt.want {
			t.Errorf("Window, %s = %+v, %v; want %+v", tt.name, got, err, tt.want)
		}
	}
}

// drawPosition draws a position in a list.
func drawPosition(t *rapid.T) Position {
	return Position{
		Score:  rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64).Draw(t, "score"),
		Member: rapid.StringMatching(`[!-~]{1,32}`).Draw(t, "member"),
	}
}

func TestCursorsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list, p := rapid.String().Draw(t, "list"), drawPosition(t)
		w, err := PageArgs{After: cursor(p.Cursor(list))}.Window(list)
		if err != nil || *w.After != p {
			t.Fatalf("cursor of %+v = %+v, %v; want it back", p, w.After, err)
		}
		if math.Signbit(w.After.Score) != math.Signbit(p.Score) {
			t.Fatalf("score %v; want the sign of %v", w.After.Score, p.Score)
		}
	})
}

func TestCursorOfAnotherListIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.String().Draw(t, "list")
		other := rapid.String().Filter(func(s string) bool { return s != list }).Draw(t, "other")
		c := drawPosition(t).Cursor(list)
		if _, err := (PageArgs{After: &c}).Window(other); CodeOf(err) != CodeCursorInvalid {
			t.Fatalf("cursor of %q in %q = %v; want CURSOR_INVALID", list, other, err)
		}
	})
}

// A truncated or corrupted cursor is refused, or is a valid cursor of the list. It is never an
// impossible position.
func TestBrokenCursors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawPosition(t).Cursor("l")
		if rapid.Bool().Draw(t, "cut") {
			c = c[:rapid.IntRange(0, len(c)-1).Draw(t, "length")]
		} else {
			i := rapid.IntRange(0, len(c)-1).Draw(t, "position")
			c = c[:i] + string(c[i]^1<<rapid.IntRange(0, 7).Draw(t, "bit")) + c[i+1:]
		}
		w, err := PageArgs{Before: &c}.Window("l")
		if err == nil {
			p := *w.Before
			if math.IsNaN(p.Score) || math.IsInf(p.Score, 0) || !utf8.ValidString(p.Member) ||
				p.Member == "" || p.Cursor("l") != c {
				t.Fatalf("broken cursor %q was read as %+v", c, p)
			}
		} else if CodeOf(err) != CodeCursorInvalid {
			t.Fatalf("broken cursor %q = %v; want CURSOR_INVALID", c, err)
		}
	})
}

func TestInvalidCursorsAreRefused(t *testing.T) {
	good := Position{Score: 1, Member: "1"}.Cursor("l")
	bytes, _ := base64.RawURLEncoding.DecodeString(good)
	change := func(at int, to ...byte) string {
		b := append([]byte(nil), bytes...)
		copy(b[at:], to)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	tests := map[string]string{
		"version 0":         change(0, 0),
		"version 2":         change(0, 2),
		"NaN":               Position{Score: math.NaN(), Member: "1"}.Cursor("l"),
		"infinite":          Position{Score: math.Inf(-1), Member: "1"}.Cursor("l"),
		"no member":         Position{Score: 1}.Cursor("l"),
		"a long member":     Position{Score: 1, Member: strings.Repeat("a", maxMember+1)}.Cursor("l"),
		"not UTF-8":         Position{Score: 1, Member: "\xff"}.Cursor("l"),
		"padded":            good + "==",
		"standard alphabet": strings.Repeat("+/", 20),
		"a megabyte":        strings.Repeat("A", 1<<20),
		"spaces":            " " + good,
		"newline inside":    good[:4] + "\n" + good[4:],
	}
	for name, c := range tests {
		if _, err := (PageArgs{After: &c}).Window("l"); CodeOf(err) != CodeCursorInvalid {
			t.Errorf("Window with a cursor, %s = %v; want CURSOR_INVALID", name, err)
		}
	}
}

func TestHasNextAndHasPrevious(t *testing.T) {
	rows := make([]Row, 3)
	tests := []struct {
		page           Page
		next, previous bool
	}{
		{Page{Rows: rows, Total: 3}, false, false},
		{Page{Rows: rows, Total: 4}, true, false},
		{Page{Rows: rows, Start: 1, Total: 4}, false, true},
		{Page{Rows: rows, Start: 1, Total: 5}, true, true},
		{Page{}, false, false},
	}
	for _, tt := range tests {
		if n, p := tt.page.HasNext(), tt.page.HasPrevious(); n != tt.next || p != tt.previous {
			t.Errorf("%+v: HasNext %t, HasPrevious %t; want %t, %t", tt.page, n, p, tt.next, tt.previous)
		}
	}
}

// Windows are equal if nothing differs; cursors are compared by value.
func TestWindowEqual(t *testing.T) {
	window := func() Window {
		return Window{Count: 5, After: &Position{Score: 1, Member: "a"}, Before: &Position{Score: 2, Member: "b"}}
	}
	if !window().Equal(window()) || !(Window{}).Equal(Window{}) || !window().Bounded() || (Window{Count: 5}).Bounded() {
		t.Errorf("Equal, Bounded: want %+v equal to itself, and bounded", window())
	}
	changes := map[string]func(*Window){
		"count": func(w *Window) { w.Count++ }, "direction": func(w *Window) { w.Backward = true },
		"skip": func(w *Window) { w.Skip++ },
		"bare": func(w *Window) { w.Bare = true }, "uncounted": func(w *Window) { w.Uncounted = true },
		"preceding": func(w *Window) { w.Preceding = true },
		"no after":  func(w *Window) { w.After = nil }, "no before": func(w *Window) { w.Before = nil },
		"score": func(w *Window) { w.After.Score++ }, "member": func(w *Window) { w.Before.Member = "c" },
	}
	for name, change := range changes {
		w := window()
		if change(&w); w.Equal(window()) || window().Equal(w) {
			t.Errorf("another %s: %+v is equal to %+v; want it to differ", name, w, window())
		}
	}
}
