package graph

import (
	"context"
	"errors"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/signin"
	"agora/internal/store/accounts"
	"agora/internal/text"
)

// ChangeLogin resolves Mutation.changeLogin.
func (r mutation) ChangeLogin(ctx context.Context, in model.ChangeLoginInput) (*model.ChangeLoginPayload, error) {
	p := &model.ChangeLoginPayload{}
	err := r.changeLogin(ctx, in)
	if err == nil {
		r.secure(ctx, eventLoginChanged)
		p.Viewer = &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}
	}
	p.Errors, err = payload(ctx, err, nil)
	return afterMutation(ctx, p, err)
}

func (r mutation) changeLogin(ctx context.Context, in model.ChangeLoginInput) error {
	if err := r.admit(ctx); err != nil {
		return err
	}
	login, fold, err := signin.Login(ctx, r.Store, auth.ViewerFrom(ctx).ID, forum.Input("login"), in.Login)
	if err != nil {
		return err
	}
	was, err := r.prove(ctx, forum.Input("password"), in.Password)
	if err != nil {
		return err
	}
	if same, ok := text.FoldLogin(in.Password); ok && same == fold {
		return forum.Invalid(forum.Input("login"), "The login must not be the password.")
	}
	err = r.notBlocked(ctx, r.collectText(ctx, func(t *postedText) { t.add(forum.PostedLogin, login) }))
	if err != nil {
		return err
	}
	return r.Store.Accounts.ChangeLogin(ctx, auth.ViewerFrom(ctx).ID, was.PasswordHash, login, fold)
}

// UpdateProfile resolves Mutation.updateProfile.
func (r mutation) UpdateProfile(ctx context.Context, in model.UpdateProfileInput) (*model.UpdateProfilePayload, error) {
	p := &model.UpdateProfilePayload{}
	err := r.updateProfile(ctx, in)
	if err == nil {
		p.Viewer = &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}
	}
	p.Errors, err = payload(ctx, err, nil)
	return afterMutation(ctx, p, err)
}

func (r mutation) updateProfile(ctx context.Context, in model.UpdateProfileInput) error {
	if err := r.admit(ctx); err != nil {
		return err
	}
	c := accounts.ProfileChange{IsBot: in.IsBot, Texts: []accounts.ProfileText{
		{Of: forum.PostedName, Value: in.Name}, {Of: forum.PostedBio, Value: in.Bio},
		{Of: forum.PostedWebsite, Value: in.Website}, {Of: forum.PostedAvatar, Value: in.AvatarURL},
	}}
	var errs []error
	for i, t := range c.Texts {
		if t.Value == nil {
			continue
		}
		check := text.Posted
		if t.Of == forum.PostedName {
			check = func(_ forum.Posted, s string) (string, error) { return r.newName(ctx, s) }
		}
		checked, err := check(t.Of, *t.Value)
		c.Texts[i].Value, errs = &checked, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	shown := r.collectText(ctx, func(all *postedText) {
		for _, t := range c.Texts {
			all.add(t.Of, deref(t.Value))
		}
	})
	if err := r.checkText(ctx, shown, 0); err != nil {
		return err
	}
	return r.Store.Accounts.UpdateProfile(ctx, auth.ViewerFrom(ctx).ID, c)
}

// newName checks the viewer's new display name. Staff may have any, and everybody the one they have, which an
// application sends back unchanged.
func (r mutation) newName(ctx context.Context, s string) (string, error) {
	viewer := auth.ViewerFrom(ctx)
	if viewer.Moderator() {
		return text.Posted(forum.PostedName, s)
	}
	name, err := signin.Name(ctx, r.Store, viewer.ID, forum.Input("name"), s)
	if forum.CodeOf(err) != forum.CodeInvalid {
		return name, err
	}
	us, errs := loader.From(ctx).Users(ctx, []forum.UserID{viewer.ID})
	if failed := firstError(errs); failed != nil {
		return "", failed
	}
	if us[0] != nil && us[0].Name == s {
		return s, nil
	}
	return "", err
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
