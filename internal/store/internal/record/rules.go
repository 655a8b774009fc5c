package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
)

// BlocklistField is the field of the hash of the rules that counts changes of the blocklist.
const BlocklistField = "blocklist"

// ParseRules returns the rules with these fields. What is no value that the rule may have counts as missing.
func ParseRules(f Fields) forum.Rules {
	number := func(name string) int {
		if !SoundRule(name, f[name]) {
			return 0
		}
		return f.Int(name)
	}
	limit := func(name string) *int {
		if !SoundRule(name, f[name]) {
			return nil
		}
		n := f.Int(name)
		return &n
	}
	return forum.Rules{
		Categories:       categoryAccess(f),
		NewMemberSeconds: number("newMemberSeconds"), NewMemberKarma: number("newMemberKarma"),
		NewMemberLinks: limit("newMemberLinks"), NewMemberPostsPerDay: limit("newMemberPostsPerDay"),
		NewMemberMentions: limit("newMemberMentions"), HeldPosts: number("heldPosts"),
		RefuseDuplicates: number("refuseDuplicates") == 1, PublicLog: number("publicModerationLog") == 1,
		ShowModerators: number("showModerators") == 1,
		Access:         forum.SiteAccesses[number("access")],
		Registration:   forum.RegistrationModes[number("registration")],
		InvitationsBy:  forum.InviterRoles[number("invitationsBy")],
		MemberList:     forum.MemberLists[number("memberList")],
	}
}

// The names of the rules of a category are those of its permissions, then its id; 0 is for topics without one.
const (
	PostsRule   = "posts"
	RepliesRule = "replies"
)

// AccessRule returns the name of a rule of a category.
func AccessRule(name string, c forum.CategoryID) string {
	return name + ":" + strconv.FormatInt(int64(c), 10)
}

// parseAccess parses a rule of a category; ok is false for others, and for values that are not stored.
func parseAccess(rule, value string) (name string, c forum.CategoryID, p forum.Permission, ok bool) {
	name, of, _ := strings.Cut(rule, ":")
	if of != "0" {
		var err error
		if c, err = forum.ParseID[forum.CategoryID](of); err != nil {
			return "", 0, "", false
		}
	}
	p = forum.Permission(value)
	return name, c, p, (name == PostsRule || name == RepliesRule) && p.IsValid() && p != forum.PermitEverybody
}

// categoryAccess returns the categories that have rules.
func categoryAccess(f Fields) map[forum.CategoryID]forum.CategoryAccess {
	all := forum.Rules{Categories: map[forum.CategoryID]forum.CategoryAccess{}}
	for rule, value := range f {
		name, c, p, ok := parseAccess(rule, value)
		if !ok {
			continue
		}
		a := all.In(c)
		if name == PostsRule {
			a.Posts = p
		} else {
			a.Replies = p
		}
		all.Categories[c] = a
	}
	return all.Categories
}

// AccessOf returns the category of a rule of a category, which is sound; ok is false for others.
func AccessOf(rule, value string) (c forum.CategoryID, ok bool) {
	_, c, _, ok = parseAccess(rule, value)
	return c, ok
}

// SoundRule reports whether a field of the hash of the rules is known and has a value that is stored: rules that are
// off are not.
func SoundRule(name, value string) bool {
	r, known := forum.RuleRanges[name]
	n, err := strconv.Atoi(value)
	return known && err == nil && r.Least() < n && n <= r.Most && strconv.Itoa(n) == value
}
