package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/store"
)

var (
	healthProblem = describe(
		"redis_problem",
		"Whether Redis has a problem, by kind: 1 or 0.",
		"trouble",
	)
	healthClock  = describe("redis_clock_lead_seconds", "How far the clock of Redis is ahead of this machine's.")
	healthMemory = describe("redis_memory_bytes", "Memory that Redis uses, and its limit (0: no limit).", "what")
)

// healthCollector reports the store's last check of Redis, and nothing before the first check.
type healthCollector struct{ store *store.Store }

// Describe implements prometheus.Collector.
func (healthCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{healthProblem, healthClock, healthMemory} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c healthCollector) Collect(metrics chan<- prometheus.Metric) {
	h := c.store.Health()
	if h.At.IsZero() {
		return
	}
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	there := map[store.Trouble]float64{}
	for _, p := range h.Problems {
		there[p.Trouble] = 1
	}
	for _, t := range store.Troubles {
		gauge(healthProblem, there[t], string(t))
	}
	gauge(healthClock, h.ClockLead.Seconds())
	gauge(healthMemory, float64(h.Memory), "used")
	gauge(healthMemory, float64(h.MaxMemory), "max")
}
