package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/opt"
)

// sanction checks the input of a mutation that acts on another user.
func sanction(ctx context.Context, userID string, reason forum.Reason,
	note *string) (forum.UserID, forum.Grounds, error) {
	id, err := otherUser(ctx, userID)
	if err != nil {
		return 0, forum.Grounds{}, err
	}
	why, err := app.Grounds(reason, note)
	return id, why, err
}

// inputUser returns the user that the input names as userId.
func inputUser(userID string) (forum.UserID, error) {
	path := forum.Path("userId")
	id, err := globalid.Of[forum.UserID](path, globalid.User, userID)
	if err == nil && id == 0 { // the ghost
		err = forum.NotFound(path, "user")
	}
	return id, err
}

// otherUser is inputUser for a user who is not the viewer.
func otherUser(ctx context.Context, userID string) (forum.UserID, error) {
	id, err := inputUser(userID)
	if err == nil && auth.ViewerFrom(ctx).Is(id) {
		err = forum.Self(forum.Path("userId"), "You cannot do this to yourself.")
	}
	return id, err
}

// sanctioned is writtenUser with the act on the user, which is read together with the user.
func sanctioned(ctx context.Context, err error, id forum.UserID, act forum.ActID) (*loader.User, *forum.Act, error) {
	load := func(ctx context.Context, ids []forum.UserID) ([]*loader.User, []error) {
		if act != 0 {
			loader.From(ctx).Ask(loader.Objects{Acts: []forum.ActID{act}})
		}
		return loader.From(ctx).Users(ctx, ids)
	}
	u, err := written(ctx, err, load, id, forum.NotFound(forum.Path("userId"), "user"))
	if err != nil || act == 0 {
		return u, nil, err
	}
	a, err := single(loader.From(ctx).Acts(ctx, []forum.ActID{act}))
	return u, a, err
}

// Warn resolves Mutation.warn.
func (r mutation) Warn(ctx context.Context, in model.WarnInput) (*model.WarnPayload, error) {
	id, why, err := sanction(ctx, in.UserID, in.Reason, in.Note)
	if err != nil {
		return nil, err
	}
	act, err := r.Store.Moderation.Warn(ctx, auth.ViewerFrom(ctx), id, why)
	u, a, err := sanctioned(ctx, err, id, act)
	return &model.WarnPayload{User: u, Act: a}, err
}

// Ban resolves Mutation.ban.
func (r mutation) Ban(ctx context.Context, in model.BanInput) (*model.BanPayload, error) {
	id, why, err := sanction(ctx, in.UserID, in.Reason, in.Note)
	if err != nil {
		return nil, err
	}
	ban := forum.Ban{Scope: opt.Or(in.Scope, forum.BanSignIn), Grounds: why, Until: opt.Value(in.Until)}
	if in.Until != nil && ban.Until <= r.Store.Engine.Now() {
		return nil, forum.Invalid(forum.Path("until"), "The ban must end in the future.")
	}
	act, changed, err := r.Store.Moderation.Ban(ctx, auth.ViewerFrom(ctx), id, ban)
	u, a, err := sanctioned(ctx, err, id, act)
	return &model.BanPayload{User: u, Act: a, Changed: changed}, err
}

// Unban resolves Mutation.unban.
func (r mutation) Unban(ctx context.Context, in model.UnbanInput) (*model.UnbanPayload, error) {
	id, why, err := sanction(ctx, in.UserID, in.Reason, in.Note)
	if err != nil {
		return nil, err
	}
	act, err := r.Store.Moderation.Unban(ctx, auth.ViewerFrom(ctx), id, why)
	u, a, err := sanctioned(ctx, err, id, act)
	return &model.UnbanPayload{User: u, Act: a, Changed: act != 0}, err
}

// HidePosts resolves Mutation.hidePosts.
func (r mutation) HidePosts(ctx context.Context, in model.HidePostsInput) (*model.HidePostsPayload, error) {
	id, why, err := sanction(ctx, in.UserID, in.Reason, in.Note)
	if err != nil {
		return nil, err
	}
	hidden, err := r.Store.Moderation.HidePosts(ctx, auth.ViewerFrom(ctx), id, opt.Value(in.Since), why)
	u, a, err := sanctioned(ctx, err, id, hidden.Act)
	return &model.HidePostsPayload{User: u, Act: a, PostCount: hidden.Count, HasMore: hidden.Left > 0}, err
}

// IsBanned resolves User.isBanned.
func (r user) IsBanned(ctx context.Context, us []*loader.User) ([]bool, error) {
	errs := loader.From(ctx).NeedUsers(ctx, us)
	now := r.Store.Engine.Now()
	return batchResult(mapSlice(us, func(u *loader.User) bool { return u.Ban.InForce(now) }), errs)
}

// Ban resolves User.ban.
func (r user) Ban(ctx context.Context, us []*loader.User) ([]*model.Ban, error) {
	viewer, now := auth.ViewerFrom(ctx), r.Store.Engine.Now()
	loader.From(ctx).NeedUsers(ctx, us)
	acts, err := actsOf(ctx, us, func(u *loader.User) forum.ActID {
		if !u.Ban.InForce(now) || !viewer.Is(u.ID) && !viewer.Has(forum.RoleModerator) {
			return 0
		}
		return u.Ban.Act
	})
	bans := make([]*model.Ban, len(us))
	for i, a := range acts {
		if a != nil {
			bans[i] = &model.Ban{Ban: us[i].Ban, Act: a}
		}
	}
	return bans, err
}
