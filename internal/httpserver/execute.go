package httpserver

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"

	"agora/internal/breadth"
)

// executor runs operations whose documents are known to be good. It stands in the
// place of gqlgen's own, which would look at every document once more.
type executor struct {
	schema  graphql.ExecutableSchema
	around  graphql.ResponseMiddleware
	present graphql.ErrorPresenterFunc
	recover graphql.RecoverFunc
}

func newExecutor(schema graphql.ExecutableSchema) *executor {
	return &executor{
		schema: schema, present: graphql.DefaultErrorPresenter, recover: graphql.DefaultRecover,
		around: func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response { return next(ctx) },
	}
}

// AroundResponses has inner run around each response, within those that were
// given before.
func (e *executor) AroundResponses(inner graphql.ResponseMiddleware) {
	outer := e.around
	e.around = func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		return outer(ctx, func(ctx context.Context) *graphql.Response { return inner(ctx, next) })
	}
}

// operation makes what execution asks of an operation; values are its variables as
// they were sent.
func (e *executor) operation(doc *ast.QueryDocument, op *ast.OperationDefinition,
	values map[string]any) (*graphql.OperationContext, gqlerror.List) {
	variables, err := validator.VariableValues(e.schema.Schema(), op, values)
	if err != nil {
		return nil, coded(gqlerror.List{gqlerror.WrapIfUnwrapped(err)}, "GRAPHQL_VALIDATION_FAILED")
	}
	return &graphql.OperationContext{
		Doc: doc, Operation: op, OperationName: op.Name, Variables: variables, RecoverFunc: e.recover,
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}, nil
}

// ended is a response that came to no end because of err. Nothing is kept of what
// there was of it.
func ended(err *gqlerror.Error) *graphql.Response {
	return &graphql.Response{Errors: gqlerror.List{err}}
}

// start begins an operation. What it gives makes one response after the other,
// nil when there are no more or the context is done; it wants the context that
// start gives, or one that was made of it.
func (e *executor) start(ctx context.Context, op *graphql.OperationContext) (graphql.ResponseHandler, context.Context) {
	next, ctx, errs := e.open(ctx, op)
	if errs != nil {
		return graphql.OneShot(&graphql.Response{Errors: errs}), ctx
	}
	return next, ctx
}

// open begins an operation as start does, but tells apart why it could not begin: the
// source of a subscription cannot be had.
func (e *executor) open(ctx context.Context,
	op *graphql.OperationContext) (graphql.ResponseHandler, context.Context, gqlerror.List) {
	ctx = graphql.WithOperationContext(ctx, op)
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
	return func(ctx context.Context) *graphql.Response {
		if ctx.Err() != nil {
			return nil
		}
		return e.around(graphql.WithResponseContext(ctx, e.present, e.recover), respond)
	}, ctx, nil
}
