package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/ratelimit"
	"agora/internal/store"
)

// ViewerVote resolves VoteSummary.viewerVote.
func (r voteSummary) ViewerVote(ctx context.Context, vs []*model.VoteSummary) ([]forum.VoteDirection, error) {
	now := r.Store.Now()
	return batchResult(loader.From(ctx).Votes(ctx, mapSlice(vs, func(v *model.VoteSummary) store.Subject {
		return store.SubjectOf(v.VoteSummary, now)
	})))
}

// Vote resolves Mutation.vote.
func (r mutation) Vote(ctx context.Context, in model.VoteInput) (*model.VotePayload, error) {
	voted, err := r.vote(ctx, in)
	p := &model.VotePayload{Changed: voted.Changed}
	p.Errors, err = payload(ctx, err, inputIDs{"subjectId": in.SubjectID})
	if p, err = afterMutation(ctx, p, err); err != nil || len(p.Errors) > 0 {
		return p, err
	}
	if l := loader.From(ctx); voted.Votes.Comment != 0 {
		p.Subject = l.VotedComment(voted, in.Direction)
	} else {
		p.Subject = l.VotedTopic(voted, in.Direction)
	}
	return p, nil
}

func (r mutation) vote(ctx context.Context, in model.VoteInput) (store.Voted, error) {
	if err := r.may(ctx, ratelimit.Votes); err != nil {
		return store.Voted{}, err
	}
	path := forum.Input("subjectId")
	o, err := parseObject(path, in.SubjectID)
	if err != nil {
		return store.Voted{}, err
	}
	switch o.typ {
	case model.TypeTopic:
		return r.Store.VoteTopic(ctx, auth.ViewerFrom(ctx), forum.TopicID(o.number), in.Direction)
	case model.TypeComment:
		return r.Store.VoteComment(ctx, auth.ViewerFrom(ctx), forum.CommentID(o.number), in.Direction)
	}
	return store.Voted{}, forum.NotFound(path, forum.SubjectNoun, in.SubjectID)
}

// Nodes resolves UserConnection.nodes.
func (userConnection) Nodes(ctx context.Context, cs []*model.UserConnection) ([][]*forum.User, error) {
	return nodesOf(ctx, cs, loader.From(ctx).Users)
}

// Edges resolves UserConnection.edges.
func (userConnection) Edges(ctx context.Context, cs []*model.UserConnection) ([][]*model.UserEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).Users, (*model.UserConnection).Edge)
}
