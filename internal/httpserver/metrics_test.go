package httpserver

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// metered are metrics over their own Redis.
type metered struct {
	*Metrics
	t     *testing.T
	redis redis.UniversalClient
	clock *redistest.Clock
	log   bytes.Buffer
}

func newMetered(t *testing.T) *metered {
	t.Helper()
	m := &metered{t: t, redis: redistest.New(t), clock: redistest.NewClock()}
	s := must.Do(store.Open(t.Context(), store.Over(m.redis), store.Layout{}, store.WithClock(m.clock.Now)))(t)
	t.Cleanup(s.Close)
	m.Metrics = NewMetrics(s, slog.New(slog.NewTextHandler(&m.log, nil)), m.clock.Now)
	return m
}

// scrape returns the text that Prometheus gets.
func (m *metered) scrape() string {
	m.t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		m.t.Fatalf("/metrics: status %d, %s: %s", w.Code, w.Header().Get("Content-Type"), w.Body)
	}
	return w.Body.String()
}

// want checks series, each passed as a complete line.
func (m *metered) want(lines ...string) {
	m.t.Helper()
	text := m.scrape()
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			name, _, _ := strings.Cut(line, " ")
			at := max(strings.Index(text, "\n"+name), 0)
			m.t.Errorf("/metrics lacks %q; has %.200q", line, text[at:])
		}
	}
}

func TestRequestsAreCounted(t *testing.T) {
	m := newMetered(t)
	clock := redistest.NewClock()
	serve := func(kind string, status int, took time.Duration, codes ...string) {
		o := observer{log: slog.New(slog.DiscardHandler), metrics: m.Metrics, now: clock.Now}
		o.wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			clock.Advance(took)
			c := CallFrom(r.Context())
			if kind != "" {
				c.Operation(kind, "", "")
			}
			for _, code := range codes {
				c.Code(code)
			}
			store.UsageFrom(r.Context()).RoundTrips.Add(5)
			store.UsageFrom(r.Context()).Commands.Add(7)
			w.WriteHeader(status)
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/graphql", nil))
	}
	serve("query", 200, 3*time.Millisecond)
	serve("query", 200, 30*time.Millisecond, "TIMEOUT", "TIMEOUT", "made up")
	serve("mutation", 200, 20*time.Second, "made up too")
	serve("", 413, 0, "REQUEST_TOO_LARGE")
	m.want(
		`agora_requests_total{kind="query",status="200"} 2`, `agora_requests_total{kind="mutation",status="200"} 1`, `agora_requests_total{kind="none",status="413"} 1`,
		`agora_errors_total{code="TIMEOUT"} 1`, `agora_errors_total{code="REQUEST_TOO_LARGE"} 1`, `agora_errors_total{code="OTHER"} 2`, `agora_errors_total{code="FORBIDDEN"} 0`,
		`agora_request_duration_seconds_bucket{kind="query",le="0.0025"} 0`, `agora_request_duration_seconds_bucket{kind="query",le="0.005"} 1`,
		`agora_request_duration_seconds_bucket{kind="query",le="0.05"} 2`, `agora_request_duration_seconds_count{kind="query"} 2`,
		`agora_request_duration_seconds_sum{kind="mutation"} 20`, `agora_request_duration_seconds_bucket{kind="mutation",le="10"} 0`,
		`agora_redis_round_trips_bucket{le="4"} 0`, `agora_redis_round_trips_bucket{le="5"} 4`, `agora_redis_round_trips_sum 20`, `agora_redis_commands_total 28`,
	)
}

// However many codes there are, the number of series is bounded.
func TestUnknownCodesMakeNoSeries(t *testing.T) {
	m := newMetered(t)
	before := strings.Count(m.scrape(), "\nagora_errors_total{")
	for i := range 100 {
		m.observe(observed{kind: "query", status: 200, codes: []string{fmt.Sprint("CODE_", i)}})
	}
	if after := strings.Count(m.scrape(), "\nagora_errors_total{"); before != len(countedCodes)+1 || after != before {
		t.Errorf("series of errors: %d, then %d; want %d", before, after, len(countedCodes)+1)
	}
	m.want(`agora_errors_total{code="OTHER"} 100`)
}

// A code that this package returns is counted by name.
func TestCodesOfThisPackageAreCounted(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("files of the package: %q, %v", files, err)
	}
	code := regexp.MustCompile(`^[A-Z]{3,}(_[A-Z]+)+$`)
	for _, name := range files {
		file := must.Do(parser.ParseFile(token.NewFileSet(), name, nil, 0))(t)
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && !strings.HasSuffix(name, "_test.go") {
				if text, _ := strconv.Unquote(lit.Value); code.MatchString(text) && !slices.Contains(countedCodes, text) {
					t.Errorf("%s returns the code %s, which countedCodes lacks", name, text)
				}
			}
			return true
		})
	}
}

func TestPoolIsShown(t *testing.T) {
	m := newMetered(t)
	text := m.scrape()
	for _, series := range []string{`redis_pool_connections{state="idle"}`, `redis_pool_connections{state="used"}`, "redis_pool_pending", "redis_pool_hits_total",
		"redis_pool_misses_total", "redis_pool_waits_total", "redis_pool_wait_seconds_total", "redis_pool_timeouts_total", "redis_pool_stale_total"} {
		if !strings.Contains(text, "\nagora_"+series+" ") {
			t.Errorf("/metrics lacks agora_%s", series)
		}
	}
	if used := regexp.MustCompile(`agora_redis_pool_hits_total [1-9]`); !used.MatchString(text) {
		t.Error("the pool was hit by no call; want those that opened the store")
	}
	for _, series := range []string{"go_goroutines ", "process_open_fds ", "go_build_info{"} {
		if !strings.Contains(text, "\n"+series) {
			t.Errorf("/metrics lacks %s", series)
		}
	}
}

// Tasks are counted at most every ten seconds, and a Redis that does not answer affects no other metrics.
func TestTasksAreShown(t *testing.T) {
	m := newMetered(t)
	m.want(`agora_tasks{state="due"} 0`, `agora_tasks{state="waiting"} 0`, `agora_tasks{state="dead"} 0`)
	now := float64(m.clock.Now().UnixMilli())
	for key, score := range map[string]float64{"{p00}:due": now, "{p07}:due": now + 60_000, "{pff}:dead": now} {
		must.OK(t, m.redis.ZAdd(t.Context(), key, redis.Z{Score: score, Member: "t:1"}).Err())
	}
	m.clock.Advance(tasksLife - time.Millisecond)
	m.want(`agora_tasks{state="due"} 0`, `agora_tasks{state="dead"} 0`)
	m.clock.Advance(time.Millisecond)
	m.want(`agora_tasks{state="due"} 1`, `agora_tasks{state="waiting"} 1`, `agora_tasks{state="dead"} 1`)
	must.OK(t, m.redis.Close())
	m.clock.Advance(tasksLife)
	m.scrape()
	text := m.scrape()
	if strings.Contains(text, "agora_tasks{") || strings.Contains(text, "closed") ||
		!strings.Contains(text, "go_goroutines ") {
		t.Errorf("/metrics without Redis: %.500s; want all except the tasks", text)
	}
	m.want(`promhttp_metric_handler_errors_total{cause="gathering"} 2`)
	if !strings.Contains(m.log.String(), "count tasks") {
		t.Errorf("logged without Redis: %q; want the reason", &m.log)
	}
}

func TestMetricsFollowTheConventions(t *testing.T) {
	m := newMetered(t)
	m.observe(observed{kind: "query", status: 200})
	problems, err := promlint.New(strings.NewReader(m.scrape())).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("promlint: %v, %v; want nothing to complain of", problems, err)
	}
}
