package main

import (
	"net/http"
	"strings"
	"testing"

	"agora/breadth/example/internal/exampletest"
	"agora/breadth/example/sql/graph"
)

const document = `{ orders(first: 10) { id customer { name } lines { quantity product { name supplier { name } } } } }`

// servers returns the demo on gqlgen's executor and on breadth.
func servers(t testing.TB) (s *store, gqlgen, breadth http.Handler) {
	t.Helper()
	s, err := open(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.db.Close() })
	cfg := graph.Config{Resolvers: s}
	return s, serve(graph.NewExecutableSchema(cfg)), serve(graph.NewBreadthSchema(cfg))
}

// 10 orders have 30 lines.
func TestFieldsAreReadByOneStatement(t *testing.T) {
	s, gqlgen, breadth := servers(t)
	want, errs := exampletest.Ask(t, gqlgen, document)
	if errs != nil || !strings.HasPrefix(want, `{"orders":[{"id":"20","customer":{"name":"Customer 1"},"lines":[{"quantity":`) {
		t.Fatalf("gqlgen answers %s %q", want, errs)
	}
	// Orders, customers, lines; the products of each list of lines; the supplier of each product.
	if got, want := s.reads.Swap(0), int64(3+10+30); got != want {
		t.Errorf("gqlgen sends %d statements; want %d", got, want)
	}
	if got, errs := exampletest.Ask(t, breadth, document); got != want || errs != nil {
		t.Errorf("breadth answers %s %q; want %s", got, errs, want)
	}
	if got := s.reads.Load(); got != 5 {
		t.Errorf("breadth sends %d statements; want 5", got)
	}
}

func TestFailingStatementsAreErrorsOfTheirObjects(t *testing.T) {
	s, gqlgen, breadth := servers(t)
	if _, err := s.db.Exec("DELETE FROM customers WHERE id = 2; DROP TABLE suppliers"); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{
		"{ orders(first: 3) { customer { name } } }", "{ orders(first: 2) { lines { product { supplier { name } } } } }",
	} {
		want, wantErrs := exampletest.Ask(t, gqlgen, query)
		got, errs := exampletest.Ask(t, breadth, query)
		if got != want || strings.Join(errs, "\n") != strings.Join(wantErrs, "\n") {
			t.Errorf("%s:\nbreadth %s %q\ngqlgen  %s %q", query, got, errs, want, wantErrs)
		}
	}
}

func BenchmarkSQL(b *testing.B) {
	_, gqlgen, breadth := servers(b)
	exampletest.Benchmark(b, gqlgen, breadth, document)
}
