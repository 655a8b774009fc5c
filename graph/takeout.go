package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
)

// TakeoutPath is where take-outs are downloaded: a secret follows.
const TakeoutPath = "/takeout/"

// ExportAccount resolves Mutation.exportAccount.
func (r mutation) ExportAccount(ctx context.Context, in model.ExportAccountInput) (*model.ExportAccountPayload, error) {
	id, err := viewerOr(ctx, in.UserID, forum.ScopeExport)
	if err != nil {
		return nil, err
	}
	token, err := auth.NewToken(id)
	if err != nil {
		return nil, err
	}
	ends, err := r.Store.Accounts.OfferTakeout(ctx, id, token.Digest())
	if err != nil {
		return nil, err
	}
	r.secure(ctx, eventAccountExported, ofUser(id))
	url := TakeoutPath + token.String()
	return &model.ExportAccountPayload{URL: &url, ExpiresAt: &ends}, nil
}

// viewerOr returns the user that the input names as userId, or the viewer. Others than the viewer are for those who
// may act for all with the scope, and for administrators.
func viewerOr(ctx context.Context, userID *string, scope forum.Scope) (forum.UserID, error) {
	viewer := auth.ViewerFrom(ctx)
	id, err := viewer.ID, error(nil)
	if userID != nil {
		id, err = globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, *userID)
	}
	if err == nil && !viewer.MayFor(id, scope) {
		err = checkRole(ctx, forum.RoleAdmin)
	}
	return id, err
}
