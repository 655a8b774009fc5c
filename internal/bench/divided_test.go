package main

import (
	"testing"
	"time"

	"agora/internal/forum"
	"agora/internal/store"
)

// BenchmarkDividedReads reports what a page of 20 topics of the front costs once the front is divided, relative to
// before: CPU time of Redis, and time. It reads the list only, not the topics, which cost the same.
func BenchmarkDividedReads(b *testing.B) {
	requireServer(b)
	const pages = 5000
	c := largeSets(b)
	s := empty(b, c, store.WithSettling(0))
	defer s.Close()
	site := newCrowded(b, s)
	front := forum.Timeline{Kind: forum.FrontTimeline, Order: forum.ByActive, Direction: forum.Descending}
	read := func() (busy, took float64) {
		began, at := cpuTime(b, c), time.Now()
		for range pages {
			m := store.NewMerge(s.TimelineLists(background, front, nil), forum.Window{Count: 20, Lead: true})
			for reads := m.Next(); len(reads) > 0; reads = m.Next() {
				site.readPages(m, reads)
			}
			if page := m.Page(); len(page.Rows) != 20 {
				b.Fatalf("a page has %d topics", len(page.Rows))
			}
		}
		return float64(cpuTime(b, c)-began) / pages, float64(time.Since(at).Microseconds()) / pages
	}
	for range b.N {
		busy, took := read()
		site.divide(divideAbove)
		dividedBusy, dividedTook := read()
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(busy, "Redis-µs/page")
		b.ReportMetric(dividedBusy/busy, "divided/Redis-µs")
		b.ReportMetric(took, "µs/page")
		b.ReportMetric(dividedTook/took, "divided/µs")
	}
}

// readPages reads what a merge asks for, in one pipeline.
func (c *crowded) readPages(m *store.Merge, reads []store.ListRead) {
	r := c.store.Read(background)
	gets := make([]func() (forum.Page, error), len(reads))
	for i, read := range reads {
		gets[i] = r.Page(read.List, read.Window)
	}
	c.must(r.Exec())
	pages := make([]forum.Page, len(reads))
	for i, get := range gets {
		var err error
		pages[i], err = get()
		c.must(err)
	}
	m.Add(pages)
}
