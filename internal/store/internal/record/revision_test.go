package record

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
	"agora/internal/test/must"
)

// free charges nothing.
func free(int) error { return nil }

func TestRevisionsArePackedWithoutLoss(t *testing.T) {
	of := forum.Subject{Topic: 519}
	long := strings.Repeat("A text that says the same again and again. ", 1500)
	for _, text := range []forum.Text{
		{Title: "Title", Link: "https://example.org/?a=b c", Content: "One line", Format: forum.Markdown},
		{Title: "Title", Content: "Two\nlines\n\n", Format: forum.HTML},
		{Content: long, Format: forum.Markdown},
		{Title: "日本語", Content: strings.Repeat("語", forum.MaxContent), Format: forum.HTML},
		{Format: forum.Markdown},
	} {
		want := &forum.Revision{Subject: of, Number: 12, EditorID: 263, CreatedAt: 1795416024000, Text: text,
			RedactedBy: 775}
		got := must.Do(ParseRevision(of, PackRevision(want), free))(t)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("revision (-packed +parsed):\n%s", diff)
		}
	}
}

// An earlier text takes at most 1.3 times its size, from 100 bytes on.
func TestRevisionsAreSmall(t *testing.T) {
	english := "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of " +
		"foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was " +
		"the season of Darkness, it was the spring of hope, it was the winter of despair. "
	for _, size := range []int{100, 200, 300, 1000, 10_000} {
		text := strings.Repeat(english, 40)[:size]
		packed := PackRevision(&forum.Revision{Number: 12, EditorID: 2_000_000, CreatedAt: 1795416024000,
			Text: forum.Text{Content: text, Format: forum.Markdown}})
		if most := size * 13 / 10; len(packed) > most {
			t.Errorf("%d bytes are packed into %d; want at most %d", size, len(packed), most)
		}
	}
}

func TestMalformedRevisionsAreErrors(t *testing.T) {
	for _, value := range []string{"", "1 2 3 4", "1 2 3 4 ", "1 2 3 4 mtitle", "1 2 3 4 mtitle\nlink",
		"1 2 3 4 x\n\ntext", "0 2 3 4 m\n\ntext", "1 2 3 4 M!!", "1 2 3 4 Mabcd", "1 2 3 4 M5 AwA",
		"1 2 3 4 M-1 AwA", "1 2 3 4 M9000000000000000000 AwA", "1 2 3 4 Mx AwA"} {
		if r, err := ParseRevision(forum.Subject{Comment: 7}, value, free); err == nil {
			t.Errorf("ParseRevision(%q) = %+v; want an error", value, r)
		}
	}
}

// Unpacking ends where it may cost no more, and was charged until then.
func TestUnpackingIsCharged(t *testing.T) {
	of := forum.Subject{Comment: 7}
	packed := PackRevision(&forum.Revision{Number: 1, Text: forum.Text{
		Content: strings.Repeat("😀", forum.MaxContent), Format: forum.Markdown}})
	enough := errors.New("enough")
	const size = 4*forum.MaxContent + 2
	old := strings.Replace(packed, fmt.Sprintf("M%d ", size), "M", 1) // as version 0.1.0 packed it
	for _, tt := range []struct {
		packed              string
		room, least, charge int
	}{
		{packed, 0, 0, 0}, {packed, size - 1, 0, 0}, {packed, size, size, size},
		{old, 0, 0, 0}, {old, 100_000, 40_000, 100_000}, {old, 2*size + firstUnpacked, size, 2*size + firstUnpacked},
	} {
		charged := 0
		_, err := ParseRevision(of, tt.packed, func(bytes int) error {
			if charged+bytes > tt.room {
				return enough
			}
			charged += bytes
			return nil
		})
		if whole := tt.room >= size; whole && err != nil || !whole && !errors.Is(err, enough) || charged < tt.least ||
			charged > tt.charge {
			t.Errorf("%.30s with room for %d bytes: %v after %d", tt.packed, tt.room, err, charged)
		}
	}
}
