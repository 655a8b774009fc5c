package batch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/99designs/gqlgen/graphql/handler/transport"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"agora/breadth/example/internal/exampletest"
)

func serve(es graphql.ExecutableSchema) http.Handler {
	server := handler.New(es)
	server.AddTransport(transport.POST{})
	server.SetQueryCache(lru.New[*ast.QueryDocument](10))
	return server
}

func onGqlgen(r *Resolver) http.Handler  { return serve(NewExecutableSchema(Config{Resolvers: r})) }
func onBreadth(r *Resolver) http.Handler { return serve(NewBreadthSchema(Config{Resolvers: r})) }

// pairs are a field that is resolved for all objects at once, and one for each.
var pairs = [][2]string{
	{"{ people { it: badge { id } } }", "{ people { it: badgeEach { id } } }"},
	{"{ people { it: badgeAfter(steps: 2) { id } } }", "{ people { it: badgeAfterEach(steps: 2) { id } } }"},
	{"{ people { it: requiredBadge { id } } }", "{ people { it: requiredBadgeEach { id } } }"},
	{"{ people { it: badge { id at: picture { url } } } }", "{ people { it: badgeEach { id at: pictureEach { url } } } }"},
}

func TestBothWaysAndBothExecutorsAgree(t *testing.T) {
	other := func(n int) error { return fmt.Errorf("no badge for %d", n) }
	faults := map[string]func(int) error{
		"none":  nil,
		"first": func(n int) error { return map[bool]error{true: other(n)}[n == 0] },
		"all":   other,
		"list": func(n int) error {
			if n != 1 {
				return nil
			}
			return gqlerror.List{gqlerror.Errorf("one of %d", n), gqlerror.Errorf("another of %d", n)}
		},
		"path": func(n int) error {
			if n != 2 {
				return nil
			}
			return &gqlerror.Error{Message: "elsewhere", Path: ast.Path{ast.PathName("somewhere"), ast.PathIndex(n)}}
		},
		"joined": func(n int) error {
			return map[bool]error{true: errors.Join(other(n), errors.New("and more"))}[n == 2]
		},
	}
	for name, fault := range faults {
		r := &Resolver{Size: 4, Fault: fault}
		for _, pair := range pairs {
			want, wantErrs := exampletest.Ask(t, onGqlgen(r), pair[1])
			for _, query := range pair {
				data, errs := exampletest.Ask(t, onBreadth(r), query)
				if data != want || !slices.Equal(errs, wantErrs) {
					t.Errorf("faults %s, %s:\nbreadth %s %q\ngqlgen  %s %q", name, query, data, errs, want, wantErrs)
				}
			}
		}
	}
}

// wrong has a batch resolver that returns other numbers of results and errors than it has objects.
type wrong struct {
	*Resolver
	results, errs int
}

func (w wrong) Person() PersonResolver { return wrongPerson{person{w.Resolver}, w} }

type wrongPerson struct {
	person
	wrong
}

func (w wrongPerson) Badge(context.Context, []*Person) ([]*Badge, error) {
	return make([]*Badge, w.results), make(graphql.BatchErrorList, w.errs)
}

// index is what gqlgen's errors about numbers of results begin with: the object's index, which is in their path too.
var index = regexp.MustCompile(`: index \d+: `)

func TestWrongNumbersOfResultsAreErrorsOfEachObject(t *testing.T) {
	for _, w := range []wrong{{results: 1, errs: 2}, {results: 2, errs: 1}, {results: 2}, {results: 3, errs: 3}} {
		w.Resolver = &Resolver{Size: 2}
		cfg := Config{Resolvers: w}
		want, wantErrs := exampletest.Ask(t, serve(NewExecutableSchema(cfg)), pairs[0][0])
		for i, err := range wantErrs {
			wantErrs[i] = index.ReplaceAllString(err, ": ")
		}
		data, errs := exampletest.Ask(t, serve(NewBreadthSchema(cfg)), pairs[0][0])
		if data != want || !slices.Equal(errs, wantErrs) || len(errs) != 2 {
			t.Errorf("%d results, %d errors:\nbreadth %s %q\ngqlgen  %s %q", w.results, w.errs, data, errs, want, wantErrs)
		}
	}
}

// gqlgen calls a batch resolver once for a list. Badges are no list but one object of each person, so it calls their
// batch resolver once for each.
func TestBatchResolversAreCalledOncePerLevel(t *testing.T) {
	for _, tt := range []struct {
		on                                     func(*Resolver) http.Handler
		badge, picture, badgeEach, pictureEach int
	}{
		{onGqlgen, 1, 10, 10, 10},
		{onBreadth, 1, 1, 10, 10},
	} {
		r := &Resolver{Size: 10}
		for _, query := range pairs[3] {
			if _, errs := exampletest.Ask(t, tt.on(r), query); errs != nil {
				t.Fatal(errs)
			}
		}
		got := []int{r.Calls("badge"), r.Calls("picture"), r.Calls("badgeEach"), r.Calls("pictureEach")}
		if want := []int{tt.badge, tt.picture, tt.badgeEach, tt.pictureEach}; !slices.Equal(got, want) {
			t.Errorf("calls of badge, picture, badgeEach and pictureEach %v; want %v", got, want)
		}
	}
}

func BenchmarkBatch(b *testing.B) {
	for _, size := range []int{10, 100, 1000} {
		r := &Resolver{Size: size}
		for _, bm := range []struct{ name, query string }{
			{"one", pairs[0][0]}, {"one-each", pairs[0][1]}, {"two", pairs[3][0]}, {"two-each", pairs[3][1]},
		} {
			b.Run(fmt.Sprintf("%s/%d", bm.name, size), func(b *testing.B) {
				exampletest.Benchmark(b, onGqlgen(r), onBreadth(r), bm.query)
			})
		}
	}
}
