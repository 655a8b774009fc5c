package graph

import (
	"context"
	"errors"

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

// CreateCategory resolves Mutation.createCategory.
func (r mutation) CreateCategory(ctx context.Context,
	in model.CreateCategoryInput) (*model.CreateCategoryPayload, error) {
	name, nameErr := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	description, descriptionErr := text.Body(forum.Path("description"), opt.Value(in.Description), 0,
		forum.MaxDescription)
	if err := errors.Join(nameErr, descriptionErr, checkPosition(in.Position)); err != nil {
		return nil, err
	}
	id, err := r.Store.Categories.AddCategory(ctx, categories.NewCategory{Name: name, Fold: text.Fold(name),
		Description: description, Position: opt.Or(in.Position, 0), By: auth.ViewerFrom(ctx)})
	c, err := written(ctx, err, loader.From(ctx).CategoriesNow, id, forum.NotFound(forum.Path(), "category"))
	return &model.CreateCategoryPayload{Category: c}, err
}

// UpdateCategory resolves Mutation.updateCategory.
func (r mutation) UpdateCategory(ctx context.Context,
	in model.UpdateCategoryInput) (*model.UpdateCategoryPayload, error) {
	id, err := app.CategoryID(ctx, forum.Path("category"), *in.Category)
	if err != nil {
		return nil, err
	}
	change := categories.CategoryChange{By: auth.ViewerFrom(ctx), Position: in.Position}
	var nameErr, descriptionErr error
	if in.Name != nil {
		var name string
		name, nameErr = text.Line(forum.Path("name"), *in.Name, 1, forum.MaxName)
		fold := text.Fold(name)
		change.Name, change.Fold = &name, &fold
	}
	if in.Description != nil {
		var description string
		description, descriptionErr = text.Body(forum.Path("description"), *in.Description, 0, forum.MaxDescription)
		change.Description = &description
	}
	if err := errors.Join(nameErr, descriptionErr, checkPosition(in.Position)); err != nil {
		return nil, err
	}
	err = r.Store.Categories.UpdateCategory(ctx, id, change)
	c, err := written(ctx, err, loader.From(ctx).CategoriesNow, id, forum.NotFound(forum.Path("category"), "category"))
	return &model.UpdateCategoryPayload{Category: c}, err
}

// checkPosition checks the position of a category or tab, if there is one.
func checkPosition(position *int) error {
	if n := opt.Or(position, 0); n < -forum.MaxPosition || n > forum.MaxPosition {
		return forum.Invalid(forum.Path("position"), "A position is a number from -1,000,000 to 1,000,000.")
	}
	return nil
}

// DeleteCategory resolves Mutation.deleteCategory.
func (r mutation) DeleteCategory(ctx context.Context,
	in model.DeleteCategoryInput) (*model.DeleteCategoryPayload, error) {
	id, err := app.CategoryID(ctx, forum.Path("category"), *in.Category)
	if err != nil {
		return nil, err
	}
	deleted := globalid.OfNumber(globalid.Category, id)
	return &model.DeleteCategoryPayload{DeletedCategoryID: &deleted},
		r.Store.Categories.DeleteCategory(ctx, auth.ViewerFrom(ctx), id)
}
