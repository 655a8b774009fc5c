package breadth_test

import (
	"context"
	"testing"

	"agora/breadth/breadthtest"
)

func TestIntrospectionIsGqlgens(t *testing.T) {
	stock, own := executors()
	for _, text := range []string{
		"{ __schema { queryType { name } types { name kind fields { name type { name ofType { name } } } } directives { name } } }",
		`{ a: __type(name: "Dog") { interfaces { name } } b: __type(name: "None") { name } word: __typename }`,
		"mutation { rename(name: \"\") { query { __schema { queryType { name } } } } }",
	} {
		o, err := breadthtest.ParseOperation(stock.Schema(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		ctx := worldOf(1, 0).With(context.Background())
		if d := breadthtest.Difference(o, breadthtest.Run(ctx, stock, o), breadthtest.Run(ctx, own, o)); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	}
}
