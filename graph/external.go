package graph

import (
	"context"
	"errors"
	"log/slog"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/issuer"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/signin"
	"agora/internal/text"
)

// userWithExternal returns the user who has an account at an issuer, nil for nobody. It is for administrators.
func userWithExternal(ctx context.Context, of forum.External) (*loader.User, error) {
	if err := checkRole(ctx, forum.RoleAdmin); err != nil {
		return nil, err
	}
	return loader.From(ctx).UserWithExternal(ctx, of)
}

// External resolves User.external.
func (user) External(ctx context.Context, us []*loader.User) ([][]*forum.External, error) {
	found := make([][]*forum.External, len(us))
	if !auth.ViewerFrom(ctx).Has(forum.RoleAdmin) {
		return found, nil
	}
	all, errs := loader.From(ctx).Externals(ctx, mapSlice(us, func(u *loader.User) forum.UserID { return u.ID }))
	for i := range found {
		found[i] = []*forum.External{}
		for _, e := range all[i] {
			found[i] = append(found[i], &e)
		}
	}
	return batchResult(found, errs)
}

// UpsertUser resolves Mutation.upsertUser.
func (r mutation) UpsertUser(ctx context.Context, in model.UpsertUserInput) (*model.UpsertUserPayload, error) {
	m := signin.Member{External: *in.External}
	var externalErr, loginErr, nameErr, avatarErr error
	externalErr = r.SignIn.CheckExternal(forum.Path("external"), m.External)
	if in.Login != nil {
		m.Profile.Login, loginErr = text.Line(forum.Path("login"), *in.Login, 1, forum.MaxName)
	}
	if in.Name != nil {
		m.Profile.Name, nameErr = text.Line(forum.Path("name"), *in.Name, 1, forum.MaxName)
	}
	if in.AvatarURL != nil {
		m.Profile.Avatar, avatarErr = text.Link(forum.Path("avatarUrl"), *in.AvatarURL)
	}
	if err := errors.Join(externalErr, loginErr, nameErr, avatarErr); err != nil {
		return nil, err
	}
	if in.Role != nil {
		m.Profile.Role = *in.Role
	}
	id, created, err := r.SignIn.Upsert(ctx, m)
	deactivated := forum.Deactivated(forum.Path("external"))
	if forum.CodeOf(err) == forum.CodeDeactivated {
		err = deactivated
	}
	u, err := written(ctx, err, loader.From(ctx).Users, id, deactivated)
	return &model.UpsertUserPayload{User: u, Created: created}, err
}

// DeactivateUser resolves Mutation.deactivateUser.
func (r mutation) DeactivateUser(ctx context.Context,
	in model.DeactivateUserInput) (*model.DeactivateUserPayload, error) {
	id, err := otherUser(ctx, in.UserID)
	if err != nil {
		return nil, err
	}
	off, event := opt.Or(in.Deactivated, true), eventAccountActivated
	if off {
		event = eventAccountDeactivated
	}
	if err = r.Store.Accounts.SetDeactivated(ctx, id, off); err == nil {
		r.secure(ctx, event, ofUser(id))
	}
	u, err := writtenUser(ctx, err, id)
	return &model.DeactivateUserPayload{User: u}, err
}

// DeleteUser resolves Mutation.deleteUser.
func (r mutation) DeleteUser(ctx context.Context, in model.DeleteUserInput) (*model.DeleteUserPayload, error) {
	id, err := otherUser(ctx, in.UserID)
	if err != nil {
		return nil, err
	}
	content := opt.Or(in.Content, model.DeletedUserContentKeep)
	if err := r.Store.Accounts.DeleteUser(ctx, id, content == model.DeletedUserContentErase); err != nil {
		return nil, err
	}
	r.secure(ctx, eventAccountDeleted, ofUser(id), slog.String("content", string(content)))
	return &model.DeleteUserPayload{DeletedUserID: accountID(id)}, nil
}

// EndSessions resolves Mutation.endSessions.
func (r mutation) EndSessions(ctx context.Context, in model.EndSessionsInput) (*model.EndSessionsPayload, error) {
	id, err := viewerOr(ctx, in.UserID, forum.ScopeEndSessions)
	if err != nil {
		return nil, err
	}
	if err = r.Store.Sessions.EndSessions(ctx, id); err == nil {
		r.secure(ctx, eventSessionsEnded, ofUser(id))
	}
	u, err := writtenUser(ctx, err, id)
	return &model.EndSessionsPayload{User: u}, err
}

// LogOut does what a logout token of an issuer says. The errors are those of signin.LogOut.
func (r *Resolver) LogOut(ctx context.Context, token string, g issuer.Guard) error {
	id, err := r.SignIn.LogOut(ctx, token, g)
	if err == nil && id != 0 {
		r.secure(ctx, eventLoggedOut, ofUser(id))
	}
	return err
}

// RenewToken resolves Mutation.renewToken.
func (r mutation) RenewToken(ctx context.Context, in model.RenewTokenInput) (*model.RenewTokenPayload, error) {
	renew := auth.CallerFrom(ctx).Renew
	if renew == nil {
		return nil, forum.Invalid(nil, "Only a socket has a token to renew. Send the new one with the next request.")
	}
	ends, err := renew(ctx, in.Token)
	return &model.RenewTokenPayload{ExpiresAt: &ends}, err
}

// passwords returns FORBIDDEN if the site has no passwords.
func (r mutation) passwords() error {
	if r.NoPasswords {
		return forum.Forbidden(nil, "", "This site has no passwords: its members sign in with tokens of its issuers.")
	}
	return nil
}
