package forum

import "slices"

// MemberList is who may list, search and count the members (`MemberList` in the schema).
type MemberList string

// Who may.
const (
	MemberListEverybody  MemberList = "EVERYBODY"
	MemberListMembers    MemberList = "MEMBERS"
	MemberListModerators MemberList = "MODERATORS"
)

// MemberLists are the values in the order of their numbers as a rule of the site, from 0: the first is that of a new
// site.
var MemberLists = []MemberList{MemberListEverybody, MemberListMembers, MemberListModerators}

// IsValid reports whether it is one of the values.
func (m MemberList) IsValid() bool { return slices.Contains(MemberLists, m) }

// RuleValue is the value of the rule `memberList`, which is valid.
func (m MemberList) RuleValue() int { return slices.Index(MemberLists, m) }

// ShownTo reports whether a viewer, nil if signed out, may list the members.
func (m MemberList) ShownTo(v *Viewer) bool {
	switch m {
	case MemberListMembers:
		return v != nil
	case MemberListModerators:
		return v.Moderator()
	}
	return true
}
