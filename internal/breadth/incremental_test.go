package breadth_test

import (
	"context"
	"testing"

	"agora/internal/breadth/breadthtest"
	"agora/internal/test/testlevel"
)

// The parts of an answer put together are the answer that comes at once, whatever is
// deferred and streamed.
func TestPartsPutTogetherAreTheWholeAnswer(t *testing.T) {
	testlevel.WithoutRace(t)
	_, own := executors()
	g := breadthtest.NewGenerator(own.Schema(), 7, 25, "Left", "Right", "Twins")
	g.Parts = true
	breadthtest.CompareParts(t, own, g, documents, func(seed uint64) context.Context {
		return worldOf(seed, int(seed%4)*2).With(context.Background())
	})
}
