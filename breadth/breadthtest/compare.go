package breadthtest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
)

// Operation is what is executed.
type Operation struct {
	// Text is the document; it has one operation.
	Text string
	// Variables are decoded from JSON.
	Variables map[string]any
	// Doc is the parsed and valid document.
	Doc *ast.QueryDocument
}

// Answer is one response.
type Answer struct {
	// Data is the JSON.
	Data string
	// Errors are path and message of each error, sorted.
	Errors []string
}

// String returns the answer in readable form.
func (a Answer) String() string { return a.Data + "\n  " + strings.Join(a.Errors, "\n  ") }

// Recover converts a panic to an error.
func Recover(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) }

// most is how many responses of one operation are read.
const most = 20

// Run executes an operation and returns its answers: one, or those of a subscription.
func Run(ctx context.Context, es graphql.ExecutableSchema, o Operation) []Answer {
	ctx, err := prepare(ctx, es, o)
	if err != nil {
		return []Answer{{Errors: []string{err.Error()}}}
	}
	return dispatch(ctx, es)
}

// Respond executes an operation and returns its first response.
func Respond(ctx context.Context, es graphql.ExecutableSchema, o Operation) *graphql.Response {
	ctx, err := prepare(ctx, es, o)
	if err != nil {
		return graphql.ErrorResponse(ctx, "%v", err)
	}
	ctx = graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, Recover)
	return es.Exec(ctx)(ctx)
}

// prepare adds the operation to the context.
func prepare(ctx context.Context, es graphql.ExecutableSchema, o Operation) (context.Context, error) {
	op := &graphql.OperationContext{
		RawQuery: o.Text, Doc: o.Doc, Operation: o.Doc.Operations[0], RecoverFunc: Recover,
		ResolverMiddleware:     func(ctx context.Context, next graphql.Resolver) (any, error) { return next(ctx) },
		RootResolverMiddleware: func(ctx context.Context, next graphql.RootResolver) graphql.Marshaler { return next(ctx) },
	}
	variables, err := validator.VariableValues(es.Schema(), op.Operation, o.Variables)
	if err != nil {
		return ctx, err
	}
	op.Variables = variables
	return graphql.WithOperationContext(ctx, op), nil
}

func dispatch(ctx context.Context, es graphql.ExecutableSchema) (all []Answer) {
	defer func() {
		if p := recover(); p != nil {
			all = []Answer{{Data: crashed, Errors: []string{fmt.Sprint(p)}}}
		}
	}()
	fresh := func() context.Context {
		return graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, Recover)
	}
	first := fresh()
	responses := es.Exec(first)
	if errs := graphql.GetErrors(first); errs != nil {
		return []Answer{answer("", errs)}
	}
	for len(all) < most {
		ctx := fresh()
		resp := responses(ctx)
		if resp == nil {
			break
		}
		all = append(all, answer(string(resp.Data), append(resp.Errors, graphql.GetErrors(ctx)...)))
	}
	return all
}

// crashed replaces the data of an executor that has panicked.
const crashed = "crashed"

func answer(data string, errs gqlerror.List) Answer {
	a := Answer{Data: data}
	for _, e := range errs {
		a.Errors = append(a.Errors, e.Path.String()+": "+e.Message)
	}
	slices.Sort(a.Errors)
	return a
}

// unexpected matches gqlgen's error for all objects except one of a batch resolver that has panicked.
var unexpected = regexp.MustCompile(`: batch resolver (\S+) returned unexpected result type \(index \d+\)$`)

// refusedNull matches the executors' errors for a null where it is not allowed.
var refusedNull = regexp.MustCompile(
	": (cannot return null for non-null .*|must not be null|the requested element is null which the schema does not allow)$")

// normal makes the answers to an operation of the two executors comparable where they are known to
// differ:
//
//   - a batch resolver panics: gqlgen reports for one object the panic's error and the
//     others one about the result's type; the panic is the reason for all.
//   - an error beneath an event of a subscription: gqlgen leaves out the first
//     step of its path, which is in the data.
//   - a null where it is not allowed: the texts of the errors differ.
//   - a null in a list of scalars that does not allow it: gqlgen's path is that of
//     the list, for all of them together.
//   - a source of events that is null without an error: gqlgen crashes.
//   - an event that is null where its field does not allow it: gqlgen's data hold the
//     field with the null; the specification has no data then.
func normal(o Operation, want, got []Answer) (w, g []Answer) {
	if len(want) == 1 && want[0].Data == crashed && o.Doc.Operations[0].Operation == ast.Subscription {
		return nil, nil
	}
	for _, a := range got {
		if f, ok := o.Doc.Operations[0].SelectionSet[0].(*ast.Field); ok &&
			o.Doc.Operations[0].Operation == ast.Subscription && a.Data != "" {
			for i, e := range a.Errors {
				a.Errors[i] = strings.TrimPrefix(strings.TrimPrefix(e, f.Alias), ".")
			}
			slices.Sort(a.Errors)
		}
	}
	for _, a := range slices.Concat(want, got) { // both, because an operation may be left to gqlgen
		for i, e := range a.Errors {
			e = unexpected.ReplaceAllString(e, ": panic: "+BatchPanic+"$1")
			a.Errors[i] = refusedNull.ReplaceAllString(e, nullMessage)
		}
		slices.Sort(a.Errors)
	}
	for i := range min(len(want), len(got)) {
		want[i].Data = withoutNullEvent(o, want[i].Data)
		got[i].Errors = withoutIndexes(want[i].Errors, got[i].Errors)
	}
	return want, got
}

// withoutNullEvent returns the data without an event whose field is null but must not be.
func withoutNullEvent(o Operation, data string) string {
	op := o.Doc.Operations[0]
	f, ok := op.SelectionSet[0].(*ast.Field)
	if ok && op.Operation == ast.Subscription && f.Definition.Type.NonNull && data == fmt.Sprintf(`{%q:null}`, f.Alias) {
		return "null"
	}
	return data
}

// nullElement matches both executors' error for a null in a list that does not allow it.
var nullElement = regexp.MustCompile(`\[\d+\](: the requested element is null which the schema does not allow)$`)

// withoutIndexes removes the index from the path of a null in a list of scalars where gqlgen omits it.
func withoutIndexes(want, got []string) []string {
	for i, e := range got {
		if field := nullElement.ReplaceAllString(e, "$1"); !slices.Contains(want, e) && slices.Contains(want, field) {
			got[i] = field
		}
	}
	slices.Sort(got)
	return slices.CompactFunc(got, func(a, b string) bool { return a == b && strings.HasSuffix(a, nullMessage) })
}

const nullMessage = ": the requested element is null which the schema does not allow"

// Difference compares two executors' answers to an operation; it is "" if they agree.
func Difference(o Operation, want, got []Answer) string {
	want, got = normal(o, want, got)
	if slices.EqualFunc(want, got,
		func(a, b Answer) bool { return a.Data == b.Data && slices.Equal(a.Errors, b.Errors) }) {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d answers; want %d\n", len(got), len(want))
	for i := range max(len(want), len(got)) {
		if i < len(want) {
			fmt.Fprintf(&b, "want %v\n", want[i])
		}
		if i < len(got) {
			fmt.Fprintf(&b, "got  %v\n", got[i])
		}
		if i < len(want) && i < len(got) {
			only(&b, "missing", want[i].Errors, got[i].Errors)
			only(&b, "too many", got[i].Errors, want[i].Errors)
		}
	}
	return b.String()
}

func only(b *strings.Builder, what string, these, those []string) {
	for _, e := range these {
		if !slices.Contains(those, e) {
			fmt.Fprintf(b, "%s: %s\n", what, e)
		}
	}
}
