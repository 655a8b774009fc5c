package graph

import (
	"context"
	"slices"

	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
	"agora/internal/text"
)

// How many unchanged lines are shown around a change, by default and at most.
const (
	defaultHunkContext = 3
	maxHunkContext     = 20
)

// Editor resolves Topic.editor.
func (topic) Editor(ctx context.Context, ts []*forum.Topic) ([]*forum.User, error) {
	return editors(ctx, ts, func(t *forum.Topic) forum.UserID { return t.EditorID })
}

// Editor resolves Comment.editor.
func (comment) Editor(ctx context.Context, cs []*forum.Comment) ([]*forum.User, error) {
	return editors(ctx, cs, func(c *forum.Comment) forum.UserID { return c.EditorID })
}

// editors returns who edited something, nil if nobody did.
func editors[T any](ctx context.Context, of []*T, editor func(*T) forum.UserID) ([]*forum.User, error) {
	return scatter(of, func(o *T) (forum.UserID, bool, error) {
		id := editor(o)
		return id, id != 0, nil
	}, func(ids []forum.UserID) ([]*forum.User, []error) { return loader.From(ctx).Authors(ids), nil })
}

// Revisions resolves Topic.revisions.
func (topic) Revisions(ctx context.Context, ts []*forum.Topic, first *int, after *string, last *int,
	before *string) ([]*model.RevisionConnection, error) {
	return revisionPages(ctx, mapSlice(ts, func(t *forum.Topic) forum.Subject { return forum.Subject{Topic: t.ID} }),
		pageArgs(ctx, first, after, last, before))
}

// Revisions resolves Comment.revisions. A tombstone has none.
func (comment) Revisions(ctx context.Context, cs []*forum.Comment, first *int, after *string, last *int,
	before *string) ([]*model.RevisionConnection, error) {
	return revisionPages(ctx, mapSlice(cs, func(c *forum.Comment) forum.Subject {
		if c.Tombstone {
			return forum.Subject{}
		}
		return forum.Subject{Comment: c.ID}
	}), pageArgs(ctx, first, after, last, before))
}

// revisionPages reads pages of revisions. The zero subject has none.
func revisionPages(ctx context.Context, of []forum.Subject, args forum.PageArgs) ([]*model.RevisionConnection, error) {
	found, err := pages(ctx, mapSlice(of, store.RevisionList), args, model.NewRevisionConnection)
	for i, c := range found {
		if c != nil {
			c.Of = of[i]
		}
	}
	return found, err
}

// Edges resolves RevisionConnection.edges.
func (revisionConnection) Edges(ctx context.Context, cs []*model.RevisionConnection) ([][]*model.RevisionEdge, error) {
	rows, errs := revisionRows(ctx, cs)
	edges := make([][]*model.RevisionEdge, len(cs))
	for i, c := range cs {
		edges[i] = make([]*model.RevisionEdge, 0, len(rows[i]))
		for n, node := range rows[i] {
			if node != nil {
				edges[i] = append(edges[i], &model.RevisionEdge{Cursor: c.Cursor(n), Node: node})
			}
		}
	}
	return batchResult(edges, errs)
}

// Nodes resolves RevisionConnection.nodes.
func (revisionConnection) Nodes(ctx context.Context, cs []*model.RevisionConnection) ([][]*forum.Revision, error) {
	rows, errs := revisionRows(ctx, cs)
	for i := range rows {
		rows[i] = compact(rows[i])
	}
	return batchResult(rows, errs)
}

// revisionRows loads the revisions on the pages, nil for one that is no longer kept.
func revisionRows(ctx context.Context, cs []*model.RevisionConnection) ([][]*forum.Revision, []error) {
	var subjects []forum.Subject // of the rows of all pages
	all := make([]forum.Page, len(cs))
	for i, c := range cs {
		all[i] = c.Rows()
		subjects = append(subjects, slices.Repeat([]forum.Subject{c.Of}, len(all[i].Rows))...)
	}
	return rowsOf(ctx, all, func(ctx context.Context, numbers []int64) ([]*forum.Revision, []error) {
		refs := make([]store.RevisionRef, len(numbers))
		for i, n := range numbers {
			refs[i] = store.RevisionRef{Of: subjects[i], Number: int(n)}
		}
		return loader.From(ctx).Revisions(ctx, refs)
	})
}

// Editor resolves Revision.editor.
func (revision) Editor(ctx context.Context, rs []*forum.Revision) ([]*forum.User, error) {
	return loader.From(ctx).Authors(mapSlice(rs, func(r *forum.Revision) forum.UserID { return r.EditorID })), nil
}

// Title resolves Revision.title.
func (revision) Title(ctx context.Context, r *forum.Revision) (*string, error) {
	return shownText(ctx, r, r.Subject.Topic != 0, r.Title), nil
}

// Link resolves Revision.link.
func (revision) Link(ctx context.Context, r *forum.Revision) (*string, error) {
	return shownText(ctx, r, r.Link != "", r.Link), nil
}

// Content resolves Revision.content.
func (revision) Content(ctx context.Context, r *forum.Revision) (*string, error) {
	return shownText(ctx, r, true, r.Text.Content), nil
}

// Hunks resolves Revision.hunks.
func (revision) Hunks(ctx context.Context, r *forum.Revision, context *int) ([]*forum.Hunk, error) {
	around := valueOr(context, defaultHunkContext)
	if around < 0 || around > maxHunkContext {
		return nil, forum.BadInput([]string{"context"}, "context must be 0 to %d.", maxHunkContext)
	}
	viewer := auth.ViewerFrom(ctx)
	switch {
	case !r.VisibleTo(viewer):
		return nil, nil
	case r.Previous == nil:
		return []*forum.Hunk{}, nil
	case !r.Previous.VisibleTo(viewer):
		return nil, nil
	}
	return refs(text.Diff(r.Previous.Text.Content, r.Text.Content, around)), nil
}

// shownText returns a text of a revision if it has it and the viewer may see it.
func shownText(ctx context.Context, r *forum.Revision, has bool, value string) *string {
	if !has || !r.VisibleTo(auth.ViewerFrom(ctx)) {
		return nil
	}
	return &value
}

// checkExpected checks the number of a revision that an editor says to have seen.
func checkExpected(number *int) error {
	if number != nil && *number < 1 {
		return forum.Invalid(forum.Input("expectedRevision"), "A revision has a number of at least 1.")
	}
	return nil
}
