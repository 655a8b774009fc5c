package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/store"
)

var (
	nearLookups = describe(
		"near_lookups_total",
		"Objects looked up in memory, by whether they were found (1) or read from Redis (0).",
		"found",
	)
	nearChanges = describe("near_changes_total", "Objects kept in memory of which a change was heard.")
	nearLosses  = describe("near_losses_total", "How often all objects were dropped, because the connection was lost.")
	nearBytes   = describe("near_bytes", "About how much memory the kept objects take.")
	nearObjects = describe("near_objects", "Objects kept in memory.")
	nearCurrent = describe("near_current", "Whether objects are served from memory: 1 or 0.")
)

// nearCollector reports what the store keeps in memory, and nothing if it keeps nothing.
type nearCollector struct{ store *store.Store }

// Describe implements prometheus.Collector.
func (nearCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{nearLookups, nearChanges, nearLosses, nearBytes, nearObjects, nearCurrent} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c nearCollector) Collect(metrics chan<- prometheus.Metric) {
	s, ok := c.store.NearStats()
	if !ok {
		return
	}
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v int, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, kind, float64(v), labels...)
	}
	send(nearLookups, prometheus.CounterValue, s.Hits, "1")
	send(nearLookups, prometheus.CounterValue, s.Misses, "0")
	send(nearChanges, prometheus.CounterValue, s.Changes)
	send(nearLosses, prometheus.CounterValue, s.Losses)
	send(nearBytes, prometheus.GaugeValue, s.Bytes)
	send(nearObjects, prometheus.GaugeValue, s.Objects)
	current := 0
	if s.Current {
		current = 1
	}
	send(nearCurrent, prometheus.GaugeValue, current)
}
