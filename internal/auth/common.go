package auth

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// commonText is common passwords, and the words that they consist of. Source: our own selection of
// what every published list of leaked passwords begins with.
//
//go:embed common.txt
var commonText string

var common = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(commonText) {
		words[unleet(w)] = true
		words[w] = true
	}
	return words
}()

const (
	// keyboard are rows of keys, in both directions.
	keyboard = "qwertyuiopasdfghjklzxcvbnm mnbvcxzlkjhgfdsapoiuytrewq qwertzuiopasdfghjklyxcvbnm " +
		"azertyuiopqsdfghjklmwxcvbn йцукенгшщзхъфывапролджэячсмитьбю"
	// maxUnit is the maximum length in code points of a repeated unit that makes a password
	// guessable.
	maxUnit = 4
)

// guessable reports whether a password is easy to guess: a common one, in any spelling and with or
// without digits and symbols around it, the site's name, a few repeated characters, or a sequence.
func guessable(password, site string) bool {
	folded := []rune(cases.Fold().String(norm.NFKC.String(password)))
	if repeated(folded) || sequential(folded) {
		return true
	}
	fold := func(s string) string { return strings.ReplaceAll(cases.Fold().String(norm.NFKC.String(s)), " ", "") }
	p := fold(password)
	if strings.Contains(keyboard, p) {
		return true
	}
	core := func(s string) string { return strings.TrimFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) }
	name := fold(site)
	for _, s := range []string{p, core(p), unleet(p), core(unleet(p)),
		unleet(strings.TrimRightFunc(p, func(r rune) bool { return !unicode.IsLetter(r) }))} {
		if common[s] || s != "" && (s == name || s == core(name)) {
			return true
		}
	}
	return false
}

// unleet replaces symbols and digits by the letters that they stand for.
func unleet(s string) string { return leet.Replace(s) }

var leet = strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// repeated reports whether r repeats a unit of at most maxUnit code points.
func repeated(r []rune) bool {
	for n := 1; n <= maxUnit && n < len(r); n++ {
		if slices.Equal(r[n:], r[:len(r)-n]) {
			return true
		}
	}
	return false
}

// sequential reports whether r is an ascending or descending sequence of code points; 0 follows 9.
func sequential(r []rune) bool {
	step := func(up rune) bool {
		for i := 1; i < len(r); i++ {
			a, b := r[i-1], r[i]
			if up < 0 {
				a, b = b, a
			}
			if b != a+1 && (a != '9' || b != '0') {
				return false
			}
		}
		return true
	}
	return step(1) || step(-1)
}
