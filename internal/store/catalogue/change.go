package catalogue

import (
	"iter"
	"slices"
	"strings"
)

// Change is a word with which a script says what of an object it has changed. Scripts pass it to the include changed,
// and know its properties as CHANGES (package script).
type Change struct {
	Word string
	// Listed is set if lists in other slots follow it: it leaves a dirty mark.
	Listed bool
	// Own is set if each has an entry of its own in the feed, with its details. All others of an object share one, the
	// latest.
	Own bool
	// Quiet is set if readers are not shown it: it is in no feed, and what is kept in memory remains.
	Quiet bool
	// Doc says what it means, in Markdown.
	Doc string
}

// The words that Go knows.
const (
	// ChangeCreated, ChangeCategory, ChangeState and ChangeDeleted have entries of their own.
	ChangeCreated, ChangeCategory, ChangeState, ChangeDeleted = "CREATED", "CATEGORY", "STATE", "DELETED"
	// ChangeTags, too. Its details are the tags that a topic lost.
	ChangeTags = "TAGS"
	// ChangeReplies, ChangeComment, ChangeNotes, ChangeRead and ChangeAccess wake subscriptions.
	ChangeReplies, ChangeComment, ChangeNotes, ChangeRead, ChangeAccess = "REPLIES", "COMMENT", "NOTES", "READ", "ACCESS"
)

// Changes are all words.
var Changes = []Change{
	{Word: ChangeCreated, Listed: true, Own: true, Doc: "it is there"},
	{Word: ChangeCategory, Listed: true, Own: true, Doc: "another category"},
	{Word: ChangeState, Listed: true, Own: true, Doc: "hidden, restored, approved"},
	{Word: ChangeDeleted, Listed: true, Own: true, Doc: "deleted, or rejected"},
	{Word: "ARRIVED", Listed: true, Own: true, Doc: "the member of a prepared account came"},
	{Word: "HELD", Own: true, Doc: "a comment waits for a moderator, or is refused"},
	{Word: "LOCKED", Doc: "locked, or no longer"},
	{Word: "TEXT", Doc: "title, text, link or revisions"},
	{Word: ChangeTags, Listed: true, Own: true, Doc: "tags; `TAGS:<id>:<id>` if it lost these"},
	{Word: "VOTES", Listed: true, Doc: "votes"},
	{Word: ChangeReplies, Listed: true, Doc: "comments; `REPLIES:<number>:<comment>` of a new one"},
	{Word: "ANSWERS", Doc: "number of replies to a comment"},
	{Word: "CLICKS", Doc: "clicks"},
	{Word: "PINS", Listed: true, Doc: "where it is pinned"},
	{Word: "PROFILE", Doc: "name, texts, picture"},
	{Word: "LOGIN", Doc: "login"},
	{Word: "ROLE", Doc: "role, or categories moderated"},
	{Word: "BAN", Doc: "ban"},
	{Word: "SECTION", Doc: "a category or tab"},
	{Word: "NAME", Doc: "a tag got or lost its name"},
	{Word: "CASE", Listed: true, Doc: "reports, and their outcome"},
	{Word: "REVERSED", Doc: "an act was ended by another"},
	{Word: "REPAIRED", Doc: "written by a repair"},
	{Word: "CLAIMS", Listed: true, Quiet: true, Doc: "names or accounts at issuers"},
	{Word: "GROUPS", Listed: true, Quiet: true, Doc: "groups of a user: the object is `g:<id>`"},
	{Word: ChangeComment, Quiet: true, Doc: "a comment changed"},
	{Word: ChangeNotes, Quiet: true, Doc: "`NOTES:<number>:<number>`: a new notification"},
	{Word: ChangeRead, Quiet: true, Doc: "`READ:<changes>:<time>:<number>`: a notification read, 0 for several"},
	{Word: ChangeAccess, Quiet: true, Doc: "sessions, API tokens or rights"},
}

// ChangeWords returns the words, each followed by a digit: the sum of 1 if it is listed, 2 if it has entries of
// its own, 4 if it is quiet. No word is part of another.
func ChangeWords() string {
	var words strings.Builder
	for _, c := range Changes {
		is := byte('0')
		for i, has := range []bool{c.Listed, c.Own, c.Quiet} {
			if has {
				is += 1 << i
			}
		}
		words.WriteString(c.Word)
		words.WriteByte(is)
	}
	return words.String()
}

// IsQuiet reports whether readers are not shown what a change, a word that details may follow, has changed.
func IsQuiet(change string) bool {
	word, _, _ := strings.Cut(change, ":")
	return slices.ContainsFunc(Changes, func(c Change) bool { return c.Quiet && c.Word == word })
}

// ChangesIn returns the changes that a script has published, each with the name of its object.
func ChangesIn(message string) iter.Seq2[string, string] {
	return func(yield func(object, change string) bool) {
		for message != "" {
			var object, change string
			object, message, _ = strings.Cut(message, " ")
			change, message, _ = strings.Cut(message, " ")
			if !yield(object, change) {
				return
			}
		}
	}
}
