package graph

import (
	"context"
	"errors"
	"log/slog"
	"strconv"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
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
	p := &model.UpsertUserPayload{}
	id, created, err := r.upsertUser(ctx, in)
	p.User, err = written(ctx, err, loader.From(ctx).Users, id, forum.Deactivated(forum.Path("external")))
	p.Created = err == nil && created
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// upsertUser checks the input, finds or makes the account and sets its values.
func (r mutation) upsertUser(ctx context.Context, in model.UpsertUserInput) (forum.UserID, bool, error) {
	if err := r.admit(ctx); err != nil {
		return 0, false, err
	}
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
		return 0, false, err
	}
	if in.Role != nil {
		m.Profile.Role = *in.Role
	}
	id, created, err := r.SignIn.Upsert(ctx, m)
	if forum.CodeOf(err) == forum.CodeDeactivated {
		err = forum.Deactivated(forum.Path("external"))
	}
	return id, created, err
}

// DeactivateUser resolves Mutation.deactivateUser.
func (r mutation) DeactivateUser(ctx context.Context,
	in model.DeactivateUserInput) (*model.DeactivateUserPayload, error) {
	p, off := &model.DeactivateUserPayload{}, opt.Or(in.Deactivated, true)
	id, err := r.otherUser(ctx, in.UserID)
	if err == nil {
		err = r.Store.Accounts.SetDeactivated(ctx, id, off)
	}
	if err == nil {
		event := eventAccountActivated
		if off {
			event = eventAccountDeactivated
		}
		r.secure(ctx, event, ofUser(id))
	}
	p.User, err = written(ctx, err, loader.From(ctx).Users, id, forum.NotFound(forum.Path("userId"), "user", in.UserID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// DeleteUser resolves Mutation.deleteUser.
func (r mutation) DeleteUser(ctx context.Context, in model.DeleteUserInput) (*model.DeleteUserPayload, error) {
	p := &model.DeleteUserPayload{}
	id, err := r.otherUser(ctx, in.UserID)
	content := opt.Or(in.Content, model.DeletedUserContentKeep)
	if err == nil {
		err = r.Store.Accounts.DeleteUser(ctx, id, content == model.DeletedUserContentErase)
	}
	if err == nil {
		r.secure(ctx, eventAccountDeleted, ofUser(id), slog.String("content", string(content)))
		deleted := globalid.New(globalid.User, strconv.FormatInt(int64(id), 10))
		p.DeletedUserID = &deleted
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
}

// EndSessions resolves Mutation.endSessions.
func (r mutation) EndSessions(ctx context.Context, in model.EndSessionsInput) (*model.EndSessionsPayload, error) {
	p := &model.EndSessionsPayload{}
	id, err := r.endSessions(ctx, in)
	p.User, err = written(ctx, err, loader.From(ctx).Users, id,
		forum.NotFound(forum.Path("userId"), "user", opt.Value(in.UserID)))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) endSessions(ctx context.Context, in model.EndSessionsInput) (forum.UserID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	viewer := auth.ViewerFrom(ctx)
	id, err := viewer.ID, error(nil)
	if in.UserID != nil {
		id, err = globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, *in.UserID)
	}
	if err == nil && !viewer.MayFor(id, forum.ScopeEndSessions) {
		err = checkRole(ctx, forum.RoleAdmin)
	}
	if err != nil {
		return 0, err
	}
	err = r.Store.Accounts.EndSessions(ctx, id)
	if err == nil {
		r.secure(ctx, eventSessionsEnded, ofUser(id))
	}
	return id, err
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
	p := &model.RenewTokenPayload{}
	err := r.admit(ctx)
	renew := auth.CallerFrom(ctx).Renew
	if err == nil && renew == nil {
		err = forum.Invalid(nil, "Only a socket has a token to renew. Send the new one with the next request.")
	}
	if err == nil {
		var ends forum.Time
		if ends, err = renew(ctx, in.Token); err == nil {
			p.ExpiresAt = &ends
		}
	}
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// passwords returns FORBIDDEN if the site has no passwords.
func (r mutation) passwords() error {
	if r.NoPasswords {
		return forum.Forbidden(nil, "", "This site has no passwords: its members sign in with tokens of its issuers.")
	}
	return nil
}
