//go:build oracle

package oracle

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"agora/breadth"
	"agora/graph"
	"agora/internal/loader"
)

// Present reports whether the generated code was compiled.
const Present = true

// Schema returns the schema over the resolvers, executed by gqlgen.
func Schema(r *graph.Resolver) graphql.ExecutableSchema {
	cfg := r.Config()
	real := reflect.ValueOf(cfg.Resolvers)
	cfg.Resolvers = &FakeResolvers{Call: func(ctx context.Context, field string, of any, args []any, result any) error {
		return call(ctx, real, field, of, args, reflect.ValueOf(result).Elem())
	}}
	return executable{NewExecutableSchema(cfg)}
}

// executable gives each response a lock, so that its resolvers run one at a time.
type executable struct{ graphql.ExecutableSchema }

type lockKey struct{}

// Exec implements graphql.ExecutableSchema.
func (e executable) Exec(ctx context.Context) graphql.ResponseHandler {
	next := e.ExecutableSchema.Exec(ctx)
	return func(ctx context.Context) *graphql.Response {
		return next(context.WithValue(ctx, lockKey{}, &sync.Mutex{}))
	}
}

// call calls a resolver and reads the objects it returns.
func call(ctx context.Context, root reflect.Value, field string, of any, args []any, result reflect.Value) error {
	lock, inResponse := ctx.Value(lockKey{}).(*sync.Mutex)
	if inResponse {
		lock.Lock()
		defer lock.Unlock()
		ctx = breadth.Outside(ctx, loader.From(ctx))
	}
	typ, name, _ := strings.Cut(field, ".")
	in := []reflect.Value{reflect.ValueOf(ctx)}
	if of != nil {
		in = append(in, parents(reflect.ValueOf(of)))
	}
	for _, a := range args {
		in = append(in, reflect.ValueOf(a))
	}
	out := method(method(root, typ).Call(nil)[0], name).Call(in)
	result.Set(out[0])
	if inResponse {
		batch := len(in) > 1 && in[1].Kind() == reflect.Slice && of != nil
		read(ctx, result, batch || field == "Query.nodes")
	}
	err, _ := out[1].Interface().(error)
	return err
}

// method finds a method by the name of its type or field in the schema.
func method(of reflect.Value, name string) reflect.Value {
	for i := range of.NumMethod() {
		if strings.EqualFold(of.Type().Method(i).Name, name) {
			return of.Method(i)
		}
	}
	panic("no resolver " + name + " of " + of.Type().String())
}

// parents replaces each nil that gqlgen passes to a batch resolver by an object; its result is ignored.
func parents(of reflect.Value) reflect.Value {
	if of.Kind() != reflect.Slice {
		return of
	}
	whole := reflect.MakeSlice(of.Type(), of.Len(), of.Len())
	for i := range of.Len() {
		p := of.Index(i)
		if p.Kind() == reflect.Pointer && p.IsNil() {
			p = reflect.New(p.Type().Elem())
		}
		whole.Index(i).Set(p)
	}
	return whole
}
