package text

import (
	"slices"
	"unicode"
)

// shingle is how many neighbouring characters Share compares: enough that other texts of the same language have few of them
// in common, and few enough that a corrected word leaves most of a sentence.
const shingle = 4

// Share returns which part of a text, from 0 to 1, was there in an earlier one, or remains of that, whichever is less: so
// what is added counts as what is replaced. It compares how often each four neighbouring characters occur, ignoring case
// and white space; moved paragraphs are nearly the same. Words that stand in another order are not.
func Share(before, after string) float64 {
	was, is := letters(before), letters(after)
	if slices.Equal(was, is) {
		return 1
	}
	counts := make(map[[shingle]rune]int32, len(was))
	n := each(was, func(group [shingle]rune) { counts[group]++ })
	kept := 0
	m := each(is, func(group [shingle]rune) {
		if counts[group] > 0 {
			counts[group]--
			kept++
		}
	})
	if most := max(n, m); most > 0 {
		return float64(kept) / float64(most)
	}
	return 0
}

// ShareCost returns what Share costs, as RenderCost does: see BenchmarkShare.
func ShareCost(before, after string) int { return 2 * (len(before) + len(after)) }

// letters returns the characters that Share compares.
func letters(s string) []rune {
	all := make([]rune, 0, len(s))
	for _, r := range s {
		if !unicode.IsSpace(r) {
			all = append(all, unicode.ToLower(r))
		}
	}
	return all
}

// each passes all groups of neighbouring characters to do, a text that is too short as one, and returns how many there are.
func each(s []rune, do func(group [shingle]rune)) int {
	if len(s) == 0 {
		return 0
	}
	n := max(1, len(s)-shingle+1)
	for i := range n {
		var group [shingle]rune
		copy(group[:], s[i:])
		do(group)
	}
	return n
}
