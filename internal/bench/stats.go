package main

import (
	"math"
	"slices"
	"time"
)

// median is the value in the middle; of an even number, the mean of the two.
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

// percentile is the least of the sorted values that p of 100 are not above.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// ratio is a over b; 0 if there is no b.
func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
