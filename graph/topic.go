package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/listing"
)

// Content resolves Topic.content.
func (topic) Content(ctx context.Context, ts []*loader.Topic) ([]*string, error) {
	texts, errs := loader.From(ctx).Texts(ctx, ts)
	return contents(ctx, texts, errs)
}

// ContentHTML resolves Topic.contentHtml.
func (r topic) ContentHTML(ctx context.Context, ts []*loader.Topic) ([]*string, error) {
	return shown(ctx, r.texts(), ts, topicTexts)
}

// Excerpt resolves Topic.excerpt.
func (r topic) Excerpt(ctx context.Context, ts []*loader.Topic, length *int) ([]*string, error) {
	return excerpts(ctx, r.texts(), ts, length, topicTexts)
}

// Author resolves Topic.author.
func (topic) Author(ctx context.Context, ts []*loader.Topic) ([]*loader.User, error) {
	l := loader.From(ctx)
	l.NeedTopics(ctx, ts)
	return l.Authors(mapSlice(ts, func(t *loader.Topic) forum.UserID { return t.AuthorID })), nil
}

// Category resolves Topic.category.
func (topic) Category(ctx context.Context, ts []*loader.Topic) ([]*loader.Category, error) {
	return loader.From(ctx).CategoriesOf(ctx, ts), nil
}

// Comments resolves Topic.comments.
func (topic) Comments(ctx context.Context, ts []*loader.Topic, orderBy *forum.CommentOrder, topLevelOnly *bool,
	first *int, after *string, last *int, before *string, skip, around *int,
	hideBlocked *bool) ([]*model.CommentConnection, error) {
	order := opt.Or(orderBy, forum.Oldest)
	if around != nil && order.Ranked() {
		return failAll[*model.CommentConnection](ts,
			forum.BadInput([]string{"around"}, "around is for the orders OLDEST and NEWEST."))
	}
	lists := mapSlice(ts, func(t *loader.Topic) listing.List {
		return listing.TopicComments(t.ID, opt.Value(topLevelOnly), order)
	})
	args := pageArgs(ctx, first, after, last, before)
	args.Skip, args.Around = opt.Value(skip), around
	found, err := pages(ctx, lists, args, model.NewCommentConnection)
	return hiding(found, hideBlocked, err)
}

// Thread resolves Topic.thread.
func (topic) Thread(ctx context.Context, ts []*loader.Topic, orderBy *forum.CommentOrder, maxDepth *int, first *int,
	after *string, around *int, hideBlocked *bool) ([]*model.CommentConnection, error) {
	if err := checkDepth(maxDepth); err != nil {
		return failAll[*model.CommentConnection](ts, err)
	}
	order, deepest := opt.Or(orderBy, forum.Oldest), opt.Or(maxDepth, forum.DefaultThreadDepth)
	lists := mapSlice(ts, func(t *loader.Topic) listing.List { return listing.Thread(t.ID, order, deepest) })
	args := pageArgs(ctx, first, after, nil, nil)
	args.Around = around
	found, err := pages(ctx, lists, args, model.NewCommentConnection)
	return hiding(found, hideBlocked, err)
}

// checkDepth returns BAD_USER_INPUT for depths that a thread cannot have.
func checkDepth(deepest *int) error {
	if deepest != nil && (*deepest < 0 || *deepest > forum.MaxThreadDepth) {
		return forum.BadInput([]string{"maxDepth"}, "maxDepth must be from 0 to %d.", forum.MaxThreadDepth)
	}
	return nil
}

// LastComment resolves Topic.lastComment.
func (topic) LastComment(ctx context.Context, ts []*loader.Topic) ([]*loader.Comment, error) {
	return batchResult(loader.From(ctx).LastComments(ctx, ts))
}

// ViewerFirstUnread resolves Topic.viewerFirstUnread.
func (topic) ViewerFirstUnread(ctx context.Context, ts []*loader.Topic) ([]*loader.Comment, error) {
	return batchResult(loader.From(ctx).FirstUnread(ctx, ts))
}

// ViewerCan resolves Topic.viewerCan.
func (topic) ViewerCan(ctx context.Context, ts []*loader.Topic) ([][]forum.Action, error) {
	return batchResult(loader.From(ctx).TopicActions(ctx, ts))
}

// Votes resolves Topic.votes.
func (r topic) Votes(ctx context.Context, ts []*loader.Topic) ([]*model.VoteSummary, error) {
	loader.From(ctx).NeedTopics(ctx, ts)
	now := r.Store.Engine.Now()
	votes := mapSlice(ts, func(t *loader.Topic) model.VoteSummary { return model.VoteSummary{VoteSummary: t.Votes(now)} })
	return refs(votes), nil
}

// Tags resolves Topic.tags.
func (topic) Tags(ctx context.Context, ts []*loader.Topic) ([][]*loader.Tag, error) {
	return loader.From(ctx).TagsOf(ctx, ts), nil
}

// Mentions resolves Topic.mentions. Accounts that no longer exist are left out.
func (topic) Mentions(ctx context.Context, ts []*loader.Topic) ([][]*loader.User, error) {
	loader.From(ctx).NeedTopics(ctx, ts)
	return mentioned(ctx, mapSlice(ts, func(t *loader.Topic) forum.Mentions { return t.Mentions.Direct() }))
}

// CommentCountToday resolves Topic.commentCountToday.
func (r topic) CommentCountToday(ctx context.Context, ts []*loader.Topic) ([]int, error) {
	loader.From(ctx).NeedTopics(ctx, ts)
	today := r.Store.Engine.Today()
	return mapSlice(ts, func(t *loader.Topic) int { return t.CommentsOn(today) }), nil
}

// Voters resolves Topic.voters.
func (topic) Voters(ctx context.Context, ts []*loader.Topic, direction *forum.VoteDirection, first *int, after *string,
	last *int, before *string) ([]*model.UserConnection, error) {
	votes := opt.Or(direction, forum.VoteUp)
	if votes == forum.VoteNone {
		return failAll[*model.UserConnection](ts,
			forum.BadInput([]string{"direction"}, "Users without a vote are not listed. Set UP or DOWN."))
	}
	if votes == forum.VoteDown {
		if err := checkRole(ctx, forum.RoleModerator); err != nil {
			return failAll[*model.UserConnection](ts, err)
		}
	}
	lists := mapSlice(ts, func(t *loader.Topic) listing.List { return listing.Voters(t.ID, votes) })
	return pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewUserConnection)
}
