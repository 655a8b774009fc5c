package graph

import (
	"context"
	"slices"

	"agora/breadth"
	"agora/graph/model"
	"agora/internal/auth"
	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/opt"
	"agora/internal/store/posts"
	"agora/internal/text"
)

// defaultHunkContext is how many unchanged lines are shown around a change by default.
const defaultHunkContext = 3

// Editor resolves Topic.editor.
func (topic) Editor(ctx context.Context, ts []*loader.Topic) ([]*loader.User, error) {
	loader.From(ctx).NeedTopics(ctx, ts)
	return editors(ctx, ts, func(t *loader.Topic) forum.UserID { return t.EditorID })
}

// Editor resolves Comment.editor.
func (comment) Editor(ctx context.Context, cs []*loader.Comment) ([]*loader.User, error) {
	loader.From(ctx).NeedComments(ctx, cs)
	return editors(ctx, cs, func(c *loader.Comment) forum.UserID { return c.EditorID })
}

// editors returns who edited something, nil if nobody did.
func editors[T any](ctx context.Context, of []*T, editor func(*T) forum.UserID) ([]*loader.User, error) {
	return scatter(of, func(o *T) (forum.UserID, bool, error) {
		id := editor(o)
		return id, id != 0, nil
	}, func(ids []forum.UserID) ([]*loader.User, []error) { return loader.From(ctx).Authors(ids), nil })
}

// Revisions resolves Topic.revisions.
func (topic) Revisions(ctx context.Context, ts []*loader.Topic, first *int, after *string, last *int,
	before *string) ([]*model.RevisionConnection, error) {
	return revisionPages(ctx, mapSlice(ts, func(t *loader.Topic) forum.Subject { return forum.Subject{Topic: t.ID} }),
		pageArgs(ctx, first, after, last, before))
}

// Revisions resolves Comment.revisions. A tombstone has none.
func (comment) Revisions(ctx context.Context, cs []*loader.Comment, first *int, after *string, last *int,
	before *string) ([]*model.RevisionConnection, error) {
	return revisionPages(ctx, mapSlice(cs, func(c *loader.Comment) forum.Subject {
		if c.Tombstone {
			return forum.Subject{}
		}
		return forum.Subject{Comment: c.ID}
	}), pageArgs(ctx, first, after, last, before))
}

// revisionPages reads pages of revisions. The zero subject has none.
func revisionPages(ctx context.Context, of []forum.Subject, args forum.PageArgs) ([]*model.RevisionConnection, error) {
	found, err := pages(ctx, mapSlice(of, posts.RevisionList), args, model.NewRevisionConnection)
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
	all := make([]*forum.Page, len(cs))
	for i, c := range cs {
		all[i] = c.Rows()
		subjects = append(subjects, slices.Repeat([]forum.Subject{c.Of}, len(all[i].Rows))...)
	}
	return rowsOf(ctx, all, func(ctx context.Context, numbers []int64) ([]*forum.Revision, []error) {
		refs := make([]posts.RevisionRef, len(numbers))
		for i, n := range numbers {
			refs[i] = posts.RevisionRef{Of: subjects[i], Number: int(n)}
		}
		return loader.From(ctx).Revisions(ctx, refs)
	})
}

// Editor resolves Revision.editor.
func (revision) Editor(ctx context.Context, rs []*forum.Revision) ([]*loader.User, error) {
	return loader.From(ctx).Authors(mapSlice(rs, func(r *forum.Revision) forum.UserID { return r.EditorID })), nil
}

// Title resolves Revision.title.
func (revision) Title(ctx context.Context, rs []*forum.Revision) ([]*string, error) {
	return revisionTexts(ctx, rs, func(r *forum.Revision) bool { return r.Subject.Topic != 0 },
		func(t *forum.Text) *string { return &t.Title })
}

// Link resolves Revision.link.
func (revision) Link(ctx context.Context, rs []*forum.Revision) ([]*string, error) {
	return revisionTexts(ctx, rs, func(r *forum.Revision) bool { return r.Subject.Topic != 0 },
		func(t *forum.Text) *string {
			if t.Link == "" {
				return nil
			}
			return &t.Link
		})
}

// Content resolves Revision.content.
func (revision) Content(ctx context.Context, rs []*forum.Revision) ([]*string, error) {
	return revisionTexts(ctx, rs, func(*forum.Revision) bool { return true },
		func(t *forum.Text) *string { return &t.Content })
}

// revisionTexts returns a part of the texts of those revisions that have it and that the viewer may see.
func revisionTexts(ctx context.Context, rs []*forum.Revision, has func(*forum.Revision) bool,
	part func(*forum.Text) *string) ([]*string, error) {
	viewer, meter := auth.ViewerFrom(ctx), breadth.MeterFrom(ctx)
	return scatter(rs, func(r *forum.Revision) (*forum.Revision, bool, error) {
		return r, has(r) && r.VisibleTo(viewer), nil
	}, func(seen []*forum.Revision) ([]*string, []error) {
		texts, failed := loader.From(ctx).RevisionTexts(ctx, seen)
		parts, errs := make([]*string, len(seen)), make([]error, len(seen))
		for i, t := range texts {
			if failed != nil && failed[i] != nil {
				errs[i] = failed[i]
			} else if t != nil {
				if parts[i] = part(t); parts[i] != nil {
					errs[i] = meter.Charge(breadth.StringSize(*parts[i]), 0)
				}
			}
		}
		return parts, errs
	})
}

// Hunks resolves Revision.hunks.
func (revision) Hunks(ctx context.Context, rs []*forum.Revision, context *int) ([][]*forum.Hunk, error) {
	around := opt.Or(context, defaultHunkContext)
	if around < 0 || around > text.MaxHunkContext {
		return failAll[[]*forum.Hunk](rs,
			forum.BadInput([]string{"context"}, "context must be from 0 to %d.", text.MaxHunkContext))
	}
	viewer := auth.ViewerFrom(ctx)
	all, err := scatter(rs, func(r *forum.Revision) (*forum.Revision, bool, error) {
		return r, r.Previous != nil && r.VisibleTo(viewer) && r.Previous.VisibleTo(viewer), nil
	}, func(later []*forum.Revision) ([][]*forum.Hunk, []error) { return hunks(ctx, later, around) })
	for i, r := range rs {
		if r.Previous == nil && r.VisibleTo(viewer) {
			all[i] = []*forum.Hunk{}
		}
	}
	return all, err
}

// hunkCost is what a hunk costs besides its lines, and how many bytes it takes; see text.RenderCost.
const hunkCost = 80

// hunks returns what changed in revisions that are not the first ones.
func hunks(ctx context.Context, rs []*forum.Revision, around int) ([][]*forum.Hunk, []error) {
	changes, failed := loader.From(ctx).Changes(ctx, rs)
	all, errs := make([][]*forum.Hunk, len(rs)), make([]error, len(rs))
	for i, c := range changes {
		if c == nil {
			if failed != nil {
				errs[i] = failed[i]
			}
			continue
		}
		found := c.Hunks(around, forum.MaxHunkLines)
		cost := 0
		for _, h := range found {
			cost += hunkCost
			for _, line := range h.Lines {
				cost += breadth.StringSize(line.Text)
			}
		}
		if errs[i] = breadth.MeterFrom(ctx).Charge(cost, hunkCost*len(found)); errs[i] == nil {
			all[i] = refs(found)
		}
	}
	return all, errs
}
