package cli

import (
	"os"
	"runtime"
	"sync"
)

// processors returns how many turns run at a time: one for each processor that Go uses at the start. It makes Go use one
// more, for the goroutines that turns do not count. They read from clients and from Redis, and need little, but without a
// processor of their own they would run only when a turn's goroutine has run for ten milliseconds. If the environment
// sets GOMAXPROCS, one of these is for them.
var processors = sync.OnceValue(func() int {
	n := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") != "" {
		return max(1, n-1)
	}
	runtime.GOMAXPROCS(n + 1)
	return n
})
