package graph

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/acts"
	"agora/internal/store/groups"
	"agora/internal/text"
)

// CreateGroup resolves Mutation.createGroup.
func (r mutation) CreateGroup(ctx context.Context, in model.CreateGroupInput) (*model.CreateGroupPayload, error) {
	name, nameErr := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	description, descriptionErr := text.Body(forum.Path("description"), opt.Value(in.Description), 0,
		forum.MaxDescription)
	if err := errors.Join(nameErr, descriptionErr); err != nil {
		return nil, err
	}
	id, err := r.Store.Groups.CreateGroup(ctx, name, text.Fold(name), description)
	if err == nil {
		r.groupChanged(ctx, id, "created", nil)
	}
	g, err := writtenGroup(ctx, err, id)
	return &model.CreateGroupPayload{Group: g}, err
}

// UpdateGroup resolves Mutation.updateGroup.
func (r mutation) UpdateGroup(ctx context.Context, in model.UpdateGroupInput) (*model.UpdateGroupPayload, error) {
	id, err := groupID(ctx, in.Group)
	if err != nil {
		return nil, err
	}
	var change groups.Change
	var nameErr, descriptionErr error
	if in.Name != nil {
		change.Name, nameErr = text.Line(forum.Path("name"), *in.Name, 1, forum.MaxName)
		change.Fold = text.Fold(change.Name)
	}
	if in.Description != nil {
		var description string
		description, descriptionErr = text.Body(forum.Path("description"), *in.Description, 0, forum.MaxDescription)
		change.Description = &description
	}
	if err := errors.Join(nameErr, descriptionErr); err != nil {
		return nil, err
	}
	changed, err := r.Store.Groups.UpdateGroup(ctx, id, change)
	if changed {
		r.groupChanged(ctx, id, "updated", nil)
	}
	g, err := writtenGroup(ctx, err, id)
	return &model.UpdateGroupPayload{Group: g}, err
}

// DeleteGroup resolves Mutation.deleteGroup.
func (r mutation) DeleteGroup(ctx context.Context, in model.DeleteGroupInput) (*model.DeleteGroupPayload, error) {
	id, err := groupID(ctx, in.Group)
	if err != nil {
		return nil, err
	}
	deleted := globalid.OfNumber(globalid.Group, id)
	err = r.Store.Groups.DeleteGroup(ctx, id)
	if err == nil {
		r.groupChanged(ctx, id, "deleted", nil)
	}
	return &model.DeleteGroupPayload{DeletedGroupID: &deleted}, err
}

// SetGroupManagers resolves Mutation.setGroupManagers.
func (r mutation) SetGroupManagers(ctx context.Context,
	in model.SetGroupManagersInput) (*model.SetGroupManagersPayload, error) {
	id, err := groupID(ctx, in.Group)
	if err != nil {
		return nil, err
	}
	n := namedUsers{most: forum.MaxGroupManagers, known: map[forum.UserID]bool{}}
	add, addErr := n.users(ctx, "add", "", in.Add)
	remove, removeErr := n.users(ctx, "remove", "", in.Remove)
	if err := errors.Join(addErr, removeErr); err != nil {
		return nil, err
	}
	changed, err := r.Store.Groups.SetManagers(ctx, id, add, remove)
	if len(changed) > 0 {
		r.groupChanged(ctx, id, "managers", changed)
	}
	g, err := writtenGroup(ctx, err, id)
	return &model.SetGroupManagersPayload{Group: g, Changed: len(changed) > 0}, err
}

// SetGroupMembers resolves Mutation.setGroupMembers.
func (r mutation) SetGroupMembers(ctx context.Context,
	in model.SetGroupMembersInput) (*model.SetGroupMembersPayload, error) {
	id, err := groupID(ctx, in.Group)
	if err != nil {
		return nil, err
	}
	if err := maySetMembers(ctx, id); err != nil {
		return nil, err
	}
	changes, err := r.memberChanges(ctx, in)
	if err != nil {
		return nil, err
	}
	changed, err := r.Store.Groups.SetMembers(ctx, id, changes)
	if len(changed) > 0 {
		r.groupChanged(ctx, id, "members", changed)
	}
	g, err := writtenGroup(ctx, err, id)
	return &model.SetGroupMembersPayload{Group: g, Changed: len(changed) > 0}, err
}

// maySetMembers returns FORBIDDEN if the viewer, who sees a group, may not change its members.
func maySetMembers(ctx context.Context, id forum.GroupID) error {
	if auth.ViewerFrom(ctx).Has(forum.RoleAdmin) {
		return nil
	}
	managed, err := loader.From(ctx).ManagedGroups(ctx)
	if err != nil || slices.Contains(managed, id) {
		return err
	}
	return forum.Forbidden(forum.Path("group"), forum.RoleAdmin, "You do not manage this group.")
}

// memberChanges returns the changes that an input asks for.
func (r *Resolver) memberChanges(ctx context.Context, in model.SetGroupMembersInput) ([]groups.MemberChange, error) {
	if len(in.Add)+len(in.Remove) > forum.MaxGroupChanges {
		field := "add"
		if len(in.Add) <= forum.MaxGroupChanges {
			field = "remove"
		}
		return nil, forum.TooLong(forum.Path(field), forum.MaxGroupChanges, "users")
	}
	n := namedUsers{most: forum.MaxGroupChanges, known: map[forum.UserID]bool{}}
	refs := mapSlice(in.Add, func(m *model.GroupMemberInput) *model.UserRef { return m.User })
	add, addErr := n.users(ctx, "add", "user", refs)
	remove, removeErr := n.users(ctx, "remove", "", in.Remove)
	failed := []error{addErr, removeErr}
	var changes []groups.MemberChange
	for i, m := range in.Add {
		until := opt.Value(m.Until)
		if m.Until != nil && until <= r.Store.Engine.Now() {
			failed = append(failed, forum.Invalid(forum.Path("add", strconv.Itoa(i), "until"),
				"A membership ends later than now."))
		}
		if addErr == nil {
			changes = append(changes, groups.MemberChange{User: add[i], On: true, Until: until,
				Field: "add." + strconv.Itoa(i) + ".user"})
		}
	}
	for i, user := range remove {
		changes = append(changes, groups.MemberChange{User: user, Field: "remove." + strconv.Itoa(i)})
	}
	return changes, errors.Join(failed...)
}

// namedUsers are the users that an input names, each once.
type namedUsers struct {
	most  int
	known map[forum.UserID]bool
}

// users returns the users that a field of an input names: itself, or a field of its elements. Each that is not an
// account, or is named twice, has an error.
func (n namedUsers) users(ctx context.Context, field, of string, refs []*model.UserRef) ([]forum.UserID, error) {
	if len(refs) > n.most {
		return nil, forum.TooLong(forum.Path(field), n.most, "users")
	}
	var folds []string
	for _, ref := range refs {
		if ref.Login != nil {
			fold, _ := text.FoldLogin(*ref.Login)
			folds = append(folds, fold)
		}
	}
	l := loader.From(ctx)
	l.AskLogins(folds)
	ids, failed := make([]forum.UserID, len(refs)), make([]error, len(refs))
	paths := make([][]string, len(refs))
	for i, ref := range refs {
		if paths[i] = forum.Path(field, strconv.Itoa(i)); of != "" {
			paths[i] = append(paths[i], of)
		}
		if ids[i], failed[i] = userReferred(ctx, paths[i], *ref); failed[i] != nil {
			continue
		}
		if n.known[ids[i]] {
			failed[i] = forum.Invalid(paths[i], "A user can be named only once.")
		}
		n.known[ids[i]] = true
	}
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	found, errs := l.Users(ctx, ids)
	for i, u := range found {
		if failed[i] = errorAt(errs, i); failed[i] == nil && u == nil {
			failed[i] = forum.NotFound(paths[i], "user")
		}
	}
	return ids, errors.Join(failed...)
}

func errorAt(errs []error, i int) error {
	if errs == nil {
		return nil
	}
	return errs[i]
}

// userReferred returns the user that the input names at path.
func userReferred(ctx context.Context, path []string, by model.UserRef) (forum.UserID, error) {
	if err := app.OneOf(path, by.ID != nil, by.Login != nil, by.External != nil); err != nil {
		return 0, err
	}
	if by.ID != nil {
		id, err := globalid.Of[forum.UserID](append(path[:len(path):len(path)], "id"), globalid.User, *by.ID)
		if err == nil && id == 0 { // the ghost
			err = forum.NotFound(path, "user")
		}
		return id, err
	}
	id, err := userNamed(ctx, path[0], &by)
	if err == nil && id == acts.NoUser {
		err = forum.NotFound(path, "user")
	}
	return id, err
}

// groupID returns the id of the group that the field "group" of an input names, which the viewer sees.
func groupID(ctx context.Context, ref *model.GroupRef) (forum.GroupID, error) {
	path := forum.Path("group")
	g, err := groupNamed(ctx, path, *ref)
	if err == nil && g == nil {
		err = forum.NotFound(path, "group")
	}
	if err != nil {
		return 0, err
	}
	return g.ID, nil
}

// groupIDs returns the ids of the groups that a field of an input names, nil for null.
func groupIDs(ctx context.Context, field string, refs []*model.GroupRef) ([]forum.GroupID, error) {
	if refs == nil {
		return nil, nil
	}
	if len(refs) > forum.MaxCategoryGroups {
		return nil, forum.TooLong(forum.Path(field), forum.MaxCategoryGroups, "groups")
	}
	ids := make([]forum.GroupID, len(refs))
	for i, ref := range refs {
		path := forum.Path(field, strconv.Itoa(i))
		g, err := groupNamed(ctx, path, *ref)
		if err == nil && g == nil {
			err = forum.NotFound(path, "group")
		}
		if err != nil {
			return nil, err
		}
		ids[i] = g.ID
	}
	return ids, nil
}

// writtenGroup is written for a group.
func writtenGroup(ctx context.Context, err error, id forum.GroupID) (*forum.Group, error) {
	return written(ctx, err, loader.From(ctx).Groups, id, forum.NotFound(forum.Path("group"), "group"))
}

// groupChanged writes a line in the security log.
func (r *Resolver) groupChanged(ctx context.Context, id forum.GroupID, what string, users []forum.UserID) {
	r.secure(ctx, eventGroupChanged, slog.Group("group", slog.Int64("id", int64(id)), slog.String("change", what),
		slog.Any("users", users)))
}
