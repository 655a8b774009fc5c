package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"agora/internal/forum"
)

// MentionedLogins returns the folded logins mentioned by `@login` in a text, in order, without
// duplicates, at most forum.MaxMentions. Code, links and e-mail addresses do not count.
//
// It inspects the rendered text, and so finds exactly what HTML links.
func MentionedLogins(content string, format forum.ContentFormat) []string {
	if !mayMention(content) {
		return nil
	}
	var folds []string
	show(Source{Content: content, Format: format}, Images{}, func(login string) bool {
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
		// In `@user@example.org` the sign begins an address on another site.
		elsewhere := strings.HasPrefix(text[from:], "@")
		if end > start+1 && !elsewhere && beginsMention(text[:start]) {
			return start, end
		}
	}
}

// beginsMention reports whether a sign after before can begin a mention, because it is not within
// an e-mail address, a path or a word.
func beginsMention(before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	return size == 0 || !unicode.In(r, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("_./@", r)
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
