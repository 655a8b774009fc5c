package division

import (
	"context"
	"testing"
	"time"

	"agora/internal/store/internal/key"
	"agora/internal/test/redistest"
)

// A caller that is gone does not keep others from what is known by now.
func TestViewIsReadForAll(t *testing.T) {
	c := &Cache{Redis: redistest.New(t)}
	c.known.Store(&knownView{&View{}, time.Now().Add(-Settled)})
	c.Redis.HSet(t.Context(), key.Divisions, "front", "divided 16")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	c.View(gone)
	if phase := c.View(t.Context()).State(key.FrontContainer).Phase; phase != Divided {
		t.Errorf("View after a caller was gone has the phase %q; want %q", phase, Divided)
	}
}
