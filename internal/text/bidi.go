package text

import "strings"

// Characters that change the direction of the text after them, up to a closing character. Source:
// UAX 9, 2.
const (
	bidiOpeners = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068"
	popEmbed    = '\u202c' // closes the first four
	popIsolate  = '\u2069' // closes the last three
	bidiControl = bidiOpeners + string(popEmbed) + string(popIsolate)
	// maxBidi is how many of them may be open; further ones are dropped. Source: UAX 9, 3.3.2,
	// max_depth.
	maxBidi = 125
)

// bidi confines changes of direction to the elements in which they begin, so that nothing around a
// text is reordered.
type bidi struct {
	// ends are the closing characters of open changes, outermost first.
	ends []rune
	// outer is how many of them belong to elements around the current one.
	outer int
}

// isolate returns a piece of text without closing characters of changes begun outside its element,
// and without openers beyond maxBidi.
func (b *bidi) isolate(s string) string {
	if !strings.ContainsAny(s, bidiControl) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		switch {
		case r == popEmbed:
			if len(b.ends) == b.outer || b.ends[len(b.ends)-1] != popEmbed {
				continue
			}
			b.ends = b.ends[:len(b.ends)-1]
		case r == popIsolate:
			if !b.popIsolate() {
				continue
			}
		case strings.ContainsRune(bidiOpeners, r):
			if len(b.ends) == maxBidi {
				continue
			}
			end := popEmbed
			if r >= '\u2066' {
				end = popIsolate
			}
			b.ends = append(b.ends, end)
		}
		out.WriteRune(r)
	}
	return out.String()
}

// popIsolate closes the innermost isolate of the element, with the embeddings in it, and reports
// whether there is one.
func (b *bidi) popIsolate() bool {
	for i := len(b.ends) - 1; i >= b.outer; i-- {
		if b.ends[i] == popIsolate {
			b.ends = b.ends[:i]
			return true
		}
	}
	return false
}

// closeTo closes all but the n outermost open changes, and returns their closing characters.
func (b *bidi) closeTo(n int) string {
	var out strings.Builder
	for i := len(b.ends) - 1; i >= n; i-- {
		out.WriteRune(b.ends[i])
	}
	b.ends = b.ends[:n]
	return out.String()
}

// withoutBidi returns s without changes of direction, which nothing would close in an attribute.
func withoutBidi(s string) string {
	if !strings.ContainsAny(s, bidiControl) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(bidiControl, r) {
			return -1
		}
		return r
	}, s)
}
