package graph_test

import (
	"strings"
	"testing"

	"agora/internal/test/testlevel"
)

// divide divides the front and all categories.
func (s *site) divide() {
	s.t.Helper()
	ctx := s.t.Context()
	indexes, err := s.store.Indexes(ctx, 0)
	if err != nil || len(indexes) < 2 {
		s.t.Fatalf("Indexes = %v, %v; want the front and categories", indexes, err)
	}
	for _, x := range indexes {
		if err := s.store.Divide(ctx, x.Name); err != nil {
			s.t.Fatal(err)
		}
	}
	for {
		if _, err := s.store.RunDivisions(ctx); err != nil {
			s.t.Fatal(err)
		}
		if _, err := s.store.Sweep(ctx); err != nil { // learns which indexes are divided
			s.t.Fatal(err)
		}
		indexes, err := s.store.Indexes(ctx, 0)
		left := 0
		for _, x := range indexes {
			if !x.Divided() {
				left++
			}
		}
		if err != nil || strings.Contains(s.log.String(), "WARN") {
			s.t.Fatalf("divide: %v; %s", err, s.log)
		}
		if left == 0 {
			return
		}
	}
}

// Each operation has the same answer, cursors included, and the same round trips once its indexes are divided.
func TestOperationsOnDividedIndexes(t *testing.T) {
	testlevel.Usual(t)
	s := newSite(t)
	s.fill(small)
	s.divide()
	for _, op := range operations(t) {
		s.must(s.tokenOf(op.as), op.query, s.variables(small)) // takes the snapshots
		got := s.must(s.tokenOf(op.as), op.query, s.variables(small))
		compareAnswer(t, op.name, got)
		if got.Extensions.Redis.RoundTrips != op.trips {
			t.Errorf("%s took %d round trips; want %d", op.name, got.Extensions.Redis.RoundTrips, op.trips)
		}
		t.Logf("%s: %d commands", op.name, got.Extensions.Redis.Commands)
	}
}
