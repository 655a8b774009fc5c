package graph

import (
	"context"
	"log/slog"
	"strconv"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/accounts"
	"agora/internal/store/engine"
	"agora/internal/text"
)

// Email resolves Viewer.email.
func (viewer) Email(ctx context.Context, vs []*model.Viewer) ([]*string, error) {
	emails, errs := loader.From(ctx).Emails(ctx, mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	return batchResult(mapSlice(emails, func(email string) *string {
		if email == "" {
			return nil
		}
		return &email
	}), errs)
}

// Sessions resolves Viewer.sessions.
func (viewer) Sessions(ctx context.Context, vs []*model.Viewer) ([][]*model.Session, error) {
	found, errs := loader.From(ctx).Sessions(ctx, mapSlice(vs, func(v *model.Viewer) forum.UserID { return v.UserID }))
	current := auth.ViewerFrom(ctx)
	return batchResult(mapSlice(found, func(sessions []*forum.Session) []*model.Session {
		return mapSlice(sessions, func(s *forum.Session) *model.Session {
			return &model.Session{Session: *s, IsCurrent: current != nil && s.Digest == current.Session}
		})
	}), errs)
}

// prove checks the viewer's own password, passed at path, and returns the secrets of the account. Guesses are limited
// by user and by address, and logged.
func (r mutation) prove(ctx context.Context, path []string, password string) (accounts.Secrets, error) {
	secrets, err := r.guess(ctx, path, password)
	r.secureFailure(ctx, err, eventProofFailed, eventProofLimited)
	return secrets, err
}

// guess is prove without the log.
func (r mutation) guess(ctx context.Context, path []string, password string) (accounts.Secrets, error) {
	id := auth.ViewerFrom(ctx).ID
	guesses := engine.Rate{What: "proof", Who: strconv.FormatInt(int64(id), 10), Limit: forum.ProofLimit,
		Per: forum.SignInWindow}
	secrets, err := r.Store.Accounts.Secrets(ctx, id, append(r.fromAddress(ctx), guesses)...)
	if err != nil {
		return accounts.Secrets{}, err
	}
	ok, err := r.Hasher.Verify(ctx, secrets.PasswordHash, password)
	if err == nil && !ok {
		err = forum.WrongCredentials(path)
	}
	return secrets, err
}

// ChangePassword resolves Mutation.changePassword.
func (r mutation) ChangePassword(ctx context.Context,
	in model.ChangePasswordInput) (*model.ChangePasswordPayload, error) {
	if err := r.passwords(); err != nil {
		return nil, err
	}
	was, err := r.prove(ctx, forum.Path("currentPassword"), in.CurrentPassword)
	if err != nil {
		return nil, err
	}
	if err := auth.CheckPassword(forum.Path("newPassword"), in.NewPassword, was.LoginFold, was.EmailFold,
		r.SiteName); err != nil {
		return nil, err
	}
	hash, err := r.Hasher.Hash(ctx, in.NewPassword)
	if err != nil {
		return nil, err
	}
	viewer := auth.ViewerFrom(ctx)
	if err := r.Store.Accounts.ChangePassword(ctx, viewer, was.PasswordHash, hash); err != nil {
		return nil, err
	}
	r.secure(ctx, eventPasswordChanged)
	return &model.ChangePasswordPayload{Viewer: &model.Viewer{UserID: viewer.ID}}, nil
}

// ChangeEmail resolves Mutation.changeEmail.
func (r mutation) ChangeEmail(ctx context.Context, in model.ChangeEmailInput) (*model.ChangeEmailPayload, error) {
	email, fold, err := text.Email(forum.Path("email"), in.Email)
	if err != nil {
		return nil, err
	}
	was, err := r.prove(ctx, forum.Path("password"), in.Password)
	if err != nil {
		return nil, err
	}
	if text.FoldEmail(in.Password) == fold {
		return nil, forum.Invalid(forum.Path("email"), "The e-mail address must not be the password.")
	}
	viewer := auth.ViewerFrom(ctx).ID
	if err := r.Store.Accounts.ChangeEmail(ctx, viewer, was.PasswordHash, email, fold); err != nil {
		return nil, err
	}
	r.secure(ctx, eventEmailChanged)
	return &model.ChangeEmailPayload{Viewer: &model.Viewer{UserID: viewer}}, nil
}

// DeleteAccount resolves Mutation.deleteAccount.
func (r mutation) DeleteAccount(ctx context.Context, in model.DeleteAccountInput) (*model.DeleteAccountPayload, error) {
	id, hash, err := r.ownerOf(ctx, in)
	if err != nil {
		return nil, err
	}
	content, remove := opt.Or(in.Content, model.DeletedUserContentKeep), r.Store.Accounts.DeleteAccount
	if content == model.DeletedUserContentErase {
		remove = r.Store.Accounts.EraseAccount
	}
	if err := remove(ctx, id, hash); err != nil {
		return nil, err
	}
	attrs := []slog.Attr{slog.String("content", string(content))}
	if auth.ViewerFrom(ctx) == nil {
		attrs = append(attrs, ofUser(id))
	}
	r.secure(ctx, eventAccountDeleted, attrs...)
	auth.SignOut(ctx)
	return &model.DeleteAccountPayload{DeletedUserID: accountID(id)}, nil
}

// ownerOf returns the account that its owner asks to delete, and the hash that the password was checked against, "" for
// an account without one. Who is signed out names the account, as to sign in, and is limited in the same ways.
func (r mutation) ownerOf(ctx context.Context, in model.DeleteAccountInput) (forum.UserID, string, error) {
	viewer := auth.ViewerFrom(ctx)
	switch {
	case viewer != nil && in.Identifier != nil:
		return 0, "", forum.Invalid(forum.Path("identifier"), "Leave this out while you are signed in.")
	case viewer != nil && in.Password == nil:
		return viewer.ID, "", r.provedLately(ctx)
	case viewer != nil:
		was, err := r.prove(ctx, forum.Path("password"), *in.Password)
		return viewer.ID, was.PasswordHash, err
	case in.Identifier == nil:
		return 0, "", checkRole(ctx, forum.RoleUser)
	}
	found, attempt, err := r.authenticate(ctx, *in.Identifier, opt.Value(in.Password))
	if err == nil {
		err = r.Store.Sessions.EndAttempt(ctx, attempt, true)
	}
	return found.User, found.PasswordHash, err
}

// provedLately checks that the viewer, who gives no password, has none, and proved at an issuer lately who it is.
func (r mutation) provedLately(ctx context.Context) error {
	viewer := auth.ViewerFrom(ctx)
	secrets, err := r.Store.Accounts.Secrets(ctx, viewer.ID)
	switch {
	case err != nil:
		return err
	case secrets.PasswordHash != "":
		return forum.WrongCredentials(forum.Path("password"))
	case !viewer.Proved(r.Store.Engine.Now()):
		return forum.SignInAgain(nil)
	}
	return nil
}

// SetUserRole resolves Mutation.setUserRole.
func (r mutation) SetUserRole(ctx context.Context, in model.SetUserRoleInput) (*model.SetUserRolePayload, error) {
	id, err := globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, in.UserID)
	if err != nil {
		return nil, err
	}
	if auth.ViewerFrom(ctx).Is(id) {
		return nil, forum.Self(forum.Path("userId"), "You cannot change your own role.")
	}
	why, err := app.Grounds(opt.Or(in.Reason, forum.ReasonOther), in.Note)
	if err != nil {
		return nil, err
	}
	err = r.Store.Accounts.GiveRole(ctx, auth.ViewerFrom(ctx), id, in.Role, why)
	if err == nil {
		r.secure(ctx, eventRoleChanged, ofUser(id), slog.String("role", string(in.Role)))
	}
	u, err := writtenUser(ctx, err, id)
	return &model.SetUserRolePayload{User: u}, err
}
