package breadth_test

import (
	"context"
	"fmt"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"agora/breadth"
)

// book is an object of the example.
type book struct{ id int }

// The plugin writes such definitions for a whole schema; by hand they show how a field of many
// objects is resolved by one call.
func Example() {
	sdl := gqlparser.MustLoadSchema(&ast.Source{Input: `
		type Query { books: [Book!]! }
		type Book { id: Int!  title: String! }`})
	books := breadth.NewObject[book]("Book", []string{"Book"})
	books.Leaf("id", true, func(b []byte, obj any) ([]byte, bool) { return breadth.AppendInt(b, obj.(*book).id), true })
	text := breadth.Scalar(func(b []byte, p any) ([]byte, bool) { return breadth.AppendString(b, *p.(*string)), true })
	books.Batch("title", text.NonNull(), breadth.ValuesOf[string](), &breadth.Resolver{},
		func(_ context.Context, objs any) (any, error) {
			fmt.Println("resolving the titles of", len(objs.([]*book)), "books")
			titles := make([]string, len(objs.([]*book)))
			for i, b := range objs.([]*book) {
				titles[i] = fmt.Sprintf("Volume %d", b.id)
			}
			return titles, nil
		})
	query := breadth.NewRoot("Query")
	list := breadth.List(breadth.Ref(books).NonNull(), breadth.ElementsOf[*book]()).NonNull()
	query.Single("books", list, breadth.ValuesOf[[]*book](), &breadth.Resolver{},
		func(context.Context, any) (any, error) { return []*book{{1}, {2}, {3}}, nil })
	exec := executor.New(breadth.New(sdl, &breadth.Schema{Query: query,
		Context: func(ctx context.Context) context.Context { return ctx }}, breadth.Options{}))

	ctx := graphql.StartOperationTrace(context.Background())
	op, errs := exec.CreateOperationContext(ctx, &graphql.RawParams{Query: `{ books { id title } }`})
	if errs != nil {
		panic(errs)
	}
	answer, ctx := exec.DispatchOperation(ctx, op)
	fmt.Println(string(answer(ctx).Data))
	// Output:
	// resolving the titles of 3 books
	// {"books":[{"id":1,"title":"Volume 1"},{"id":2,"title":"Volume 2"},{"id":3,"title":"Volume 3"}]}
}
