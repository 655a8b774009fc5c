package text

import (
	"strings"

	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// NoName is a prefix that no name has.
const NoName = "\n"

// FoldLoginPrefix returns the form in which the beginnings of logins are compared: "" for "", NoName for what no login
// begins with.
func FoldLoginPrefix(s string) string {
	if s == "" {
		return ""
	}
	if checkCharacters(nil, s, "") != nil || count(s) > forum.MaxLogin {
		return NoName
	}
	login, err := precis.UsernameCasePreserved.String(norm.NFC.String(s))
	if err != nil || strings.ContainsFunc(login, func(r rune) bool { return !loginRune(r) }) {
		return NoName
	}
	return lookalike(caseless(login))
}

// FoldPrefix returns the form in which the beginnings of tags are compared, likewise.
func FoldPrefix(s string) string {
	switch fold := Fold(s); {
	case s == "":
		return ""
	case fold == "" || checkCharacters(nil, s, "") != nil || count(s) > forum.MaxTag:
		return NoName
	default:
		return fold
	}
}
