// Package testseed fixes the seeds of random tests, so that a test run of one commit has the same result each time.
// Tests import it for that effect, and to get the seeds that they use themselves.
//
// TEST_SEED changes the seeds: an integer is used directly, "random" uses another one for each run. A failing test
// prints how to repeat it.
package testseed

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	_ "pgregory.net/rapid" // it defines the flag that init sets
)

// usual is the seed of ordinary runs. Changing it takes a commit.
const usual = 20261122

var seed = usual

func init() {
	switch env := os.Getenv("TEST_SEED"); env {
	case "":
	case "random":
		seed = 1 + int(rand.Uint32())
	default:
		n, err := strconv.ParseUint(env, 10, 32)
		if err != nil || n == 0 {
			fmt.Fprintf(os.Stderr, "TEST_SEED=%q is neither an integer from 1 to %d nor \"random\"\n", env, uint32(1<<32-1))
			os.Exit(2)
		}
		seed = int(n)
	}
	// The command line is parsed later, so that -rapid.seed takes precedence.
	if err := flag.Set("rapid.seed", strconv.Itoa(seed)); err != nil {
		panic(fmt.Sprintf("testseed: %v", err))
	}
}

// First returns the first seed of a test that uses consecutive ones: 1, unless TEST_SEED is set.
func First() uint64 {
	if seed == usual {
		return 1
	}
	return uint64(seed) << 20
}
