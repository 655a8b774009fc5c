package loader

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/redis/go-redis/v9"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/breadth"
	"agora/internal/store"
	"agora/internal/test/redistest"
)

// runner runs functions as the resolvers of one level of a response.
type runner func(t testing.TB, ctx context.Context, l *Loaders, resolvers ...func(context.Context))

// modes are the two ways to run resolvers: in the executor, and outside of it.
var modes = []struct {
	name string
	run  runner
}{{"in a response", inResponse}, {"outside", alone}}

// inResponse runs resolvers as one level of a response.
func inResponse(t testing.TB, ctx context.Context, l *Loaders, resolvers ...func(context.Context)) {
	t.Helper()
	root := breadth.NewRoot("Query")
	boolean := breadth.Scalar(func(b []byte, p any) ([]byte, bool) {
		return breadth.AppendBoolean(b, *p.(*bool)),
			true
	}).NonNull()
	var fields, want []string
	for i, f := range resolvers {
		name := fmt.Sprintf("f%d", i)
		fields, want = append(fields, name), append(want, fmt.Sprintf("%q:true", name))
		root.Single(name, boolean, breadth.ValuesOf[bool](), &breadth.Resolver{},
			func(ctx context.Context, _ any) (any, error) {
				f(ctx)
				return true, nil
			})
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: "type Query { " + strings.Join(fields, ": Boolean! ") +
		": Boolean! }"})
	doc := gqlparser.MustLoadQueryWithRules(schema, "{ "+strings.Join(fields, " ")+" }", nil)
	op := &graphql.OperationContext{
		Doc: doc, Operation: doc.Operations[0],
		RecoverFunc:            func(_ context.Context, p any) error { return fmt.Errorf("panic: %v\n%s", p, debug.Stack()) },
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}
	ctx = graphql.WithOperationContext(ctx, op)
	ctx = graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, op.RecoverFunc)
	executable := breadth.New(schema, &breadth.Schema{Query: root},
		breadth.Options{Loads: func(context.Context) breadth.Loads { return l }})
	resp := executable.Exec(ctx)(ctx)
	if got, want := string(resp.Data), "{"+strings.Join(want, ",")+"}"; got != want || len(graphql.GetErrors(ctx)) > 0 {
		t.Fatalf("the level answered %s, %v; want %s", got, graphql.GetErrors(ctx), want)
	}
}

// alone runs resolvers outside of a response, one after the other.
func alone(_ testing.TB, ctx context.Context, l *Loaders, resolvers ...func(context.Context)) {
	ctx = breadth.Outside(ctx, l)
	for _, f := range resolvers {
		f(ctx)
	}
}

// recorder records the commands of responses, pipeline by pipeline, as "hmget t:256 state author", and can fail them.
type recorder struct {
	mu        sync.Mutex
	pipelines [][]string
	fails     int // the first pipeline since take that fails, with all later ones, from 1; 0 is none
}

var errBroken = errors.New("the connection broke")

// take returns the pipelines sent since its last call, and sets the first one that fails.
func (r *recorder) take(fails int) [][]string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sent := r.pipelines
	r.pipelines, r.fails = nil, fails
	return sent
}

func (r *recorder) add(cmds []redis.Cmder) error {
	var sent []string
	for _, cmd := range cmds {
		var words []string
		for i, a := range cmd.Args() {
			word := fmt.Sprint(a)
			if _, rest, ok := strings.Cut(word, "}:"); ok && i == 1 {
				word = rest
			}
			words = append(words, word)
		}
		sent = append(sent, strings.Join(words, " "))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pipelines = append(r.pipelines, sent)
	if r.fails > 0 && len(r.pipelines) >= r.fails {
		return errBroken
	}
	return nil
}

// meet records the pipelines of responses, but not those that open a connection.
func (r *recorder) meet(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
	if store.UsageFrom(ctx) != nil && cmds[0].Name() != "client" && cmds[0].Name() != "hello" {
		if err := r.add(cmds); err != nil {
			return redistest.Fail(cmds, err)
		}
	}
	return next(ctx, cmds)
}
