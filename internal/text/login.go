package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"agora/internal/forum"
)

// reserved are the folded logins that cannot be registered: names of roles, of the system itself,
// and words for other people.
var reserved = newSet(
	forum.GhostLogin, "viewer", "anonymous", "guest", "nobody", "someone", "everyone", "everybody", "all", "here",
	"me", "you", "self", "user", "users", "member", "members", "deleted", "unknown", "null", "nil", "none", "undefined",
	"admin", "admins", "administrator", "moderator", "moderators", "mod", "mods", "owner", "staff", "team", "official",
	"root", "system", "agora", "bot", "api", "www", "mail", "support", "help", "info", "contact", "security", "abuse",
	"postmaster", "hostmaster", "webmaster", "noreply", "no-reply",
)

// offices are those of the reserved words that no part of a display name may be; others are words of ordinary names.
var offices = newSet("admin", "admins", "administrator", "administrators", "moderator", "moderators", "mod", "mods",
	"staff", "official", "support", "webmaster", "postmaster", "hostmaster")

func newSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// Login checks the login of a new user: forum.MinLogin to forum.MaxLogin code points, letters and
// digits of one script in everyday use, '_', '-' and '.', with a letter or digit at both ends, and
// neither a reserved word nor similar to one, nor with a word that looks like an office. It returns the login as shown, in NFC and normal
// width, and its folded form. Errors are INVALID, TOO_SHORT and TOO_LONG at path.
func Login(path []string, s string) (login, fold string, err error) {
	login, fold, err = readLogin(path, s)
	switch {
	case err != nil:
		return "", "", err
	case !LooksReserved(login) && !reserved[fold]:
	default:
		return "", "", forum.Invalid(path,
			"The login %q is reserved, or looks like a reserved one. Choose another one.", login)
	}
	for _, r := range login {
		if !recommended[scriptOf(r)] || technical(r) {
			return "", "", forum.Invalid(path, "A login must use a script in everyday use; %q is not in one.", r)
		}
	}
	return login, fold, nil
}

// technical reports whether r is a letter of phonetic alphabets, many of which look like everyday
// letters. Source: Unicode's blocks IPA Extensions, Phonetic Extensions and their Supplement.
func technical(r rune) bool { return r >= 0x0250 && r <= 0x02AF || r >= 0x1D00 && r <= 0x1DBF }

// FoldLogin returns the form in which logins are compared; ok is false if s cannot be a login.
// Reserved words are folded too, so that the ghost can be looked up.
func FoldLogin(s string) (string, bool) {
	_, fold, err := readLogin(nil, s)
	return fold, err == nil
}

func readLogin(path []string, s string) (login, fold string, err error) {
	if err := checkCharacters(path, s, ""); err != nil {
		return "", "", err
	}
	// Fold the width first: an input method may write all of a login, including its punctuation, in
	// full width.
	login, err = precis.UsernameCasePreserved.String(norm.NFC.String(s))
	if err != nil {
		return "", "", forum.Invalid(path, "A login cannot contain these characters in this order.")
	}
	if err := checkLength(path, login, forum.MinLogin, forum.MaxLogin); err != nil {
		return "", "", err
	}
	if fault := loginFault(login); fault != "" {
		return "", "", forum.Invalid(path, "%s", fault)
	}
	mapped, err := precis.UsernameCaseMapped.String(login)
	if err != nil {
		return "", "", forum.Invalid(path, "A login cannot contain these characters in this order.")
	}
	return login, lookalike(caseless(mapped)), nil
}

// maxMarks is how many combining marks may follow each other.
// Source: Unicode Technical Standard 39, 5.4, optional detection.
const maxMarks = 4

// loginFault describes what is wrong with the characters of a login, or returns "".
func loginFault(login string) string {
	var w writing
	marks, previous := 0, rune(0)
	for _, r := range login {
		if !loginRune(r) {
			return "A login can only contain letters, digits, '_', '-' and '.'."
		}
		if !w.add(r) {
			return "All letters of a login must be in one script."
		}
		marks++
		if !unicode.IsMark(r) {
			marks = 0
		}
		if marks > maxMarks || marks > 0 && r == previous {
			return "A login cannot repeat or stack combining marks."
		}
		previous = r
	}
	first, _ := utf8.DecodeRuneInString(login)
	// Marks belong to the letter before them, so a login may end with one.
	if strings.ContainsRune(loginJoiners, first) || unicode.IsMark(first) || strings.ContainsRune(loginJoiners, previous) {
		return "A login must begin and end with a letter or digit."
	}
	return ""
}

// loginJoiners are the characters allowed in a login in addition to letters and digits, but not at
// its ends.
const loginJoiners = "_-."

// loginRune reports whether a login may contain r. U+3007, the Chinese zero, is a letter number
// (Nl), the only one that precis allows.
func loginRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl) || strings.ContainsRune(loginJoiners, r)
}
