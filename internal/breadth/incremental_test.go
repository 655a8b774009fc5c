package breadth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"agora/internal/breadth/breadthtest"
)

// The parts of an answer put together are the answer that comes at once, whatever is
// deferred and streamed.
func TestPartsPutTogetherAreTheWholeAnswer(t *testing.T) {
	_, own := executors()
	g := breadthtest.NewGenerator(own.Schema(), 7, 25, "Left", "Right", "Twins")
	g.Parts = true
	var several, deep atomic.Int64
	breadthtest.Compare(t, documents, func(seed uint64) (breadthtest.Operation, bool) {
		return g.Operation(rand.New(rand.NewPCG(seed, 7)))
	}, func(seed uint64, o breadthtest.Operation) string {
		world := func() context.Context { return worldOf(seed, int(seed%4)*2).With(context.Background()) }
		whole := breadthtest.Run(world(), own, o)[0]
		var want any
		if err := json.Unmarshal([]byte(whole.Data), &want); err != nil {
			return err.Error()
		}
		got, parts, errs, err := breadthtest.RunParts(world(), own, o)
		if parts > 1 {
			several.Add(1)
		}
		if parts > 2 {
			deep.Add(1)
		}
		switch {
		case err != nil:
			return err.Error()
		case (errs == 0) != (len(whole.Errors) == 0):
			return fmt.Sprintf("%d errors in parts; want as many as of %v", errs, whole)
		case errs == 0 && !reflect.DeepEqual(got, want):
			return fmt.Sprintf("%d parts give %v; want %v", parts, got, want)
		}
		return ""
	})
	if several.Load() < documents/20 || deep.Load() == 0 {
		t.Errorf("%d answers came in parts, %d of them in more than two", several.Load(), deep.Load())
	}
}
