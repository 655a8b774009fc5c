package groups

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/catalogue"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/internal/section"
	"agora/internal/store/listing"
	"agora/internal/store/script"
)

// CreateGroup creates a group without members. It returns TAKEN and TOO_LONG at name.
func (s *Store) CreateGroup(ctx context.Context, name, fold, description string) (forum.GroupID, error) {
	call := script.GroupCreate{Numbers: key.GroupSequence, Names: key.GroupNames, All: key.Groups,
		Keys: key.GroupPrefix, Name: name, Fold: fold, Description: description, Now: s.engine.Now(), Most: forum.MaxGroups}
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return 0, fmt.Errorf("create group: %w", section.NameError(err, fold))
	}
	return done.ID, nil
}

// Change is a change to a group.
type Change struct {
	Name, Fold  string  // "" leaves the name unchanged
	Description *string // nil leaves it unchanged
}

// UpdateGroup renames or describes a group, and reports whether anything changed. It returns NOT_FOUND at group, TAKEN
// at name.
func (s *Store) UpdateGroup(ctx context.Context, id forum.GroupID, c Change) (changed bool, err error) {
	call := script.GroupUpdate{Group: key.Group(id), Names: key.GroupNames, ID: id, Name: c.Name, Fold: c.Fold}
	if c.Description != nil {
		call.Described = "=" + *c.Description
	}
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return false, fmt.Errorf("update group %d: %w", id, section.NameError(err, c.Fold))
	}
	return done.Changed, nil
}

// DeleteGroup deletes a group, and ends the memberships in it. It returns NOT_FOUND at group.
func (s *Store) DeleteGroup(ctx context.Context, id forum.GroupID) error {
	s.engine.Step("group_delete")
	err := s.engine.Client.Run(ctx, script.GroupDelete{Group: key.Group(id), Names: key.GroupNames, All: key.Groups,
		Managers: key.GroupManagers(id), Managed: key.GroupsManaged, Dirty: key.GroupDirty, ID: id,
		Now: s.engine.Now()}).Err()
	if err != nil {
		return fmt.Errorf("delete group %d: %w", id, record.ScriptError(err))
	}
	if err := s.emptyGroup(ctx, id); err != nil {
		return fmt.Errorf("members of group %d: %w", id, err)
	}
	return nil
}

// sweepGroups ends the memberships in groups that were deleted.
func (s *Store) sweepGroups(ctx context.Context, marks []string) (handled int, err error) {
	var failed []error
	for _, name := range marks {
		if err := s.SweepGroup(ctx, name); err != nil {
			failed = append(failed, fmt.Errorf("group %s: %w", name, err))
			continue
		}
		handled++
	}
	return handled, errors.Join(failed...)
}

// SweepGroup ends the memberships in a group if it was deleted, and removes its mark.
func (s *Store) SweepGroup(ctx context.Context, name string) error {
	id, err := forum.ParseID[forum.GroupID](name)
	if err != nil {
		return s.engine.Client.Redis.ZRem(ctx, key.GroupDirty, name).Err()
	}
	there, err := s.engine.Client.Redis.Exists(ctx, key.Group(id)).Result()
	if err != nil {
		return err
	}
	if there > 0 {
		return s.engine.Client.Redis.ZRem(ctx, key.GroupDirty, name).Err()
	}
	return s.emptyGroup(ctx, id)
}

// emptyPass is how many memberships in a deleted group are ended together.
const emptyPass = 100

// emptyGroup ends the memberships in a group that was deleted, and removes its mark. Nobody is entered any more.
func (s *Store) emptyGroup(ctx context.Context, id forum.GroupID) error {
	for {
		members, err := s.engine.Client.Redis.ZRange(ctx, key.GroupMembers(id), 0, emptyPass-1).Result()
		if err != nil {
			return err
		}
		if len(members) == 0 {
			s.engine.Step("group_emptied")
			return s.engine.Client.Redis.ZRem(ctx, key.GroupDirty, key.Itoa(id)).Err()
		}
		var users []forum.UserID
		for _, m := range members {
			users = append(users, forum.UserID(record.Atoi(m)))
		}
		if err := s.leave(ctx, map[forum.GroupID][]forum.UserID{id: users}); err != nil {
			return err
		}
		if err := s.settle(ctx, users); err != nil {
			return err
		}
		if err := s.engine.Client.Redis.ZRem(ctx, key.GroupMembers(id), record.Anys(members)...).Err(); err != nil {
			return err
		}
	}
}

// SetManagers changes who manages a group, and returns those for whom that changed. It returns NOT_FOUND at group, and
// TOO_LONG at add if there would be too many managers.
func (s *Store) SetManagers(ctx context.Context, id forum.GroupID, add, remove []forum.UserID) ([]forum.UserID, error) {
	call := script.GroupManagers{Group: key.Group(id), Managers: key.GroupManagers(id), Managed: key.GroupsManaged,
		ID: id, Now: s.engine.Now(), Most: forum.MaxGroupManagers, Add: add, Remove: remove}
	done, err := call.Result(s.engine.Client.Run(ctx, call).Result())
	if err != nil {
		return nil, fmt.Errorf("managers of group %d: %w", id, record.ScriptError(err))
	}
	users := make([]forum.UserID, len(done.Changed))
	for i, user := range done.Changed {
		users[i] = forum.UserID(record.Atoi(user))
	}
	return users, nil
}

// Groups reads groups; nil for one that does not exist.
func (r Read) Groups(ids []forum.GroupID) func() ([]*forum.Group, error) {
	cmds := make([]*redis.MapStringStringCmd, len(ids))
	for i, id := range ids {
		cmds[i] = r.read.Batch.HGetAll(r.read.Ctx, key.Group(id))
	}
	return func() ([]*forum.Group, error) {
		found := make([]*forum.Group, len(ids))
		for i, cmd := range cmds {
			if len(cmd.Val()) > 0 {
				found[i] = &forum.Group{ID: ids[i]}
				catalogue.Group.Decode(found[i], maps.All(cmd.Val()))
			}
		}
		return found, r.read.Err
	}
}

// GroupsNamed finds groups by folded name; 0 for none.
func (r Read) GroupsNamed(folds []string) func() ([]forum.GroupID, error) {
	cmds := make([]*redis.StringCmd, len(folds))
	for i, fold := range folds {
		cmds[i] = r.read.Batch.HGet(r.read.Ctx, key.GroupNames, fold)
	}
	return func() ([]forum.GroupID, error) {
		ids := make([]forum.GroupID, len(folds))
		for i, cmd := range cmds {
			ids[i] = forum.GroupID(record.Atoi(cmd.Val()))
		}
		return ids, r.read.Err
	}
}

// Managers reads who manages groups.
func (r Read) Managers(ids []forum.GroupID) func() ([][]forum.UserID, error) {
	cmds := make([]*redis.StringSliceCmd, len(ids))
	for i, id := range ids {
		cmds[i] = r.read.Batch.ZRange(r.read.Ctx, key.GroupManagers(id), 0, 2*forum.MaxGroupManagers)
	}
	return func() ([][]forum.UserID, error) {
		users := make([][]forum.UserID, len(ids))
		for i, cmd := range cmds {
			for _, user := range cmd.Val() {
				users[i] = append(users[i], forum.UserID(record.Atoi(user)))
			}
		}
		return users, r.read.Err
	}
}

// Managed reads which groups users manage.
func (r Read) Managed(users []forum.UserID) func() ([][]forum.GroupID, error) {
	cmds := make([]*redis.StringCmd, len(users))
	for i, id := range users {
		cmds[i] = r.read.Batch.HGet(r.read.Ctx, key.GroupsManaged, key.Itoa(id))
	}
	return func() ([][]forum.GroupID, error) {
		managed := make([][]forum.GroupID, len(users))
		for i, cmd := range cmds {
			managed[i] = record.ParseIDs[forum.GroupID](cmd.Val())
		}
		return managed, r.read.Err
	}
}

// All is the list of all groups, oldest first.
func All() listing.List { return listing.List{Name: "groups", Key: key.Groups} }

// Members is the list of the members of a group, who joined last first.
func Members(id forum.GroupID) listing.List { return listing.LatestFirst(key.GroupMembers(id)) }
