package forum

import "slices"

// Group is a named set of members, who see what others do not.
type Group struct {
	ID          GroupID
	Name        string
	Description string
	// MemberCount is the number of members.
	MemberCount int
}

const (
	// MaxGroups is the maximum number of groups of a site.
	MaxGroups = 1_000
	// MaxUserGroups is the maximum number of groups that a user is in.
	MaxUserGroups = 50
	// MaxCategoryGroups is the maximum number of groups that see a category.
	MaxCategoryGroups = 20
	// MaxGroupManagers is the maximum number of managers of a group.
	MaxGroupManagers = 20
	// MaxGroupChanges is the maximum number of users of a change of members.
	MaxGroupChanges = 100
)

// Membership is that a user is in a group.
type Membership struct {
	Group GroupID
	// Until is when it ends; 0 is never.
	Until Time
	// Sources are the letters of what it comes from, such as SourceDirect. It ends with the last.
	Sources string
	// Since is when the user joined.
	Since Time
}

// SourceDirect is the source of memberships that administrators and managers give.
const SourceDirect = "d"

// InForce reports whether the membership has not ended.
func (m Membership) InForce(now Time) bool { return m.Until == 0 || m.Until > now }

// EndOf returns when the first of some memberships ends; 0 is never.
func EndOf(all []Membership) (first Time) {
	for _, m := range all {
		if m.Until != 0 && (first == 0 || m.Until < first) {
			first = m.Until
		}
	}
	return first
}

// Join gives the viewer the groups of those memberships that have not ended.
func (v *Viewer) Join(all []Membership, now Time) {
	all = slices.DeleteFunc(slices.Clone(all), func(m Membership) bool { return !m.InForce(now) })
	v.Groups, v.GroupsEnd = nil, EndOf(all)
	for _, m := range all {
		v.Groups = append(v.Groups, m.Group)
	}
	slices.Sort(v.Groups)
}

// RightsEnd returns when the first of the role and the groups ends; 0 is never.
func (v *Viewer) RightsEnd() Time {
	if v.RoleEnds == 0 || v.GroupsEnd != 0 && v.GroupsEnd < v.RoleEnds {
		return v.GroupsEnd
	}
	return v.RoleEnds
}
