package cli

import "runtime"

// spareProcessor returns a function that has Go use one processor more as long as turns wait. It is for the goroutines
// without turns, which read from clients and from Redis: they need little, but would run only when a turn's goroutine
// has run for ten milliseconds. While no turn waits a processor is free anyway, and more of them make Go wake more
// threads.
func spareProcessor() (waiting func(bool)) {
	n := runtime.GOMAXPROCS(0)
	return func(wait bool) {
		if wait {
			runtime.GOMAXPROCS(n + 1)
		} else {
			runtime.GOMAXPROCS(n)
		}
	}
}
