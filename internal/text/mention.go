package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/forum"
)

// MentionedLogins returns the folded logins named by `@login` in a text: those that it mentions, and those that only its
// quotations have; each in order, without duplicates, together at most forum.MaxMentions. Code, links and e-mail addresses
// do not count.
//
// It inspects the rendered text, and so finds exactly what HTML links.
func MentionedLogins(content string, format forum.ContentFormat) (mentioned, quoted []string) {
	if !mayMention(content) {
		return nil, nil
	}
	show(Source{Content: content, Format: format}, Images{}, func(login string, inQuote bool) string {
		folds := &mentioned
		if inQuote {
			folds = &quoted
		}
		if len(*folds) == forum.MaxMentions {
			return ""
		}
		if fold, ok := FoldLogin(login); ok && !slices.Contains(*folds, fold) {
			*folds = append(*folds, fold)
		}
		return ""
	})
	quoted = slices.DeleteFunc(quoted, func(fold string) bool { return slices.Contains(mentioned, fold) })
	return mentioned, quoted[:min(len(quoted), forum.MaxMentions-len(mentioned))]
}

// nextMention finds the first `@login` in text at or after from: text[start] is the sign, and the
// login ends before end. start is -1 if there is none. It does not check that the login is well
// formed; FoldLogin does.
func nextMention(text string, from int) (start, end int) {
	for {
		at := strings.IndexByte(text[from:], '@')
		if at < 0 {
			return -1, -1
		}
		start = from + at
		from = start + 1 + loginLength(text[start+1:])
		end = start + len(strings.TrimRight(text[start:from], loginJoiners))
		// The sign must not be within an e-mail address, a path or a word.
		if end > start+1 && !otherName(text[from:]) && beginsWord(text[:start], "_./@") {
			return start, end
		}
	}
}

// otherName reports whether what follows `@name` makes it the name of something else: an account on another site, as in
// `@user@example.org`, or a package, as in `@user/package`.
func otherName(after string) bool {
	if strings.HasPrefix(after, "/") {
		r, _ := utf8.DecodeRuneInString(after[1:])
		return unicode.In(r, unicode.L, unicode.N)
	}
	return strings.HasPrefix(after, "@")
}

// beginsWord reports whether a word can begin after s: after a letter only of a script that has no spaces between words,
// and not after the signs in not.
func beginsWord(s, not string) bool {
	r, size := utf8.DecodeLastRuneInString(s)
	return size == 0 || !strings.ContainsRune(not, r) && (!unicode.In(r, unicode.L, unicode.M, unicode.N) || unspaced(r))
}

// loginLength returns how many bytes at the start of s could belong to a login. It ends where the
// script changes: in Chinese text no space separates `@bob` from what follows. Runs longer than any
// login are cut to bound the time.
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

// mayMention reports whether a text contains the sign of mentions, which may be written as an entity: &commat;.
func mayMention(content string) bool { return strings.ContainsAny(content, "@&") }

// MentionsCost returns what MentionedLogins costs, as RenderCost does.
func MentionsCost(content string, format forum.ContentFormat) int {
	if !mayMention(content) {
		return 0
	}
	return RenderCost(Source{Content: content, Format: format})
}
