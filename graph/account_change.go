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
	p := &model.ChangePasswordPayload{}
	err := r.changePassword(ctx, in)
	if err == nil {
		r.secure(ctx, eventPasswordChanged)
		p.Viewer = &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
}

func (r mutation) changePassword(ctx context.Context, in model.ChangePasswordInput) error {
	if err := r.passwords(); err != nil {
		return err
	}
	was, err := r.prove(ctx, forum.Path("currentPassword"), in.CurrentPassword)
	if err != nil {
		return err
	}
	if err := auth.CheckPassword(forum.Path("newPassword"), in.NewPassword, was.LoginFold, was.EmailFold,
		r.SiteName); err != nil {
		return err
	}
	hash, err := r.Hasher.Hash(ctx, in.NewPassword)
	if err != nil {
		return err
	}
	return r.Store.Accounts.ChangePassword(ctx, auth.ViewerFrom(ctx), was.PasswordHash, hash)
}

// ChangeEmail resolves Mutation.changeEmail.
func (r mutation) ChangeEmail(ctx context.Context, in model.ChangeEmailInput) (*model.ChangeEmailPayload, error) {
	p := &model.ChangeEmailPayload{}
	err := r.changeEmail(ctx, in)
	if err == nil {
		r.secure(ctx, eventEmailChanged)
		p.Viewer = &model.Viewer{UserID: auth.ViewerFrom(ctx).ID}
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
}

func (r mutation) changeEmail(ctx context.Context, in model.ChangeEmailInput) error {
	email, fold, err := text.Email(forum.Path("email"), in.Email)
	if err != nil {
		return err
	}
	was, err := r.prove(ctx, forum.Path("password"), in.Password)
	if err != nil {
		return err
	}
	if text.FoldEmail(in.Password) == fold {
		return forum.Invalid(forum.Path("email"), "The e-mail address must not be the password.")
	}
	return r.Store.Accounts.ChangeEmail(ctx, auth.ViewerFrom(ctx).ID, was.PasswordHash, email, fold)
}

// DeleteAccount resolves Mutation.deleteAccount.
func (r mutation) DeleteAccount(ctx context.Context, in model.DeleteAccountInput) (*model.DeleteAccountPayload, error) {
	p := &model.DeleteAccountPayload{}
	id, hash, err := r.ownerOf(ctx, in)
	content := opt.Or(in.Content, model.DeletedUserContentKeep)
	switch {
	case err != nil:
	case content == model.DeletedUserContentErase:
		err = r.Store.Accounts.EraseAccount(ctx, id, hash)
	default:
		err = r.Store.Accounts.DeleteAccount(ctx, id, hash)
	}
	if err == nil {
		attrs := []slog.Attr{slog.String("content", string(content))}
		if auth.ViewerFrom(ctx) == nil {
			attrs = append(attrs, ofUser(id))
		}
		r.secure(ctx, eventAccountDeleted, attrs...)
		auth.SignOut(ctx)
		deleted := globalid.New(globalid.User, strconv.FormatInt(int64(id), 10))
		p.DeletedUserID = &deleted
	}
	p.Errors, err = payload(ctx, err)
	return afterMutation(ctx, p, err)
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
		err = r.Store.Accounts.EndAttempt(ctx, attempt, true)
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
	p := &model.SetUserRolePayload{}
	id, err := r.setUserRole(ctx, in)
	p.User, err = written(ctx, err, loader.From(ctx).Users, id, forum.NotFound(forum.Path("userId"), "user", in.UserID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) setUserRole(ctx context.Context, in model.SetUserRoleInput) (forum.UserID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	id, err := globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, in.UserID)
	if err != nil {
		return 0, err
	}
	if auth.ViewerFrom(ctx).Is(id) {
		return 0, &forum.Error{Code: forum.CodeSelf, Path: forum.Path("userId"),
			Message: "You cannot change your own role."}
	}
	why, err := app.Grounds(opt.Or(in.Reason, forum.ReasonOther), in.Note)
	if err != nil {
		return 0, err
	}
	if err := r.Store.Accounts.GiveRole(ctx, auth.ViewerFrom(ctx), id, in.Role, why); err != nil {
		return id, err
	}
	r.secure(ctx, eventRoleChanged, ofUser(id), slog.String("role", string(in.Role)))
	return id, nil
}
