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
	"agora/internal/store/posts"
)

// RedactRevision resolves Mutation.redactRevision.
func (r mutation) RedactRevision(ctx context.Context,
	in model.RedactRevisionInput) (*model.RedactRevisionPayload, error) {
	of, done, err := r.redactRevision(ctx, in)
	if err != nil {
		return nil, err
	}
	l, p := loader.From(ctx), &model.RedactRevisionPayload{Changed: done.Changed}
	l.Forget()
	p.Revision, err = single(l.Revisions(ctx, []posts.RevisionRef{{Of: of, Number: in.Number}}))
	if err == nil && done.Act != 0 {
		p.Act, err = single(l.Acts(ctx, []forum.ActID{done.Act}))
	}
	return p, err
}

func (r mutation) redactRevision(ctx context.Context, in model.RedactRevisionInput) (of forum.Subject,
	done moderation.Moderated, err error) {
	why, err := app.Grounds(in.Reason, in.Note)
	if err != nil {
		return of, done, err
	}
	of, category, err := moderated(ctx, in.SubjectID)
	if err != nil {
		return of, done, err
	}
	l := loader.From(ctx)
	found, err := single(l.Revisions(ctx, []posts.RevisionRef{{Of: of, Number: in.Number}}))
	if err != nil {
		return of, done, err
	}
	if found == nil {
		return of, done, forum.NotFound(forum.Path("number"), "revision")
	}
	red := moderation.Redaction{Of: of, Number: in.Number, Redact: opt.Or(in.Redacted, true), Grounds: why}
	editor := l.PresentUsers([]forum.UserID{found.EditorID})
	if err := firstError(l.NeedUsers(ctx, editor)); err != nil {
		return of, done, err
	}
	if editor[0] != nil && !editor[0].Missing() {
		red.Role, red.Moderates, red.Category = editor[0].Role, editor[0].Moderates, category
	}
	done, err = r.Store.Moderation.RedactRevision(ctx, auth.ViewerFrom(ctx), red)
	return of, done, err
}

// moderated returns the topic or comment with a global id, and its category, if the viewer moderates it.
func moderated(ctx context.Context, id string) (of forum.Subject, at forum.CategoryID, err error) {
	if of, err = postNamed(id); err != nil {
		return of, 0, err
	}
	l, path := loader.From(ctx), forum.Path("subjectId")
	missing := forum.NotFound(path, forum.SubjectNoun)
	topic := of.Topic
	if of.Comment != 0 {
		c := l.Comments([]forum.CommentID{of.Comment})
		if err := firstError(l.NeedComments(ctx, c)); err != nil {
			return of, 0, err
		}
		if c[0] == nil || c[0].Missing() {
			return of, 0, missing
		}
		topic = c[0].TopicID
	}
	t := l.Topics([]forum.TopicID{topic})
	if err := firstError(l.NeedTopics(ctx, t)); err != nil {
		return of, 0, err
	}
	switch {
	case t[0] == nil || t[0].Missing():
		return of, 0, missing
	case !l.ModeratesIn(t[0].CategoryID):
		return of, 0, forum.Forbidden(path, forum.RoleModerator, "You do not moderate this.")
	}
	return of, t[0].CategoryID, nil
}
