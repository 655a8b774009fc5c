package graph

import (
	"context"
	"errors"
	"strconv"

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
	id, err := r.createCategory(ctx, in)
	p := &model.CreateCategoryPayload{}
	p.Category, err = written(ctx, err, loader.From(ctx).CategoriesNow, id, forum.NotFound(forum.Path(), "category",
		""))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) createCategory(ctx context.Context, in model.CreateCategoryInput) (forum.CategoryID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	name, nameErr := text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	description, descriptionErr := text.Body(forum.Path("description"), opt.Value(in.Description), 0,
		forum.MaxDescription)
	if err := errors.Join(nameErr, descriptionErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	return r.Store.Categories.AddCategory(ctx, categories.NewCategory{Name: name, Fold: text.Fold(name),
		Description: description,
		Position:    opt.Or(in.Position, 0), By: auth.ViewerFrom(ctx)})
}

// UpdateCategory resolves Mutation.updateCategory.
func (r mutation) UpdateCategory(ctx context.Context,
	in model.UpdateCategoryInput) (*model.UpdateCategoryPayload, error) {
	id, err := r.updateCategory(ctx, in)
	p := &model.UpdateCategoryPayload{}
	p.Category, err = written(ctx, err, loader.From(ctx).CategoriesNow, id,
		forum.NotFound(forum.Path("category"), "category", opt.Value(in.Category.ID)))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) updateCategory(ctx context.Context, in model.UpdateCategoryInput) (forum.CategoryID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	id, err := app.CategoryID(ctx, forum.Path("category"), *in.Category)
	if err != nil {
		return 0, err
	}
	c := categories.CategoryChange{By: auth.ViewerFrom(ctx)}
	var nameErr, descriptionErr error
	if in.Name != nil {
		var name string
		name, nameErr = text.Line(forum.Path("name"), *in.Name, 1, forum.MaxName)
		fold := text.Fold(name)
		c.Name, c.Fold = &name, &fold
	}
	if in.Description != nil {
		var description string
		description, descriptionErr = text.Body(forum.Path("description"), *in.Description, 0, forum.MaxDescription)
		c.Description = &description
	}
	c.Position = in.Position
	if err := errors.Join(nameErr, descriptionErr, checkPosition(in.Position)); err != nil {
		return 0, err
	}
	return id, r.Store.Categories.UpdateCategory(ctx, id, c)
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
	var id forum.CategoryID
	err := r.admit(ctx)
	if err == nil {
		id, err = app.CategoryID(ctx, forum.Path("category"), *in.Category)
	}
	if err == nil {
		err = r.Store.Categories.DeleteCategory(ctx, auth.ViewerFrom(ctx), id)
	}
	p := &model.DeleteCategoryPayload{}
	if err == nil {
		deleted := globalid.New(globalid.Category, strconv.FormatInt(int64(id), 10))
		p.DeletedCategoryID = &deleted
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
}
