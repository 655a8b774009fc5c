package httpserver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"

	"agora/breadth"
	"agora/internal/forum"
)

// executor runs operations whose documents were already checked. It replaces gqlgen's own, which would check every
// document again.
type executor struct {
	schema graphql.ExecutableSchema
	around graphql.ResponseMiddleware
	// admit says why the caller may not execute an operation, or not have what it has read since. begin returns the
	// context in which it is executed.
	admit   func(context.Context, *graphql.OperationContext) error
	begin   func(context.Context, *graphql.OperationContext) context.Context
	present graphql.ErrorPresenterFunc
	recover graphql.RecoverFunc
}

func newExecutor(schema graphql.ExecutableSchema) *executor {
	return &executor{
		schema: schema, present: graphql.DefaultErrorPresenter, recover: graphql.DefaultRecover,
		around: func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response { return next(ctx) },
		admit:  func(context.Context, *graphql.OperationContext) error { return nil },
		begin:  func(ctx context.Context, _ *graphql.OperationContext) context.Context { return ctx },
	}
}

// AroundResponses runs inner around each response, inside the middlewares added before.
func (e *executor) AroundResponses(inner graphql.ResponseMiddleware) {
	outer := e.around
	e.around = func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		return outer(ctx, func(ctx context.Context) *graphql.Response { return inner(ctx, next) })
	}
}

// operation returns the context of an operation; values are its variables as they were sent.
func (e *executor) operation(doc *ast.QueryDocument, op *ast.OperationDefinition,
	values map[string]any) (*graphql.OperationContext, gqlerror.List) {
	variables, err := validator.VariableValues(e.schema.Schema(), op, values)
	if err != nil {
		wrong := gqlerror.WrapIfUnwrapped(err)
		explainVariable(e.schema.Schema(), op, wrong)
		return nil, coded(gqlerror.List{wrong}, "GRAPHQL_VALIDATION_FAILED")
	}
	return &graphql.OperationContext{
		Doc: doc, Operation: op, OperationName: op.Name, Variables: variables, RecoverFunc: e.recover,
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}, nil
}

// ended returns a response for an operation that was aborted because of err. Partial results are dropped.
func ended(err *gqlerror.Error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{err}}
}

// start begins an operation. The handler it returns returns one response after the other, nil at the end or when the
// context is done. It must be called with the context that start returns, or one derived from it.
func (e *executor) start(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	next, ctx, errs := e.open(ctx, op)
	if errs != nil {
		return graphql.OneShot(&graphql.Response{Errors: errs}), ctx
	}
	return next, ctx
}

// open begins an operation as start does, but distinguishes the case that the source of a subscription cannot be
// opened.
func (e *executor) open(ctx context.Context,
	op *graphql.OperationContext) (graphql.ResponseHandler, context.Context, gqlerror.List) {
	ctx = graphql.WithOperationContext(ctx, op)
	if err := e.admit(ctx, op); err != nil {
		return nil, ctx, gqlerror.List{e.present(ctx, err)}
	}
	ctx = e.begin(ctx, op)
	starting := graphql.WithResponseContext(ctx, e.present, e.recover)
	responses := e.schema.Exec(starting)
	if errs := graphql.GetErrors(starting); errs != nil {
		return nil, ctx, errs
	}
	respond := func(ctx context.Context) *graphql.Response {
		resp := responses(ctx)
		if resp != nil {
			if err := breadth.MeterFrom(ctx).Err(); err != nil {
				return ended(e.present(ctx, err))
			}
			resp.Errors = append(resp.Errors, graphql.GetErrors(ctx)...)
		}
		return resp
	}
	over := false
	return func(ctx context.Context) *graphql.Response {
		if over || ctx.Err() != nil {
			return nil
		}
		resp := e.around(graphql.WithResponseContext(ctx, e.present, e.recover), respond)
		if resp == nil && ctx.Err() == nil {
			return nil
		}
		err := e.admit(ctx, op) // since it began
		unknown := forum.CodeOf(err) != forum.CodeUnauthenticated
		event := breadth.EventFrom(ctx)
		if err == nil || unknown && event != nil && event.Lost { // which says nothing else
			return resp
		}
		over = !unknown
		return ended(e.present(ctx, err))
	}, ctx, nil
}
