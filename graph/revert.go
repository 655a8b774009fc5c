package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/moderation"
)

// RevertAct resolves Mutation.revertAct.
func (r mutation) RevertAct(ctx context.Context, in model.RevertActInput) (*model.RevertActPayload, error) {
	done, err := r.revertAct(ctx, in)
	p := &model.RevertActPayload{Changed: done.Changed}
	failed := err != nil
	p.Errors, err = payload(ctx, err)
	if p, err = afterMutation(ctx, p, err); err != nil || failed {
		return p, err
	}
	if done.Changed {
		r.revertedSite(ctx, done.Act)
	}
	p.Act, err = single(loader.From(ctx).Acts(ctx, []forum.ActID{done.By}))
	return result(p, err)
}

func (r mutation) revertAct(ctx context.Context, in model.RevertActInput) (done moderation.Reverted, err error) {
	if err := r.admit(ctx); err != nil {
		return done, err
	}
	id, err := globalid.Of[forum.ActID](forum.Path("actId"), globalid.Act, in.ActID)
	if err != nil {
		return done, err
	}
	why, err := app.Grounds(in.Reason, in.Note)
	if err != nil {
		return done, err
	}
	return r.Store.Moderation.Revert(ctx, auth.ViewerFrom(ctx), id, why)
}

// revertedSite writes in the security log that an act on the rules or on a blocklist was reverted.
func (r mutation) revertedSite(ctx context.Context, a *forum.Act) {
	before, after := a.Before(), a.After()
	switch {
	case a.Kind == forum.ActUpdateRules:
		r.rulesChanged(ctx, before.RuleValues())
	case a.Kind != forum.ActUpdateBlocklist:
	case before.Domains() != nil || after.Domains() != nil:
		r.blocklistChanged(ctx, forum.BlockDomain, before.Domains(), after.Domains())
	default:
		r.blocklistChanged(ctx, forum.BlockWord, before.Words(), after.Words())
	}
}
