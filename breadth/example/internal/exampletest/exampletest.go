// Package exampletest asks the servers of the examples. Only their tests use it.
package exampletest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"agora/breadth/breadthtest"
)

// answer is the body of a response.
type answer struct {
	Data   json.RawMessage
	Errors []struct {
		Message string
		Path    []any
	}
}

// Ask posts a query, and returns the data as they are written, and the errors with their paths, sorted: gqlgen's order
// depends on its goroutines.
func Ask(t testing.TB, server http.Handler, query string) (data string, errs []string) {
	t.Helper()
	var a answer
	if err := json.Unmarshal(post(t, server, query), &a); err != nil {
		t.Fatal(err)
	}
	for _, e := range a.Errors {
		errs = append(errs, fmt.Sprint(e.Path, ": ", e.Message))
	}
	slices.Sort(errs)
	return string(a.Data), errs
}

// Benchmark compares two servers with the same resolvers and data.
func Benchmark(b *testing.B, gqlgen, breadth http.Handler, query string) {
	want, _ := Ask(b, gqlgen, query)
	if got, _ := Ask(b, breadth, query); got != want {
		b.Fatalf("breadth answers %s; gqlgen answers %s", got, want)
	}
	breadthtest.Benchmark(b, func() { post(b, gqlgen, query) }, func() { post(b, breadth, query) })
}

func post(t testing.TB, server http.Handler, query string) []byte {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/query", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.Bytes()
}
