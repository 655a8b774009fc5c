package breadthtest

import (
	"slices"
	"testing"
	"time"
)

// Benchmark runs the same operation on gqlgen's executor and on this one in turns. It reports the median time of each,
// which other load on the machine changes least, and the ratios of time and of allocations. Above 1, breadth takes
// less.
func Benchmark(b *testing.B, gqlgen, breadth func()) {
	var theirs, ours []time.Duration
	for b.Loop() {
		start := time.Now()
		gqlgen()
		turn := time.Now()
		breadth()
		ours = append(ours, time.Since(turn))
		theirs = append(theirs, turn.Sub(start))
	}
	their, our := median(theirs), median(ours)
	theirAllocs, ourAllocs := testing.AllocsPerRun(10, gqlgen), testing.AllocsPerRun(10, breadth)
	b.ReportMetric(0, "ns/op") // of both together
	b.ReportMetric(float64(their.Nanoseconds())/1000, "gqlgen-µs")
	b.ReportMetric(float64(our.Nanoseconds())/1000, "breadth-µs")
	b.ReportMetric(float64(their)/float64(our), "time-ratio")
	b.ReportMetric(theirAllocs/ourAllocs, "allocs-ratio")
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}
