package breadth_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth/internal/fixture"
)

const (
	nullMessage   = "the requested element is null which the schema does not allow"
	absentMessage = "must not be null"
)

func TestPanicOfADispatchFailsWaitingTasks(t *testing.T) {
	s := family(t)
	s.loads.dispatch = func() {
		if len(s.loads.trips) == 1 {
			panic("broken pipe")
		}
	}
	s.resolvers["Query.gated"] = give(people(1)[0])
	s.expect("{ people { id } word gated { partner { id } id } }", "null", "gated.partner: panic: broken pipe",
		"people: panic: broken pipe", "word: panic: broken pipe")
	s = family(t)
	s.loads.dispatch = func() {
		if len(s.loads.trips) == 2 {
			panic("broken pipe")
		}
	}
	s.expect("{ people { partner { id } id } person { each id } }",
		`{"people":[{"partner":null,"id":"0"},{"partner":null,"id":"1"}],"person":{"each":null,"id":"0"}}`,
		"people[0].partner: panic: broken pipe", "people[1].partner: panic: broken pipe", "person.each: panic: broken pipe")
}

func TestBatchResolversWithTheWrongNumberOfResults(t *testing.T) {
	s := family(t)
	s.resolvers["Query.people"] = give(people(2))
	s.resolvers["Person.partner"] = give(people(3))
	s.expect("{ people { partner { id } } }", `{"people":[{"partner":null},{"partner":null}]}`,
		"people[0].partner: batch resolver Person.partner returned 3 results for 2 parents",
		"people[1].partner: batch resolver Person.partner returned 3 results for 2 parents")
	s.resolvers["Person.partner"] = func(context.Context, any) (any, error) {
		return people(2), graphql.BatchErrorList{errors.New("lost")}
	}
	s.expect("{ people { partner { id } } }", `{"people":[{"partner":null},{"partner":null}]}`,
		"people[0].partner: batch resolver Person.partner returned 1 errors for 2 parents",
		"people[1].partner: batch resolver Person.partner returned 1 errors for 2 parents")
}

func TestPanicOfABatchResolverIsReportedForEveryObject(t *testing.T) {
	s := family(t)
	s.resolvers["Query.people"] = give(people(2))
	s.resolvers["Person.partner"] = func(context.Context, any) (any, error) { panic("oh") }
	s.expect("{ people { partner { id } id } }", `{"people":[{"partner":null,"id":"0"},{"partner":null,"id":"1"}]}`,
		"people[0].partner: panic: oh", "people[1].partner: panic: oh")
}

// gqlgen reports the path of the first field for all that share an error.
func TestAnErrorThatFieldsShareHasAPathForEach(t *testing.T) {
	s, shared := family(t), gqlerror.Errorf("shared")
	s.resolvers["Query.word"] = func(context.Context, any) (any, error) { return nil, shared }
	s.resolvers["Query.person"] = func(context.Context, any) (any, error) { return nil, fmt.Errorf("wrapped: %w", shared) }
	s.expect("{ person { id } word }", "null", "person: shared", "word: shared")
	if shared.Path != nil || shared.Locations != nil {
		t.Errorf("the shared error has become %+v; want it as it was", shared)
	}
}

// In gqlgen, directives do not see these errors.
func TestDirectivesSeeTheErrorsOfBatchResolvers(t *testing.T) {
	s := family(t)
	s.directives.Each = func(ctx context.Context, obj any, next graphql.Resolver, _ *string) (any, error) {
		v, err := next(ctx)
		if err != nil {
			return nil, fmt.Errorf("directive: %w", err)
		}
		return v, nil
	}
	s.resolvers["Query.people"] = give(people(2))
	s.resolvers["Person.each"] = func(context.Context, any) (any, error) {
		return make([]*string, 2), graphql.BatchErrorList{nil, errors.New("no")}
	}
	s.expect("{ people { each } }", `{"people":[{"each":null},{"each":null}]}`, "people[1].each: directive: no")
	s.resolvers["Person.each"] = func(context.Context, any) (any, error) { return nil, errors.New("none") }
	s.expect("{ people { each } }", `{"people":[{"each":null},{"each":null}]}`, "people[0].each: directive: none", "people[1].each: directive: none")
}

func TestDirectivesMayReturnWrittenValues(t *testing.T) {
	s := family(t)
	s.directives.Each = func(_ context.Context, obj any, _ graphql.Resolver, _ *string) (any, error) {
		if obj.(*fixture.Person).ID == "0" {
			return graphql.Null, nil
		}
		return graphql.MarshalString("written"), nil
	}
	s.resolvers["Query.people"] = give(people(2))
	s.expect("{ people { each } }", `{"people":[{"each":null},{"each":"written"}]}`)
}

// gqlgen reports no error for it.
func TestNilPointerInAnInterface(t *testing.T) {
	s := newSite(t, map[string]resolver{
		"Query.things":       give([]fixture.Thing{(*fixture.Person)(nil), nil, &fixture.Person{ID: "a"}}),
		"Query.thingsStrict": give([]fixture.Thing{&fixture.Person{ID: "a"}, (*fixture.Person)(nil)}),
	})
	s.expect("{ things { id } }", `{"things":[null,null,{"id":"a"}]}`)
	s.expect("{ thingsStrict { id } }", "null", "thingsStrict[1]: "+nullMessage)
}

// gqlgen returns an empty list, and loses the error of one element.
func TestValuesOfNoTypeOfTheSchema(t *testing.T) {
	s := newSite(t, map[string]resolver{
		"Query.things": give([]fixture.Thing{&fixture.Person{ID: "a"}, &fixture.Ghost{}, &fixture.Person{ID: "b"}}),
		"Query.thing":  give(&fixture.Ghost{}),
	})
	const unknown = "panic: unexpected type *fixture.Ghost; non-generated variants of Thing must implement " +
		"graphql.Marshaler"
	s.expect("{ things { id } thing { id } }", `{"things":[{"id":"a"},null,{"id":"b"}],"thing":null}`, "thing: "+unknown, "things[1]: "+unknown)
}

// gqlgen writes null for values that must not be null.
func TestScalarsThatCannotBeWritten(t *testing.T) {
	const nan = "cannot marshal infinite no NaN float values"
	bad := fixture.Scalars{Float: math.NaN(), FloatStrict: 1, Floats: []float64{1, math.Inf(1)},
		Contextual: fixture.Contextual{A: -7}}
	s := newSite(t, map[string]resolver{
		"Query.manyScalars": give([]*fixture.Scalars{&bad}),
		"Query.scalars":     give(&fixture.Scalars{FloatStrict: math.NaN()}),
		"Query.float":       give(new(math.Inf(-1))),
	})
	s.expect("{ manyScalars { float floatStrict floats contextual } scalars { floatStrict } float }",
		`{"manyScalars":[{"float":null,"floatStrict":1,"floats":null,"contextual":null}],"scalars":null,"float":null}`,
		"float: "+nan, "manyScalars[0].contextual: no context for it", "manyScalars[0].float: "+nan, "manyScalars[0].floats[1]: "+nan,
		"scalars.floatStrict: "+nan)
}

// gqlgen reports the path of the list.
func TestNullInAListOfScalars(t *testing.T) {
	s := newSite(t, map[string]resolver{
		"Query.scalars": give(&fixture.Scalars{OddsStrict: []fixture.Odd{1, -1, 2, -1}, Odds: []fixture.Odd{1, -1}}),
	})
	s.expect("{ scalars { odds } }", `{"scalars":{"odds":[1,null]}}`)
	s.expect("{ scalars { odds oddsStrict } }", `{"scalars":null}`,
		"scalars.oddsStrict[1]: "+nullMessage, "scalars.oddsStrict[3]: "+nullMessage)
}

// gqlgen loses the selections on the second of two unrelated interfaces.
func TestSelectionsOfUnrelatedInterfacesAreMerged(t *testing.T) {
	s := newSite(t, map[string]resolver{"Query.twins": give(&fixture.Twins{Twin: &fixture.Cell{Value: 1, Text: "one"},
		Same: "same"})})
	s.expect("{ twins { ... on Left { twin { value } same } ... on Right { same twin { text } } } }", `{"twins":{"twin":{"value":1,"text":"one"},"same":"same"}}`)
}

// gqlgen writes {"pet":null} there.
func TestPanicsOfGettersFailOnlyTheirFields(t *testing.T) {
	places := [][]*fixture.Place{{{Name: "a", Luck: 0}, {Name: "b", Luck: 1}}, {{Name: "c", Luck: 2}}}
	s := newSite(t, map[string]resolver{"Query.placesLoose": give(places)})
	s.expect("{ placesLoose { panics name } }", `{"placesLoose":[[{"panics":null,"name":"a"},{"panics":"b","name":"b"}],[{"panics":"c","name":"c"}]]}`,
		"placesLoose[0][0].panics: panic: no a")
	s.expect("{ placesLoose { panicsStrict name } }", `{"placesLoose":[[{"panicsStrict":0,"name":"a"},null],[{"panicsStrict":2,"name":"c"}]]}`,
		"placesLoose[0][1].panicsStrict: panic: no number")
}
