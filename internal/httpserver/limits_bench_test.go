//go:build unix

package httpserver

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkAttacks reports how many times the time of a valid request of 1 KiB it takes to refuse each attack.
func BenchmarkAttacks(b *testing.B) {
	s := newDemo(b)
	start, tries := time.Now(), 100
	for i := range tries {
		s.do("POST", "/graphql", valid(i), isJSON)
	}
	usual := float64(time.Since(start).Nanoseconds()) / float64(tries)
	for _, a := range attacks() {
		b.Run(strings.ReplaceAll(a.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.do("POST", "/graphql", a.body, isJSON)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/usual, "times")
		})
	}
}
