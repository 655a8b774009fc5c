package text

import (
	"net/url"
	"strings"
	"unicode"

	"agora/internal/forum"
)

// Link checks an absolute http or https URL of at most forum.MaxLink characters, with a host and
// without user name or password, and returns it unchanged. It returns INVALID or TOO_LONG at path.
func Link(path []string, s string) (string, error) {
	if err := checkCharacters(path, s, ""); err != nil {
		return "", err
	}
	if err := checkLength(path, s, 0, forum.MaxLink); err != nil {
		return "", err
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		strings.ContainsFunc(s, notInLink) {
		return "", forum.Invalid(path, "This is not an absolute http or https URL.")
	}
	if u.User != nil {
		return "", forum.Invalid(path, "A link must not contain a user name or password.")
	}
	return s, nil
}

// notInLink reports whether r must be percent-encoded in any URL. This includes the backslash,
// because browsers read it as a slash and so find another host.
func notInLink(r rune) bool { return unicode.IsSpace(r) || invisible(r) || r == '\\' }
