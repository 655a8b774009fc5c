// Package testseed fixes the seeds of random tests, so that a test run of one commit
// gives the same result each time. Tests import it for that effect, and ask it for the
// seeds that they use themselves.
//
// TEST_SEED changes the seeds: a whole number is used as it is, "random" takes another
// one for each run. A failing test prints what repeats it.
package testseed

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	_ "pgregory.net/rapid" // it defines the flag that init sets
)

// usual is the seed of ordinary runs. To change it is a commit.
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
			fmt.Fprintf(os.Stderr, "TEST_SEED=%q is neither a whole number from 1 to %d nor \"random\"\n", env, uint32(1<<32-1))
			os.Exit(2)
		}
		seed = int(n)
	}
	// The command line comes later, so that -rapid.seed still has the last word.
	if err := flag.Set("rapid.seed", strconv.Itoa(seed)); err != nil {
		panic(fmt.Sprintf("testseed: %v", err))
	}
}

// First returns the first of the seeds of a test that counts them up: 1, unless
// TEST_SEED says otherwise.
func First() uint64 {
	if seed == usual {
		return 1
	}
	return uint64(seed) << 20
}
