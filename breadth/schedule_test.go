package breadth_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth"
	"agora/breadth/internal/fixture"
)

func assign(result, v any) {
	if v != nil {
		reflect.ValueOf(result).Elem().Set(reflect.ValueOf(v))
	}
}

// family has teams of two for every person; every resolver waits once.
func family(t *testing.T) *site {
	s := newSite(t, nil)
	team := forEach(func(p *fixture.Person) []*fixture.Person { return people(2) })
	s.resolvers = map[string]resolver{
		"Query.people":        s.waiting(give(people(2))),
		"Query.person":        s.waiting(give(people(1)[0])),
		"Query.word":          s.waiting(give("word")),
		"Person.team":         s.waiting(team),
		"Person.partner":      s.waiting(forEach(func(*fixture.Person) *fixture.Person { return people(1)[0] })),
		"Person.single":       s.waiting(give(&fixture.Place{Name: "place"})),
		"Person.each":         s.waiting(forEach(func(p *fixture.Person) *string { return &p.Name })),
		"Place.owner":         s.waiting(func(_ context.Context, of any) (any, error) { return people(len(of.([]*fixture.Place))), nil }),
		"Mutation.count":      s.waiting(give(1)),
		"Mutation.rename":     s.waiting(give(&fixture.Payload{Person: people(1)[0]})),
		"Subscription.person": give(nil),
	}
	return s
}

func TestWaitsOfALevelAreCombined(t *testing.T) {
	tests := []struct {
		name, text, data string
		trips            []int
	}{
		{"fields of the root", "{ people { id } again: people { id } person { id } word }",
			`{"people":[{"id":"0"},{"id":"1"}],"again":[{"id":"0"},{"id":"1"}],"person":{"id":"0"},"word":"word"}`, []int{4}},
		{"fields of all objects", "{ people { team { id } partner { id } } }",
			`{"people":[{"team":[{"id":"0"},{"id":"1"}],"partner":{"id":"0"}},{"team":[{"id":"0"},{"id":"1"}],"partner":{"id":"0"}}]}`, []int{1, 2}},
		{"a chain", "{ person { team { team { partner { id } } } } }",
			`{"person":{"team":[{"team":[{"partner":{"id":"0"}},{"partner":{"id":"0"}}]},{"team":[{"partner":{"id":"0"}},{"partner":{"id":"0"}}]}]}}`, []int{1, 1, 1, 1}},
		{"chains of unequal length", "{ people { team { id } } person { partner { partner { id } } } }",
			`{"people":[{"team":[{"id":"0"},{"id":"1"}]},{"team":[{"id":"0"},{"id":"1"}]}],"person":{"partner":{"partner":{"id":"0"}}}}`, []int{2, 2, 1}},
		{"a resolver for each object", "{ people { single { owner { id } } } }",
			`{"people":[{"single":{"owner":{"id":"0"}}},{"single":{"owner":{"id":"1"}}}]}`, []int{1, 2, 1}},
		{"fields of a mutation, one after the other",
			"mutation { a: count rename(name: \"\") { person { partner { id } } } b: count }",
			`{"a":1,"rename":{"person":{"partner":{"id":"0"}}},"b":1}`, []int{1, 1, 1, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := family(t)
			s.expect(tt.text, tt.data)
			s.expectTrips(tt.trips...)
		})
	}
}

func TestAResolverMayWaitSeveralTimes(t *testing.T) {
	s := family(t)
	s.resolvers["Query.word"] = s.waiting(s.waiting(s.waiting(give("late"))))
	s.expect("{ people { partner { partner { id } } } word }",
		`{"people":[{"partner":{"partner":{"id":"0"}}},{"partner":{"partner":{"id":"0"}}}],"word":"late"}`)
	s.expectTrips(2, 2, 2)
	s = family(t)
	s.resolvers["Query.word"] = s.waiting(s.waiting(s.waiting(give("early"))))
	s.expect("{ word people { partner { id } } }", `{"word":"early","people":[{"partner":{"id":"0"}},{"partner":{"id":"0"}}]}`)
	s.expectTrips(2, 2, 1)
}

func TestDirectivesWaitTogether(t *testing.T) {
	s := family(t)
	s.directives.Each = func(ctx context.Context, obj any, next graphql.Resolver, _ *string) (any, error) {
		if obj.(*fixture.Person).ID == "1" {
			return next(ctx)
		}
		if err := s.ask(ctx); err != nil {
			return nil, err
		}
		v, err := next(ctx)
		if err := s.ask(ctx); err != nil {
			return nil, err
		}
		return v, err
	}
	s.resolvers["Query.people"] = give(people(3))
	s.expect("{ people { each partner { id } } }",
		`{"people":[{"each":"name 0","partner":{"id":"0"}},{"each":"name 1","partner":{"id":"0"}},{"each":"name 2","partner":{"id":"0"}}]}`)
	s.expectTrips(3, 1, 2)
}

func TestResolversRunInTheSameOrderEveryTime(t *testing.T) {
	var first []string
	for range 20 {
		s, log := family(t), []string(nil)
		for field, r := range s.resolvers {
			s.resolvers[field] = func(ctx context.Context, of any) (any, error) {
				log = append(log, "begin "+field)
				v, err := r(ctx, of)
				log = append(log, "end "+field)
				return v, err
			}
		}
		s.answers(context.Background(), "{ word people { team { single { owner { id } } } partner { id } } person { id } }")
		if first == nil {
			first = log
		}
		if !slices.Equal(first, log) {
			t.Fatalf("ran %v; want %v", log, first)
		}
	}
}

func TestFieldsOfAMutationEndBeforeTheNextBegins(t *testing.T) {
	s := family(t)
	var log []string
	note := func(what string, r resolver) resolver {
		return func(ctx context.Context, of any) (any, error) {
			log = append(log, what)
			v, err := r(ctx, of)
			log = append(log, "/"+what)
			return v, err
		}
	}
	for field, r := range s.resolvers {
		s.resolvers[field] = note(field, r)
	}
	s.expect(`mutation { a: rename(name: "a") { person { team { partner { id } } } } b: count c: rename(name: "b") { text } }`,
		`{"a":{"person":{"team":[{"partner":{"id":"0"}},{"partner":{"id":"0"}}]}},"b":1,"c":{"text":""}}`)
	want := "Mutation.rename /Mutation.rename Person.team /Person.team Person.partner /Person.partner Mutation.count " +
		"/Mutation.count Mutation.rename /Mutation.rename"
	if got := strings.Join(log, " "); got != want {
		t.Errorf("ran %s\nwant %s", got, want)
	}
}

func TestEveryEventHasItsOwnLoads(t *testing.T) {
	s := family(t)
	made := 0
	s.options.Loads = func(context.Context) breadth.Loads { made++; return s.loads }
	events := make(chan *fixture.Person, 3)
	for _, p := range people(3) {
		events <- p
	}
	close(events)
	s.resolvers["Subscription.person"] = give((<-chan *fixture.Person)(events))
	got := s.answers(context.Background(), "subscription { person { id partner { id } single { name } } }")
	if len(got) != 3 || got[2].Data != `{"person":{"id":"2","partner":{"id":"0"},"single":{"name":"place"}}}` {
		t.Errorf("answers %v; want three", got)
	}
	if made != 3 { // at the first wait; the source does not wait
		t.Errorf("loads were created %d times; want 3", made)
	}
	s.expectTrips(2, 2, 2)
}

func TestWaitOutsideOfAResolverPanics(t *testing.T) {
	if got := panicOf(func() { _ = breadth.Wait(context.Background()) }); !strings.Contains(got, "outside of a resolver") {
		t.Errorf("Wait panics with %q", got)
	}
}

func TestWaitAfterTheResolverHasReturnedPanics(t *testing.T) {
	s := family(t)
	var left context.Context
	s.resolvers["Query.people"] = func(ctx context.Context, _ any) (any, error) { left = ctx; return people(1), nil }
	var got string
	s.resolvers["Person.team"] = func(_ context.Context, of any) (any, error) {
		var other sync.WaitGroup
		other.Go(func() { got = panicOf(func() { _ = breadth.Wait(left) }) })
		other.Wait()
		return [][]*fixture.Person{people(1)}, nil
	}
	s.expect("{ people { team { id } } }", `{"people":[{"team":[{"id":"0"}]}]}`)
	if !strings.Contains(got, "after it has returned") {
		t.Errorf("Wait panics with %q", got)
	}
}

func panicOf(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return ""
}
