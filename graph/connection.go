package graph

import (
	"context"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/internal/forum"
	"agora/internal/loader"
	"agora/internal/store/listing"
)

// named adapts a load that returns handles: it reads nothing and cannot fail.
func named[ID ~int64, T any](name func([]ID) []*T) func(context.Context, []ID) ([]*T, []error) {
	return func(_ context.Context, ids []ID) ([]*T, []error) { return name(ids), nil }
}

// scatter loads a value for each of the rows that need one, in one call, and returns the values in the order of the
// rows. key returns what to load for a row; false if nothing, and an error if the row is not valid. Rows without a
// value get the zero value.
func scatter[R, K, V any](
	rows []R, key func(R) (K, bool, error), load func([]K) ([]V, []error),
) ([]V, error) {
	values, errs := make([]V, len(rows)), make([]error, len(rows))
	keys, of := make([]K, 0, len(rows)), make([]int, 0, len(rows))
	failed := false
	for i, r := range rows {
		k, ok, err := key(r)
		if errs[i] = err; err != nil {
			failed = true
		} else if ok {
			keys, of = append(keys, k), append(of, i)
		}
	}
	if len(keys) > 0 {
		loaded, missed := load(keys)
		for n, i := range of {
			if missed != nil && missed[n] != nil {
				errs[i], failed = missed[n], true
				continue
			}
			values[i] = loaded[n]
		}
	}
	if !failed {
		return values, nil
	}
	return batchResult(values, errs)
}

// batchResult converts errors per parent to what gqlgen expects from a batch resolver.
func batchResult[T any](values []T, errs []error) ([]T, error) {
	if errs == nil {
		return values, nil
	}
	return values, graphql.BatchErrorList(errs)
}

// failAll returns the same error for every parent of a batch.
func failAll[T, P any](parents []P, err error) ([]T, error) {
	errs := make([]error, len(parents))
	for i := range errs {
		errs[i] = err
	}
	return make([]T, len(parents)), graphql.BatchErrorList(errs)
}

// refs returns pointers to the elements.
func refs[T any](values []T) []*T {
	pointers := make([]*T, len(values))
	for i := range values {
		pointers[i] = &values[i]
	}
	return pointers
}

// mapSlice applies pick to each row.
func mapSlice[R, V any](rows []R, pick func(R) V) []V {
	values := make([]V, len(rows))
	for i, r := range rows {
		values[i] = pick(r)
	}
	return values
}

// pageArgs returns the arguments of the connection that the field of ctx returns, with the parts that the operation
// does not select and that need not be read.
func pageArgs(ctx context.Context, first *int, after *string, last *int, before *string) forum.PageArgs {
	args := forum.PageArgs{First: first, Last: last, After: after, Before: before}
	if field := graphql.GetFieldContext(ctx); field != nil {
		w := selected{fragments: graphql.GetOperationContext(ctx).Doc.Fragments}
		w.visit(field.Field.Selections)
		args.NoCursors, args.NoCount, args.Preceding = !w.cursors, !w.count, w.preceding
	}
	return args
}

// selected is what an operation selects of a connection, besides its rows.
type selected struct {
	fragments      ast.FragmentDefinitionList
	cursors, count bool
	preceding      bool // the row before the page
	rank           bool // of an edge
}

// edgeAsked returns what an operation selects of the edge that the field of ctx returns.
func edgeAsked(ctx context.Context) selected {
	w := selected{fragments: graphql.GetOperationContext(ctx).Doc.Fragments}
	w.visit(graphql.GetFieldContext(ctx).Field.Selections)
	w.rank = w.rank || w.preceding
	return w
}

func (w *selected) visit(selections ast.SelectionSet) {
	for _, s := range selections {
		switch s := s.(type) {
		case *ast.Field:
			switch s.Name {
			case "cursor", "startCursor", "endCursor", "score", "since":
				w.cursors = true
			case "explanation":
				w.cursors = true
				w.visit(s.SelectionSet)
			case "votesToPass":
				w.preceding = true
			case "rank":
				w.rank = true
			case "totalCount", "hasNextPage", "hasPreviousPage":
				w.count = true
			case "edges", "pageInfo":
				w.visit(s.SelectionSet)
			}
		case *ast.InlineFragment:
			w.visit(s.SelectionSet)
		case *ast.FragmentSpread:
			if f := w.fragments.ForName(s.Name); f != nil {
				w.visit(f.SelectionSet)
			}
		}
	}
}

// pages reads one page of the list of each parent and returns the connections.
func pages[C any](
	ctx context.Context, lists []listing.List, args forum.PageArgs, connect func(string, *forum.Page) C,
) ([]C, error) {
	var window forum.Window // a cursor is bound to one list, so valid windows are equal
	return scatter(refs(lists), func(l *listing.List) (*listing.List, bool, error) {
		w, err := args.Window(l.Name)
		if err == nil {
			window = w
		}
		return l, true, err
	}, func(lists []*listing.List) ([]C, []error) {
		found, missed := loader.From(ctx).Pages(ctx, lists, window)
		connections := make([]C, len(lists))
		for i, p := range found {
			connections[i] = connect(lists[i].Name, window.Shown(p))
		}
		return connections, missed
	})
}

// compact drops the nil rows, whose objects no longer exist.
func compact[T any](rows []*T) []*T {
	if !slices.Contains(rows, nil) {
		return rows
	}
	present := make([]*T, 0, len(rows))
	for _, r := range rows {
		if r != nil {
			present = append(present, r)
		}
	}
	return present
}

// listed is any connection of the model.
type listed interface {
	Rows() *forum.Page
	Cursor(row int) string
}

// nodesOf loads the objects on the page of each connection, without those that no longer exist.
func nodesOf[C listed, ID ~int64, T any](ctx context.Context, cs []C,
	load func(context.Context, []ID) ([]*T, []error)) ([][]*T, error) {
	rows, errs := rowsOf(ctx, mapSlice(cs, C.Rows), load)
	for i := range rows {
		rows[i] = compact(rows[i])
	}
	return batchResult(rows, errs)
}

// edgesOf is nodesOf, with an edge for each row.
func edgesOf[C listed, ID ~int64, T, E any](ctx context.Context, cs []C,
	load func(context.Context, []ID) ([]*T, []error), edge func(c C, row int, node *T) E) ([][]E, error) {
	rows, errs := rowsOf(ctx, mapSlice(cs, C.Rows), load)
	edges := make([][]E, len(cs))
	for i, c := range cs {
		edges[i] = make([]E, 0, len(rows[i]))
		for n, node := range rows[i] {
			if node != nil {
				edges[i] = append(edges[i], edge(c, n, node))
			}
		}
	}
	return batchResult(edges, errs)
}

// rowsOf loads the objects of all pages in one call and returns those of each page, nil for one that no longer
// exists.
func rowsOf[ID ~int64, T any](ctx context.Context, all []*forum.Page,
	load func(context.Context, []ID) ([]*T, []error)) ([][]*T, []error) {
	n := 0
	for _, p := range all {
		n += len(p.Rows)
	}
	ids := make([]ID, 0, n)
	for _, p := range all {
		for _, r := range p.Rows {
			ids = append(ids, ID(r.ID))
		}
	}
	found, missed := load(ctx, ids)
	rows := make([][]*T, len(all))
	var errs []error
	n = 0
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
