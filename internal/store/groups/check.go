package groups

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/check"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	texts "agora/internal/text"
)

// The rules of this package.
const (
	// RuleGroupFields: name and time are present, and the folded name matches the name. Repair folds the name.
	RuleGroupFields check.Rule = "group-fields"
	// RuleGroupName: each folded name leads to its group; there are no other entries. Repair corrects them, unless two
	// claim a name.
	RuleGroupName check.Rule = "group-name"
	// RuleGroupListed: the list of all groups has them by id. Repair rewrites it.
	RuleGroupListed check.Rule = "group-listed"
	// RuleGroupDeleted: a group that does not exist has members if and only if it is marked for the sweeper. Repair
	// marks it, or removes the mark.
	RuleGroupDeleted check.Rule = "group-deleted"
	// RuleGroupManagers: managers are accounts, and what users manage agrees with the managers of groups. Repair
	// removes others, and follows the managers.
	RuleGroupManagers check.Rule = "group-managers"
	// RuleGroupGone: a user is in groups that exist. Repair ends other memberships.
	RuleGroupGone check.Rule = "group-gone"
	// RuleGroupMembers: the members of groups, and when memberships end, are what the users' fields say. Repair follows
	// the fields.
	RuleGroupMembers check.Rule = "group-members"
)

const (
	onGroups check.Kind = "groups"
	onUser   check.Kind = "groups-of-user"
	onMember check.Kind = "group-member"
	onEntry  check.Kind = "group-entry"
)

// checks are the checks of groups. Those that the scan has found are known.
type checks struct {
	*Store
	known map[string]bool
}

// Checks returns what is checked of groups.
func (s *Store) Checks() check.Subject {
	c := checks{s, map[string]bool{}}
	return check.Subject{
		Kinds: map[check.Kind]func(*check.Look){onGroups: c.groups, onUser: c.user, onMember: c.member,
			onEntry: c.entry},
		With: map[check.Kind]func(check.Target) ([]check.Target, []check.List){
			check.OnUser: func(on check.Target) ([]check.Target, []check.List) {
				return []check.Target{{Kind: onUser, ID: on.ID}}, nil
			},
		},
		Scanned: func(r *check.Run, name string, k catalogue.Key) {
			if k.Object == catalogue.OfGroup {
				c.known[key.Itoa(k.ID)] = true
			}
			if k.Name == "group-members" {
				r.Lists[name] = check.Sets(onMember, name)[0]
			}
		},
		Site: []check.Target{{Kind: onGroups}},
		Lists: append(check.Sets(onEntry, key.GroupEnds, key.GroupsLeft),
			check.List{Key: key.GroupUsers, Hash: true, On: check.Target{Kind: onEntry, Key: key.GroupUsers}}),
		Swept: []check.Rule{RuleGroupGone, RuleGroupMembers},
	}
}

// groupView is a group with what belongs to it.
type groupView struct {
	f        record.Fields
	members  int
	managers []redis.Z
}

// groups checks all groups.
func (c checks) groups(l *check.Look) {
	seq, names, listed := l.Text(key.GroupSequence), l.Hash(key.GroupNames), l.ZSet(key.Groups)
	managed, marks := l.Hash(key.GroupsManaged), l.ZSet(key.GroupDirty)
	l.Wait()
	marked, views := check.Scores(marks.Val()), map[string]*groupView{}
	ids := slices.Concat(slices.Collect(maps.Keys(c.known)), slices.Collect(maps.Values(names.Val())),
		slices.Collect(maps.Keys(check.Scores(listed.Val()))), slices.Collect(maps.Keys(marked)))
	slices.Sort(ids)
	check.Each(l, slices.Compact(ids), func(l *check.Look, id string) {
		k := key.GroupPrefix + id
		row, members, managers := l.Object(k), l.Size(k+":members"), l.ZSet(k+":managers")
		l.Wait()
		views[id] = &groupView{row(), int(members.Val()), managers.Val()}
	})
	highest, want := int64(0), map[string]float64{}
	for id, g := range views {
		n, err := forum.ParseID[forum.GroupID](id)
		if err == nil && len(g.f) > 0 {
			highest, want[id] = max(highest, int64(n)), float64(n)
			group(l, id, g, names.Val())
		}
		c.deleted(l, id, g, marked)
	}
	l.Sequence(key.GroupSequence, seq.Val(), highest)
	l.WantSet(RuleGroupListed, key.Groups, listed.Val(), want)
	for fold, id := range names.Val() {
		if views[id].f["fold"] != fold {
			l.Add(RuleGroupName, key.GroupNames, check.Unset(key.GroupNames, fold).Given(key.GroupPrefix+id),
				"%q leads to group %s, which has another name", fold, id)
		}
	}
	c.managers(l, views, managed.Val())
}

// group checks one group.
func group(l *check.Look, id string, g *groupView, names map[string]string) {
	k := key.GroupPrefix + id
	for _, name := range catalogue.Group.Wrong(g.f, "members") {
		l.Add(RuleGroupFields, k, check.Fix{}, "%s is %q", name, g.f[name])
	}
	if fold := texts.Fold(g.f["name"]); fold != "" {
		l.WantField(RuleGroupFields, k, "fold", g.f["fold"], fold)
	}
	l.NameOwner(RuleGroupName, key.GroupNames, g.f["fold"], id, names[g.f["fold"]], k)
	l.WantCount(k, g.f, "members", g.members, k+":members")
	l.AtMost(k+":managers", len(g.managers), forum.MaxGroupManagers, check.Fix{})
}

// deleted compares the mark of a group with whether it was deleted.
func (c checks) deleted(l *check.Look, id string, g *groupView, marked map[string]float64) {
	at, there := marked[id]
	switch {
	case len(g.f) > 0 && there:
		l.Add(RuleGroupDeleted, key.GroupDirty, check.Drop(key.GroupDirty, id), "group %s is marked but exists", id)
	case len(g.f) == 0 && !there && g.members > 0:
		l.Add(RuleGroupDeleted, key.GroupPrefix+id, check.Call(c.SweepGroup, id),
			"has members but does not exist, and is not marked")
	case there && forum.Time(at)+check.MarkLife < c.engine.Now():
		l.Add(check.RuleMarkOld, key.GroupDirty, check.Call(c.SweepGroup, id), "group %s has been waiting since %.0f",
			id, at)
	}
	if len(g.f) == 0 && len(g.managers) > 0 {
		l.Orphans(false, "there is no group "+id, key.GroupPrefix+id+":managers")
	}
}

// managers compares what users manage with the managers of groups.
func (c checks) managers(l *check.Look, views map[string]*groupView, managed map[string]string) {
	want := map[string][]string{}
	for id, g := range views {
		for _, z := range g.managers {
			if user := z.Member.(string); len(g.f) > 0 {
				want[user] = append(want[user], id)
			}
		}
	}
	for user := range managed {
		want[user] = append(want[user], []string{}...)
	}
	check.Each(l, slices.Collect(maps.Keys(want)), func(l *check.Look, user string) {
		id := forum.UserID(record.Atoi(user))
		state := l.Field(key.User(id), "state")
		cleanup := l.Exists(key.Task(id.Partition(), record.AccountCleanupTask(id)))
		l.Wait()
		slices.Sort(want[user])
		has := strings.Fields(managed[user])
		slices.Sort(has)
		switch {
		case !slices.Equal(has, want[user]):
			l.Add(RuleGroupManagers, key.GroupsManaged,
				check.Set(key.GroupsManaged, user, strings.Join(want[user], " ")),
				"user %q manages %q; managers are of %q", user, has, want[user])
		case state.Val() != catalogue.UserActive && !check.Exists(cleanup):
			l.Add(RuleGroupManagers, key.GroupsManaged, check.Fix{Run: func(ctx context.Context) error {
				for _, group := range want[user] {
					_, err := c.SetManagers(ctx, forum.GroupID(record.Atoi(group)), nil, []forum.UserID{id})
					if err != nil {
						return err
					}
				}
				return nil
			}}, "user %q is %q but manages %q", user, state.Val(), has)
		}
	})
}

// user compares the groups of a user with what is entered of them. The reverse is checked with the members.
func (c checks) user(l *check.Look) {
	id := forum.UserID(l.On.ID)
	name := key.Itoa(id)
	l.Sweep = check.Mark{List: key.Dirty(id.Partition()), Name: "g:" + name}
	fields, entered := l.Fields(key.User(id), record.GroupFields), l.Field(key.GroupUsers, name)
	ends, left := l.Score(key.GroupEnds, name), l.Score(key.GroupsLeft, name)
	l.Wait()
	f := fields()
	if leaving(f) {
		return
	}
	g := record.ParseGroups(f)
	row, _ := catalogue.GroupsRow.Parse(entered.Val())
	repair := check.Fix{Run: func(ctx context.Context) error { return c.repair(ctx, id, 0) }}
	switch any := len(g.Memberships) > 0; {
	case any && entered.Val() != g.Row(),
		!any && (row.Text("groups") != "" || f["state"] == catalogue.UserActive && row.Int("rev") > g.Rev),
		int64(ends.Val()) != int64(forum.EndOf(g.Memberships)),
		check.Is(left) != (!any && check.Is(entered)):
		l.Add(RuleGroupMembers, key.GroupUsers, repair, "user %d is entered as %q; want %q", id, entered.Val(), g.Row())
	}
	check.Each(l, g.Memberships, func(l *check.Look, m forum.Membership) {
		exists, at := l.Exists(key.Group(m.Group)), l.Score(key.GroupMembers(m.Group), name)
		mark := l.Score(key.GroupDirty, key.Itoa(m.Group))
		l.Wait()
		switch {
		case !check.Exists(exists) && !check.Is(mark):
			l.Add(RuleGroupGone, key.User(id), check.Fix{Run: func(ctx context.Context) error {
				if err := c.leave(ctx, map[forum.GroupID][]forum.UserID{m.Group: {id}}); err != nil {
					return err
				}
				return c.repair(ctx, id, 0)
			}}, "is in group %d, which does not exist", m.Group)
		case check.Exists(exists) && forum.Time(at.Val()) != m.Since:
			l.Add(RuleGroupMembers, key.GroupMembers(m.Group), repair,
				"user %d is in it since %d, but entered at %.0f", id, m.Since, at.Val())
		}
	})
}

// leaving reports whether a task takes a user out of all groups.
func leaving(f record.Fields) bool {
	return f["state"] == catalogue.UserDeleted && f["groupsRev"] != ""
}

// member checks that a member of a group is in it.
func (c checks) member(l *check.Look) {
	k, name := l.On.Key, l.On.Text
	known, _ := catalogue.ReadKey(k)
	group := forum.GroupID(known.ID)
	id, err := forum.ParseID[forum.UserID](name)
	if err != nil {
		l.Add(RuleGroupMembers, k, check.Drop(k, name), "%q is not a user", name)
		return
	}
	l.Sweep = check.Mark{List: key.Dirty(id.Partition()), Name: "g:" + name}
	exists, there, fields := l.Exists(key.Group(group)), l.Score(k, name), l.Fields(key.User(id), record.GroupFields)
	l.Wait()
	f := fields()
	if !check.Exists(exists) || !check.Is(there) || leaving(f) {
		return
	}
	in := slices.ContainsFunc(record.ParseGroups(f).Memberships,
		func(m forum.Membership) bool { return m.Group == group })
	if !in {
		l.Add(RuleGroupMembers, k, check.Fix{Run: func(ctx context.Context) error { return c.repair(ctx, id, group) }},
			"user %d is entered, but is %q and in %q", id, f["state"], f["groups"])
	}
}

// entry checks that an entry of a user is of one that exists. The rest is checked with the user.
func (c checks) entry(l *check.Look) {
	k, name := l.On.Key, l.On.Text
	id, _ := forum.ParseID[forum.UserID](name)
	exists := l.Exists(key.User(id))
	l.Wait()
	if id != 0 && check.Exists(exists) {
		return
	}
	fix := check.Drop(k, name)
	if k == key.GroupUsers {
		fix = check.Unset(k, name)
	}
	l.Add(RuleGroupMembers, k, fix, "%q is not a user", name)
}

// repair writes the groups of a user again, whatever was written last; also is another group whose set has the user, or
// 0.
func (c checks) repair(ctx context.Context, user forum.UserID, also forum.GroupID) error {
	states, err := c.states(ctx, []forum.UserID{user})
	if err != nil {
		return err
	}
	row, _ := catalogue.GroupsRow.Parse(states[0].before)
	groups := row.Text("groups")
	if also != 0 {
		groups += " " + key.Itoa(also)
	}
	if err := c.engine.Client.Redis.HSet(ctx, key.GroupUsers, key.Itoa(user),
		catalogue.GroupsRow.Format("rev", 0, "groups", groups)).Err(); err != nil {
		return err
	}
	return c.settle(ctx, []forum.UserID{user})
}
