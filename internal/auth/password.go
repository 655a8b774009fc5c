package auth

import (
	"unicode/utf8"

	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
	"agora/internal/text"
)

// CheckPassword checks a new password. It must have forum.MinPassword to forum.MaxPassword code
// points in NFC, be neither the login nor the e-mail address, whose folds are passed, in any case
// or width, and not be easy to guess, such as a common password or the name of the site. Errors are
// INVALID, TOO_SHORT and TOO_LONG at path; none contains the password.
func CheckPassword(path []string, password, loginFold, emailFold, site string) error {
	n := utf8.RuneCountInString(norm.NFC.String(password))
	switch {
	case n < forum.MinPassword:
		return forum.TooShort(path, forum.MinPassword, "characters")
	case n > forum.MaxPassword:
		return forum.TooLong(path, forum.MaxPassword, "characters")
	}
	if _, ok := enforce(password); !ok {
		return forum.Invalid(
			path,
			"A password can contain letters, digits, punctuation, symbols and spaces. Control, invisible and unassigned "+
				"characters are not allowed.",
		)
	}
	if fold, ok := text.FoldLogin(password); ok && fold == loginFold || text.FoldEmail(password) == emailFold {
		return forum.Invalid(path, "The password must be neither the login nor the e-mail address.")
	}
	if guessable(password, site) {
		return forum.Invalid(
			path,
			"This password is too common and easy to guess. Choose a longer or less common one.",
		)
	}
	return nil
}

// maxBytes is the maximum length of a password before NFC, in bytes: each code point may have been
// written as four, of four bytes each. Source: the expansion of NFD in Unicode's FAQ on
// normalization.
const maxBytes = 4 * 4 * forum.MaxPassword

// enforce converts a password to the form that is hashed, so that it does not depend on the
// keyboard: NFC, with plain spaces. ok is false if it cannot be a password. Source: RFC 8265, 4.2,
// OpaqueString.
func enforce(password string) (string, bool) {
	// The limit avoids normalizing a megabyte in vain.
	if !utf8.ValidString(password) || len(password) > maxBytes {
		return "", false
	}
	enforced, err := precis.OpaqueString.String(password)
	return enforced, err == nil
}
