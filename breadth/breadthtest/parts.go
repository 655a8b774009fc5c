package breadthtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/breadth"
)

// CompareParts runs n operations that may be answered in parts, and compares the merged parts with the complete
// answer. world returns the context of a seed.
func CompareParts(
	t *testing.T, es graphql.ExecutableSchema, g *Generator, n int, world func(seed uint64) context.Context,
) {
	t.Helper()
	var several, deep atomic.Int64
	Compare(t, n, func(seed uint64) (Operation, bool) {
		return g.Operation(rand.New(rand.NewPCG(seed, 7)))
	}, func(seed uint64, o Operation) string {
		whole := Run(world(seed), es, o)[0]
		var want any
		if err := json.Unmarshal([]byte(whole.Data), &want); err != nil {
			return err.Error()
		}
		got, parts, errs, err := RunParts(world(seed), es, o)
		if parts > 1 {
			several.Add(1)
		}
		if parts > 2 {
			deep.Add(1)
		}
		switch {
		case err != nil:
			return err.Error()
		case (errs == 0) != (len(whole.Errors) == 0):
			return fmt.Sprintf("%d errors in parts; want as many as of %v", errs, whole)
		case errs == 0 && !reflect.DeepEqual(got, want):
			return fmt.Sprintf("%d parts give %v; want %v", parts, got, want)
		}
		return ""
	})
	if several.Load() < int64(n/20) || deep.Load() == 0 {
		t.Errorf("%d answers came in parts, %d of them in more than two", several.Load(), deep.Load())
	}
}

// RunParts executes an operation whose answer may come in parts, and returns the merged data of all parts, the number
// of parts, and the number of errors. Data is nil if a part failed.
func RunParts(ctx context.Context, es graphql.ExecutableSchema, o Operation) (data any, parts, errs int, err error) {
	ctx, err = prepare(ctx, es, o)
	if err != nil {
		return nil, 0, 0, err
	}
	var inc breadth.Incremental
	ctx = breadth.WithIncremental(ctx, &inc)
	next := es.Exec(graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, Recover))
	announced := map[int]breadth.Pending{}
	failed := false
	for more := true; more; more = inc.More {
		part := graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, Recover)
		resp := next(part)
		if resp == nil {
			return nil, parts, errs, fmt.Errorf("no response after %d parts; want another", parts)
		}
		if parts++; parts == 1 {
			if err := json.Unmarshal(resp.Data, &data); err != nil {
				return nil, parts, errs, err
			}
		}
		errs += len(graphql.GetErrors(part))
		for _, p := range inc.Parts {
			if _, ok := announced[p.ID]; !ok {
				return nil, parts, errs, fmt.Errorf("part %d at %s was not announced", p.ID, p.Path)
			}
			delete(announced, p.ID)
			if p.Data == nil {
				failed = true
				continue
			}
			if data, err = merge(data, p); err != nil {
				return nil, parts, errs, err
			}
		}
		for _, p := range inc.Pending {
			announced[p.ID] = p
		}
	}
	if len(announced) > 0 || next(ctx) != nil {
		return nil, parts, errs, fmt.Errorf("%d parts were announced but did not come", len(announced))
	}
	if failed {
		data = nil
	}
	return data, parts, errs, nil
}

// merge adds a part to the data.
func merge(data any, p breadth.Part) (any, error) {
	var more any
	if err := json.Unmarshal(p.Data, &more); err != nil {
		return nil, err
	}
	return at(data, p.Path, func(old any) (any, error) {
		if !p.Stream {
			return deep(old, more)
		}
		list, ok := old.([]any)
		if !ok || len(list) != p.Index {
			return nil, fmt.Errorf("elements from %d on cannot be added to %v", p.Index, old)
		}
		return append(list, more.([]any)...), nil
	})
}

// at replaces the value at a path of the data.
func at(data any, path ast.Path, change func(any) (any, error)) (any, error) {
	if len(path) == 0 {
		return change(data)
	}
	switch step := path[0].(type) {
	case ast.PathName:
		object, ok := data.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("there is no object for %s", path)
		}
		v, err := at(object[string(step)], path[1:], change)
		object[string(step)] = v
		return object, err
	case ast.PathIndex:
		list, ok := data.([]any)
		if !ok || int(step) >= len(list) {
			return nil, fmt.Errorf("there is no list for %s", path)
		}
		v, err := at(list[step], path[1:], change)
		list[step] = v
		return list, err
	}
	return nil, fmt.Errorf("unexpected %T in a path", path[0])
}

// deep merges two values: objects field by field, lists element by element.
func deep(a, b any) (any, error) {
	switch b := b.(type) {
	case map[string]any:
		object, ok := a.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("an object cannot be merged with %v", a)
		}
		for k, v := range b {
			old, there := object[k]
			if !there {
				object[k] = v
				continue
			}
			merged, err := deep(old, v)
			if err != nil {
				return nil, err
			}
			object[k] = merged
		}
		return object, nil
	case []any:
		list, ok := a.([]any)
		if !ok {
			return nil, fmt.Errorf("a list cannot be merged with %v", a)
		}
		for i, v := range b {
			if i == len(list) {
				list = append(list, v)
				continue
			}
			merged, err := deep(list[i], v)
			if err != nil {
				return nil, err
			}
			list[i] = merged
		}
		return list, nil
	}
	return b, nil
}
