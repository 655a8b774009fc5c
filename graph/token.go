package graph

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/text"
)

// CreateToken resolves Mutation.createToken.
func (r mutation) CreateToken(ctx context.Context, in model.CreateTokenInput) (*model.CreateTokenPayload, error) {
	viewer := auth.ViewerFrom(ctx)
	made := forum.APIToken{EndsAt: opt.Value(in.ExpiresAt)}
	var nameErr, scopesErr, endErr error
	made.Name, nameErr = text.Line(forum.Path("name"), in.Name, 1, forum.MaxName)
	for _, s := range forum.Scopes {
		if slices.Contains(in.Scopes, s) {
			made.Scopes = append(made.Scopes, s)
		}
	}
	switch {
	case len(made.Scopes) == 0:
		scopesErr = forum.TooShort(forum.Path("scopes"), 1, "scopes")
	case slices.Contains(made.Scopes, forum.ScopeImpersonate) && !viewer.Has(forum.RoleAdmin):
		scopesErr = forum.Forbidden(forum.Path("scopes"), forum.RoleAdmin,
			"Only administrators may create a token that acts as others.")
	case slices.ContainsFunc(made.Scopes, forum.Scope.NeedsProof) && !viewer.Proved(r.Store.Engine.Now()):
		scopesErr = forum.SignInAgain(forum.Path("scopes"))
	}
	if in.ExpiresAt != nil && made.EndsAt <= r.Store.Engine.Now() {
		endErr = forum.Invalid(forum.Path("expiresAt"), "This time is over.")
	}
	if err := errors.Join(nameErr, scopesErr, endErr); err != nil {
		return nil, err
	}
	token, err := auth.NewAPIToken(viewer.ID)
	if err != nil {
		return nil, err
	}
	made.Digest = token.Digest()
	created, err := r.Store.Sessions.CreateToken(ctx, viewer, made)
	if err != nil {
		return nil, err
	}
	r.secure(ctx, eventTokenCreated, slog.String("token", auth.SessionName(created.Digest)),
		slog.Any("scopes", created.Scopes))
	secret := token.String()
	return &model.CreateTokenPayload{Token: &secret, APIToken: &model.APIToken{APIToken: *created}}, nil
}

// RevokeToken resolves Mutation.revokeToken.
func (r mutation) RevokeToken(ctx context.Context, in model.RevokeTokenInput) (*model.RevokeTokenPayload, error) {
	o, err := globalid.Parse(forum.Path("tokenId"), in.TokenID)
	if err != nil {
		return nil, err
	}
	viewer := auth.ViewerFrom(ctx)
	if o.Type != globalid.Token || !viewer.Is(forum.UserID(o.Number)) {
		return nil, forum.NotFound(forum.Path("tokenId"), "token")
	}
	if err := r.Store.Sessions.RevokeToken(ctx, viewer.ID, o.Session); err != nil {
		return nil, err
	}
	r.secure(ctx, eventTokenRevoked, slog.String("token", o.Session))
	return &model.RevokeTokenPayload{RevokedTokenID: &in.TokenID}, nil
}

// Tokens resolves Viewer.tokens.
func (viewer) Tokens(ctx context.Context, vs []*model.Viewer) ([][]*model.APIToken, error) {
	found, errs := loader.From(ctx).Tokens(ctx, mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	return batchResult(mapSlice(found, func(tokens []*forum.APIToken) []*model.APIToken {
		return mapSlice(tokens, func(t *forum.APIToken) *model.APIToken { return &model.APIToken{APIToken: *t} })
	}), errs)
}

// tokenNodes returns the viewer's own API tokens.
func tokenNodes(ctx context.Context, of []globalid.Object) ([]model.Node, []error) {
	values := make([]model.Node, len(of))
	viewer := auth.ViewerFrom(ctx)
	if viewer == nil {
		return values, nil
	}
	found, errs := loader.From(ctx).Tokens(ctx, []forum.UserID{viewer.ID})
	for i, o := range of {
		for _, t := range found[0] {
			if viewer.Is(forum.UserID(o.Number)) && o.Session == auth.SessionName(t.Digest) {
				values[i] = &model.APIToken{APIToken: *t}
			}
		}
	}
	if errs == nil {
		return values, nil
	}
	return values, slices.Repeat(errs, len(of))
}
