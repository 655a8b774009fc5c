package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/text"
)

// CreateList resolves Mutation.createList.
func (r mutation) CreateList(ctx context.Context, in model.CreateListInput) (*model.CreateListPayload, error) {
	name, err := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	if err != nil {
		return nil, err
	}
	id, err := r.Store.Follows.CreateList(ctx, auth.ViewerFrom(ctx).ID, name, text.Fold(name))
	l, err := written(ctx, err, loader.From(ctx).UserListsNow, id, forum.NotFound(forum.Path(), "list"))
	return &model.CreateListPayload{List: l}, err
}

// UpdateList resolves Mutation.updateList.
func (r mutation) UpdateList(ctx context.Context, in model.UpdateListInput) (*model.UpdateListPayload, error) {
	id, err := listNamed(in.ListID)
	if err != nil {
		return nil, err
	}
	name, err := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	if err == nil {
		err = r.Store.Follows.RenameList(ctx, auth.ViewerFrom(ctx).ID, id, name, text.Fold(name))
	}
	l, err := writtenList(ctx, err, id)
	return &model.UpdateListPayload{List: l}, err
}

// listNamed returns the list that the input names as listId.
func listNamed(id string) (forum.ListID, error) {
	return globalid.Of[forum.ListID](forum.Path("listId"), globalid.UserList, id)
}

// writtenList is written for the list that the input names as listId.
func writtenList(ctx context.Context, err error, id forum.ListID) (*loader.UserList, error) {
	return written(ctx, err, loader.From(ctx).UserListsNow, id, forum.NotFound(forum.Path("listId"), "list"))
}

// UpdateListMembers resolves Mutation.updateListMembers.
func (r mutation) UpdateListMembers(ctx context.Context,
	in model.UpdateListMembersInput) (*model.UpdateListMembersPayload, error) {
	id, err := listNamed(in.ListID)
	if err != nil {
		return nil, err
	}
	add, addErr := membersOf("add", in.Add)
	remove, removeErr := membersOf("remove", in.Remove)
	if err := errors.Join(addErr, removeErr); err != nil {
		return nil, err
	}
	for i, user := range remove.ids {
		if slices.Contains(add.ids, user) {
			return nil, forum.Invalid(forum.Path("remove", fmt.Sprint(remove.inputs[i])),
				"The user cannot be added and removed in one call.")
		}
	}
	err = add.locate(r.Store.Follows.UpdateListMembers(ctx, auth.ViewerFrom(ctx).ID, id, add.ids, remove.ids))
	l, err := writtenList(ctx, err, id)
	return &model.UpdateListMembersPayload{List: l}, err
}

// members are users named by a field of an input, each once.
type members struct {
	field  string
	ids    []forum.UserID
	inputs []int // index in the input where each occurs first
}

func membersOf(field string, ids []string) (members, error) {
	m := members{field: field}
	path := forum.Path(field)
	users, err := globalid.All[forum.UserID](path, globalid.User, ids)
	if err != nil {
		return m, err
	}
	once := map[forum.UserID]bool{}
	for i, user := range users {
		if user == 0 { // the ghost
			return m, forum.NotFound(append(path, strconv.Itoa(i)), "user")
		}
		if !once[user] {
			once[user] = true
			m.ids, m.inputs = append(m.ids, user), append(m.inputs, i)
		}
	}
	if len(m.ids) > forum.MaxMembersAtOnce {
		return m, forum.TooLong(path, forum.MaxMembersAtOnce, "users")
	}
	return m, nil
}

// locate replaces the index of an id in the path of an error by its index in the input.
func (m members) locate(err error) error {
	var e *forum.Error
	if !errors.As(err, &e) || len(e.Path) != 2 || e.Path[0] != m.field {
		return err
	}
	i, bad := strconv.Atoi(e.Path[1])
	if bad != nil || i >= len(m.inputs) {
		return err
	}
	return e.At(forum.Path(m.field, strconv.Itoa(m.inputs[i]))...)
}

// DeleteList resolves Mutation.deleteList.
func (r mutation) DeleteList(ctx context.Context, in model.DeleteListInput) (*model.DeleteListPayload, error) {
	id, err := listNamed(in.ListID)
	if err == nil {
		err = r.Store.Follows.DeleteList(ctx, auth.ViewerFrom(ctx).ID, id)
	}
	return &model.DeleteListPayload{DeletedListID: &in.ListID}, err
}
