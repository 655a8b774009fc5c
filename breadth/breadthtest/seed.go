package breadthtest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
)

// firstSeed returns the first of the consecutive seeds of a test: 1, so that each run has the same result, unless the
// environment variable TEST_SEED is an integer or "random".
func firstSeed(t *testing.T) uint64 {
	t.Helper()
	switch env := os.Getenv("TEST_SEED"); env {
	case "":
		return 1
	case "random":
		return uint64(rand.Uint32()) << 20
	default:
		n, err := strconv.ParseUint(env, 10, 32)
		if err != nil {
			t.Fatalf("TEST_SEED=%q is neither an integer below 2^32 nor \"random\"", env)
		}
		return n << 20
	}
}
