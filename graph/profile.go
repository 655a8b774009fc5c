package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/app/profile"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/signin"
	"agora/internal/text"
)

// ChangeLogin resolves Mutation.changeLogin.
func (r mutation) ChangeLogin(ctx context.Context, in model.ChangeLoginInput) (*model.ChangeLoginPayload, error) {
	viewer := auth.ViewerFrom(ctx).ID
	login, fold, err := signin.Login(ctx, r.Store, viewer, forum.Path("login"), in.Login)
	if err != nil {
		return nil, err
	}
	was, err := r.prove(ctx, forum.Path("password"), in.Password)
	if err != nil {
		return nil, err
	}
	if same, ok := text.FoldLogin(in.Password); ok && same == fold {
		return nil, forum.Invalid(forum.Path("login"), "The login must not be the password.")
	}
	err = r.app().NotBlocked(ctx, r.app().Collect(ctx, func(t *app.Text) { t.Add(forum.PostedLogin, login) }))
	if err != nil {
		return nil, err
	}
	if err := r.Store.Accounts.ChangeLogin(ctx, viewer, was.PasswordHash, login, fold); err != nil {
		return nil, err
	}
	r.secure(ctx, eventLoginChanged)
	return &model.ChangeLoginPayload{Viewer: &model.Viewer{UserID: viewer}}, nil
}

// UpdateProfile resolves Mutation.updateProfile.
func (r mutation) UpdateProfile(ctx context.Context,
	in profile.UpdateProfileInput) (*model.UpdateProfilePayload, error) {
	return &model.UpdateProfilePayload{Viewer: &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}},
		profile.Update(ctx, r.app(), in)
}

// Website resolves User.website. That of a new member is shown to the member and to moderators only.
func (user) Website(ctx context.Context, us []*loader.User) ([]*string, error) {
	l, viewer := loader.From(ctx), auth.ViewerFrom(ctx)
	counts, errs := l.UserCounts(ctx, us)
	pages := make([]*string, len(us))
	for i, u := range us {
		if u.Website != "" && (!l.IsNew(u, counts[i].Karma) || viewer.Is(u.ID) || viewer.Moderator()) {
			pages[i] = &u.Website
		}
	}
	return batchResult(pages, errs)
}
