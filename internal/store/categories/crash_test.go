package categories_test

import (
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/internal/key"
	"agora/internal/store/storetest"
	"agora/internal/test/testlevel"
)

// The deletion of an empty category completes once it has begun.
func TestCrashOfDeleteCategory(t *testing.T) {
	testlevel.Sequential(t)
	for n, died := 1, true; died; n++ {
		w := storetest.NewThread(t)
		died = w.Dies(n, func(s *store.Store) { s.Categories.DeleteCategory(w.Ctx, nil, w.EmptyID) })
		w.Clock.Advance(time.Minute)
		w.WantClean()
		if there, begun := w.Exists(key.Category(w.EmptyID)), n > 1; there == begun {
			t.Errorf("killed before step %d: category exists %t; want %t", n, there, !begun)
		}
	}
}
