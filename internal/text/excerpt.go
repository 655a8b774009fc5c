package text

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"golang.org/x/net/html"
)

// Start returns the beginning of a text, from which excerpts of up to length code points are made: cut after a line if
// it can be, so that no markup is cut.
func Start(s Source, length int) Source {
	most := 1024 + 8*length
	if len(s.Content) <= most {
		return s
	}
	end := strings.LastIndexByte(s.Content[:most], '\n') + 1
	if end < most/2 {
		end = 0
		for each := graphemes.FromString(s.Content); each.Next() && each.End() <= most; {
			end = each.End()
		}
	}
	s.Content = s.Content[:end]
	return s
}

// Excerpt returns the start of a text as one line without markup, given the HTML that it is shown as: at most length
// code points, an ellipsis included, cut at the end of a word if there is one in the second half. Pictures and rules
// are left out, so it may be empty.
func Excerpt(shown string, length int) string {
	z := html.NewTokenizer(strings.NewReader(shown))
	var b strings.Builder
	visible, sign := 0, false
	// The normal form joins at most three code points to one, so nothing beyond four times the length is needed.
	for kind := z.Next(); kind != html.ErrorToken && visible <= 4*length; kind = z.Next() {
		t := z.Token()
		if kind != html.TextToken {
			if !inline[t.Data] {
				b.WriteByte(' ')
			}
			sign = leadsToNote(t)
			continue
		}
		if sign {
			continue
		}
		b.WriteString(t.Data)
		for _, r := range t.Data {
			if unicode.IsGraphic(r) && !unicode.IsSpace(r) {
				visible++
			}
		}
	}
	return Shorten(oneLine(b.String()), length, length/2)
}
