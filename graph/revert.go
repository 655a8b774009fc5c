package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/rules"
)

// RevertAct resolves Mutation.revertAct.
func (r mutation) RevertAct(ctx context.Context, in model.RevertActInput) (*model.RevertActPayload, error) {
	id, err := globalid.Of[forum.ActID](forum.Path("actId"), globalid.Act, in.ActID)
	if err != nil {
		return nil, err
	}
	why, err := app.Grounds(in.Reason, in.Note)
	if err != nil {
		return nil, err
	}
	done, err := r.Store.Moderation.Revert(ctx, auth.ViewerFrom(ctx), id, why)
	if err != nil {
		return nil, err
	}
	if done.Changed {
		r.revertedSite(ctx, done.Act)
	}
	l := loader.From(ctx)
	l.Forget()
	a, err := single(l.Acts(ctx, []forum.ActID{done.By}))
	return &model.RevertActPayload{Changed: done.Changed, Act: a}, err
}

// revertedSite writes in the security log that an act on the rules or on a blocklist was reverted.
func (r mutation) revertedSite(ctx context.Context, a *forum.Act) {
	before, after := a.Before(), a.After()
	switch {
	case a.Kind == forum.ActUpdateRules:
		r.rulesChanged(ctx, before.RuleValues())
	case a.Kind == forum.ActUpdateAccess:
		r.accessChanged(ctx, rules.AccessChange{Category: a.Subject.Category, Sees: before.Sees(),
			Groups: before.Groups(), Posts: before.Posts(),
			Replies: before.Replies()})
	case a.Kind != forum.ActUpdateBlocklist:
	case before.Domains() != nil || after.Domains() != nil:
		r.blocklistChanged(ctx, forum.BlockDomain, before.Domains(), after.Domains())
	default:
		r.blocklistChanged(ctx, forum.BlockWord, before.Words(), after.Words())
	}
}
