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
	"agora/internal/opt"
)

// LinkAccount resolves Mutation.linkAccount.
func (r mutation) LinkAccount(ctx context.Context, in model.LinkAccountInput) (*model.LinkAccountPayload, error) {
	id, err := inputUser(in.UserID)
	err = errors.Join(err, r.SignIn.CheckExternal(forum.Path("external"), *in.External))
	if err != nil {
		return nil, err
	}
	if _, err = r.Store.Accounts.LinkExternal(ctx, id, *in.External, opt.Value(in.Take)); err == nil {
		r.secure(ctx, eventAccountLinked, ofUser(id))
	}
	u, err := writtenUser(ctx, err, id)
	return &model.LinkAccountPayload{User: u}, err
}

// UnlinkAccount resolves Mutation.unlinkAccount.
func (r mutation) UnlinkAccount(ctx context.Context, in model.UnlinkAccountInput) (*model.UnlinkAccountPayload, error) {
	id, err := inputUser(in.UserID) // the issuer may no longer be configured
	if err != nil {
		return nil, err
	}
	if err = r.Store.Accounts.UnlinkExternal(ctx, id, *in.External); err == nil {
		r.secure(ctx, eventAccountUnlinked, ofUser(id))
	}
	u, err := writtenUser(ctx, err, id)
	return &model.UnlinkAccountPayload{User: u}, err
}

// ReleaseValues resolves Mutation.releaseValues.
func (r mutation) ReleaseValues(ctx context.Context, in model.ReleaseValuesInput) (*model.ReleaseValuesPayload, error) {
	viewer := auth.ViewerFrom(ctx)
	id, err := viewer.ID, error(nil)
	if in.UserID != nil {
		id, err = globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, *in.UserID)
	}
	if err == nil && id != viewer.ID {
		err = checkRole(ctx, forum.RoleAdmin)
	}
	if err != nil {
		return nil, err
	}
	if slices.Contains(in.Values, model.ExternalValueRole) && !viewer.Has(forum.RoleAdmin) {
		return nil, forum.Forbidden(forum.Path("values"), forum.RoleAdmin,
			"Only administrators can leave a role to issuers.")
	}
	values := slices.Compact(slices.Sorted(slices.Values(in.Values)))
	fields := mapSlice(values, func(v model.ExternalValue) string { return strings.ToLower(string(v)) })
	err = r.Store.Accounts.DisownValues(ctx, id, fields)
	u, err := writtenUser(ctx, err, id)
	return &model.ReleaseValuesPayload{User: u}, err
}
