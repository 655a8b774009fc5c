package graph

import (
	"context"
	"strconv"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/acts"
)

// Moderators resolves Category.moderators.
func (category) Moderators(ctx context.Context, cs []*loader.Category) ([][]*loader.User, error) {
	l := loader.From(ctx)
	found, errs := l.Moderators(ctx, mapSlice(cs, func(c *loader.Category) forum.CategoryID { return c.ID }))
	return batchResult(mapSlice(found, func(ids []forum.UserID) []*loader.User { return l.PresentUsers(ids) }), errs)
}

// Moderates resolves Viewer.moderates.
func (viewer) Moderates(ctx context.Context, vs []*model.Viewer) ([][]*loader.Category, error) {
	l := loader.From(ctx)
	users := l.Authors(mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	errs := l.NeedUsers(ctx, users)
	return batchResult(mapSlice(users, func(u *loader.User) []*loader.Category { return l.Categories(u.Moderates) }), errs)
}

// SetCategoryModerators resolves Mutation.setCategoryModerators.
func (r mutation) SetCategoryModerators(ctx context.Context,
	in model.SetCategoryModeratorsInput) (*model.SetCategoryModeratorsPayload, error) {
	id, err := app.CategoryID(ctx, forum.Path("category"), *in.Category)
	if err != nil {
		return nil, err
	}
	why, err := app.Grounds(opt.Or(in.Reason, forum.ReasonOther), in.Note)
	if err != nil {
		return nil, err
	}
	changes, err := moderatorChanges(ctx, in)
	if err != nil {
		return nil, err
	}
	l, missing := loader.From(ctx), forum.NotFound(forum.Path("category"), "category")
	found, err := single(l.CategoriesNow(ctx, []forum.CategoryID{id}))
	if err == nil && found == nil {
		err = missing
	}
	if err != nil {
		return nil, err
	}
	acts, err := r.Store.Acts.SetModerators(ctx, auth.ViewerFrom(ctx), id, changes, why)
	load := func(ctx context.Context, ids []forum.CategoryID) ([]*loader.Category, []error) {
		l.Ask(loader.Objects{Acts: acts})
		return l.CategoriesNow(ctx, ids)
	}
	p := &model.SetCategoryModeratorsPayload{Changed: len(acts) > 0}
	if p.Category, err = written(ctx, err, load, id, missing); err == nil && len(acts) > 0 {
		var errs []error
		p.Acts, errs = l.Acts(ctx, acts)
		p.Acts, err = compact(p.Acts), firstError(errs)
	}
	return p, err
}

// moderatorChanges returns the changes that an input asks for.
func moderatorChanges(ctx context.Context, in model.SetCategoryModeratorsInput) ([]acts.ModeratorChange, error) {
	var changes []acts.ModeratorChange
	known := map[forum.UserID]bool{}
	given := map[string][]string{"add": in.Add, "remove": in.Remove}
	for _, field := range []string{"add", "remove"} {
		ids := given[field]
		if len(ids) > forum.MaxCategoryModerators {
			return nil, forum.TooLong(forum.Path(field), forum.MaxCategoryModerators, "users")
		}
		users, err := globalid.All[forum.UserID](forum.Path(field), globalid.User, ids)
		if err != nil {
			return nil, err
		}
		for i, user := range users {
			path := forum.Path(field, strconv.Itoa(i))
			switch on, twice := known[user]; {
			case auth.ViewerFrom(ctx).Is(user):
				return nil, forum.Self(path, "You cannot do this to yourself.")
			case user == 0:
				return nil, forum.NotFound(path, "user")
			case twice && on != (field == "add"):
				return nil, forum.Invalid(path, "The user cannot be added and removed in one call.")
			case !twice:
				known[user] = field == "add"
				changes = append(changes, acts.ModeratorChange{User: user, On: field == "add",
					Field: field + "." + strconv.Itoa(i)})
			}
		}
	}
	return changes, nil
}
