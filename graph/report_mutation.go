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

// subjectNamed returns the topic, comment or user that the input names as subjectId.
func subjectNamed(id string) (forum.Subject, error) {
	path := forum.Path("subjectId")
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
	return forum.Subject{}, forum.NotFound(path, forum.SubjectNoun)
}

// postNamed returns the topic or comment that the input names as subjectId.
func postNamed(id string) (forum.Subject, error) {
	s, err := subjectNamed(id)
	if err == nil && s.User != 0 {
		err = forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	}
	return s, err
}

// Report resolves Mutation.report.
func (r mutation) Report(ctx context.Context, in model.ReportInput) (*model.ReportPayload, error) {
	on, err := subjectNamed(in.SubjectID)
	why, noteErr := app.Grounds(in.Reason, in.Note)
	if err := errors.Join(err, noteErr); err != nil {
		return nil, err
	}
	l, missing := loader.From(ctx), forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	if on.Topic != 0 {
		err = seen(ctx, l.TopicsNow, on.Topic, missing)
	} else if on.Comment != 0 {
		err = seen(ctx, l.CommentsNow, on.Comment, missing)
	}
	if err != nil {
		return nil, err
	}
	err = r.Store.Acts.Report(ctx, auth.ViewerFrom(ctx), on, why)
	s, err := writtenSubject(ctx, err, on)
	return &model.ReportPayload{Subject: s}, err
}

// writtenSubject is written for what the input names as subjectId.
func writtenSubject(ctx context.Context, err error, s forum.Subject) (model.ModerationSubject, error) {
	l, missing := loader.From(ctx), forum.NotFound(forum.Path("subjectId"), forum.SubjectNoun)
	switch {
	case s.Topic != 0:
		return written(ctx, err, l.TopicsNow, s.Topic, missing)
	case s.Comment != 0:
		return written(ctx, err, l.CommentsNow, s.Comment, missing)
	}
	return written(ctx, err, l.Users, s.User, missing)
}

// ResolveReports resolves Mutation.resolveReports.
func (r mutation) ResolveReports(ctx context.Context,
	in model.ResolveReportsInput) (*model.ResolveReportsPayload, error) {
	on, err := subjectNamed(in.SubjectID)
	why, noteErr := app.Grounds(forum.ReasonOther, in.Note)
	if in.ThroughReport < 1 {
		err = errors.Join(err, forum.Invalid(forum.Path("throughReport"), "Reports are numbered from 1."))
	}
	if err = errors.Join(err, noteErr); err != nil {
		return nil, err
	}
	done, err := r.Store.Acts.ResolveReports(ctx, auth.ViewerFrom(ctx), r.Store.Rules.Current(ctx), on,
		in.ThroughReport, in.Outcome, why)
	l := loader.From(ctx)
	load := func(ctx context.Context, of []forum.Subject) ([]*model.ReportCase, []error) {
		l.Ask(loader.Objects{Acts: []forum.ActID{done.Act}}) // with the case
		return modelCases(l.Cases(ctx, of))
	}
	p := &model.ResolveReportsPayload{Changed: done.Changed}
	p.Case, err = written(ctx, err, load, on, forum.NotFound(forum.Path("subjectId"), "report"))
	if err == nil {
		p.Act, err = single(l.Acts(ctx, []forum.ActID{done.Act}))
	}
	return p, err
}
