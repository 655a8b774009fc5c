package graph

import (
	"context"
	"strconv"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/listing"
)

// Applications resolves Query.applications.
func (query) Applications(ctx context.Context, state *forum.ApplicationState, first *int, after *string, last *int,
	before *string) (*model.ApplicationConnection, error) {
	list := listing.Applicants(opt.Or(state, forum.ApplicationPending))
	return onlyResult(pages(ctx, []listing.List{list}, pageArgs(ctx, first, after, last, before),
		model.NewApplicationConnection))
}

// Nodes resolves ApplicationConnection.nodes.
func (applicationConnection) Nodes(ctx context.Context,
	cs []*model.ApplicationConnection) ([][]*forum.Application, error) {
	return nodesOf(ctx, cs, loader.From(ctx).Applications)
}

// Edges resolves ApplicationConnection.edges.
func (applicationConnection) Edges(ctx context.Context,
	cs []*model.ApplicationConnection) ([][]*model.ApplicationEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).Applications, (*model.ApplicationConnection).Edge)
}

// UserID resolves Application.userId.
func (application) UserID(_ context.Context, as []*forum.Application) ([]string, error) {
	return mapSlice(as, func(a *forum.Application) string {
		return globalid.New(globalid.User, strconv.FormatInt(int64(a.User), 10))
	}), nil
}

// Rejection resolves Application.rejection.
func (application) Rejection(ctx context.Context, as []*forum.Application) ([]*forum.Act, error) {
	return actsOf(ctx, as, func(a *forum.Application) forum.ActID { return a.Rejection })
}

// ResolveApplication resolves Mutation.resolveApplication.
func (r mutation) ResolveApplication(ctx context.Context,
	in model.ResolveApplicationInput) (*model.ResolveApplicationPayload, error) {
	id, err := inputUser(in.UserID)
	if err != nil {
		return nil, err
	}
	why, err := app.Grounds(opt.Or(in.Reason, forum.ReasonOther), in.Note)
	if err != nil {
		return nil, err
	}
	forget := opt.Value(in.Forget)
	if forget && in.Approve {
		return nil, forum.Invalid(forum.Path("forget"), "Only an account that is rejected can be deleted.")
	}
	act, changed, err := r.Store.Accounts.ResolveApplication(ctx, auth.ViewerFrom(ctx), id, in.Approve, why)
	if err == nil && forget {
		changed, err = true, r.Store.Accounts.ForgetApplication(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	a, err := single(loader.From(ctx).Acts(ctx, []forum.ActID{act}))
	return &model.ResolveApplicationPayload{Changed: changed, Act: a}, err
}
