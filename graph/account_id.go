package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
)

// Moderators see the ids of accounts, which stay when these are deleted: what one person did stays connected.

// AuthorID resolves Topic.authorId.
func (topic) AuthorID(ctx context.Context, ts []*loader.Topic) ([]*string, error) {
	ids, errs := loader.From(ctx).TopicAccounts(ctx, ts)
	return batchResult(mapSlice(ids, accountID), errs)
}

// AuthorID resolves Comment.authorId.
func (comment) AuthorID(ctx context.Context, cs []*loader.Comment) ([]*string, error) {
	ids, errs := loader.From(ctx).CommentAccounts(ctx, cs)
	return batchResult(mapSlice(ids, accountID), errs)
}

// AuthorID resolves ReportCase.authorId.
func (reportCase) AuthorID(_ context.Context, cs []*model.ReportCase) ([]*string, error) {
	return mapSlice(cs, func(c *model.ReportCase) *string { return accountID(c.Case.Author) }), nil
}

// AuthorID resolves Evidence.authorId.
func (evidence) AuthorID(_ context.Context, es []*forum.Evidence) ([]*string, error) {
	return mapSlice(es, func(e *forum.Evidence) *string { return accountID(e.Author) }), nil
}

// MemberID resolves ModerationAct.memberId.
func (moderationAct) MemberID(ctx context.Context, as []*forum.Act) ([]*string, error) {
	if !loader.From(ctx).Moderates() {
		return make([]*string, len(as)), nil
	}
	return mapSlice(as, func(a *forum.Act) *string { return accountID(a.Member) }), nil
}

// accountID returns the global id of an account, nil for 0.
func accountID(id forum.UserID) *string {
	if id == 0 {
		return nil
	}
	text := model.SubjectID(forum.Subject{User: id})
	return &text
}
