package breadth_test

import (
	"context"
	"testing"

	"agora/breadth/breadthtest"
)

// The merged parts of an answer equal the complete answer, whatever is deferred and streamed.
func TestMergedPartsAreTheWholeAnswer(t *testing.T) {
	_, own := executors()
	g := breadthtest.NewGenerator(own.Schema(), 7, 25, "Left", "Right", "Twins")
	g.Parts = true
	breadthtest.CompareParts(t, own, g, documents, func(seed uint64) context.Context {
		return worldOf(seed, int(seed%4)*2).With(context.Background())
	})
}
