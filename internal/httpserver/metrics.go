package httpserver

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"agora/graph"
	"agora/internal/forum"
	"agora/internal/httpserver/live"
	"agora/internal/store"
)

const (
	// tasksLife is the maximum age of the numbers of tasks.
	tasksLife = 10 * time.Second
	// scrapeTime is how long a scrape may wait for Redis.
	scrapeTime = time.Second
)

// countedCodes are the error codes that are counted by name; all others are counted as OTHER, to bound the number of
// series.
var countedCodes = []string{
	"BAD_USER_INPUT", "UNAUTHENTICATED", "FORBIDDEN", "NOT_FOUND", "CURSOR_INVALID", "CONFLICT", "RATE_LIMITED",
	"UNAVAILABLE", "TIMEOUT", "INTERNAL_SERVER_ERROR",
	"GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "METHOD_NOT_ALLOWED", "NOT_ACCEPTABLE", "UNSUPPORTED_MEDIA_TYPE",
	"REQUEST_TOO_LARGE", "EXTENSIONS_TOO_LARGE", "VARIABLES_TOO_LARGE", "VARIABLES_TOO_DEEP", "TOO_MANY_OPERATIONS", "LIST_TOO_LONG", "NAME_TOO_LONG", "TOO_DEEP",
	"TOO_MANY_TOKENS", "TOO_MANY_FIELDS", "TOO_MANY_ROOT_FIELDS", "TOO_MANY_ALIASES", "TOO_MANY_DIRECTIVES",
	"TOO_MANY_FRAGMENTS", "TOO_MANY_DUPLICATES", "TOO_MANY_ERRORS", "FRAGMENT_CYCLE", "COST_LIMIT_EXCEEDED", "ANSWER_TOO_LARGE",
	"LIVE_LIMIT_EXCEEDED", "HOST_NOT_ALLOWED",
	"PERSISTED_QUERY_NOT_FOUND", "PERSISTED_QUERY_REQUIRED",
	"INVALID", "TOO_SHORT", "TOO_LONG", "NOT_EMPTY", "WRONG_CREDENTIALS", "IDEMPOTENCY_CONFLICT", "TAKEN", "LOCKED", "SELF",
	"BLOCKED", "VOTING_CLOSED",
}

const otherCode = "OTHER"

// Metrics are the server's counters and gauges, in a registry of their own.
type Metrics struct {
	registry         *prometheus.Registry
	log              *slog.Logger
	requests, errors *prometheus.CounterVec
	duration         *prometheus.HistogramVec
	roundTrips       prometheus.Histogram
	commands         prometheus.Counter
	security         *prometheus.CounterVec
	counted          map[string]bool // countedCodes
	live             *live.Metrics
	refusals         *prometheus.CounterVec
}

// NewMetrics returns the metrics of a server on s. Failures to gather them are logged to log; now is the clock for
// the age of cached values.
func NewMetrics(s *store.Store, log *slog.Logger, now func() time.Time) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(), log: log, counted: map[string]bool{},
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agora_requests_total",
			Help: "HTTP requests to /graphql by kind of operation (none if none was run) " +
				"and status (499: the client disconnected).",
		}, []string{"kind", "status"}),
		errors: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agora_errors_total",
			Help: "Responses with at least one error of the code, including those in the payloads of mutations.",
		}, []string{"code"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "agora_request_duration_seconds",
			Help:    "Time from the header of a request to the end of its answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}, []string{"kind"}),
		roundTrips: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "agora_redis_round_trips",
			Help:    "Round trips to Redis of one request, its session included.",
			Buckets: []float64{0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50},
		}),
		commands: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "agora_redis_commands_total",
			Help: "Redis commands of all requests.",
		}),
		security: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "agora_security_events_total",
			Help: "Lines of the security log by event.",
		}, []string{"event"}),
	}
	for _, event := range graph.SecurityEvents {
		m.security.WithLabelValues(event)
	}
	m.live = live.NewMetrics()
	m.refusals = newRefusals()
	for _, code := range append([]string{otherCode}, countedCodes...) {
		m.counted[code] = true
		m.errors.WithLabelValues(code) // shown as 0 before the first one
	}
	m.registry.MustRegister(
		m.requests, m.errors, m.duration, m.roundTrips, m.commands, m.security, m.refusals,
		poolCollector{s}, healthCollector{s}, objectCollector{s}, consumerCollector{s}, &taskCollector{store: s, now: now},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	m.registry.MustRegister(m.live.Collectors()...)
	return m
}

// Handler serves the metrics in Prometheus's formats. Metrics that cannot be gathered are omitted, logged, and
// counted in promhttp_metric_handler_errors_total.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry: m.registry, ErrorLog: errorLog{m.log}, ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 4,
	})
}

// errorLog logs promhttp's errors.
type errorLog struct{ log *slog.Logger }

// Println implements promhttp.Logger.
func (l errorLog) Println(v ...any) { l.log.Error("metrics are incomplete", "error", fmt.Sprint(v...)) }

// observe counts a request. A nil Metrics counts nothing.
func (m *Metrics) observe(s observed) {
	if m == nil {
		return
	}
	m.requests.WithLabelValues(s.kind, strconv.Itoa(s.status)).Inc()
	if !s.live { // a live connection lasts as long as its client likes
		m.duration.WithLabelValues(s.kind).Observe(s.took.Seconds())
		m.roundTrips.Observe(float64(s.roundTrips))
	}
	m.commands.Add(float64(s.commands))
	for _, code := range s.codes {
		if !m.counted[code] {
			code = otherCode
		}
		m.errors.WithLabelValues(code).Inc()
	}
}

// Security counts a line of the security log. A nil Metrics counts nothing.
func (m *Metrics) Security(event string) {
	if m != nil {
		m.security.WithLabelValues(event).Inc()
	}
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("agora_"+name, help, labels, nil)
}

var (
	poolConnections = describe("redis_pool_connections", "Open connections to Redis, by state.", "state")
	poolPending     = describe("redis_pool_pending", "Calls that wait for a connection to Redis.")
	poolHits        = describe("redis_pool_hits_total", "Calls that found an open connection to Redis.")
	poolMisses      = describe("redis_pool_misses_total", "Calls that had to open a connection to Redis.")
	poolWaits       = describe("redis_pool_waits_total", "Calls that had to wait for a connection to Redis.")
	poolWaitTime    = describe("redis_pool_wait_seconds_total", "Time that calls waited for a connection to Redis.")
	poolTimeouts    = describe("redis_pool_timeouts_total", "Calls that got no connection to Redis in time.")
	poolStale       = describe("redis_pool_stale_total", "Stale connections to Redis that were removed.")
	tasksDesc       = describe("tasks",
		"Background tasks by state: due now, waiting for a later time, dead (given up, or set aside by a consumer).", "state")
)

// poolCollector reads the state of the store's pool at each scrape.
type poolCollector struct{ store *store.Store }

// Describe implements prometheus.Collector.
func (poolCollector) Describe(descs chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		poolConnections, poolPending, poolHits, poolMisses, poolWaits, poolWaitTime, poolTimeouts, poolStale,
	} {
		descs <- d
	}
}

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(metrics chan<- prometheus.Metric) {
	p := c.store.Engine.Client.Pool()
	gauge := func(d *prometheus.Desc, v int, labels ...string) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
	}
	count := func(d *prometheus.Desc, v float64) {
		metrics <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v)
	}
	gauge(poolConnections, p.Idle, "idle")
	gauge(poolConnections, max(p.Total-p.Idle, 0), "used") // the two are not read at the same moment
	gauge(poolPending, p.Waiting)
	count(poolHits, float64(p.Hits))
	count(poolMisses, float64(p.Misses))
	count(poolWaits, float64(p.Waits))
	count(poolWaitTime, p.WaitTime.Seconds())
	count(poolTimeouts, float64(p.Timeouts))
	count(poolStale, float64(p.Stale))
}

// taskCollector reads the numbers of tasks from the store, at most every tasksLife.
type taskCollector struct {
	store *store.Store
	now   func() time.Time

	mu    sync.Mutex
	tasks forum.Tasks
	until time.Time
}

// Describe implements prometheus.Collector.
func (*taskCollector) Describe(descs chan<- *prometheus.Desc) { descs <- tasksDesc }

// Collect implements prometheus.Collector.
func (c *taskCollector) Collect(metrics chan<- prometheus.Metric) {
	t, err := c.count()
	if err != nil {
		metrics <- prometheus.NewInvalidMetric(tasksDesc, err)
		return
	}
	for state, n := range map[string]int{"due": t.Due, "waiting": t.Waiting, "dead": t.Dead} {
		metrics <- prometheus.MustNewConstMetric(tasksDesc, prometheus.GaugeValue, float64(n), state)
	}
}

func (c *taskCollector) count() (forum.Tasks, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now().Before(c.until) {
		return c.tasks, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	t, err := c.store.Tasks(ctx)
	if err == nil {
		c.tasks, c.until = t, c.now().Add(tasksLife)
	}
	return t, err
}
