package demo

import (
	"testing"

	"agora/internal/store"
	"agora/internal/store/fsck"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// The demo data satisfy all invariants.
func TestSeedBreaksNoInvariant(t *testing.T) {
	testlevel.Usual(t)
	s, err := store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Seed(t.Context(), s, ""); err != nil {
		t.Fatal(err)
	}
	report, err := fsck.Check(t.Context(), s, fsck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Broken() > 0 {
		t.Errorf("%d findings, the first %v", report.Broken(), report.Findings[0])
	}
}
