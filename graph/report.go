package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph/model"
	"agora/internal/app"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/acts"
	"agora/internal/store/listing"
)

// ReportQueue resolves Query.reportQueue.
func (r query) ReportQueue(ctx context.Context, state *forum.ReportState, category *app.CategoryRef, first *int,
	after *string, last *int, before *string) (*model.ReportCaseConnection, error) {
	of, err := queueFor(ctx, category)
	if err != nil {
		return nil, err
	}
	list := acts.ReportQueue(opt.Or(state, forum.ReportsOpen), of)
	if l := loader.From(ctx); of == 0 && l.HidesCategories() {
		args := pageArgs(ctx, first, after, last, before)
		args.NoCursors, args.NoCount = false, false
		w, err := args.Window(list.Name)
		if err != nil {
			return nil, err
		}
		p, err := l.SiftCases(ctx, list, w)
		return model.NewReportCaseConnection(list.Name, w.Shown(p)), err
	}
	return onlyResult(pages(ctx, []listing.List{list}, pageArgs(ctx, first, after, last, before),
		model.NewReportCaseConnection))
}

// queueFor returns the category that the argument names, 0 for all, or FORBIDDEN if the viewer does not moderate it.
func queueFor(ctx context.Context, category *app.CategoryRef) (of forum.CategoryID, err error) {
	if category != nil {
		if of, err = app.CategoryID(ctx, []string{"category"}, *category); err != nil {
			return 0, err
		}
	}
	if viewer := auth.ViewerFrom(ctx); !loader.From(ctx).ModeratesIn(of) {
		if viewer != nil && viewer.Suspended {
			return 0, forum.Banned(nil, *viewer.Ban)
		}
		return 0, &forum.Error{Code: forum.CodeRoleTooLow,
			Message: "Only for moderators; those of a category must name it."}
	}
	return of, nil
}

// Nodes resolves ReportCaseConnection.nodes.
func (reportCaseConnection) Nodes(ctx context.Context,
	cs []*model.ReportCaseConnection) ([][]*model.ReportCase, error) {
	return nodesOf(ctx, cs, casesOfRows)
}

// Edges resolves ReportCaseConnection.edges.
func (reportCaseConnection) Edges(ctx context.Context,
	cs []*model.ReportCaseConnection) ([][]*model.ReportCaseEdge, error) {
	return edgesOf(ctx, cs, casesOfRows, (*model.ReportCaseConnection).Edge)
}

// casesOfRows loads the cases of rows of the queue, and what is selected of their subjects at the same time.
func casesOfRows(ctx context.Context, rows []int64) ([]*model.ReportCase, []error) {
	l := loader.From(ctx)
	subjects := make([]forum.Subject, len(rows))
	var topics []forum.TopicID
	var comments []forum.CommentID
	for i, row := range rows {
		on, topic := acts.ParseCaseRow(row)
		if subjects[i] = on; on.Topic != 0 {
			topics = append(topics, on.Topic)
		} else if on.Comment != 0 {
			comments, topics = append(comments, on.Comment), append(topics, topic)
		}
	}
	if subjectsSelected(ctx) {
		l.AskTopics(l.Topics(topics))
		l.AskComments(l.Comments(comments))
	}
	return modelCases(l.Cases(ctx, subjects))
}

func modelCases(found []*forum.ReportCase, errs []error) ([]*model.ReportCase, []error) {
	return mapSlice(found, func(c *forum.ReportCase) *model.ReportCase {
		if c == nil {
			return nil
		}
		return &model.ReportCase{Case: c}
	}), errs
}

// subjectsSelected reports whether the operation selects the subjects of cases.
func subjectsSelected(ctx context.Context) (asked bool) {
	fragments := graphql.GetOperationContext(ctx).Doc.Fragments
	var visit func(set ast.SelectionSet)
	visit = func(set ast.SelectionSet) {
		each(set, fragments, func(f *ast.Field) {
			switch f.Name {
			case "node":
				visit(f.SelectionSet)
			case "subject":
				asked = true
			}
		})
	}
	visit(graphql.GetFieldContext(ctx).Field.Selections)
	return asked
}

// Subject resolves ReportCase.subject.
func (reportCase) Subject(ctx context.Context, cs []*model.ReportCase) ([]model.ModerationSubject, error) {
	return moderationSubjects(ctx, mapSlice(cs, func(c *model.ReportCase) forum.Subject { return c.Case.Subject })), nil
}

// Category resolves ReportCase.category.
func (reportCase) Category(ctx context.Context, cs []*model.ReportCase) ([]*loader.Category, error) {
	return ofSubjects(cs, func(c *model.ReportCase) forum.CategoryID { return c.Case.Category },
		loader.From(ctx).Categories), nil
}

// ResolvedBy resolves ReportCase.resolvedBy.
func (reportCase) ResolvedBy(ctx context.Context, cs []*model.ReportCase) ([]*forum.Act, error) {
	return actsOf(ctx, cs, func(c *model.ReportCase) forum.ActID { return c.Case.Act })
}

// Reports resolves ReportCase.reports.
func (reportCase) Reports(ctx context.Context, cs []*model.ReportCase, first *int, after *string, last *int,
	before *string) ([]*model.ReportConnection, error) {
	lists := mapSlice(cs, func(c *model.ReportCase) listing.List { return acts.SubjectReports(c.Case.Subject) })
	found, err := pages(ctx, lists, pageArgs(ctx, first, after, last, before), model.NewReportConnection)
	for i, c := range found {
		if c != nil {
			c.On = cs[i].Case.Subject
		}
	}
	return found, err
}

// Nodes resolves ReportConnection.nodes.
func (reportConnection) Nodes(ctx context.Context, cs []*model.ReportConnection) ([][]*forum.Report, error) {
	return nodesOf(ctx, cs, reportsOn(cs))
}

// Edges resolves ReportConnection.edges.
func (reportConnection) Edges(ctx context.Context, cs []*model.ReportConnection) ([][]*model.ReportEdge, error) {
	return edgesOf(ctx, cs, reportsOn(cs), (*model.ReportConnection).Edge)
}

// reportsOn returns what loads the reports of reporters, whose ids are the rows of the pages.
func reportsOn(cs []*model.ReportConnection) func(context.Context, []forum.UserID) ([]*forum.Report, []error) {
	return func(ctx context.Context, by []forum.UserID) ([]*forum.Report, []error) {
		refs := make([]acts.ReportRef, 0, len(by))
		for _, c := range cs {
			for range c.Rows().Rows {
				refs = append(refs, acts.ReportRef{On: c.On, By: by[len(refs)]})
			}
		}
		return loader.From(ctx).Reports(ctx, refs)
	}
}

// Reporter resolves Report.reporter.
func (report) Reporter(ctx context.Context, rs []*forum.Report) ([]*loader.User, error) {
	return loader.From(ctx).Authors(mapSlice(rs, func(r *forum.Report) forum.UserID { return r.Reporter })), nil
}
