package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
	"agora/internal/store/acts"
	"agora/internal/store/listing"
	"agora/internal/text"
)

// ModerationLog resolves Query.moderationLog.
func (r query) ModerationLog(ctx context.Context, subjectID *string, user, moderator *model.UserRef,
	action *forum.ActKind, first *int, after *string, last *int, before *string) (*model.ModerationActConnection, error) {
	of, err := actFilter(ctx, subjectID, user, moderator, action)
	if err == nil {
		err = mayReadLog(ctx, of)
	}
	if err != nil {
		return nil, err
	}
	list, whole := acts.ModerationLog(of)
	args := pageArgs(ctx, first, after, last, before)
	if whole && !loader.From(ctx).HidesCategories() {
		return onlyResult(pages(ctx, []listing.List{list}, args, model.NewModerationActConnection))
	}
	args.NoCursors, args.NoCount = false, false
	w, err := args.Window(list.Name)
	if err != nil {
		return nil, err
	}
	p, err := loader.From(ctx).SiftActs(ctx, list, w, of)
	return model.NewModerationActConnection(list.Name, w.Shown(p)), err
}

// actFilter returns what the arguments ask for. A user who does not exist is acts.NoUser.
func actFilter(ctx context.Context, subjectID *string, user, moderator *model.UserRef,
	action *forum.ActKind) (of acts.ActFilter, err error) {
	if subjectID != nil {
		o, err := globalid.Parse([]string{"subjectId"}, *subjectID)
		if err != nil {
			return of, err
		}
		switch o.Type {
		case globalid.Topic:
			of.Subject.Topic = forum.TopicID(o.Number)
		case globalid.Comment:
			of.Subject.Comment = forum.CommentID(o.Number)
		case globalid.User:
			of.Subject.User = forum.UserID(o.Number)
		case globalid.Category:
			of.Subject.Category = forum.CategoryID(o.Number)
		case globalid.Tab:
			of.Subject.Tab = forum.TabID(o.Number)
		default:
			return of, forum.BadInput([]string{"subjectId"},
				"This is not the id of a topic, comment, user, category or tab.")
		}
	}
	if action != nil {
		of.Kind = *action
	}
	if of.Member, err = userNamed(ctx, "user", user); err != nil {
		return of, err
	}
	of.By, err = userNamed(ctx, "moderator", moderator)
	return of, err
}

// userNamed returns the user that an argument names, 0 if it was left out, acts.NoUser if there is none.
func userNamed(ctx context.Context, argument string, by *model.UserRef) (forum.UserID, error) {
	if by == nil {
		return 0, nil
	}
	if err := app.OneOf([]string{argument}, by.ID != nil, by.Login != nil, by.External != nil); err != nil {
		return 0, err
	}
	if by.External != nil {
		u, err := userWithExternal(ctx, *by.External)
		if err != nil || u == nil || u.ID == 0 {
			return acts.NoUser, err
		}
		return u.ID, nil
	}
	if by.Login != nil {
		fold, _ := text.FoldLogin(*by.Login)
		u, err := loader.From(ctx).UserByLogin(ctx, fold)
		if err != nil || u == nil || u.ID == 0 {
			return acts.NoUser, err
		}
		return u.ID, nil
	}
	o, err := globalid.Parse([]string{argument, "id"}, *by.ID)
	if err != nil || o.Type != globalid.User || o.Number == 0 {
		return acts.NoUser, err
	}
	return forum.UserID(o.Number), nil
}

// mayReadLog returns UNAUTHENTICATED or FORBIDDEN if the viewer may not read this part of the log.
func mayReadLog(ctx context.Context, of acts.ActFilter) error {
	viewer, l := auth.ViewerFrom(ctx), loader.From(ctx)
	if of.By != 0 && !viewer.Is(of.By) && !l.ShowsModerator(of.By) {
		return checkRole(ctx, forum.RoleModerator)
	}
	if l.SeesLog() || viewer.Is(of.Member) {
		return nil
	}
	return checkRole(ctx, forum.RoleModerator)
}

// Nodes resolves ModerationActConnection.nodes.
func (moderationActConnection) Nodes(ctx context.Context,
	cs []*model.ModerationActConnection) ([][]*forum.Act, error) {
	return nodesOf(ctx, cs, loader.From(ctx).Acts)
}

// Edges resolves ModerationActConnection.edges.
func (moderationActConnection) Edges(ctx context.Context,
	cs []*model.ModerationActConnection) ([][]*model.ModerationActEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).Acts, (*model.ModerationActConnection).Edge)
}
