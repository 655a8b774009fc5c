package breadth_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth"
	"agora/breadth/breadthtest"
	"agora/breadth/internal/fixture"
	"agora/breadth/internal/fixture/generated"
)

// site is the fixture with a test's own resolvers.
type site struct {
	t          *testing.T
	resolvers  map[string]resolver
	directives generated.DirectiveRoot
	load       generated.Loaders
	options    breadth.Options
	loads      *loads
}

// resolver returns the result for an object, a slice of objects, or nil.
type resolver func(ctx context.Context, of any) (any, error)

// loads counts the requests of each trip.
type loads struct {
	asked    int
	trips    []int
	dispatch func()
}

// Close implements breadth.Loads.
func (*loads) Close() {}

// Dispatch implements breadth.Loads.
func (l *loads) Dispatch() {
	l.trips = append(l.trips, l.asked)
	l.asked = 0
	if l.dispatch != nil {
		l.dispatch()
	}
}

func newSite(t *testing.T, resolvers map[string]resolver) *site {
	next := func(ctx context.Context, _ any, next graphql.Resolver) (any, error) { return next(ctx) }
	s := &site{t: t, resolvers: resolvers, loads: &loads{}, directives: generated.DirectiveRoot{
		Gate: func(ctx context.Context, _ any, next graphql.Resolver, _ int, _ *string) (any, error) {
			return next(ctx)
		},
		Each:  func(ctx context.Context, _ any, next graphql.Resolver, _ *string) (any, error) { return next(ctx) },
		Every: next,
	}}
	s.options.Loads = func(context.Context) breadth.Loads { return s.loads }
	return s
}

// ask requests data and waits for them.
func (s *site) ask(ctx context.Context) error {
	s.loads.asked++
	return breadth.Wait(ctx)
}

// waiting returns a resolver that waits once.
func (s *site) waiting(r resolver) resolver {
	return func(ctx context.Context, of any) (any, error) {
		if err := s.ask(ctx); err != nil {
			return nil, err
		}
		return r(ctx, of)
	}
}

func (s *site) config() generated.Config {
	return generated.Config{Directives: s.directives, Resolvers: &FakeResolvers{
		Call: func(ctx context.Context, field string, of any, _ []any, result any) error {
			r := s.resolvers[field]
			if r == nil {
				return fmt.Errorf("nothing resolves %s", field)
			}
			v, err := r(ctx, of)
			store(result, v)
			return err
		},
	}}
}

// store stores a value in the result of a resolver; nil is no value.
func store(result, v any) {
	switch into := result.(type) {
	case *fixture.Left:
		*into, _ = v.(fixture.Left)
	case *fixture.Thing:
		*into, _ = v.(fixture.Thing)
	default:
		assign(result, v)
	}
}

func (s *site) schema() graphql.ExecutableSchema {
	return generated.NewBreadthSchemaWith(s.config(), s.load, s.options)
}

// answers executes a document.
func (s *site) answers(ctx context.Context, text string) []breadthtest.Answer {
	s.t.Helper()
	es := s.schema()
	o, err := breadthtest.ParseOperation(es.Schema(), text, nil)
	if err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	return breadthtest.Run(ctx, es, o)
}

// expect executes a document and compares the answer.
func (s *site) expect(text, data string, errs ...string) {
	s.t.Helper()
	got := s.answers(context.Background(), text)
	want := breadthtest.Answer{Data: data, Errors: errs}
	if len(got) != 1 || got[0].String() != want.String() {
		s.t.Errorf("%s\nanswers %v\nwant    %v", text, got, want)
	}
}

// expectTrips compares the number of requests of each trip.
func (s *site) expectTrips(want ...int) {
	s.t.Helper()
	if fmt.Sprint(s.loads.trips) != fmt.Sprint(want) {
		s.t.Errorf("trips %v; want %v", s.loads.trips, want)
	}
}

// people returns n persons with ids from 0.
func people(n int) []*fixture.Person {
	all := make([]*fixture.Person, n)
	for i := range all {
		all[i] = &fixture.Person{ID: fmt.Sprint(i), Name: fmt.Sprint("name ", i)}
	}
	return all
}

// give always returns the same value.
func give(v any) resolver { return func(context.Context, any) (any, error) { return v, nil } }

// forEach is a batch resolver that returns a value for each person.
func forEach[R any](give func(p *fixture.Person) R) resolver {
	return func(_ context.Context, of any) (any, error) {
		var all []R
		for _, p := range of.([]*fixture.Person) {
			all = append(all, give(p))
		}
		return all, nil
	}
}
