package httpserver

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/wait"
)

// lookOnce makes a store check its Redis once.
func lookOnce(t *testing.T, s *store.Store) {
	t.Helper()
	stop := wait.Beside(t, s.WatchRedis)
	wait.Until(t, "the store looks at its Redis", func() bool { return !s.Health().At.IsZero() })
	stop()
}

// Problems that the store detects in its Redis are in /readyz, without the details that are only logged. The test's
// clock is 70 years ahead.
func TestReadyKnowsTroubleWithRedis(t *testing.T) {
	var data *store.Store
	s := newServer(t, func(o *Options) { data = o.Resolver.Store })
	if w := s.do("GET", "/readyz", ""); w.Code != 200 || strings.Contains(w.Body.String(), "troubles") {
		t.Errorf("/readyz before the first check: status %d, %s; want 200 and no troubles", w.Code, w.Body)
	}
	lookOnce(t, data)
	w := s.do("GET", "/readyz", "")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), `"troubles":["clock"]`) ||
		strings.Contains(w.Body.String(), "NTP") {
		t.Errorf("/readyz with another clock than Redis: status %d, %s; want 503 and the kind of trouble", w.Code, w.Body)
	}
}

func TestMetricsShowTroubleWithRedis(t *testing.T) {
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{},
		store.WithClock(redistest.NewClock().Now)))(t)
	defer s.Close()
	m := &metered{t: t, Metrics: NewMetrics(s, slog.New(slog.DiscardHandler), time.Now)}
	if text := m.scrape(); strings.Contains(text, "agora_redis_problem") {
		t.Error("troubles are shown before the first look")
	}
	lookOnce(t, s)
	m.want(
		`agora_redis_problem{trouble="clock"} 1`,
		`agora_redis_problem{trouble="layout"} 0`,
		`agora_redis_problem{trouble="away"} 0`,
	)
}
