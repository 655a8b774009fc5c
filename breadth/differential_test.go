package breadth_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth"
	"agora/breadth/breadthtest"
	"agora/breadth/internal/fixture"
	"agora/breadth/internal/fixture/generated"
)

// directed are fields with directives that are called for each object.
var directed = []string{
	"Person.secretStrict", "Person.each", "Person.eachStrict", "Person.eachList", "Person.eachPlace", "Person.eachSingle",
	"Person.eachThings", "Query.eachRoot", "Mutation.each", "Subscription.each",
}

// worldOf returns a world of the fixture's types.
func worldOf(seed uint64, faults int) *breadthtest.World {
	w := &breadthtest.World{Seed: seed, Faults: faults,
		Make: map[reflect.Type]func(*breadthtest.World, *breadthtest.Rand) any{
			reflect.TypeFor[*fixture.Handle](): func(_ *breadthtest.World, r *breadthtest.Rand) any {
				if r.Intn(8) == 0 {
					return nil
				}
				return &fixture.Handle{ID: fmt.Sprint("h", r.Intn(200))}
			},
			reflect.TypeFor[fixture.Level](): func(_ *breadthtest.World, r *breadthtest.Rand) any {
				return fixture.Level(1 + r.Intn(2))
			},
			reflect.TypeFor[any](): func(_ *breadthtest.World, r *breadthtest.Rand) any {
				return []any{nil, "text", 5, []any{nil, 1}}[r.Intn(4)]
			},
		}}
	// gqlgen adds an error of one object to the answer before directives see it. So either their subfields fail, or
	// they meddle with the value.
	if seed%2 == 1 {
		w.Safe = func(field string) bool { return slices.Contains(directed, field) }
	}
	for _, v := range []any{&fixture.Dog{}, &fixture.Cat{}, fixture.Cat{}, &fixture.Person{}, &fixture.Place{}} {
		w.Types = append(w.Types, reflect.TypeOf(v))
	}
	return w
}

// directives do what the world says, for each object or for all.
func directives() generated.DirectiveRoot {
	return generated.DirectiveRoot{
		Gate: func(ctx context.Context, _ any, next graphql.Resolver, level int, name *string) (any, error) {
			r := breadthtest.WorldFrom(ctx).Rand("gate", level, name)
			switch r.Intn(6) {
			case 0:
				return nil, errors.New("the gate is closed")
			case 1:
				return nil, nil
			case 2:
				return next(context.WithValue(ctx, gateKey{}, level))
			}
			return next(ctx)
		},
		Each: func(ctx context.Context, obj any, next graphql.Resolver, tag *string) (any, error) {
			r := breadthtest.WorldFrom(ctx).Rand("each", obj, tag, graphql.GetFieldContext(ctx).Field.Name)
			return meddle(ctx, &r, obj, next)
		},
		Every: func(ctx context.Context, obj any, next graphql.Resolver) (any, error) {
			r := breadthtest.WorldFrom(ctx).Rand("every", obj, graphql.GetFieldContext(ctx).Field.Name)
			return meddle(ctx, &r, obj, next)
		},
	}
}

type gateKey struct{}

// meddle does one of the things that a directive may do.
func meddle(ctx context.Context, r *breadthtest.Rand, obj any, next graphql.Resolver) (any, error) {
	wait(ctx, "directive", obj)
	n := r.Intn(16)
	if breadthtest.WorldFrom(ctx).Safe == nil && n > 5 {
		return next(ctx)
	}
	switch n {
	case 0:
		return nil, fmt.Errorf("directive fails %x", r.Next()&15)
	case 1:
		return nil, nil
	case 2:
		return struct{}{}, nil
	case 3:
		panic("directive panics")
	case 4:
		return obj, nil
	case 5:
		text := "in place"
		return &text, nil
	case 6:
		v, err := next(ctx)
		if err != nil {
			return nil, fmt.Errorf("directive: %w", err)
		}
		return v, err
	case 7:
		_, _ = next(ctx)
		return next(ctx)
	case 8:
		_, _ = next(ctx)
		return nil, errors.New("directive fails after all")
	case 9:
		if _, err := next(ctx); err != nil {
			return nil, nil
		}
		return "another value", nil
	case 10:
		return []*fixture.Person{{ID: "other", Name: "other"}}, nil
	}
	return next(ctx)
}

// wait waits for data, zero or more times. Opening a subscription runs outside of a response.
func wait(ctx context.Context, about ...any) {
	if fc := graphql.GetFieldContext(ctx); fc != nil && fc.Object == "Subscription" {
		return
	}
	r := breadthtest.WorldFrom(ctx).Rand(about...)
	for n := r.Intn(4) - 1; n > 0; n-- {
		if err := breadth.Wait(ctx); err != nil {
			panic(err)
		}
	}
}

// noLoads has nothing to send.
type noLoads struct{}

func (noLoads) Dispatch() {}
func (noLoads) Close()    {}

// executors returns gqlgen's executor and ours, over the world in the context.
func executors() (stock, own graphql.ExecutableSchema) {
	call := func(ctx context.Context, field string, of any, args []any, result any) error {
		return breadthtest.WorldFrom(ctx).Call(ctx, field, of, args, result)
	}
	cfg := generated.Config{Resolvers: &FakeResolvers{Call: func(ctx context.Context, field string, of any, args []any,
		result any) error {
		wait(ctx, field)
		return call(ctx, field, of, args, result)
	}}, Directives: directives()}
	theirs := cfg
	theirs.Resolvers = &FakeResolvers{Call: func(ctx context.Context, field string, of any, args []any, result any) error {
		err := call(ctx, field, of, args, result)
		load(reflect.ValueOf(result).Elem(), field)
		return err
	}}
	loaders := generated.Loaders{Handle: func(ctx context.Context, objs []*fixture.Handle) []error {
		wait(ctx, "load", objs)
		for _, h := range objs {
			h.Load()
		}
		return nil
	}}
	return generated.NewExecutableSchema(theirs), generated.NewBreadthSchemaWith(cfg, loaders, breadth.Options{})
}

func TestRandomDocumentsAreAnsweredLikeGqlgen(t *testing.T) {
	stock, own := executors()
	small := breadthtest.NewGenerator(stock.Schema(), 6, 12, "Left", "Right", "Twins")
	large := breadthtest.NewGenerator(stock.Schema(), 8, 60, "Left", "Right", "Twins")
	breadthtest.Compare(t, documents, func(seed uint64) (breadthtest.Operation, bool) {
		g := small
		if seed%50 == 0 {
			g = large
		}
		return g.Operation(rand.New(rand.NewPCG(seed, 1)))
	}, func(seed uint64, o breadthtest.Operation) string {
		ctx := worldOf(seed, int(seed%5)*25).With(context.Background())
		want := breadthtest.Run(breadth.Outside(ctx, noLoads{}), stock, o)
		ctx = worldOf(seed, int(seed%5)*25).With(context.Background())
		return breadthtest.Difference(o, want, breadthtest.Run(ctx, own, o))
	})
}
