package forum

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// PinPlace is where a topic is pinned (`PinPlace` in the schema).
type PinPlace string

// The places.
const (
	PinFront    PinPlace = "FRONT"
	PinCategory PinPlace = "CATEGORY"
)

// Reason returns why the member whom an act of this kind concerns is notified of it; "" if nobody is: UPHOLD and
// DISMISS concern those who reported, PIN and UNPIN nobody but readers, and an applicant who was rejected
// cannot read notifications.
func (k ActKind) Reason() NotificationReason {
	switch k {
	case ActWarn:
		return NotifyWarning
	case ActBan, ActUnban:
		return NotifyBan
	case ActUphold, ActDismiss, ActPin, ActUnpin, ActRejectAccount:
		return ""
	}
	return NotifyModeration
}

// Tells reports whether the member whom the act concerns is notified of it: not if they acted themselves, and not of
// what was done on the command line.
func (a *Act) Tells() bool {
	return a.Member != 0 && a.By != 0 && a.Member != a.By && a.Kind.Reason() != ""
}

// words returns the words of the detail of an act of a kind, nil for other kinds.
func (a *Act) words(kinds ...ActKind) []string {
	if !slices.Contains(kinds, a.Kind) {
		return nil
	}
	return strings.Fields(a.Detail)
}

// word returns one of the words, "" if there is none.
func (a *Act) word(i int, kinds ...ActKind) string {
	if words := a.words(kinds...); i < len(words) {
		return words[i]
	}
	return ""
}

// number returns a word that is a number, 0 if there is none.
func (a *Act) number(i int, kinds ...ActKind) int64 {
	n, err := strconv.ParseInt(a.word(i, kinds...), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// From returns the category that a topic was moved from; 0 for none.
func (a *Act) From() CategoryID { return CategoryID(a.number(0, ActMove)) }

// To returns the category that a topic was moved to; 0 for none.
func (a *Act) To() CategoryID { return CategoryID(a.number(1, ActMove)) }

// Category returns the category whose moderator the user became, or no longer is; 0 for none.
func (a *Act) Category() CategoryID {
	n := a.number(0, ActSetStaff)
	return CategoryID(max(n, -n))
}

// IsModerator reports whether the user became a moderator of a category; nil for other kinds.
func (a *Act) IsModerator() *bool {
	if a.Kind != ActSetStaff {
		return nil
	}
	became := strings.HasPrefix(a.Detail, "+")
	return &became
}

// ModeratorRevision returns how often what the user moderates had changed, with this change.
func (a *Act) ModeratorRevision() int64 { return a.number(1, ActSetStaff) }

// Place returns where a topic was pinned, or no longer is; nil for other kinds.
func (a *Act) Place() *PinPlace { return given(PinPlace(a.word(0, ActPin, ActUnpin))) }

// Fields returns the names of the fields that an EDIT changed.
func (a *Act) Fields() []string {
	if c, ok := a.Change(); ok && a.Kind == ActEdit {
		return slices.Sorted(maps.Keys(c.After))
	}
	return append([]string{}, a.words(ActEdit)...) // of older acts
}

// AddedTags returns the tags that a TAG added.
func (a *Act) AddedTags() []string { return a.tags("+") }

// RemovedTags returns the tags that a TAG removed.
func (a *Act) RemovedTags() []string { return a.tags("-") }

func (a *Act) tags(sign string) []string {
	names := []string{}
	if a.Kind == ActTag {
		for line := range strings.SplitSeq(a.Detail, "\n") {
			if name, ok := strings.CutPrefix(line, sign); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// Scope returns what a BAN bars from; nil for other kinds.
func (a *Act) Scope() *BanScope { return given(BanScope(a.word(0, ActBan))) }

// Until returns when a BAN ends by itself; 0 for never, and for other kinds.
func (a *Act) Until() Time { return Time(a.number(1, ActBan)) }

// FromRole returns the role that a user had before; nil for other kinds than SET_ROLE.
func (a *Act) FromRole() *Role { return given(Role(a.word(0, ActSetRole))) }

// Role returns the role that a user was given; nil for other kinds than SET_ROLE.
func (a *Act) Role() *Role { return given(Role(a.word(1, ActSetRole))) }

// Revision returns the number of the revision that was redacted, or shown again; nil for other kinds.
func (a *Act) Revision() *int { return positive(a.number(0, ActRedact, ActUnredact)) }

// ReportCount returns how many reports were resolved; nil for other kinds.
func (a *Act) ReportCount() *int { return positive(a.number(0, ActUphold, ActDismiss)) }

// PostCount returns how many posts are hidden or restored; nil for other kinds than HIDE_POSTS and RESTORE_POSTS.
func (a *Act) PostCount() *int { return positive(a.number(0, ActHidePosts, ActRestorePosts)) }

// Since returns from when on posts are hidden or restored; 0 if all are, and for other kinds.
func (a *Act) Since() Time { return Time(a.number(1, ActHidePosts, ActRestorePosts)) }

// Hiding returns the act that hid the posts: that of kind HIDE_POSTS itself, or that which a RESTORE_POSTS undoes.
func (a *Act) Hiding() ActID {
	if a.Kind == ActRestorePosts {
		return a.Reverses
	}
	return a.ID
}

func positive(n int64) *int {
	if n == 0 {
		return nil
	}
	i := int(n)
	return &i
}

// given returns a pointer to a value, nil for "".
func given[T ~string](value T) *T {
	if value == "" {
		return nil
	}
	return &value
}
