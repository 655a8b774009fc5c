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
	p := &model.ExportAccountPayload{}
	token, ends, err := r.exportAccount(ctx, in)
	if err == nil {
		url := TakeoutPath + token.String()
		p.URL, p.ExpiresAt = &url, &ends
	}
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) exportAccount(
	ctx context.Context, in model.ExportAccountInput,
) (token auth.Token, ends forum.Time, err error) {
	if err := r.admit(ctx); err != nil {
		return token, 0, err
	}
	viewer := auth.ViewerFrom(ctx)
	id := viewer.ID
	if in.UserID != nil {
		id, err = globalid.Of[forum.UserID](forum.Path("userId"), globalid.User, *in.UserID)
	}
	if err == nil && !viewer.MayFor(id, forum.ScopeExport) {
		err = checkRole(ctx, forum.RoleAdmin)
	}
	if err == nil {
		token, err = auth.NewToken(id)
	}
	if err == nil {
		ends, err = r.Store.Accounts.OfferTakeout(ctx, id, token.Digest())
	}
	if err == nil {
		r.secure(ctx, eventAccountExported, ofUser(id))
	}
	return token, ends, err
}
