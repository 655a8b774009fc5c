package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/store"
)

var (
	cacheLookups = describe(
		"object_cache_lookups_total",
		"Objects looked up in memory, by whether they were found (1) or read from Redis (0).",
		"found",
	)
	cacheChanges = describe("object_cache_changes_total", "Objects kept in memory of which a change was heard.")
	cacheLosses  = describe("object_cache_losses_total", "How often all was dropped, because the connection was lost.")
	cacheBytes   = describe("object_cache_bytes", "About how much memory the kept objects take.")
	cacheObjects = describe("object_cache_objects", "Objects kept in memory.")
	cacheCurrent = describe("object_cache_current", "Whether objects are served from memory: 1 or 0.")
)

// objectCollector reports what the store keeps in memory, and nothing if it keeps nothing.
type objectCollector struct{ store *store.Store }

// Describe implements prometheus.Collector.
func (objectCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{cacheLookups, cacheChanges, cacheLosses, cacheBytes, cacheObjects, cacheCurrent} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c objectCollector) Collect(metrics chan<- prometheus.Metric) {
	s, ok := c.store.Listing.ObjectStats()
	if !ok {
		return
	}
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v int, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, kind, float64(v), labels...)
	}
	send(cacheLookups, prometheus.CounterValue, s.Hits, "1")
	send(cacheLookups, prometheus.CounterValue, s.Misses, "0")
	send(cacheChanges, prometheus.CounterValue, s.Changes)
	send(cacheLosses, prometheus.CounterValue, s.Losses)
	send(cacheBytes, prometheus.GaugeValue, s.Bytes)
	send(cacheObjects, prometheus.GaugeValue, s.Objects)
	current := 0
	if s.Current {
		current = 1
	}
	send(cacheCurrent, prometheus.GaugeValue, current)
}
