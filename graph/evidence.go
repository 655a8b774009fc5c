package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
)

// Evidence resolves ReportCase.evidence. Who sees a case moderates its subject.
func (reportCase) Evidence(ctx context.Context, cs []*model.ReportCase) ([][]*forum.Evidence, error) {
	return batchResult(loader.From(ctx).Evidence(ctx,
		mapSlice(cs, func(c *model.ReportCase) forum.Subject { return c.Case.Subject })))
}

// Evidence resolves Topic.evidence.
func (topic) Evidence(ctx context.Context, ts []*loader.Topic) ([][]*forum.Evidence, error) {
	return batchResult(loader.From(ctx).TopicEvidence(ctx, ts))
}

// Evidence resolves Comment.evidence.
func (comment) Evidence(ctx context.Context, cs []*loader.Comment) ([][]*forum.Evidence, error) {
	return batchResult(loader.From(ctx).CommentEvidence(ctx, cs))
}

// Author resolves ReportCase.author.
func (reportCase) Author(ctx context.Context, cs []*model.ReportCase) ([]*loader.User, error) {
	return loader.From(ctx).Authors(mapSlice(cs, func(c *model.ReportCase) forum.UserID { return c.Case.Author })), nil
}

// Evidence resolves ModerationAct.evidence.
func (moderationAct) Evidence(ctx context.Context, as []*forum.Act) ([][]*forum.Evidence, error) {
	return batchResult(loader.From(ctx).EvidenceOfActs(ctx, as))
}

// Author resolves Evidence.author.
func (evidence) Author(ctx context.Context, es []*forum.Evidence) ([]*loader.User, error) {
	return loader.From(ctx).Authors(mapSlice(es, func(e *forum.Evidence) forum.UserID { return e.Author })), nil
}
