package text

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agora/internal/forum"
)

// The ids are part of keys in every installation, so they never change.
func TestTagID(t *testing.T) {
	tests := []struct {
		fold string
		want forum.TagID
	}{
		{"go", 1_351_360_484_843_641},
		{"c#", 2_623_043_154_086_544},
		{"machine learning", 3_882_001_458_051_287},
		{"茶", 2_216_640_040_214_406},
	}
	seen := map[forum.TagID]string{}
	for _, tt := range tests {
		got := TagID(tt.fold)
		if got != tt.want || got < 1 || got > forum.MaxTagID {
			t.Errorf("TagID(%q) = %d; want %d, from 1 to %d", tt.fold, got, tt.want, forum.MaxTagID)
		}
		if other, twice := seen[got]; twice {
			t.Errorf("TagID returns the same id for %q and %q", other, tt.fold)
		}
		seen[got] = tt.fold
	}
}

func TestTag(t *testing.T) {
	long := strings.Repeat("é", forum.MaxTag)
	tests := []struct {
		name string
		s    string
		want string // the name
		fold string
		code forum.Code
	}{
		{"plain", "go", "go", "go", ""},
		{"signs", ".net/c#", ".net/c#", ".net/c#", ""},
		{"white space at the ends goes", " go ", "go", "go", ""},
		{"inner white space is kept, but folded", "machine  learning", "machine  learning", "machine learning", ""},
		{"case stays, and does not count", "GoLang", "GoLang", "golang", ""},
		{"width does not count", "ｇｏ", "ｇｏ", "go", ""},
		{"invisible characters do not count", "g\u200bo", "g\u200bo", "go", ""},
		{"NFC", "e\u0301", "é", "é", ""},
		{"one is the least", "x", "x", "x", ""},
		{"as many code points as may be", long, long, long, ""},
		{"as many in NFC", strings.Repeat("e\u0301", forum.MaxTag), long, long, ""},
		{"one more", long + "x", "", "", forum.CodeTooLong},
		{"empty", "", "", "", forum.CodeTooShort},
		{"white space", " \u3000", "", "", forum.CodeTooShort},
		{"no visible characters", "\u200b", "", "", forum.CodeTooShort},
		{"two lines", "a\nb", "", "", forum.CodeInvalid},
		{"override", "a\u202eb", "", "", forum.CodeInvalid},
		{"ill-formed", "a\xff", "", "", forum.CodeInvalid},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := forum.TopicTag{}
			if tt.code == "" {
				want = forum.TopicTag{ID: TagID(tt.fold), Name: tt.want}
			}
			got, err := Tag(path, tt.s)
			if got != want || forum.CodeOf(err) != tt.code {
				t.Errorf("Tag(%+q) = %+v, %v; want %+v, code %q", tt.s, got, err, want, tt.code)
			}
		})
	}
}

func TestTags(t *testing.T) {
	tests := []struct {
		name  string
		names []string
		want  []string
	}{
		{"none", nil, nil},
		{"in order", []string{"tea", "go", "c#"}, []string{"tea", "go", "c#"}},
		{"twice", []string{"go", "tea", "go"}, []string{"go", "tea"}},
		{"as first written", []string{"Go", "go", "ＧＯ", "tea", "TEA"}, []string{"Go", "tea"}},
		{"more than a topic may have", strings.Fields("1 2 3 4 5 6 7 8 9 10 11"), strings.Fields("1 2 3 4 5 6 7 8 9 10 11")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tags, err := Tags(path, tt.names)
			var got []string
			for _, tag := range tags {
				got = append(got, tag.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
				t.Errorf("Tags(%q): %v (-want +got):\n%s", tt.names, err, diff)
			}
		})
	}
}

// An error contains the index of the tag, and the caller's path is not modified.
func TestTagsReportTheInvalidIndex(t *testing.T) {
	given := make([]string, 1, 2)
	copy(given, forum.Path("tags"))
	tests := []struct {
		names []string
		index string
		code  forum.Code
	}{
		{[]string{"", "a"}, "0", forum.CodeTooShort},
		{[]string{"a", "a", strings.Repeat("x", forum.MaxTag+1)}, "2", forum.CodeTooLong},
		{[]string{"a", "b\x00", ""}, "1", forum.CodeInvalid},
	}
	for _, tt := range tests {
		tags, err := Tags(given, tt.names)
		var fault *forum.Error
		if !errors.As(err, &fault) || fault.Code != tt.code ||
			!slices.Equal(fault.Path, append(forum.Path("tags"), tt.index)) ||
			tags != nil {
			t.Errorf("Tags(%q) = %v, %+v; want code %s at index %s", tt.names, tags, err, tt.code, tt.index)
		}
	}
	if !slices.Equal(given, forum.Path("tags")) || given[:2][1] != "" {
		t.Errorf("Tags changes the path to %q", given[:2])
	}
}
