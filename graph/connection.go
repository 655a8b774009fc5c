package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store"
)

// many turns errors per parent into what gqlgen takes from a batch resolver.
func many[T any](values []T, errs []error) ([]T, error) {
	if errs == nil {
		return values, nil
	}
	return values, graphql.BatchErrorList(errs)
}

// failed gives every parent of a batch the same error.
func failed[T, P any](parents []P, err error) ([]T, error) {
	errs := make([]error, len(parents))
	for i := range errs {
		errs[i] = err
	}
	return make([]T, len(parents)), graphql.BatchErrorList(errs)
}

// refs are pointers to the elements.
func refs[T any](values []T) []*T {
	pointers := make([]*T, len(values))
	for i := range values {
		pointers[i] = &values[i]
	}
	return pointers
}

// solid puts an empty object where gqlgen's executor has a null among the parents;
// what a resolver gives for it is not looked at.
func solid[T any](parents []*T) []*T {
	if !slices.Contains(parents, nil) {
		return parents
	}
	parents = slices.Clone(parents)
	for i, p := range parents {
		if p == nil {
			parents[i] = new(T)
		}
	}
	return parents
}

// column picks one thing of each row.
func column[R, V any](rows []R, pick func(R) V) []V {
	values := make([]V, len(rows))
	for i, r := range rows {
		values[i] = pick(r)
	}
	return values
}

// pageArgs are the arguments of the connection that the field of ctx returns, with
// what need not be read because the operation does not ask for it.
func pageArgs(ctx context.Context, first *int, after *string, last *int, before *string) forum.PageArgs {
	args := forum.PageArgs{First: first, Last: last, After: after, Before: before}
	if field := graphql.GetFieldContext(ctx); field != nil {
		w := wants{fragments: graphql.GetOperationContext(ctx).Doc.Fragments}
		w.look(field.Field.Selections)
		args.NoCursors, args.NoCount, args.Lead = !w.cursors, !w.count, w.lead
	}
	return args
}

// wants is what an operation may ask of a connection, besides its rows.
type wants struct {
	fragments      ast.FragmentDefinitionList
	cursors, count bool
	lead           bool // what stands before the page
	rank           bool // of an edge
}

// edgeAsked is what an operation asks of the edge that the field of ctx returns.
func edgeAsked(ctx context.Context) wants {
	w := wants{fragments: graphql.GetOperationContext(ctx).Doc.Fragments}
	w.look(graphql.GetFieldContext(ctx).Field.Selections)
	w.rank = w.rank || w.lead
	return w
}

func (w *wants) look(selections ast.SelectionSet) {
	for _, s := range selections {
		switch s := s.(type) {
		case *ast.Field:
			switch s.Name {
			case "cursor", "startCursor", "endCursor", "score", "since":
				w.cursors = true
			case "explanation":
				w.cursors = true
				w.look(s.SelectionSet)
			case "votesToPass":
				w.lead = true
			case "rank":
				w.rank = true
			case "totalCount", "hasNextPage", "hasPreviousPage":
				w.count = true
			case "edges", "pageInfo":
				w.look(s.SelectionSet)
			}
		case *ast.InlineFragment:
			w.look(s.SelectionSet)
		case *ast.FragmentSpread:
			if f := w.fragments.ForName(s.Name); f != nil {
				w.look(f.SelectionSet)
			}
		}
	}
}

// pages reads one page of the list of each parent and makes its connection.
func pages[C any](ctx context.Context, lists []store.List, args forum.PageArgs, connect func(string, forum.Page) C) ([]C, error) {
	windows := make([]forum.Window, len(lists))
	keys := make([]store.List, 0, len(lists))
	connections := make([]C, len(lists))
	errs := make([]error, len(lists))
	bad := false
	for i, l := range lists {
		if windows[i], errs[i] = args.Window(l.Name); errs[i] != nil {
			bad = true
			continue
		}
		keys = append(keys, l)
	}
	found := make([]forum.Page, 0, len(lists))
	var missed []error
	if len(keys) > 0 {
		// A cursor is bound to one list, so parents with different windows come only with one that is bad.
		found, missed = loader.From(ctx).Pages(ctx, keys, firstGood(windows, errs))
	}
	n := 0
	for i, l := range lists {
		if errs[i] != nil {
			continue
		}
		if missed != nil && missed[n] != nil {
			errs[i], bad = missed[n], true
		} else {
			connections[i] = connect(l.Name, windows[i].Shown(found[n]))
		}
		n++
	}
	if !bad {
		return connections, nil
	}
	return many(connections, errs)
}

func firstGood(windows []forum.Window, errs []error) forum.Window {
	for i, err := range errs {
		if err == nil {
			return windows[i]
		}
	}
	return forum.Window{}
}

// filled drops what is gone from each page of rows.
func filled[T any](rows []*T) []*T {
	if !slices.Contains(rows, nil) {
		return rows
	}
	kept := make([]*T, 0, len(rows))
	for _, r := range rows {
		if r != nil {
			kept = append(kept, r)
		}
	}
	return kept
}

// listed is any connection of the model.
type listed interface {
	Rows() forum.Page
	Cursor(row int) string
}

// nodesOf loads what stands on the page of each connection, leaving out what is
// gone.
func nodesOf[C listed, ID ~int64, T any](ctx context.Context, cs []C, load func(context.Context, []ID) ([]*T, []error)) ([][]*T, error) {
	rows, errs := rowsOf(ctx, column(cs, C.Rows), load)
	for i := range rows {
		rows[i] = filled(rows[i])
	}
	return many(rows, errs)
}

// edgesOf is nodesOf with what edge makes of each row.
func edgesOf[C listed, ID ~int64, T, E any](ctx context.Context, cs []C, load func(context.Context, []ID) ([]*T, []error), edge func(c C, row int, node *T) E) ([][]E, error) {
	rows, errs := rowsOf(ctx, column(cs, C.Rows), load)
	edges := make([][]E, len(cs))
	for i, c := range cs {
		edges[i] = make([]E, 0, len(rows[i]))
		for n, node := range rows[i] {
			if node != nil {
				edges[i] = append(edges[i], edge(c, n, node))
			}
		}
	}
	return many(edges, errs)
}

// rowsOf loads the objects of all pages at once and gives each page its own, nil
// where one is gone.
func rowsOf[ID ~int64, T any](ctx context.Context, all []forum.Page, load func(context.Context, []ID) ([]*T, []error)) ([][]*T, []error) {
	var ids []ID
	for _, p := range all {
		ids = append(ids, loader.IDs[ID](p)...)
	}
	found, missed := load(ctx, ids)
	rows := make([][]*T, len(all))
	var errs []error
	n := 0
	for i, p := range all {
		rows[i] = found[n : n+len(p.Rows)]
		for k := n; missed != nil && k < n+len(p.Rows); k++ {
			if missed[k] != nil {
				if errs == nil {
					errs = make([]error, len(all))
				}
				errs[i] = missed[k]
			}
		}
		n += len(p.Rows)
	}
	return rows, errs
}
