package text

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold returns the form in which names of categories and tabs are compared: ignoring case, width,
// ligatures, invisible characters and runs of white space.
func Fold(name string) string { return strings.Join(strings.Fields(caseless(name)), " ") }

// caseless folds s so that two texts fold alike if they are a compatibility
// caseless match, and drops invisible characters, as NFKC_Casefold does.
// Source: The Unicode Standard, 3.13, D146 and toNFKC_Casefold.
func caseless(s string) string {
	s = norm.NFD.String(visible(s))
	// Once is not enough: a compatibility form may stand for a capital letter. Most texts need two
	// rounds, and none is known to need more than four.
	for range 4 {
		folded := norm.NFKC.String(cases.Fold().String(s))
		if folded == s {
			break
		}
		s = folded
	}
	// Compatibility forms of fillers are fillers again.
	return norm.NFKC.String(visible(s))
}

// visible drops invisible characters.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if invisible(r) {
			return -1
		}
		return r
	}, s)
}
