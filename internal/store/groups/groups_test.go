package groups_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
	"agora/internal/store/groups"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/must"
	"agora/internal/test/testlevel"
)

// grouped is a site with a group and a member, who has a session.
type grouped struct {
	*storetest.Site
	group forum.GroupID
	ann   *forum.Viewer
}

func newGrouped(t *testing.T) *grouped {
	x := &grouped{Site: storetest.New(t)}
	x.group, x.ann = x.create(t, "crew"), x.User("ann")
	x.Session(x.ann.ID, storetest.DigestA, forum.SessionLife)
	return x
}

func (x *grouped) create(t *testing.T, name string) forum.GroupID {
	t.Helper()
	return must.Do(x.Groups.CreateGroup(x.Ctx, name, name, ""))(t)
}

// join puts a user into a group until a time.
func (x *grouped) join(s *store.Store, group forum.GroupID, user forum.UserID, until forum.Time) error {
	_, err := s.Groups.SetMembers(x.Ctx, group, []groups.MemberChange{{User: user, On: true, Until: until, Field: "add.0.user"}})
	return err
}

// members returns the members of a group by the set and by the count.
func (x *grouped) members(group forum.GroupID) []forum.UserID {
	return storetest.IDs[forum.UserID](x.Site, groups.Members(group))
}

// A membership is seen by the next request, and ends at its time, in the session at once and in the sets by a sweep.
func TestMembershipsEnd(t *testing.T) {
	x := newGrouped(t)
	other := x.create(t, "other")
	ends := x.Engine.Now() + 60_000
	storetest.WantOK(t, "join", x.join(x.Store, x.group, x.ann.ID, ends))
	storetest.WantOK(t, "join for good", x.join(x.Store, other, x.ann.ID, 0))
	v := x.SignedIn(x.ann.ID, storetest.DigestA)
	if !slices.Equal(v.Groups, []forum.GroupID{x.group, other}) || v.GroupsEnd != ends {
		t.Errorf("the viewer is in %v until %d; want both groups until %d", v.Groups, v.GroupsEnd, ends)
	}
	x.WantClean()
	x.Clock.Advance(time.Minute)
	v = x.SignedIn(x.ann.ID, storetest.DigestA)
	if !slices.Equal(v.Groups, []forum.GroupID{other}) || v.GroupsEnd != 0 {
		t.Errorf("after the end, the viewer is in %v until %d; want the other group for good", v.Groups, v.GroupsEnd)
	}
	must.Do(x.Engine.Sweep(x.Ctx))(t)
	if got := x.members(x.group); len(got) != 0 {
		t.Errorf("after the end, the group has %v; want nobody", got)
	}
	x.WantClean()
}

// A membership that ends can be extended, and one that is given again changes nothing.
func TestMembershipsAreRepeatable(t *testing.T) {
	x := newGrouped(t)
	for i, until := range []forum.Time{x.Engine.Now() + 60_000, x.Engine.Now() + 90_000, 0, 0} {
		changed := must.Do(x.Groups.SetMembers(x.Ctx, x.group, []groups.MemberChange{{User: x.ann.ID, On: true, Until: until}}))(t)
		if got, want := len(changed) == 1, i < 3; got != want {
			t.Errorf("change %d changed something: %t; want %t", i, got, want)
		}
		x.WantClean()
	}
	for _, want := range []int{1, 0} {
		changed := must.Do(x.Groups.SetMembers(x.Ctx, x.group, []groups.MemberChange{{User: x.ann.ID}}))(t)
		if len(changed) != want {
			t.Errorf("leaving changed %v; want %d users", changed, want)
		}
	}
	x.WantClean()
}

func TestLimitsOfGroups(t *testing.T) {
	x := newGrouped(t)
	for i := range forum.MaxUserGroups {
		storetest.WantOK(t, "join", x.join(x.Store, x.create(t, "g"+strconv.Itoa(i)), x.ann.ID, x.Engine.Now()+1000))
	}
	err := x.join(x.Store, x.group, x.ann.ID, 0)
	storetest.WantCode(t, "join one group more", err, forum.CodeTooLong)
	if got := storetest.PathOf(err); !slices.Equal(got, forum.Path("add", "0", "user")) {
		t.Errorf("path = %v; want that of the user", got)
	}
	x.Clock.Advance(time.Second)
	storetest.WantOK(t, "join when the others have ended", x.join(x.Store, x.group, x.ann.ID, 0))
	storetest.WantCode(t, "join a missing user", x.join(x.Store, x.group, 9_999_872, 0), forum.CodeNotFound)
	var many []forum.UserID
	for i := range forum.MaxGroupManagers {
		many = append(many, x.User("m"+strconv.Itoa(i)).ID)
	}
	must.Do(x.Groups.SetManagers(x.Ctx, x.group, many, nil))(t)
	_, err = x.Groups.SetManagers(x.Ctx, x.group, []forum.UserID{x.ann.ID}, nil)
	storetest.WantCode(t, "a manager more", err, forum.CodeTooLong)
	must.Do(x.Groups.SetManagers(x.Ctx, x.group, []forum.UserID{x.ann.ID}, many[:1]))(t)
	must.Do(x.Engine.Sweep(x.Ctx))(t)
	x.WantClean()
	for i := range forum.MaxGroups - forum.MaxUserGroups - 1 {
		x.create(t, "h"+strconv.Itoa(i))
	}
	_, err = x.Groups.CreateGroup(x.Ctx, "more", "more", "")
	storetest.WantCode(t, "one group more", err, forum.CodeTooLong)
}

// Names are unique and free again.
func TestNamesOfGroups(t *testing.T) {
	x := newGrouped(t)
	_, err := x.Groups.CreateGroup(x.Ctx, "Crew", "crew", "")
	storetest.WantCode(t, "CreateGroup with a taken name", err, forum.CodeTaken)
	must.Do(x.Groups.UpdateGroup(x.Ctx, x.group, groups.Change{Name: "Team", Fold: "team", Description: new("Us.")}))(t)
	other := x.create(t, "crew")
	_, err = x.Groups.UpdateGroup(x.Ctx, other, groups.Change{Name: "TEAM", Fold: "team"})
	storetest.WantCode(t, "UpdateGroup with a taken name", err, forum.CodeTaken)
	storetest.WantOK(t, "DeleteGroup", x.Groups.DeleteGroup(x.Ctx, x.group))
	storetest.WantCode(t, "DeleteGroup again", x.Groups.DeleteGroup(x.Ctx, x.group), forum.CodeNotFound)
	must.Do(x.Groups.UpdateGroup(x.Ctx, other, groups.Change{Name: "Team", Fold: "team"}))(t)
	x.WantClean()
}

// Wherever a process dies, the sweeper completes what it began.
func TestCrashesOfGroups(t *testing.T) {
	testlevel.Sequential(t)
	for _, c := range []struct {
		name string
		run  func(x *grouped, s *store.Store)
	}{
		{"join", func(x *grouped, s *store.Store) { x.join(s, x.group, x.User("bob").ID, 0) }},
		{"leave", func(x *grouped, s *store.Store) {
			s.Groups.SetMembers(x.Ctx, x.group, []groups.MemberChange{{User: x.ann.ID}})
		}},
		{"delete the group", func(x *grouped, s *store.Store) { s.Groups.DeleteGroup(x.Ctx, x.group) }},
		{"deactivate", func(x *grouped, s *store.Store) { s.Accounts.SetDeactivated(x.Ctx, x.ann.ID, true) }},
		{"delete the account", func(x *grouped, s *store.Store) { s.Accounts.DeleteUser(x.Ctx, x.ann.ID, false) }},
	} {
		for n, died := 1, true; died; n++ {
			x := newGrouped(t)
			storetest.WantOK(t, "join", x.join(x.Store, x.group, x.ann.ID, 0))
			must.Do(x.Groups.SetManagers(x.Ctx, x.group, []forum.UserID{x.ann.ID}, nil))(t)
			died = x.Dies(n, func(s *store.Store) { c.run(x, s) })
			x.Clock.Advance(time.Minute)
			x.RunDue()
			must.Do(x.Engine.Sweep(x.Ctx))(t)
			x.WantSoundAfter(c.name)
			if x.Exists(key.GroupDirty) {
				t.Errorf("%s, killed before step %d: the group is still marked", c.name, n)
			}
		}
	}
}

// A write that comes late does not undo a later one, and one into a group that was deleted meanwhile has no effect.
func TestLateWritesOfGroups(t *testing.T) {
	testlevel.Sequential(t)
	for _, step := range []string{"user_groups", "groups_enter", "user_groups_done"} {
		x := newGrouped(t)
		wake := x.Asleep(step, func(s *store.Store) { x.join(s, x.group, x.ann.ID, 0) })
		must.Do(x.Groups.SetMembers(x.Ctx, x.group, []groups.MemberChange{{User: x.ann.ID}}))(t)
		wake()
		x.Clock.Advance(time.Minute)
		must.Do(x.Engine.Sweep(x.Ctx))(t)
		x.WantSoundAfter("a late join at " + step)
		if step != "user_groups" && len(x.SignedIn(x.ann.ID, storetest.DigestA).Groups)+len(x.members(x.group)) != 0 {
			t.Errorf("after a late %s the user is in the group; want not, because leaving came later", step)
		}
		wake = x.Asleep(step, func(s *store.Store) { x.join(s, x.group, x.ann.ID, 0) })
		storetest.WantOK(t, "DeleteGroup", x.Groups.DeleteGroup(x.Ctx, x.group))
		wake()
		x.Clock.Advance(time.Minute)
		must.Do(x.Engine.Sweep(x.Ctx))(t)
		x.WantSoundAfter("a late join of a deleted group at " + step)
		if v := x.SignedIn(x.ann.ID, storetest.DigestA); len(v.Groups) != 0 {
			t.Errorf("after a late %s the user is in %v, which was deleted; want none", step, v.Groups)
		}
	}
}

// A user who is deactivated is in no group until activated, and one who is deleted never again.
func TestGroupsOfAccountsThatEnd(t *testing.T) {
	x := newGrouped(t)
	storetest.WantOK(t, "join", x.join(x.Store, x.group, x.ann.ID, x.Engine.Now()+forum.Time(time.Hour.Milliseconds())))
	for _, off := range []bool{true, false} {
		storetest.WantOK(t, "SetDeactivated", x.Accounts.SetDeactivated(x.Ctx, x.ann.ID, off))
		x.Clock.Advance(2 * time.Second)
		must.Do(x.Engine.Sweep(x.Ctx))(t)
		if got := len(x.members(x.group)); (got == 0) != off {
			t.Errorf("deactivated %t: %d members; want none only then", off, got)
		}
		x.WantClean()
	}
	must.Do(x.Groups.SetManagers(x.Ctx, x.group, []forum.UserID{x.ann.ID}, nil))(t)
	storetest.WantOK(t, "DeleteUser", x.Accounts.DeleteUser(x.Ctx, x.ann.ID, false))
	x.Clock.Advance(2 * time.Second)
	x.RunDue()
	if got := len(x.members(x.group)); got != 0 || x.Exists(key.GroupManagers(x.group)) || x.Exists(key.GroupsManaged) {
		t.Errorf("deleted: %d members; want no member and no manager", got)
	}
	x.WantClean()
	x.Clock.Advance(2 * forum.RemovalLife)
	storetest.WantOK(t, "join", x.join(x.Store, x.group, x.User("bob").ID, 0))
	if got := x.Hash(key.GroupUsers); len(got) != 1 {
		t.Errorf("an hour later, %v is remembered; want bob only", got)
	}
}
