package graph

import (
	"context"
	"errors"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
	"agora/internal/text"
)

// CreateCategory resolves Mutation.createCategory.
func (r mutation) CreateCategory(ctx context.Context,
	in model.CreateCategoryInput) (*model.CreateCategoryPayload, error) {
	name, nameErr := text.Line(forum.Input("name"), in.Name, 1, forum.MaxName)
	description, descriptionErr := text.Body(forum.Input("description"), deref(in.Description), 0, forum.MaxDescription)
	err := errors.Join(nameErr, descriptionErr)
	var id forum.CategoryID
	if err == nil {
		id, err = r.Store.CreateCategory(ctx, name, text.Fold(name), description)
	}
	p := &model.CreateCategoryPayload{}
	p.Category, err = written(ctx, err, loader.From(ctx).CategoriesNow, id, forum.NotFound(forum.Input(), "category", ""))
	p.Errors, err = payload(ctx, err, nil)
	return result(p, err)
}

// UpdateCategory resolves Mutation.updateCategory.
func (r mutation) UpdateCategory(ctx context.Context,
	in model.UpdateCategoryInput) (*model.UpdateCategoryPayload, error) {
	id, err := r.updateCategory(ctx, in)
	p := &model.UpdateCategoryPayload{}
	p.Category, err = written(ctx, err, loader.From(ctx).CategoriesNow, id,
		forum.NotFound(forum.Input("categoryId"), "category", in.CategoryID))
	p.Errors, err = payload(ctx, err, inputIDs{"categoryId": in.CategoryID})
	return result(p, err)
}

func (r mutation) updateCategory(ctx context.Context, in model.UpdateCategoryInput) (forum.CategoryID, error) {
	id, err := idOf[forum.CategoryID](forum.Input("categoryId"), model.TypeCategory, in.CategoryID)
	if err != nil {
		return 0, err
	}
	var c store.CategoryChange
	var nameErr, descriptionErr error
	if in.Name != nil {
		var name string
		name, nameErr = text.Line(forum.Input("name"), *in.Name, 1, forum.MaxName)
		fold := text.Fold(name)
		c.Name, c.Fold = &name, &fold
	}
	c.Description, descriptionErr = bodyIn("description", in.Description, 0, forum.MaxDescription)
	if err := errors.Join(nameErr, descriptionErr); err != nil {
		return 0, err
	}
	return id, r.Store.UpdateCategory(ctx, id, c)
}

// DeleteCategory resolves Mutation.deleteCategory.
func (r mutation) DeleteCategory(ctx context.Context,
	in model.DeleteCategoryInput) (*model.DeleteCategoryPayload, error) {
	id, err := idOf[forum.CategoryID](forum.Input("categoryId"), model.TypeCategory, in.CategoryID)
	if err == nil {
		err = r.Store.DeleteCategory(ctx, id)
	}
	p := &model.DeleteCategoryPayload{}
	if err == nil {
		p.DeletedCategoryID = &in.CategoryID
	}
	p.Errors, err = payload(ctx, err, inputIDs{"categoryId": in.CategoryID})
	return afterMutation(ctx, p, err)
}
