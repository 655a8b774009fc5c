package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/forum"
)

// MentionedLogins are the folded logins named by `@login` in a text, in order,
// each once, at most forum.MaxMentions. What stands in code or in a link, and
// e-mail addresses, do not count.
//
// It looks at the text as it will be shown, and so finds just what HTML links.
func MentionedLogins(content string, format forum.ContentFormat) []string {
	// An entity can stand for the sign: &commat;.
	if !strings.ContainsAny(content, "@&") {
		return nil
	}
	var folds []string
	show(content, format, Images{}, func(login string) bool {
		if len(folds) == forum.MaxMentions {
			return false
		}
		if fold, ok := FoldLogin(login); ok && !slices.Contains(folds, fold) {
			folds = append(folds, fold)
		}
		return false
	})
	return folds
}

// nextMention finds the first `@login` in text at or after from: text[start] is
// the sign, the login ends before end. start is -1 if there is none. Whether the
// login is well-formed is for FoldLogin to say.
func nextMention(text string, from int) (start, end int) {
	for {
		at := strings.IndexByte(text[from:], '@')
		if at < 0 {
			return -1, -1
		}
		start = from + at
		from = start + 1 + loginLength(text[start+1:])
		end = start + len(strings.TrimRight(text[start:from], loginJoiners))
		// In `@user@example.org` the sign begins an address of another site.
		elsewhere := strings.HasPrefix(text[from:], "@")
		if end > start+1 && !elsewhere && beginsMention(text[:start]) {
			return start, end
		}
	}
}

// beginsMention reports whether a sign after before can begin a mention: not in an
// e-mail address, a path or a word.
func beginsMention(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return size == 0 || !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("_./@", r)
}

// loginLength is how many bytes at the start of s could be of a login. It ends
// where the script changes: in Chinese text no space divides `@bob` from what
// follows. Longer runs than any login are cut to bound the time.
func loginLength(s string) int {
	var w writing
	runes := 0
	for i, r := range s {
		if !loginRune(r) || !w.add(r) || runes > 2*forum.MaxLogin {
			return i
		}
		runes++
	}
	return len(s)
}
