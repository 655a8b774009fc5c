package text

import (
	"net/mail"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// maxLocal is the maximum number of bytes before the '@' of an e-mail address. Source: RFC 5321,
// 4.5.3.1.1.
const maxLocal = 64

// Email checks an e-mail address of at most forum.MaxEmail characters: one bare address without
// display name, comment or quotes, with a dot in its domain. It returns the address in NFC and its
// folded form. Errors are INVALID and TOO_LONG at path.
func Email(path []string, s string) (email, fold string, err error) {
	if err := checkCharacters(path, s, ""); err != nil {
		return "", "", err
	}
	s = norm.NFC.String(s)
	if err := checkLength(path, s, 0, forum.MaxEmail); err != nil {
		return "", "", err
	}
	// If the parser finds more than an address (a name, brackets, a comment, quotes, a folded
	// line), the result differs from the input.
	a, err := mail.ParseAddress(s)
	if err != nil || a.Address != s || a.Name != "" || strings.ContainsFunc(s, notInEmail) {
		return "", "", forum.Invalid(path, "This is not an e-mail address.")
	}
	at := strings.LastIndexByte(s, '@')
	if at > maxLocal || !isDomain(s[at+1:]) {
		return "", "", forum.Invalid(path, "This is not an e-mail address.")
	}
	return s, FoldEmail(s), nil
}

// FoldEmail returns the form in which e-mail addresses are compared. Few servers distinguish
// `A@x.org` from `a@x.org`, and no two people should have both. A domain with letters beyond ASCII
// is compared in Unicode, however it is written.
func FoldEmail(s string) string {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		if domain, err := idna.ToUnicode(strings.ToLower(s[at+1:])); err == nil {
			s = s[:at+1] + domain
		}
	}
	return caseless(s)
}

func notInEmail(r rune) bool { return unicode.IsSpace(r) || invisible(r) }

// isDomain reports whether s is a host name of at least two labels.
func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	for _, l := range labels {
		if l == "" || strings.HasPrefix(l, "-") || strings.HasSuffix(l, "-") || strings.ContainsFunc(l, notInLabel) {
			return false
		}
	}
	return len(labels) > 1
}

func notInLabel(r rune) bool {
	return r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}
