package graph

import (
	"context"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/moderation"
)

// Moderate resolves Mutation.moderate.
func (r mutation) Moderate(ctx context.Context, in model.ModerateInput) (*model.ModeratePayload, error) {
	subject, done, err := r.moderate(ctx, in)
	if err != nil {
		return nil, err
	}
	l, p := loader.From(ctx), &model.ModeratePayload{Changed: done.Changed}
	l.Forget()
	if len(selectedOf(ctx, "subject")) > 0 {
		askWritten(ctx, "subject", done.Written)
	}
	if subject.Comment != 0 {
		p.Subject = l.Comments([]forum.CommentID{subject.Comment})[0]
	} else {
		p.Subject = l.Topics([]forum.TopicID{subject.Topic})[0]
	}
	if done.Recorded != nil {
		p.Act = l.Recorded(done.Recorded)
	} else if done.Act != 0 {
		p.Act, err = single(l.Acts(ctx, []forum.ActID{done.Act}))
	}
	return p, err
}

// moderate checks the input, and does what it says.
func (r mutation) moderate(ctx context.Context,
	in model.ModerateInput) (s forum.Subject, done moderation.Moderated, err error) {
	if s, err = postNamed(in.SubjectID); err != nil {
		return s, done, err
	}
	m := moderation.Moderation{Action: forum.ActKind(in.Action), Place: opt.Or(in.Place, forum.PinCategory)}
	if m.Grounds, err = app.Grounds(in.Reason, in.Note); err != nil {
		return s, done, err
	}
	if err = checkModeration(in, s); err == nil && in.Category != nil {
		m.Category, err = app.Category(ctx, *in.Category)
	}
	if err != nil {
		return s, done, err
	}
	if len(selectedOf(ctx, "subject")) > 0 {
		m.ReadBack = readBack(ctx, "subject")
	}
	done, err = r.Store.Moderation.Moderate(ctx, auth.ViewerFrom(ctx), s, m)
	return s, done, err
}

// checkModeration checks that an action is one for its subject, with a category if it is a move.
func checkModeration(in model.ModerateInput, s forum.Subject) error {
	moves := in.Action == model.ModerateActionMove
	pins := in.Action == model.ModerateActionPin || in.Action == model.ModerateActionUnpin
	switch {
	case s.Comment != 0 && (moves || pins):
		return forum.Invalid(forum.Path("action"), "Only topics can be moved and pinned.")
	case moves && in.Category == nil:
		return forum.Invalid(forum.Path("category"), "A category is needed to move a topic.")
	case !moves && in.Category != nil:
		return forum.Invalid(forum.Path("category"), "Only a move has a category.")
	}
	return nil
}
