package fsck

import (
	"fmt"

	"agora/internal/forum"
	"agora/internal/store/check"
	"agora/internal/store/groups"
	"agora/internal/store/internal/key"
	"agora/internal/test/must"
)

// makeGroups makes a group, and one that is deleted. bob was in both.
func (x *checkSite) makeGroups() {
	x.t.Helper()
	x.crew = must.Do(x.Groups.CreateGroup(x.ctx, "Crew", "crew", "Us."))(x.t)
	x.gone = must.Do(x.Groups.CreateGroup(x.ctx, "Gone", "gone", ""))(x.t)
	put := func(group forum.GroupID, user forum.UserID, on bool, until forum.Time) {
		must.Do(x.Groups.SetMembers(x.ctx, group, []groups.MemberChange{{User: user, On: on, Until: until}}))(x.t)
	}
	put(x.crew, x.ann.ID, true, x.Engine.Now()+100*24*3_600_000)
	put(x.gone, x.bob.ID, true, 0)
	put(x.crew, x.bob.ID, true, 0)
	put(x.crew, x.bob.ID, false, 0)
	must.Do(x.Groups.SetManagers(x.ctx, x.crew, []forum.UserID{x.bob.ID}, nil))(x.t)
	wantOK(x.t, "DeleteGroup", x.Groups.DeleteGroup(x.ctx, x.gone))
}

var groupBreaks = []siteBreak{
	{"a wrongly folded group", groups.RuleGroupFields,
		func(x *checkSite) { x.do("HSET", key.Internal(key.Group(x.crew)), "fold", "CREW") }, fixed},
	{"a group without name", groups.RuleGroupFields, func(x *checkSite) { x.do("HDEL", key.Group(x.crew), "name") }, stays},
	{"a lost name of a group", groups.RuleGroupName, func(x *checkSite) { x.do("HDEL", key.GroupNames, "crew") }, fixed},
	{"a name of a missing group", groups.RuleGroupName,
		func(x *checkSite) { x.do("HSET", key.GroupNames, "nowhere", int64(x.gone)) }, fixed},
	{"a group not in the list", groups.RuleGroupListed, func(x *checkSite) { x.do("DEL", key.Groups) }, fixed},
	{"a missing group in the list", groups.RuleGroupListed,
		func(x *checkSite) { x.do("ZADD", key.Groups, 99, 99) }, fixed},
	{"a sequence that is too low", check.RuleSequence, func(x *checkSite) { x.do("DEL", key.GroupSequence) }, fixed},
	{"a member counted twice", check.RuleCount, func(x *checkSite) { x.do("HINCRBY", key.Group(x.crew), "members", 1) },
		fixed},
	{"too many managers", check.RuleCap, func(x *checkSite) {
		for i := range forum.MaxGroupManagers {
			user := x.User(fmt.Sprintf("manager%d", i)).ID
			x.do("ZADD", key.GroupManagers(x.crew), 1, int64(user))
			x.do("HSET", key.GroupsManaged, int64(user), int64(x.crew))
		}
	}, stays},
	{"a manager who does not know it", groups.RuleGroupManagers,
		func(x *checkSite) { x.do("DEL", key.GroupsManaged) }, fixed},
	{"a manager of a missing group", groups.RuleGroupManagers,
		func(x *checkSite) { x.do("HSET", key.GroupsManaged, int64(x.ann.ID), 99) }, fixed},
	{"a deleted manager", groups.RuleGroupManagers, func(x *checkSite) {
		x.do("ZADD", key.GroupManagers(x.crew), 1, int64(x.eve))
		x.do("HSET", key.GroupsManaged, int64(x.eve), int64(x.crew))
	}, fixed},
	{"managers of a missing group", check.RuleOrphanKey,
		func(x *checkSite) { x.do("ZADD", key.GroupManagers(x.gone), 1, int64(x.bob.ID)) }, fixed},
	{"a member who is not entered", groups.RuleGroupMembers, func(x *checkSite) {
		x.do("DEL", key.GroupMembers(x.crew))
	}, fixed},
	{"a member since another time", groups.RuleGroupMembers, func(x *checkSite) {
		x.do("ZADD", key.GroupMembers(x.crew), 5, int64(x.ann.ID))
	}, fixed},
	{"an entered user who is no member", groups.RuleGroupMembers, func(x *checkSite) {
		x.do("ZADD", key.GroupMembers(x.crew), 5, int64(x.bob.ID))
	}, fixed},
	{"an entered user who does not exist", groups.RuleGroupMembers, func(x *checkSite) {
		x.do("ZADD", key.GroupMembers(x.crew), 5, "nobody")
	}, fixed},
	{"a user whose row is lost", groups.RuleGroupMembers,
		func(x *checkSite) { x.do("HDEL", key.GroupUsers, int64(x.ann.ID)) }, fixed},
	{"a user whose row is newer", groups.RuleGroupMembers,
		func(x *checkSite) { x.do("HSET", key.GroupUsers, int64(x.bob.ID), "99 ") }, fixed},
	{"a row of nobody", groups.RuleGroupMembers, func(x *checkSite) { x.do("HSET", key.GroupUsers, int64(noUser), "1 ") },
		fixed},
	{"an end that nobody awaits", groups.RuleGroupMembers, func(x *checkSite) { x.do("DEL", key.GroupEnds) }, fixed},
	{"a membership of a group that does not exist", groups.RuleGroupGone, func(x *checkSite) {
		x.do("HSET", key.Internal(key.User(x.ann.ID)), "groups", fmt.Sprintf("%d:0:d:5", x.gone))
	}, fixed},
	{"a deleted group with members", groups.RuleGroupDeleted,
		func(x *checkSite) { x.do("ZADD", key.GroupMembers(x.gone), 5, int64(x.bob.ID)) }, fixed},
	{"a mark of a group that exists", groups.RuleGroupDeleted,
		func(x *checkSite) { x.do("ZADD", key.GroupDirty, int64(x.Engine.Now()), int64(x.crew)) }, swept},
	{"an old mark of a group", check.RuleMarkOld, func(x *checkSite) { x.do("ZADD", key.GroupDirty, 1, int64(x.gone)) },
		swept},
}
