package record

import (
	"strconv"

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

// SoundRule reports whether a field of the hash of the rules is known and has a value that is stored: rules that are
// off are not.
func SoundRule(name, value string) bool {
	r, known := forum.RuleRanges[name]
	n, err := strconv.Atoi(value)
	return known && err == nil && r.Least() < n && n <= r.Most && strconv.Itoa(n) == value
}
