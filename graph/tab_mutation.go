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
	id, err := r.createTab(ctx, in)
	p := &model.CreateTabPayload{}
	p.Tab, err = written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Path(), "tab", ""))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) createTab(ctx context.Context, in model.CreateTabInput) (forum.TabID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	name, nameErr := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	ids, idsErr := app.CategoryIDs(ctx, "categories", in.Categories)
	if err := errors.Join(nameErr, idsErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	return r.Store.Categories.AddTab(ctx, categories.NewTab{Name: name, Fold: text.Fold(name), Categories: ids,
		Position: opt.Or(in.Position, 0), By: auth.ViewerFrom(ctx)})
}

// UpdateTab resolves Mutation.updateTab.
func (r mutation) UpdateTab(ctx context.Context, in model.UpdateTabInput) (*model.UpdateTabPayload, error) {
	id, err := r.updateTab(ctx, in)
	p := &model.UpdateTabPayload{}
	p.Tab, err = written(ctx, err, loader.From(ctx).TabsNow, id, forum.NotFound(forum.Path("tabId"), "tab", in.TabID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) updateTab(ctx context.Context, in model.UpdateTabInput) (forum.TabID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	id, err := globalid.Of[forum.TabID](forum.Path("tabId"), globalid.Tab, in.TabID)
	if err != nil {
		return 0, err
	}
	c := categories.TabChange{By: auth.ViewerFrom(ctx)}
	var nameErr, addErr, removeErr error
	if in.Name != nil {
		c.Name, nameErr = text.Line(forum.Path("name"), *in.Name, 1, forum.MaxName)
		c.Fold = text.Fold(c.Name)
	}
	c.Add, addErr = app.CategoryIDs(ctx, "addCategories", in.AddCategories)
	c.Remove, removeErr = app.CategoryIDs(ctx, "removeCategories", in.RemoveCategories)
	c.Position = in.Position
	if err := errors.Join(nameErr, addErr, removeErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	for i, category := range c.Remove {
		if slices.Contains(c.Add, category) {
			return 0, forum.Invalid(forum.Path("removeCategories", fmt.Sprint(i)),
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
		id, err = globalid.Of[forum.TabID](forum.Path("tabId"), globalid.Tab, in.TabID)
	}
	if err == nil {
		err = r.Store.Categories.DeleteTab(ctx, auth.ViewerFrom(ctx), id)
	}
	p := &model.DeleteTabPayload{}
	if err == nil {
		p.DeletedTabID = &in.TabID
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
}
