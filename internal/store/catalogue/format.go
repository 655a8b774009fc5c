package catalogue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agora/internal/forum"
)

// Atoi parses an integer; an invalid or empty one is 0.
func Atoi(v string) int64 {
	if v == "" {
		return 0
	}
	n, _ := strconv.ParseInt(v, 10, 64)
	return n
}

// parseIDs parses ids separated by spaces.
func parseIDs[T ~int64](s string) []T {
	var ids []T
	for _, f := range strings.Fields(s) {
		if n, err := strconv.ParseInt(f, 10, 64); err == nil {
			ids = append(ids, T(n))
		}
	}
	return ids
}

// anyText accepts every value.
func anyText(string) bool { return true }

// someText accepts every value but the empty one.
func someText(v string) bool { return v != "" }

// flag accepts "1": a field that is missing unless it is set.
func flag(v string) bool { return v == "1" }

// whole accepts integers in canonical form, min or more.
func whole(min int64) func(string) bool {
	return func(v string) bool {
		n, err := strconv.ParseInt(v, 10, 64)
		return err == nil && n >= min && strconv.FormatInt(n, 10) == v
	}
}

// position accepts places in the lists of categories and tabs.
func position(v string) bool { return whole(-forum.MaxPosition)(v) && Atoi(v) <= forum.MaxPosition }

var (
	count = whole(0) // also an id, 0 for none
	at    = whole(1) // a time, an id, a number from 1
)

var hashForm = regexp.MustCompile(`^[0-9a-f]{32}$`)

// hash accepts the hash of an account at an issuer.
func hash(v string) bool { return hashForm.MatchString(v) }

// IsExternal reports whether v is the hash of an account at an issuer.
func IsExternal(v string) bool { return hash(v) }

// owned accepts "-", or fields that tokens of issuers do not change.
func owned(v string) bool {
	fields := strings.Split(v, " ")
	for _, f := range fields {
		if !slices.Contains([]string{"login", "name", "avatar", "role"}, f) {
			return v == "-"
		}
	}
	return len(slices.Compact(slices.Sorted(slices.Values(fields)))) == len(fields)
}

// oneOf accepts some values.
func oneOf[T ~string](values ...T) func(string) bool {
	return func(v string) bool { return slices.Contains(values, T(v)) }
}

// nonce accepts the random names of registrations and changes of an account.
var nonce = regexp.MustCompile(`^[0-9a-f]{16}$`).MatchString

// ids accepts ids separated by spaces.
func ids(v string) bool {
	for _, f := range strings.Fields(v) {
		if !at(f) {
			return false
		}
	}
	return true
}

var membershipForm = regexp.MustCompile(`^[1-9][0-9]*:(0|[1-9][0-9]*):[a-z]+:[1-9][0-9]*$`)

// memberships accepts groups that a user is in, separated by spaces.
func memberships(v string) bool {
	for _, f := range strings.Split(v, " ") {
		if !membershipForm.MatchString(f) {
			return false
		}
	}
	return true
}

// format accepts the markup languages.
var format = oneOf(forum.Markdown, forum.HTML)
