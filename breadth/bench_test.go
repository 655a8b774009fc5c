package breadth_test

import (
	"context"
	"testing"

	"agora/breadth/breadthtest"
	"agora/breadth/internal/fixture"
	"agora/breadth/internal/fixture/generated"
)

// Resolvers from memory, for benchmarks.
type (
	memory       struct{ *FakeResolvers }
	memoryQuery  struct{ fakeQuery }
	memoryPerson struct{ fakePerson }
)

func (m memory) Query() generated.QueryResolver   { return memoryQuery{fakeQuery(m)} }
func (m memory) Person() generated.PersonResolver { return memoryPerson{fakePerson(m)} }

var hundred = people(100)

func (memoryQuery) People(context.Context) ([]*fixture.Person, error) { return hundred, nil }

func (memoryQuery) Person(context.Context) (*fixture.Person, error) { return hundred[0], nil }

func (memoryPerson) Team(_ context.Context, of []*fixture.Person) ([][]*fixture.Person, error) {
	teams := make([][]*fixture.Person, len(of))
	for i := range of {
		teams[i] = hundred[:10]
	}
	return teams, nil
}

func (memoryPerson) Boss(_ context.Context, of []*fixture.Person) ([]*fixture.Person, error) {
	return of, nil
}

func BenchmarkAgainstGqlgen(b *testing.B) {
	cfg := generated.Config{Resolvers: memory{&FakeResolvers{}}}
	stock, own := generated.NewExecutableSchema(cfg), generated.NewBreadthSchema(cfg)
	for _, bm := range []struct{ name, text string }{
		{"one-object", "{ person { id name } }"},
		{"100-objects", "{ people { id name } }"},
		{"100-lists-of-10", "{ people { id team { id name } } }"},
		{"100-lists-of-10-with-one", "{ people { id team { id boss { name } } } }"},
		{"chains-of-4", "{ people { boss { boss { boss { boss { name } } } } } }"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			o, err := breadthtest.ParseOperation(stock.Schema(), bm.text, nil)
			if err != nil {
				b.Fatal(err)
			}
			ctx := context.Background()
			want, got := breadthtest.Run(ctx, stock, o), breadthtest.Run(ctx, own, o)
			if d := breadthtest.Difference(o, want, got); d != "" || len(want[0].Errors) > 0 {
				b.Fatal(want[0].Errors, d)
			}
			breadthtest.Benchmark(b, func() { breadthtest.Respond(ctx, stock, o) },
				func() { breadthtest.Respond(ctx, own, o) })
		})
	}
}
