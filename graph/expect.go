package graph

import (
	"context"
	"reflect"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/graph/generated"
	"agora/internal/loader"
)

// gqlgen runs the fields of nested lists each on its own, in goroutines. So that
// all lists of a level are read together, the loaders' gate is told which
// resolvers are going to run: those that the operation selects beneath each
// value that a resolver returns.

// resolved names the fields that have resolvers, as "Type.field" in lower case.
var resolved = sync.OnceValue(func() map[string]bool {
	fields := map[string]bool{}
	root := reflect.TypeFor[generated.ResolverRoot]()
	for i := range root.NumMethod() {
		of := root.Method(i).Type.Out(0)
		for k := range of.NumMethod() {
			fields[strings.ToLower(root.Method(i).Name+"."+of.Method(k).Name)] = true
		}
	}
	return fields
})

// parsedSchema is the schema that gqlgen has parsed.
var parsedSchema = sync.OnceValue(func() *ast.Schema {
	return generated.NewExecutableSchema(generated.Config{}).Schema()
})

// plan is what a selection on one concrete type asks for.
type plan struct {
	resolvers int           // fields with resolvers
	objects   []objectField // plain fields that lead to objects with more of them
}

type objectField struct {
	name       string // lower case
	typ        string
	selections ast.SelectionSet
}

// expectation plans the selections of one response. It is safe for concurrent use.
type expectation struct {
	op     *graphql.OperationContext
	schema *ast.Schema
	mu     sync.Mutex
	plans  map[planKey]*plan
}

type planKey struct {
	typ   string
	first ast.Selection
	count int
}

type expectationKey struct{}

// expectRoot makes ready the gate of a response: the root fields of a query are
// expected at once, those of a mutation one by one as they begin.
func expectRoot(ctx context.Context) context.Context {
	// A request that was refused before its operation was known resolves nothing.
	if !graphql.HasOperationContext(ctx) || graphql.GetOperationContext(ctx).Operation == nil {
		return ctx
	}
	e := &expectation{op: graphql.GetOperationContext(ctx), schema: parsedSchema(), plans: map[planKey]*plan{}}
	roots := 0
	if op := e.op.Operation; op.Operation == ast.Query {
		roots = e.plan("Query", op.SelectionSet).resolvers
	}
	loader.From(ctx).Gate().Expect(roots)
	return context.WithValue(ctx, expectationKey{}, e)
}

// ExpectFields tells the gate when each resolver begins and ends, and which ones
// its result leads to.
func ExpectFields(ctx context.Context, next graphql.Resolver) (any, error) {
	fc := graphql.GetFieldContext(ctx)
	e, ok := ctx.Value(expectationKey{}).(*expectation)
	if !ok || !fc.IsResolver {
		return next(ctx)
	}
	gate := loader.From(ctx).Gate()
	if fc.Object == "Mutation" {
		gate.Expect(1)
	}
	ctx, done := gate.Begin(ctx, batchKey(ctx, fc))
	more := 0
	defer func() { done(more) }()
	res, err := next(ctx)
	if err == nil && len(fc.Field.Selections) > 0 {
		more = e.beneath(reflect.ValueOf(res), fc.Field.Definition.Type.Name(), fc.Field.Selections)
	}
	return res, err
}

// batchKey is the same for the calls that gqlgen lets one batch resolver serve:
// the same field of the elements of one list.
func batchKey(ctx context.Context, fc *graphql.FieldContext) any {
	if _, ok := graphql.BatchParentIndex(ctx); ok {
		if parents := graphql.GetBatchParentGroup(ctx, fc.Object); parents != nil {
			return [2]any{parents, fc.Field.Alias}
		}
	}
	return fc
}

// beneath counts the resolvers that a value of a GraphQL type leads to.
func (e *expectation) beneath(v reflect.Value, typ string, selections ast.SelectionSet) int {
	switch v.Kind() {
	case reflect.Invalid:
		return 0
	case reflect.Slice:
		n := 0
		for i := range v.Len() {
			n += e.beneath(v.Index(i), typ, selections)
		}
		return n
	case reflect.Interface:
		return e.beneath(v.Elem(), typ, selections)
	case reflect.Pointer:
		if v.IsNil() {
			return 0
		}
		if e.schema.Types[typ].IsAbstractType() {
			typ = v.Type().Elem().Name()
		}
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct || e.schema.Types[typ] == nil || e.schema.Types[typ].Kind != ast.Object {
		return 0
	}
	p := e.plan(typ, selections)
	n := p.resolvers
	for _, f := range p.objects {
		field := v.FieldByNameFunc(func(name string) bool { return strings.ToLower(name) == f.name })
		n += e.beneath(field, f.typ, f.selections)
	}
	return n
}

func (e *expectation) plan(typ string, selections ast.SelectionSet) *plan {
	if len(selections) == 0 {
		return &plan{}
	}
	key := planKey{typ, selections[0], len(selections)}
	e.mu.Lock()
	p, ok := e.plans[key]
	e.mu.Unlock()
	if ok {
		return p
	}
	p = &plan{}
	satisfied := append([]string{typ}, e.schema.Types[typ].Interfaces...)
	for _, f := range graphql.CollectFields(e.op, selections, satisfied) {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		child := f.Definition.Type.Name()
		switch {
		case resolved()[strings.ToLower(typ+"."+f.Name)]:
			p.resolvers++
		case e.schema.Types[child].Kind == ast.Object:
			if below := e.plan(child, f.Selections); below.resolvers > 0 || len(below.objects) > 0 {
				p.objects = append(p.objects, objectField{strings.ToLower(f.Name), child, f.Selections})
			}
		}
	}
	e.mu.Lock()
	e.plans[key] = p
	e.mu.Unlock()
	return p
}
