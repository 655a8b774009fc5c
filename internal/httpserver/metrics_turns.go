package httpserver

import (
	"github.com/prometheus/client_golang/prometheus"

	"agora/internal/turns"
)

var (
	turnsRunning = describe("turns_running", "Operations and events that compute.")
	turnsWaiting = describe("turns_waiting", "Operations and events that wait for a processor.")
	turnsOverran = describe("turns_overran_total", "How often one lost its processor to others because it did not offer it.")
)

// turnCollector reports how the processors are shared.
type turnCollector struct{ turns *turns.Turns }

// Describe implements prometheus.Collector.
func (turnCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{turnsRunning, turnsWaiting, turnsOverran} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c turnCollector) Collect(metrics chan<- prometheus.Metric) {
	running, waiting := c.turns.Count()
	metrics <- prometheus.MustNewConstMetric(turnsRunning, prometheus.GaugeValue, float64(running))
	metrics <- prometheus.MustNewConstMetric(turnsWaiting, prometheus.GaugeValue, float64(waiting))
	metrics <- prometheus.MustNewConstMetric(turnsOverran, prometheus.CounterValue, float64(c.turns.Overran()))
}

// ofTurns reports turns. Those of another server with the same metrics are left out.
func (m *Metrics) ofTurns(t *turns.Turns) *turns.Turns {
	if m != nil {
		_ = m.registry.Register(turnCollector{t})
	}
	return t
}
