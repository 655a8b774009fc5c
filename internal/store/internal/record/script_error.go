package record

import (
	"fmt"
	"strings"

	"agora/internal/forum"
)

// codes are the first words of errors that scripts return; the second names the
// field of the input, with list indexes after dots.
var codes = map[string]func(path []string) *forum.Error{
	"NOT_FOUND": func(path []string) *forum.Error { return forum.NotFound(path, noun(path)) },
	"FORBIDDEN": func(path []string) *forum.Error {
		switch path[len(path)-1] {
		case "subjectId":
			return forum.Forbidden(path, forum.RoleModerator, "You cannot moderate this.")
		case "content":
			return forum.Forbidden(path, "", "Only its author can change the text.")
		}
		return forum.Forbidden(path, forum.RoleModerator, "This %s belongs to another user.", noun(path))
	},
	"RANK": func(path []string) *forum.Error {
		return forum.Forbidden(path, "", "You can only act on users whose role is lower than yours.")
	},
	"TOO_LONG_EXTERNAL": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxExternals,
			Message: fmt.Sprintf("A user can have at most %d accounts at issuers.", forum.MaxExternals)}
	},
	"DEACTIVATED":       func([]string) *forum.Error { return forum.Deactivated(nil) },
	"AWAITING_APPROVAL": func([]string) *forum.Error { return forum.AwaitingApproval() },
	"BANNED":            func(ban []string) *forum.Error { return forum.Banned(nil, parseBanned(ban)) },
	"LOCKED": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeLocked, Path: path,
			Message: "This topic or comment is locked, hidden or deleted and can't be changed."}
	},
	"INVALID": func(path []string) *forum.Error {
		if path[len(path)-1] == "reason" {
			return forum.Invalid(path, "A reason is needed to change what another user posted.")
		}
		return forum.Invalid(path, "A status has no category.")
	},
	"CLOSED": func(path []string) *forum.Error {
		return forum.RepliesClosed(path[:1], forum.Role(strings.Join(path[1:], "")))
	},
	"OPEN_REGISTRATION":    forum.OpenRegistration,
	"IDEMPOTENCY_CONFLICT": IdempotencyConflict,
	"SELF": func(path []string) *forum.Error {
		return forum.Self(path, "You cannot do this to yourself, or to what you wrote.")
	},
	"BLOCKED": func(path []string) *forum.Error { return forum.Blocked(path) },
	"TOO_LONG_LISTS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxLists,
			Message: fmt.Sprintf("You can have at most %d lists.", forum.MaxLists)}
	},
	"TOO_LONG_TOKENS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTokens,
			Message: fmt.Sprintf("You can have at most %d tokens.", forum.MaxTokens)}
	},
	"TOO_LONG_INVITATIONS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxInvitations,
			Message: fmt.Sprintf("You can have at most %d open invitations.", forum.MaxInvitations)}
	},
	"TOO_LONG_LIST": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxListMembers,
			Message: fmt.Sprintf("A list can have at most %d users.", forum.MaxListMembers)}
	},
	"TOO_LONG_BOOKMARKS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxBookmarks,
			Message: fmt.Sprintf("You can have at most %d bookmarks.", forum.MaxBookmarks)}
	},
	"TOO_LONG_WATCHED": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxWatched,
			Message: fmt.Sprintf("You can watch at most %d topics.", forum.MaxWatched)}
	},
	"TOO_LONG_BLOCKLIST": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxBlocklist,
			Message: fmt.Sprintf("There can be at most %d of these.", forum.MaxBlocklist)}
	},
	"TAKEN": func(path []string) *forum.Error { return forum.Taken(path, "") },
	"TOO_LONG_TABS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxCategoryTabs,
			Message: fmt.Sprintf("A category can be in at most %d tabs.", forum.MaxCategoryTabs)}
	},
	"TOO_LONG_TAB": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTabCategories,
			Message: fmt.Sprintf("A tab can have at most %d categories.", forum.MaxTabCategories)}
	},
	"TOO_LONG_TAGS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxTopicTags,
			Message: fmt.Sprintf("A topic can have at most %d tags.", forum.MaxTopicTags)}
	},
	"TOO_LONG_MODERATORS": func(path []string) *forum.Error {
		return forum.TooLong(path, forum.MaxCategoryModerators, "moderators of the category")
	},
	"TOO_LONG_MODERATES": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxModerated,
			Message: fmt.Sprintf("A user can moderate at most %d categories.", forum.MaxModerated)}
	},
	"TOO_LONG_GROUPS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxUserGroups,
			Message: fmt.Sprintf("A user can be in at most %d groups.", forum.MaxUserGroups)}
	},
	"TOO_LONG_SITE_GROUPS": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeTooLong, Path: path, Limit: forum.MaxGroups,
			Message: fmt.Sprintf("A site can have at most %d groups.", forum.MaxGroups)}
	},
	"TOO_LONG_MANAGERS": func(path []string) *forum.Error {
		return forum.TooLong(path, forum.MaxGroupManagers, "managers of the group")
	},
	"ALIKE": func(path []string) *forum.Error {
		return forum.Invalid(path, "This login looks like the one you have. Choose another one.")
	},
	"UNAUTHENTICATED":   func([]string) *forum.Error { return ErrSignedOut() },
	"WRONG_CREDENTIALS": func(path []string) *forum.Error { return forum.WrongCredentials(path) },
	"CHANGED":           func(path []string) *forum.Error { return ErrChanged() },
	"BUSY": func(path []string) *forum.Error {
		return &forum.Error{Code: forum.CodeStale, Path: path,
			Message: "Posts of this user are still being hidden or restored. Try again in a moment."}
	},
	"CONFLICT": func([]string) *forum.Error { return ErrConflict() },
}

// ErrChanged returns the error for an act that cannot be reverted, because what it changed is not as it left it.
func ErrChanged() *forum.Error {
	return &forum.Error{Code: forum.CodeStale, Path: forum.Path("actId"),
		Message: "What this did was changed since. Nothing was reverted."}
}

// ErrConflict returns the error for a change that meets another one of the same object.
func ErrConflict() *forum.Error {
	return &forum.Error{Code: forum.CodeConflict, Message: "A conflicting change is in progress. Try again."}
}

// parseBanned returns the ban that a script names: scope, end and reason.
func parseBanned(path []string) forum.Ban {
	var b forum.Ban
	if len(path) == 3 {
		b = forum.Ban{Scope: forum.BanScope(path[0]), Until: forum.Time(Atoi(path[1]))}
		b.Reason = forum.Reason(path[2])
	}
	return b
}

// IdempotencyConflict returns the error for an idempotency key that was used with other input.
func IdempotencyConflict(path []string) *forum.Error {
	return &forum.Error{Code: forum.CodeIdempotencyConflict, Path: path,
		Message: "This key was used with different input within the last day."}
}

// noun returns the noun for a field such as topicId or addCategories.3.
func noun(path []string) string {
	if len(path) == 0 {
		return "object"
	}
	field := strings.Replace(strings.ToLower(path[0]), "categories", "category", 1)
	if field == "subjectid" { // the same for all: the noun would say what exists
		return forum.SubjectNoun
	}
	for _, n := range []string{"topic", "comment", "parent", "category", "tab", "group", "user", "list", "invitation"} {
		if strings.Contains(field, n) {
			return n
		}
	}
	return "object"
}

// ErrSignedOut returns the error for an account or session that has ended.
func ErrSignedOut() *forum.Error {
	return &forum.Error{Code: forum.CodeUnauthenticated, Message: "Your session has ended. Sign in again."}
}

// ScriptError converts "CODE field" as returned by a script into a *forum.Error; it returns other errors
// unchanged.
func ScriptError(err error) error {
	if err == nil {
		return nil
	}
	word, field, _ := strings.Cut(strings.TrimPrefix(err.Error(), "ERR "), " ")
	if known, ok := codes[word]; ok {
		return known(forum.Path(strings.Split(field, ".")...))
	}
	return err
}
