package app

import (
	"context"
	"errors"
	"strconv"

	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/text"
)

// CategoryRef names a category in exactly one way.
type CategoryRef struct{ ID, Name *string }

// CategoryID returns the id of the category that the field at path names. Whether one named by its id exists is left
// to the write, but for one that the viewer does not see.
func CategoryID(ctx context.Context, path []string, ref CategoryRef) (forum.CategoryID, error) {
	if err := OneOf(path, ref.ID != nil, ref.Name != nil); err != nil {
		return 0, err
	}
	if ref.ID != nil {
		id, err := globalid.Of[forum.CategoryID](path, globalid.Category, *ref.ID)
		if err == nil && !loader.From(ctx).SeesCategory(id) {
			err = forum.NotFound(path, "category")
		}
		return id, err
	}
	found, err := loader.From(ctx).CategoryNamed(ctx, text.Fold(*ref.Name))
	if err != nil {
		return 0, err
	}
	if found == nil {
		return 0, forum.NotFound(path, "category")
	}
	return found.ID, nil
}

// CategoryIDs returns the ids of the categories that a field of an input names.
func CategoryIDs(ctx context.Context, field string, refs []*CategoryRef) ([]forum.CategoryID, error) {
	askCategories(ctx, refs)
	once := map[forum.CategoryID]bool{}
	categories := make([]forum.CategoryID, len(refs))
	for i, ref := range refs {
		var err error
		if categories[i], err = CategoryID(ctx, forum.Path(field, strconv.Itoa(i)), *ref); err != nil {
			return nil, err
		}
		once[categories[i]] = true
	}
	if len(once) > forum.MaxTabCategories {
		return nil, forum.TooLong(forum.Path(field), forum.MaxTabCategories, "categories")
	}
	return categories, nil
}

// askCategories queues the look-up of categories that are named, so that they are read together.
func askCategories(ctx context.Context, refs []*CategoryRef) {
	var folds []string
	for _, ref := range refs {
		if ref.Name != nil {
			folds = append(folds, text.Fold(*ref.Name))
		}
	}
	loader.From(ctx).AskCategoriesNamed(folds)
}

// Category returns the id of the category that the field "category" of an input names, and that exists.
func Category(ctx context.Context, ref CategoryRef) (forum.CategoryID, error) {
	path := forum.Path("category")
	if err := OneOf(path, ref.ID != nil, ref.Name != nil); err != nil {
		return 0, err
	}
	if path = forum.Path("category", "id"); ref.Name != nil {
		path = forum.Path("category", "name")
	}
	id, err := CategoryID(ctx, path, ref)
	if err != nil {
		return 0, err
	}
	found, errs := loader.From(ctx).CategoriesNow(ctx, []forum.CategoryID{id})
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	if found[0] == nil {
		return 0, forum.NotFound(path, "category")
	}
	return id, nil
}

// CheckPost returns FORBIDDEN at path if the viewer may not post in a category, or with 0 without one.
func (a App) CheckPost(ctx context.Context, path []string, category forum.CategoryID) error {
	return a.Store.Rules.Current(ctx).In(category).CheckPost(path, auth.ViewerFrom(ctx))
}

// OneOf checks that exactly one way of naming something is set. gqlgen checks that in literals, not in variables.
func OneOf(path []string, names ...bool) error {
	n := 0
	for _, set := range names {
		if set {
			n++
		}
	}
	if n != 1 {
		return forum.BadInput(path, "Set exactly one field, and not to null.")
	}
	return nil
}
