package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
	"agora/internal/text"
)

// CreateTab resolves Mutation.createTab.
func (r mutation) CreateTab(ctx context.Context, in model.CreateTabInput) (*model.CreateTabPayload, error) {
	name, nameErr := text.Line(forum.Input("name"), in.Name, 1, forum.MaxName)
	categories, idsErr := categoryIDs("categoryIds", in.CategoryIds)
	err := errors.Join(nameErr, idsErr, checkPosition(in.Position))
	var id forum.TabID
	if err == nil {
		id, err = r.Store.AddTab(ctx, store.NewTab{Name: name, Fold: text.Fold(name), Categories: categories,
			Position: valueOr(in.Position, 0)})
	}
	p := &model.CreateTabPayload{}
	p.Tab, err = written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Input(), "tab", ""))
	p.Errors, err = payload(ctx, err, givenList("categoryIds", in.CategoryIds))
	return result(p, err)
}

// categoryIDs parses a list of categories of a tab; repetitions count once.
func categoryIDs(field string, ids []string) ([]forum.CategoryID, error) {
	categories, err := idsOf[forum.CategoryID](forum.Input(field), model.TypeCategory, ids)
	if err != nil {
		return nil, err
	}
	once := map[forum.CategoryID]bool{}
	for _, c := range categories {
		once[c] = true
	}
	if len(once) > forum.MaxTabCategories {
		return nil, forum.TooLong(forum.Input(field), forum.MaxTabCategories, "categories")
	}
	return categories, nil
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
	ids := givenList("addCategoryIds", in.AddCategoryIds)
	for path, id := range givenList("removeCategoryIds", in.RemoveCategoryIds) {
		ids[path] = id
	}
	ids["tabId"] = in.TabID
	p := &model.UpdateTabPayload{}
	p.Tab, err = written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Input("tabId"), "tab", in.TabID))
	p.Errors, err = payload(ctx, err, ids)
	return result(p, err)
}

func (r mutation) updateTab(ctx context.Context, in model.UpdateTabInput) (forum.TabID, error) {
	id, err := idOf[forum.TabID](forum.Input("tabId"), model.TypeTab, in.TabID)
	if err != nil {
		return 0, err
	}
	var c store.TabChange
	var nameErr, addErr, removeErr error
	if in.Name != nil {
		c.Name, nameErr = text.Line(forum.Input("name"), *in.Name, 1, forum.MaxName)
		c.Fold = text.Fold(c.Name)
	}
	c.Add, addErr = categoryIDs("addCategoryIds", in.AddCategoryIds)
	c.Remove, removeErr = categoryIDs("removeCategoryIds", in.RemoveCategoryIds)
	c.Position = in.Position
	if err := errors.Join(nameErr, addErr, removeErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	for i, category := range c.Remove {
		if slices.Contains(c.Add, category) {
			return 0, forum.Invalid(forum.Input("removeCategoryIds", fmt.Sprint(i)),
				"The category cannot be added and removed in one call.")
		}
	}
	return id, r.Store.UpdateTab(ctx, id, c)
}

// DeleteTab resolves Mutation.deleteTab.
func (r mutation) DeleteTab(ctx context.Context, in model.DeleteTabInput) (*model.DeleteTabPayload, error) {
	id, err := idOf[forum.TabID](forum.Input("tabId"), model.TypeTab, in.TabID)
	if err == nil {
		err = r.Store.DeleteTab(ctx, id)
	}
	p := &model.DeleteTabPayload{}
	if err == nil {
		p.DeletedTabID = &in.TabID
	}
	p.Errors, err = payload(ctx, err, inputIDs{"tabId": in.TabID})
	return afterMutation(ctx, p, err)
}
