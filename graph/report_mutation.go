package graph

import (
	"context"
	"errors"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/globalid"
	"agora/internal/loader"
)

// subjectNamed returns the topic, comment or user that an input names.
func subjectNamed(path []string, id string) (forum.Subject, error) {
	o, err := globalid.Parse(path, id)
	if err != nil {
		return forum.Subject{}, err
	}
	switch o.Type {
	case globalid.Topic:
		return forum.Subject{Topic: forum.TopicID(o.Number)}, nil
	case globalid.Comment:
		return forum.Subject{Comment: forum.CommentID(o.Number)}, nil
	case globalid.User:
		if o.Number != 0 { // the ghost is nobody
			return forum.Subject{User: forum.UserID(o.Number)}, nil
		}
	}
	return forum.Subject{}, forum.NotFound(path, forum.SubjectNoun, id)
}

// Report resolves Mutation.report.
func (r mutation) Report(ctx context.Context, in model.ReportInput) (*model.ReportPayload, error) {
	p := &model.ReportPayload{}
	on, err := r.report(ctx, in)
	loader.From(ctx).Forget() // what was read before the call
	if err == nil {
		p.Subject, err = subjectNow(ctx, on, forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun, in.SubjectID))
	}
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) report(ctx context.Context, in model.ReportInput) (forum.Subject, error) {
	if err := r.admit(ctx); err != nil {
		return forum.Subject{}, err
	}
	on, err := subjectNamed(forum.Path("subjectId"), in.SubjectID)
	why, noteErr := app.Grounds(in.Reason, in.Note)
	if err := errors.Join(err, noteErr); err != nil {
		return on, err
	}
	return on, r.Store.Acts.Report(ctx, auth.ViewerFrom(ctx), on, why)
}

// subjectNow reads the subject of a mutation, or returns missing if the viewer cannot see it.
func subjectNow(ctx context.Context, on forum.Subject, missing *forum.Error) (model.ModerationSubject, error) {
	switch {
	case on.Topic != 0:
		if t, err := single(loader.From(ctx).TopicsNow(ctx, []forum.TopicID{on.Topic})); t != nil || err != nil {
			return t, err
		}
	case on.Comment != 0:
		if c, err := single(loader.From(ctx).CommentsNow(ctx, []forum.CommentID{on.Comment})); c != nil || err != nil {
			return c, err
		}
	default:
		if u, err := single(loader.From(ctx).Users(ctx, []forum.UserID{on.User})); u != nil || err != nil {
			return u, err
		}
	}
	return nil, missing
}

// ResolveReports resolves Mutation.resolveReports.
func (r mutation) ResolveReports(ctx context.Context,
	in model.ResolveReportsInput) (*model.ResolveReportsPayload, error) {
	p := &model.ResolveReportsPayload{}
	err := r.resolveReports(ctx, in, p)
	p.Errors, err = payload(ctx, err)
	return result(p, err)
}

func (r mutation) resolveReports(ctx context.Context, in model.ResolveReportsInput,
	p *model.ResolveReportsPayload) error {
	if err := r.admit(ctx); err != nil {
		return err
	}
	on, err := subjectNamed(forum.Path("subjectId"), in.SubjectID)
	why, noteErr := app.Grounds(forum.ReasonOther, in.Note)
	if in.ThroughReport < 1 {
		err = errors.Join(err, forum.Invalid(forum.Path("throughReport"), "Reports are numbered from 1."))
	}
	if err = errors.Join(err, noteErr); err != nil {
		return err
	}
	done, err := r.Store.Acts.ResolveReports(ctx, auth.ViewerFrom(ctx), on, in.ThroughReport, in.Outcome, why)
	l := loader.From(ctx)
	l.Forget() // what was read before the call
	if err != nil {
		return err
	}
	l.Ask(loader.Objects{Acts: []forum.ActID{done.Act}}) // with the case
	if p.Case, err = single(modelCases(l.Cases(ctx, []forum.Subject{on}))); err != nil {
		return err
	}
	if p.Case == nil {
		return forum.NotFound(forum.Path("subjectId"), "report", in.SubjectID)
	}
	p.Changed = done.Changed
	p.Act, err = single(l.Acts(ctx, []forum.ActID{done.Act}))
	return err
}
