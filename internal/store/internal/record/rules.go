package record

import (
	"strconv"
	"strings"

	"agora/internal/forum"
)

// BlocklistField is the field of the hash of the rules that counts changes of the blocklist.
const BlocklistField = "blocklist"

// EpochsField is the field that counts changes of who sees a category.
const EpochsField = "epochs"

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
		Categories: categoryAccess(f), Epochs: Atoi(f[EpochsField]),
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

// The names of the rules of a category are one of these, then its id; 0 is for topics without one.
const (
	SeesRule    = "sees"
	GroupsRule  = "groups" // ids of those whose members see it
	EpochRule   = "epoch"
	PostsRule   = "posts"
	RepliesRule = "replies"
)

// AccessRules are the names of all rules of a category.
var AccessRules = []string{SeesRule, GroupsRule, EpochRule, PostsRule, RepliesRule}

// AccessRule returns the name of a rule of a category.
func AccessRule(name string, c forum.CategoryID) string {
	return name + ":" + strconv.FormatInt(int64(c), 10)
}

// setAccess sets what a rule of a category says, in the access to that category that in returns; ok is false for other
// rules, and for values that are not stored.
func setAccess(rule, value string, in func(forum.CategoryID) forum.CategoryAccess) (a forum.CategoryAccess, ok bool) {
	name, of, _ := strings.Cut(rule, ":")
	var c forum.CategoryID
	if of != "0" {
		var err error
		if c, err = forum.ParseID[forum.CategoryID](of); err != nil {
			return a, false
		}
	}
	a = in(c)
	permission := forum.Permission(value)
	permits := permission.IsValid() && permission != forum.PermitEverybody
	switch name {
	case SeesRule:
		a.Sees = forum.Audience(value)
		return a, c != 0 && a.Sees.IsValid() && a.IsRoom()
	case GroupsRule:
		a.Groups = ParseIDs[forum.GroupID](value)
		return a, c != 0 && len(a.Groups) > 0 && EncodeIDs(a.Groups) == value
	case EpochRule:
		a.Epoch = Atoi(value)
		return a, c != 0 && a.Epoch > 0 && strconv.FormatInt(a.Epoch, 10) == value
	case PostsRule:
		a.Posts = permission
		return a, permits
	case RepliesRule:
		a.Replies = permission
		return a, permits
	}
	return a, false
}

// categoryAccess returns the categories that have rules.
func categoryAccess(f Fields) map[forum.CategoryID]forum.CategoryAccess {
	all := forum.Rules{Categories: map[forum.CategoryID]forum.CategoryAccess{}}
	for rule, value := range f {
		if a, ok := setAccess(rule, value, all.In); ok {
			all.Categories[a.Category] = a
		}
	}
	return all.Categories
}

// AccessOf returns the category of a rule of a category, which is sound; ok is false for others.
func AccessOf(rule, value string) (c forum.CategoryID, ok bool) {
	a, ok := setAccess(rule, value, forum.Rules{}.In)
	return a.Category, ok
}

// ParseClosed parses what the key key.Container.Closed of a category has: the epoch of the rules from which on it takes
// topics, 0 for any, or that it takes no more topics.
func ParseClosed(mark string) (epoch int64, closed bool) {
	number, _ := strings.CutPrefix(mark, "e")
	epoch = max(Atoi(number), 0)
	if mark != "e"+strconv.FormatInt(epoch, 10) {
		epoch = 0
	}
	return epoch, mark != "" && epoch == 0
}

// SoundRule reports whether a field of the hash of the rules is known and has a value that is stored: rules that are
// off are not.
func SoundRule(name, value string) bool {
	r, known := forum.RuleRanges[name]
	n, err := strconv.Atoi(value)
	return known && err == nil && r.Least() < n && n <= r.Most && strconv.Itoa(n) == value
}
