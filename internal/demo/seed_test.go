package demo

import (
	"testing"

	"agora/internal/store"
	"agora/internal/store/fsck"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// The demo data satisfy all invariants.
func TestSeedBreaksNoInvariant(t *testing.T) {
	testlevel.Usual(t)
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}))(t)
	defer s.Close()
	must.Do(Seed(t.Context(), s, ""))(t)
	report := must.Do(fsck.Check(t.Context(), s, fsck.Options{}))(t)
	if report.Broken() > 0 {
		t.Errorf("%d findings, the first %v", report.Broken(), report.Findings[0])
	}
}
