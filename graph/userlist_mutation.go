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
	id, err := r.createList(ctx, in)
	p := &model.CreateListPayload{}
	p.List, err = written(ctx, err, loader.From(ctx).UserListsNow, id, forum.NotFound(forum.Path(), "list", ""))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) createList(ctx context.Context, in model.CreateListInput) (forum.ListID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	name, err := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	if err != nil {
		return 0, err
	}
	return r.Store.Follows.CreateList(ctx, auth.ViewerFrom(ctx).ID, name, text.Fold(name))
}

// UpdateList resolves Mutation.updateList.
func (r mutation) UpdateList(ctx context.Context, in model.UpdateListInput) (*model.UpdateListPayload, error) {
	id, err := r.updateList(ctx, in)
	p := &model.UpdateListPayload{}
	p.List, err = written(ctx, err, loader.From(ctx).UserListsNow, id,
		forum.NotFound(forum.Path("listId"), "list", in.ListID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) updateList(ctx context.Context, in model.UpdateListInput) (forum.ListID, error) {
	id, err := r.listToChange(ctx, in.ListID)
	if err != nil {
		return 0, err
	}
	name, err := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	if err != nil {
		return 0, err
	}
	return id, r.Store.Follows.RenameList(ctx, auth.ViewerFrom(ctx).ID, id, name, text.Fold(name))
}

// listToChange counts a change of a list and parses its id.
func (r mutation) listToChange(ctx context.Context, id string) (forum.ListID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	return globalid.Of[forum.ListID](forum.Path("listId"), globalid.UserList, id)
}

// UpdateListMembers resolves Mutation.updateListMembers.
func (r mutation) UpdateListMembers(ctx context.Context,
	in model.UpdateListMembersInput) (*model.UpdateListMembersPayload, error) {
	id, err := r.updateListMembers(ctx, in)
	p := &model.UpdateListMembersPayload{}
	p.List, err = written(ctx, err, loader.From(ctx).UserListsNow, id,
		forum.NotFound(forum.Path("listId"), "list", in.ListID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) updateListMembers(ctx context.Context, in model.UpdateListMembersInput) (forum.ListID, error) {
	id, err := r.listToChange(ctx, in.ListID)
	if err != nil {
		return 0, err
	}
	add, addErr := membersOf("add", in.Add)
	remove, removeErr := membersOf("remove", in.Remove)
	if err := errors.Join(addErr, removeErr); err != nil {
		return 0, err
	}
	for i, user := range remove.ids {
		if slices.Contains(add.ids, user) {
			return 0, forum.Invalid(forum.Path("remove", fmt.Sprint(remove.inputs[i])),
				"The user cannot be added and removed in one call.")
		}
	}
	return id, add.locate(r.Store.Follows.UpdateListMembers(ctx, auth.ViewerFrom(ctx).ID, id, add.ids, remove.ids))
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
			return m, forum.NotFound(append(path, strconv.Itoa(i)), "user", ids[i])
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
	id, err := r.listToChange(ctx, in.ListID)
	if err == nil {
		err = r.Store.Follows.DeleteList(ctx, auth.ViewerFrom(ctx).ID, id)
	}
	p := &model.DeleteListPayload{}
	if err == nil {
		p.DeletedListID = &in.ListID
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
}
