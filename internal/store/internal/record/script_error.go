package record

import (
	"strings"

	"agora/internal/forum"
)

// codes are the first words of errors that scripts return; the second names the
// field of the input, with list indexes after dots.
var codes = map[string]func(path []string) *forum.Error{
	"NOT_FOUND": func(path []string) *forum.Error { return forum.NotFound(path, noun(path), "") },
	"FORBIDDEN": func(path []string) *forum.Error {
		return forum.Forbidden(path, forum.RoleModerator, "This %s is somebody else's.", noun(path))
	},
	"LOCKED": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeLocked, Path: path,
			Message: "It is deleted and takes no more comments, votes or edits."}
	},
	"IDEMPOTENCY_CONFLICT": IdempotencyConflict,
	"BLOCKED":              func(path []string) *forum.Error { return forum.Blocked(path) },
	"TOO_LONG_LISTS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxLists,
			Message: "There are as many lists as there may be."}
	},
	"TOO_LONG_LIST": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxListMembers,
			Message: "The list would have more users than it may."}
	},
	"TOO_LONG_BOOKMARKS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxBookmarks,
			Message: "There are as many bookmarks as there may be."}
	},
	"TAKEN": func(path []string) *forum.Error { return forum.Taken(path, "") },
	"TOO_LONG_TABS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxCategoryTabs,
			Message: "The category is in as many tabs as it may be."}
	},
	"TOO_LONG_TAB": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTabCategories,
			Message: "The tab would have more categories than it may."}
	},
	"TOO_LONG_TAGS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTopicTags,
			Message: "The topic would have more tags than it may."}
	},
	"UNAUTHENTICATED":   func([]string) *forum.Error { return ErrSignedOut() },
	"WRONG_CREDENTIALS": func(path []string) *forum.Error { return forum.WrongCredentials(path) },
	"CONFLICT": func([]string) *forum.Error {
		return &forum.Error{Code: forum.CodeConflict, Message: "Another change of the same is under way; try again."}
	},
}

// IdempotencyConflict is returned when an idempotency key was used with other input.
func IdempotencyConflict(path []string) *forum.Error {
	return &forum.Error{Code: forum.CodeIdempotencyConflict, Path: path,
		Message: "This key was used within the last day with other input."}
}

// noun is what a field such as topicId or addCategoryIds.3 names.
func noun(path []string) string {
	for _, n := range []string{"topic", "comment", "parent", "category", "tab", "user", "list"} {
		if len(path) > 1 && strings.Contains(strings.ToLower(path[1]), n) {
			return n
		}
	}
	return "object"
}

// ErrSignedOut is returned when the account or session has ended.
func ErrSignedOut() *forum.Error {
	return &forum.Error{Code: forum.CodeUnauthenticated, Message: "The account or session has ended; sign in again."}
}

// ScriptError turns "CODE field" as a script returns it into what a client may
// learn; any other error stays as it is.
func ScriptError(err error) error {
	if err == nil {
		return nil
	}
	word, field, _ := strings.Cut(strings.TrimPrefix(err.Error(), "ERR "), " ")
	if known, ok := codes[word]; ok {
		return known(forum.Input(strings.Split(field, ".")...))
	}
	return err
}
