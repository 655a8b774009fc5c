package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/engine"
	"agora/internal/store/votes"
)

// ViewerVote resolves VoteSummary.viewerVote.
func (r voteSummary) ViewerVote(ctx context.Context, vs []*model.VoteSummary) ([]forum.VoteDirection, error) {
	now := r.Store.Engine.Now()
	return batchResult(loader.From(ctx).Votes(ctx, mapSlice(vs, func(v *model.VoteSummary) votes.Subject {
		return votes.SubjectOf(v.VoteSummary, now)
	})))
}

// Vote resolves Mutation.vote.
func (r mutation) Vote(ctx context.Context, in model.VoteInput) (*model.VotePayload, error) {
	on, err := postNamed(in.SubjectID)
	if err != nil {
		return nil, err
	}
	shows, l := len(selectedOf(ctx, "subject")) > 0, loader.From(ctx)
	var voted votes.Voted
	if on.Comment != 0 {
		voted, err = r.Store.Votes.VoteComment(ctx, auth.ViewerFrom(ctx), on.Comment, in.Direction)
	} else {
		var back engine.ReadBack
		if shows {
			back = readBack(ctx, "subject")
		}
		voted, err = r.Store.Votes.VoteTopicAndReadBack(ctx, auth.ViewerFrom(ctx), on.Topic, in.Direction, back)
	}
	p := &model.VotePayload{Changed: voted.Changed}
	if shows {
		p.Subject, err = votedSubject(ctx, err, voted)
	}
	if err != nil {
		return nil, err
	}
	l.Forget()
	l.Voted(voted.Votes, in.Direction)
	return p, nil
}

// votedSubject is written for what was voted on.
func votedSubject(ctx context.Context, err error, v votes.Voted) (model.Votable, error) {
	gone := forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	if v.Votes.Comment != 0 {
		return writtenComment(ctx, err, v.Topic, v.Votes.Comment, gone)
	}
	return written(ctx, err, loader.From(ctx).TopicsNow, v.Topic, gone)
}

// Nodes resolves UserConnection.nodes.
func (userConnection) Nodes(ctx context.Context, cs []*model.UserConnection) ([][]*loader.User, error) {
	return nodesOf(ctx, cs, loader.From(ctx).Users)
}

// Edges resolves UserConnection.edges.
func (userConnection) Edges(ctx context.Context, cs []*model.UserConnection) ([][]*model.UserEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).Users, (*model.UserConnection).Edge)
}
