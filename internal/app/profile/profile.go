// Package profile has the use cases of what members say of themselves.
package profile

import (
	"context"
	"errors"

	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/ratelimit"
	"agora/internal/signin"
	"agora/internal/store/accounts"
	"agora/internal/text"
)

// Rules are the rules of the mutations.
var Rules = map[string]app.Rule{
	"updateProfile": {Scope: forum.ScopeProfile, Rate: ratelimit.Edits},
}

// UpdateProfileInput is the input of the mutation; the schema describes its fields.
type UpdateProfileInput struct {
	Name, Bio, Website, AvatarURL *string
	IsBot                         *bool
}

// Update changes the viewer's profile.
func Update(ctx context.Context, a app.App, in UpdateProfileInput) error {
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
			check = func(_ forum.Posted, s string) (string, error) { return newName(ctx, a, s) }
		}
		checked, err := check(t.Of, *t.Value)
		c.Texts[i].Value, errs = &checked, append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	shown := a.Collect(ctx, func(all *app.Text) {
		for _, t := range c.Texts {
			all.Add(t.Of, opt.Value(t.Value))
		}
	})
	if err := a.CheckText(ctx, shown, 0); err != nil {
		return err
	}
	return a.Store.Accounts.UpdateProfile(ctx, auth.ViewerFrom(ctx).ID, c)
}

// newName checks the viewer's new display name. Staff may have any, and everybody the one they have, which an
// application sends back unchanged.
func newName(ctx context.Context, a app.App, s string) (string, error) {
	viewer := auth.ViewerFrom(ctx)
	if viewer.Moderator() {
		return text.Posted(forum.PostedName, s)
	}
	name, err := signin.Name(ctx, a.Store, viewer.ID, forum.Path("name"), s)
	if forum.CodeOf(err) != forum.CodeInvalid {
		return name, err
	}
	us, errs := loader.From(ctx).Users(ctx, []forum.UserID{viewer.ID})
	if failed := errors.Join(errs...); failed != nil {
		return "", failed
	}
	if us[0] != nil && us[0].Name == s {
		return s, nil
	}
	return "", err
}
