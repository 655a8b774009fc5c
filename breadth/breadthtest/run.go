package breadthtest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// Compare generates operations from n seeds, and compares the answers of two executors,
// on all processors. The test fails with the first few differences.
func Compare(t *testing.T, n int, operation func(seed uint64) (Operation, bool),
	difference func(seed uint64, o Operation) string) {
	t.Helper()
	var seed, invalid, failed atomic.Uint64
	first := firstSeed(t)
	end := first + uint64(n)
	seed.Store(first - 1)
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for s := seed.Add(1); s < end && failed.Load() < 5; s = seed.Add(1) {
				o, ok := operation(s)
				if !ok {
					invalid.Add(1)
					continue
				}
				if d := difference(s, o); d != "" {
					failed.Add(1)
					t.Errorf("seed %d\n%s\nvariables %v\n%s", s, o.Text, o.Variables, d)
				}
			}
		})
	}
	all.Wait()
	if bad := invalid.Load(); bad > uint64(n)/10 {
		t.Errorf("%d of %d documents were not valid", bad, n)
	}
}
