package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/listing"
)

// Topic resolves Comment.topic.
func (comment) Topic(ctx context.Context, cs []*loader.Comment) ([]*loader.Topic, error) {
	return loader.From(ctx).TopicsOf(ctx, cs), nil
}

// Author resolves Comment.author.
func (comment) Author(ctx context.Context, cs []*loader.Comment) ([]*loader.User, error) {
	l := loader.From(ctx)
	l.NeedComments(ctx, cs)
	return l.Authors(mapSlice(cs, func(c *loader.Comment) forum.UserID { return c.AuthorID })), nil
}

// Parent resolves Comment.parent.
func (comment) Parent(ctx context.Context, cs []*loader.Comment) ([]*loader.Comment, error) {
	return loader.From(ctx).Parents(ctx, cs), nil
}

// Content resolves Comment.content.
func (comment) Content(ctx context.Context, cs []*loader.Comment) ([]*string, error) {
	texts, errs := loader.From(ctx).CommentTexts(ctx, cs)
	return contents(ctx, texts, errs)
}

// ContentHTML resolves Comment.contentHtml.
func (r comment) ContentHTML(ctx context.Context, cs []*loader.Comment) ([]*string, error) {
	return shown(ctx, r.texts(), cs, commentTexts)
}

// Excerpt resolves Comment.excerpt.
func (r comment) Excerpt(ctx context.Context, cs []*loader.Comment, length *int) ([]*string, error) {
	return excerpts(ctx, r.texts(), cs, length, commentTexts)
}

// Mentions resolves Comment.mentions. Accounts that no longer exist are left out.
func (comment) Mentions(ctx context.Context, cs []*loader.Comment) ([][]*loader.User, error) {
	loader.From(ctx).NeedComments(ctx, cs)
	return mentioned(ctx, mapSlice(cs, func(c *loader.Comment) forum.Mentions { return c.Mentions.Direct() }))
}

// mentioned returns the users that texts mention, those of each text together.
func mentioned(ctx context.Context, texts []forum.Mentions) ([][]*loader.User, error) {
	var ids []forum.UserID
	for _, mentions := range texts {
		for _, m := range mentions {
			ids = append(ids, m.User)
		}
	}
	found, missed := loader.From(ctx).Users(ctx, ids)
	users := make([][]*loader.User, len(texts))
	errs := make([]error, len(texts))
	n := 0
	for i, mentions := range texts {
		for range mentions {
			if missed != nil && missed[n] != nil {
				errs[i] = missed[n]
			}
			n++
		}
		users[i] = compact(found[n-len(mentions) : n])
	}
	if missed == nil {
		errs = nil
	}
	return batchResult(users, errs)
}

// Replies resolves Comment.replies.
func (comment) Replies(ctx context.Context, cs []*loader.Comment, orderBy *forum.CommentOrder, first *int,
	after *string, last *int, before *string, hideBlocked *bool) ([]*model.CommentConnection, error) {
	order := opt.Or(orderBy, forum.Oldest)
	lists := mapSlice(cs, func(c *loader.Comment) listing.List { return listing.CommentReplies(c.ID, order) })
	args := pageArgs(ctx, first, after, last, before)
	args.Default = forum.DefaultReplies
	found, err := pages(ctx, lists, args, model.NewCommentConnection)
	return hiding(found, hideBlocked, err)
}

// ViewerCan resolves Comment.viewerCan.
func (comment) ViewerCan(ctx context.Context, cs []*loader.Comment) ([][]forum.Action, error) {
	return batchResult(loader.From(ctx).CommentActions(ctx, cs))
}

// Votes resolves Comment.votes.
func (r comment) Votes(ctx context.Context, cs []*loader.Comment) ([]*model.VoteSummary, error) {
	l := loader.From(ctx)
	l.NeedComments(ctx, cs)
	closed := l.OnClosed(cs)
	now := r.Store.Engine.Now()
	votes := make([]model.VoteSummary, len(cs))
	for i, c := range cs {
		votes[i].VoteSummary = c.Votes(now)
		votes[i].Open = votes[i].Open && !closed[i]
	}
	return refs(votes), nil
}

// Nodes resolves CommentConnection.nodes.
func (commentConnection) Nodes(ctx context.Context, cs []*model.CommentConnection) ([][]*loader.Comment, error) {
	return nodesOf(ctx, cs, commentsOf(ctx, cs))
}

// Edges resolves CommentConnection.edges.
func (commentConnection) Edges(ctx context.Context, cs []*model.CommentConnection) ([][]*model.CommentEdge, error) {
	var of *model.CommentConnection
	next := 0 // a gap before rows that are not shown is one before the next
	return edgesOf(ctx, cs, commentsOf(ctx, cs),
		func(c *model.CommentConnection, n int, node *loader.Comment) *model.CommentEdge {
			if c != of {
				of, next = c, 0
			}
			gap := slices.ContainsFunc(c.Rows().Rows[next:n+1], func(r forum.Row) bool { return r.Gap })
			next = n + 1
			return &model.CommentEdge{Cursor: c.Cursor(n), Node: node, HasGapBefore: gap}
		})
}
