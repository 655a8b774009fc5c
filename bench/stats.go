package main

import (
	"math"
	"slices"
	"time"
)

// median returns the value in the middle, or the mean of the two middle ones.
func median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	of = slices.Sorted(slices.Values(of))
	n := len(of) / 2
	if len(of)%2 == 0 {
		return (of[n-1] + of[n]) / 2
	}
	return of[n]
}

// percentile returns the smallest of the sorted values that p percent do not exceed.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// ratio returns a/b, or 0 if b is 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
