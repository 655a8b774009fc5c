package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/categories"
	"agora/internal/text"
)

// CreateTab resolves Mutation.createTab.
func (r mutation) CreateTab(ctx context.Context, in model.CreateTabInput) (*model.CreateTabPayload, error) {
	name, nameErr := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	ids, idsErr := app.CategoryIDs(ctx, "categories", in.Categories)
	if err := errors.Join(nameErr, idsErr, checkPosition(in.Position)); err != nil {
		return nil, err
	}
	id, err := r.Store.Categories.AddTab(ctx, categories.NewTab{Name: name, Fold: text.Fold(name), Categories: ids,
		Position: opt.Or(in.Position, 0), By: auth.ViewerFrom(ctx)})
	t, err := written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Path(), "tab"))
	return &model.CreateTabPayload{Tab: t}, err
}

// UpdateTab resolves Mutation.updateTab.
func (r mutation) UpdateTab(ctx context.Context, in model.UpdateTabInput) (*model.UpdateTabPayload, error) {
	id, err := globalid.Of[forum.TabID](forum.Path("tabId"), globalid.Tab, in.TabID)
	if err != nil {
		return nil, err
	}
	c := categories.TabChange{By: auth.ViewerFrom(ctx), Position: in.Position}
	var nameErr, addErr, removeErr error
	if in.Name != nil {
		c.Name, nameErr = text.Line(forum.Path("name"), *in.Name, 1, forum.MaxName)
		c.Fold = text.Fold(c.Name)
	}
	c.Add, addErr = app.CategoryIDs(ctx, "addCategories", in.AddCategories)
	c.Remove, removeErr = app.CategoryIDs(ctx, "removeCategories", in.RemoveCategories)
	if err := errors.Join(nameErr, addErr, removeErr, checkPosition(in.Position)); err != nil {
		return nil, err
	}
	for i, category := range c.Remove {
		if slices.Contains(c.Add, category) {
			return nil, forum.Invalid(forum.Path("removeCategories", fmt.Sprint(i)),
				"The category cannot be added and removed in one call.")
		}
	}
	err = r.Store.Categories.UpdateTab(ctx, id, c)
	t, err := written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Path("tabId"), "tab"))
	return &model.UpdateTabPayload{Tab: t}, err
}

// DeleteTab resolves Mutation.deleteTab.
func (r mutation) DeleteTab(ctx context.Context, in model.DeleteTabInput) (*model.DeleteTabPayload, error) {
	id, err := globalid.Of[forum.TabID](forum.Path("tabId"), globalid.Tab, in.TabID)
	if err == nil {
		err = r.Store.Categories.DeleteTab(ctx, auth.ViewerFrom(ctx), id)
	}
	return &model.DeleteTabPayload{DeletedTabID: &in.TabID}, err
}
