package key

import "agora/internal/forum"

// Keys of groups, which share one slot.
const (
	// GroupSequence is a STRING: the last id assigned. No expiry.
	GroupSequence = "{grp}:seq"
	// GroupNames is a HASH: folded name -> id. No expiry.
	GroupNames = "{grp}:names"
	// Groups is a ZSET: all ids by id. No expiry.
	Groups = "{grp}:all"
	// GroupDirty is a ZSET: groups that were deleted, by time (Unix ms), until they have no members. Empty at rest.
	GroupDirty = "{grp}:dirty"
	// GroupUsers is a HASH: user -> catalogue.GroupsRow, what was written last into the sets of members.
	GroupUsers = "{grp}:users"
	// GroupsLeft is a ZSET: users of GroupUsers who are in no group, by the time when that was written (Unix ms).
	GroupsLeft = "{grp}:left"
	// GroupEnds is a ZSET: users by the time at which the first of their memberships ends (Unix ms).
	GroupEnds = "{grp}:ends"
	// GroupsManaged is a HASH: user -> ids of the groups that the user manages. No expiry.
	GroupsManaged = "{grp}:managed"

	GroupPrefix = "{grp}:g:"
)

// Group is a HASH: the fields of a group.
func Group(id forum.GroupID) string { return GroupPrefix + Itoa(id) }

// GroupMembers is a ZSET: the members by the time of joining (Unix ms).
func GroupMembers(id forum.GroupID) string { return Group(id) + ":members" }

// GroupManagers is a ZSET: the managers by the time when they became that (Unix ms).
func GroupManagers(id forum.GroupID) string { return Group(id) + ":managers" }
