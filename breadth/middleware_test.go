package breadth_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth/internal/fixture"
)

// execute runs a document through gqlgen's executor of extensions.
func execute(t *testing.T, e *executor.Executor, text string) *graphql.Response {
	t.Helper()
	ctx := graphql.StartOperationTrace(context.Background())
	op, errs := e.CreateOperationContext(ctx, &graphql.RawParams{Query: text})
	if errs != nil {
		t.Fatalf("%s: %v", text, errs)
	}
	responses, ctx := e.DispatchOperation(ctx, op)
	return responses(ctx)
}

func TestFieldInterceptorsSurroundEachResolverOnce(t *testing.T) {
	s := family(t)
	e := executor.New(s.schema())
	var seen []string
	e.AroundFields(func(ctx context.Context, next graphql.Resolver) (any, error) {
		fc := graphql.GetFieldContext(ctx)
		seen = append(seen, fmt.Sprintf("%s.%s %s %v", fc.Object, fc.Field.Name, fc.Path(), fc.IsResolver))
		if fc.Field.Name == "single" {
			return &fixture.Place{Name: "interceptor's"}, nil
		}
		if fc.Field.Name == "partner" {
			return nil, errors.New("not them")
		}
		return next(ctx)
	})
	resp := execute(t, e, "{ people { name team { id } single { name } partner { id } } }")
	if want := `{"people":[{"name":"name 0","team":[{"id":"0"},{"id":"1"}],"single":{"name":"interceptor's"},"partner":null},{"name":"name 1","team":[{"id":"0"},{"id":"1"}],"single":{"name":"interceptor's"},"partner":null}]}`; string(resp.Data) != want {
		t.Errorf("answers %s\nwant    %s", resp.Data, want)
	}
	if len(resp.Errors) != 2 || resp.Errors[1].Path.String() != "people[1].partner" {
		t.Errorf("errors %v; want two, of partner", resp.Errors)
	}
	want := []string{"Query.people people true", "Person.team people.team true", "Person.single people.single true",
		"Person.single people.single true", "Person.partner people.partner true"}
	if !slices.Equal(seen, want) {
		t.Errorf("saw %q\nwant %q", seen, want)
	}
}

func TestRootFieldInterceptors(t *testing.T) {
	type key struct{}
	s := family(t)
	s.resolvers["Query.word"] = func(ctx context.Context, _ any) (any, error) { return fmt.Sprint(ctx.Value(key{})), nil }
	e := executor.New(s.schema())
	var seen []string
	e.AroundRootFields(func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
		field := graphql.GetRootFieldContext(ctx).Field
		seen = append(seen, field.Alias)
		defer func() { seen = append(seen, "/"+field.Alias) }()
		switch field.Alias {
		case "null":
			return graphql.Null
		case "other":
			next(ctx)
			return graphql.MarshalString("other")
		}
		return next(context.WithValue(ctx, key{}, field.Alias))
	})
	s.resolvers["Mutation.count"] = func(context.Context, any) (any, error) {
		seen = append(seen, "resolver")
		return 1,
			nil
	}
	resp := execute(t, e, "{ a: word other: word null: person { id } t: __typename person { name } }")
	if want := `{"a":"a","other":"other","null":null,"t":"Query","person":{"name":"name 0"}}`; string(resp.Data) != want || len(resp.Errors) > 0 {
		t.Errorf("answers %s %v\nwant    %s", resp.Data, resp.Errors, want)
	}
	seen = nil
	execute(t, e, "mutation { a: count b: count }")
	if got, want := strings.Join(seen, " "), "a resolver /a b resolver /b"; got != want {
		t.Errorf("saw %s; want %s", got, want)
	}
}

// Errors that a resolver adds itself have the path of its field, without list indexes: it runs once for all of them.
func TestErrorsThatResolversAddThemselves(t *testing.T) {
	s := family(t)
	s.resolvers["Person.partner"] = func(ctx context.Context, of any) (any, error) {
		graphql.AddErrorf(ctx, "%d without a partner", len(of.([]*fixture.Person)))
		return make([]*fixture.Person, len(of.([]*fixture.Person))), nil
	}
	s.resolvers["Query.word"] = func(ctx context.Context, _ any) (any, error) {
		graphql.AddError(ctx, errors.New("added"))
		return "word", nil
	}
	s.expect("{ people { partner { id } } word }", `{"people":[{"partner":null},{"partner":null}],"word":"word"}`,
		"people.partner: 2 without a partner", "word: added")
}

func TestPresentersSeeWhereAnErrorIs(t *testing.T) {
	s := family(t)
	s.resolvers["Person.team"] = func(context.Context, any) (any, error) {
		return make([][]*fixture.Person, 2), graphql.BatchErrorList{nil, fmt.Errorf("outer: %w", gqlerror.Errorf("inner"))}
	}
	s.resolvers["Person.bestStrict"] = forEach(func(*fixture.Person) fixture.Pet { return nil })
	e := executor.New(s.schema())
	var seen []string
	e.SetErrorPresenter(func(ctx context.Context, err error) *gqlerror.Error {
		fc := graphql.GetFieldContext(ctx)
		seen = append(seen, fmt.Sprintf("%s %s.%s: %v", graphql.GetPath(ctx), fc.Object, fc.Field.Name, err))
		return graphql.DefaultErrorPresenter(ctx, err)
	})
	resp := execute(t, e, "{ people {\n team { id } }\n person { best: bestStrict { __typename } } }")
	want := []string{"people[1].team Person.team: outer: input: inner",
		"person.best Person.bestStrict: input: person.best must not be null"}
	if !slices.Equal(seen, want) {
		t.Errorf("saw %q\nwant %q", seen, want)
	}
	if len(resp.Errors) != 2 || fmt.Sprint(resp.Errors[0].Locations) != "[2:2]" ||
		resp.Errors[0].Path.String() != "people[1].team" || resp.Errors[0].Message != "inner" {
		t.Errorf("errors %v; want the first with its location", resp.Errors)
	}
}
