//go:build !race

package testlevel

// race reports whether the race detector is on.
const race = false
