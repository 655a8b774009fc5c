package record

import (
	"slices"
	"strings"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
)

// GroupFields are the fields of a user that ParseGroups needs.
var GroupFields = []string{"state", "deactivated", "groups", "groupsRev"}

// ParseMemberships parses the field groups of a user, without what is malformed.
func ParseMemberships(s string) []forum.Membership {
	var all []forum.Membership
	for _, f := range strings.Fields(s) {
		if part := strings.Split(f, ":"); len(part) == 4 {
			all = append(all, forum.Membership{Group: forum.GroupID(Atoi(part[0])), Until: forum.Time(Atoi(part[1])),
				Sources: part[2], Since: forum.Time(Atoi(part[3]))})
		}
	}
	return all
}

// UserGroups is what the sets of groups must have of a user.
type UserGroups struct {
	Rev int64
	// Memberships are by group, and may have ended.
	Memberships []forum.Membership
}

// ParseGroups returns what the sets of groups must have of a user: nothing of one who cannot sign in. What the deletion
// of an account writes is newer than what was written before.
func ParseGroups(f Fields) UserGroups {
	g := UserGroups{Rev: int64(f.Int("groupsRev"))}
	switch {
	case f["state"] != catalogue.UserActive:
		g.Rev++
	case f["deactivated"] == "":
		g.Memberships = ParseMemberships(f["groups"])
		slices.SortFunc(g.Memberships, func(a, b forum.Membership) int { return int(a.Group - b.Group) })
	}
	return g
}

// Row returns the row of the user in key.GroupUsers.
func (g UserGroups) Row() string {
	ids := make([]string, len(g.Memberships))
	for i, m := range g.Memberships {
		ids[i] = key.Itoa(m.Group)
	}
	return catalogue.GroupsRow.Format("rev", g.Rev, "groups", strings.Join(ids, " "))
}
