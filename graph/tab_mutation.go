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
	"agora/internal/store/categories"
	"agora/internal/text"
)

// CreateTab resolves Mutation.createTab.
func (r mutation) CreateTab(ctx context.Context, in model.CreateTabInput) (*model.CreateTabPayload, error) {
	id, err := r.createTab(ctx, in)
	p := &model.CreateTabPayload{}
	p.Tab, err = written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Input(), "tab", ""))
	p.Errors, err = payload(ctx, err, givenCategories("categories", in.Categories))
	return result(p, err)
}

func (r mutation) createTab(ctx context.Context, in model.CreateTabInput) (forum.TabID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	name, nameErr := text.Line(forum.Input("name"), in.Name, 1, forum.MaxName)
	ids, idsErr := categoryIDs(ctx, "categories", in.Categories)
	if err := errors.Join(nameErr, idsErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	return r.Store.Categories.AddTab(ctx, categories.NewTab{Name: name, Fold: text.Fold(name), Categories: ids,
		Position: valueOr(in.Position, 0), By: auth.ViewerFrom(ctx)})
}

// categoryIDs returns the ids of the categories that a field of an input names.
func categoryIDs(ctx context.Context, field string, refs []*model.CategoryRef) ([]forum.CategoryID, error) {
	askCategories(ctx, refs)
	once := map[forum.CategoryID]bool{}
	categories := make([]forum.CategoryID, len(refs))
	for i, ref := range refs {
		var err error
		if categories[i], err = categoryID(ctx, forum.Input(field, strconv.Itoa(i)), *ref); err != nil {
			return nil, err
		}
		once[categories[i]] = true
	}
	if len(once) > forum.MaxTabCategories {
		return nil, forum.TooLong(forum.Input(field), forum.MaxTabCategories, "categories")
	}
	return categories, nil
}

// askCategories queues the look-up of categories that are named, so that they are read together.
func askCategories(ctx context.Context, refs []*model.CategoryRef) {
	var folds []string
	for _, ref := range refs {
		if ref.Name != nil {
			folds = append(folds, text.Fold(*ref.Name))
		}
	}
	loader.From(ctx).AskCategoriesNamed(folds)
}

// categoryID returns the id of the category that the field at path names. Whether one named by its id exists is left
// to the write.
func categoryID(ctx context.Context, path []string, ref model.CategoryRef) (forum.CategoryID, error) {
	if err := oneOf(path, ref.ID != nil, ref.Name != nil); err != nil {
		return 0, err
	}
	if ref.ID != nil {
		return globalid.Of[forum.CategoryID](path, globalid.Category, *ref.ID)
	}
	found, err := loader.From(ctx).CategoryNamed(ctx, text.Fold(*ref.Name))
	if err != nil {
		return 0, err
	}
	if found == nil {
		return 0, forum.NotFound(path, "category", "")
	}
	return found.ID, nil
}

// givenCategories are the ids among references to categories.
func givenCategories(field string, refs []*model.CategoryRef) inputIDs {
	g := inputIDs{}
	for i, ref := range refs {
		g[fmt.Sprintf("%s.%d", field, i)] = deref(ref.ID)
	}
	return g
}

func givenList(field string, ids []string) inputIDs {
	g := inputIDs{}
	for i, id := range ids {
		g[fmt.Sprintf("%s.%d", field, i)] = id
	}
	return g
}

// UpdateTab resolves Mutation.updateTab.
func (r mutation) UpdateTab(ctx context.Context, in model.UpdateTabInput) (*model.UpdateTabPayload, error) {
	id, err := r.updateTab(ctx, in)
	ids := givenCategories("addCategories", in.AddCategories)
	for path, id := range givenCategories("removeCategories", in.RemoveCategories) {
		ids[path] = id
	}
	ids["tabId"] = in.TabID
	p := &model.UpdateTabPayload{}
	p.Tab, err = written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Input("tabId"), "tab", in.TabID))
	p.Errors, err = payload(ctx, err, ids)
	return result(p, err)
}

func (r mutation) updateTab(ctx context.Context, in model.UpdateTabInput) (forum.TabID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	id, err := globalid.Of[forum.TabID](forum.Input("tabId"), globalid.Tab, in.TabID)
	if err != nil {
		return 0, err
	}
	c := categories.TabChange{By: auth.ViewerFrom(ctx)}
	var nameErr, addErr, removeErr error
	if in.Name != nil {
		c.Name, nameErr = text.Line(forum.Input("name"), *in.Name, 1, forum.MaxName)
		c.Fold = text.Fold(c.Name)
	}
	c.Add, addErr = categoryIDs(ctx, "addCategories", in.AddCategories)
	c.Remove, removeErr = categoryIDs(ctx, "removeCategories", in.RemoveCategories)
	c.Position = in.Position
	if err := errors.Join(nameErr, addErr, removeErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	for i, category := range c.Remove {
		if slices.Contains(c.Add, category) {
			return 0, forum.Invalid(forum.Input("removeCategories", fmt.Sprint(i)),
				"The category cannot be added and removed in one call.")
		}
	}
	return id, r.Store.Categories.UpdateTab(ctx, id, c)
}

// DeleteTab resolves Mutation.deleteTab.
func (r mutation) DeleteTab(ctx context.Context, in model.DeleteTabInput) (*model.DeleteTabPayload, error) {
	var id forum.TabID
	err := r.admit(ctx)
	if err == nil {
		id, err = globalid.Of[forum.TabID](forum.Input("tabId"), globalid.Tab, in.TabID)
	}
	if err == nil {
		err = r.Store.Categories.DeleteTab(ctx, auth.ViewerFrom(ctx), id)
	}
	p := &model.DeleteTabPayload{}
	if err == nil {
		p.DeletedTabID = &in.TabID
	}
	p.Errors, err = payload(ctx, err, inputIDs{"tabId": in.TabID})
	return afterMutation(ctx, p, err)
}
