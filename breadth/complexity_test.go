package breadth_test

import (
	"context"
	"testing"

	"github.com/99designs/gqlgen/complexity"

	"agora/breadth/breadthtest"
	"agora/breadth/internal/fixture/generated"
)

// gqlgen's limit on complexity asks the executable schema.
func TestFieldsHaveTheirComplexity(t *testing.T) {
	s := family(t)
	cfg := s.config()
	cfg.Complexity.Person.Team = func(child int) int { return 10 * child }
	es := generated.NewBreadthSchema(cfg)
	o, err := breadthtest.ParseOperation(es.Schema(), "{ people { team { id name } } }", nil)
	if err != nil {
		t.Fatal(err)
	}
	got := complexity.Calculate(context.Background(), es, o.Doc.Operations[0], nil)
	if want := 1 + 10*2; got != want {
		t.Errorf("complexity %d; want %d", got, want)
	}
}
