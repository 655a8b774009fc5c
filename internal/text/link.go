package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/forum"
)

// Link checks an absolute http or https URL of at most forum.MaxLink characters, without user name or password: what
// `new URL` accepts in browsers, and nothing else. It returns the URL unchanged, but where other programs would read it
// otherwise, or its reader would not see all of it: then in the usual form. It returns INVALID or TOO_LONG at path.
func Link(path []string, s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", forum.Invalid(path, "This is not well-formed UTF-8.")
	}
	if err := checkLength(path, s, 0, forum.MaxLink); err != nil {
		return "", err
	}
	a, ok := parseAddress(s)
	if !ok {
		return "", forum.Invalid(path, "This is not an absolute http or https URL.")
	}
	if a.user {
		return "", forum.Invalid(path, "A link must not contain a user name or password.")
	}
	start := a.scheme + "://"
	if !strings.HasPrefix(asciiLower(s), start) || strings.HasPrefix(s[len(start):], "/") ||
		strings.ContainsFunc(s, mustEncode) {
		s = a.String()
	}
	return s, checkLength(path, s, 0, forum.MaxLink)
}

// notInLink reports whether r must be percent-encoded in any URL. This includes the backslash,
// because browsers read it as a slash and so find another host.
func notInLink(r rune) bool { return unicode.IsSpace(r) || invisible(r) || r == '\\' }
