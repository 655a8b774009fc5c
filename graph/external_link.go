package graph

import (
	"context"
	"errors"
	"slices"
	"strings"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
)

// LinkAccount resolves Mutation.linkAccount.
func (r mutation) LinkAccount(ctx context.Context, in model.LinkAccountInput) (*model.LinkAccountPayload, error) {
	p := &model.LinkAccountPayload{}
	id, err := r.inputUser(ctx, in.UserID)
	err = errors.Join(err, r.SignIn.CheckExternal(forum.Path("external"), *in.External))
	if err == nil {
		_, err = r.Store.Accounts.LinkExternal(ctx, id, *in.External, opt.Value(in.Take))
	}
	if err == nil {
		r.secure(ctx, eventAccountLinked, ofUser(id))
	}
	p.User, err = written(ctx, err, loader.From(ctx).Users, id, forum.NotFound(forum.Path("userId"), "user", in.UserID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// UnlinkAccount resolves Mutation.unlinkAccount.
func (r mutation) UnlinkAccount(ctx context.Context, in model.UnlinkAccountInput) (*model.UnlinkAccountPayload, error) {
	p := &model.UnlinkAccountPayload{}
	id, err := r.inputUser(ctx, in.UserID) // the issuer may no longer be configured
	if err == nil {
		err = r.Store.Accounts.UnlinkExternal(ctx, id, *in.External)
	}
	if err == nil {
		r.secure(ctx, eventAccountUnlinked, ofUser(id))
	}
	p.User, err = written(ctx, err, loader.From(ctx).Users, id, forum.NotFound(forum.Path("userId"), "user", in.UserID))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// ReleaseValues resolves Mutation.releaseValues.
func (r mutation) ReleaseValues(ctx context.Context, in model.ReleaseValuesInput) (*model.ReleaseValuesPayload, error) {
	p := &model.ReleaseValuesPayload{}
	id, err := r.releaseValues(ctx, in)
	p.User, err = written(ctx, err, loader.From(ctx).Users, id,
		forum.NotFound(forum.Path("userId"), "user", opt.Value(in.UserID)))
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) releaseValues(ctx context.Context, in model.ReleaseValuesInput) (forum.UserID, error) {
	id, err := r.ownOrNamed(ctx, in.UserID)
	if err != nil {
		return 0, err
	}
	if slices.Contains(in.Values, model.ExternalValueRole) && !auth.ViewerFrom(ctx).Has(forum.RoleAdmin) {
		return 0, forum.Forbidden(forum.Path("values"), forum.RoleAdmin,
			"Only administrators can leave a role to issuers.")
	}
	values := slices.Compact(slices.Sorted(slices.Values(in.Values)))
	fields := mapSlice(values, func(v model.ExternalValue) string { return strings.ToLower(string(v)) })
	return id, r.Store.Accounts.DisownValues(ctx, id, fields)
}

// ownOrNamed returns the viewer, or the user that an administrator names.
func (r mutation) ownOrNamed(ctx context.Context, userID *string) (forum.UserID, error) {
	if err := r.admit(ctx); err != nil {
		return 0, err
	}
	viewer := auth.ViewerFrom(ctx).ID
	if userID == nil {
		return viewer, nil
	}
	id, err := globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, *userID)
	if err == nil && id != viewer {
		err = checkRole(ctx, forum.RoleAdmin)
	}
	return id, err
}
