package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
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
	voted, err := r.vote(ctx, in)
	p := &model.VotePayload{}
	if len(selectedOf(ctx, "subject")) > 0 {
		p.Subject, err = votedSubject(ctx, err, voted)
	} else {
		loader.From(ctx).Forget()
	}
	if err == nil {
		p.Changed = voted.Changed
		loader.From(ctx).Voted(voted.Votes, in.Direction)
	}
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

// votedSubject is written for what was voted on.
func votedSubject(ctx context.Context, err error, v votes.Voted) (model.Votable, error) {
	gone := forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun, "")
	if v.Votes.Comment != 0 {
		c, err := writtenComment(ctx, err, v.Topic, v.Votes.Comment, gone)
		if err != nil {
			return nil, err
		}
		return c, nil
	}
	t, err := writtenTopic(ctx, err, v.Topic, gone)
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (r mutation) vote(ctx context.Context, in model.VoteInput) (votes.Voted, error) {
	if err := r.admit(ctx); err != nil {
		return votes.Voted{}, err
	}
	path := forum.Path("subjectId")
	o, err := globalid.Parse(path, in.SubjectID)
	if err != nil {
		return votes.Voted{}, err
	}
	switch o.Type {
	case globalid.Topic:
		var back engine.ReadBack
		if len(selectedOf(ctx, "subject")) > 0 {
			back = readBack(ctx, "subject")
		}
		return r.Store.Votes.VoteTopicAndReadBack(ctx, auth.ViewerFrom(ctx), forum.TopicID(o.Number), in.Direction,
			back)
	case globalid.Comment:
		return r.Store.Votes.VoteComment(ctx, auth.ViewerFrom(ctx), forum.CommentID(o.Number), in.Direction)
	}
	return votes.Voted{}, forum.NotFound(path, forum.SubjectNoun, in.SubjectID)
}

// Nodes resolves UserConnection.nodes.
func (userConnection) Nodes(ctx context.Context, cs []*model.UserConnection) ([][]*loader.User, error) {
	return nodesOf(ctx, cs, loader.From(ctx).Users)
}

// Edges resolves UserConnection.edges.
func (userConnection) Edges(ctx context.Context, cs []*model.UserConnection) ([][]*model.UserEdge, error) {
	return edgesOf(ctx, cs, loader.From(ctx).Users, (*model.UserConnection).Edge)
}
