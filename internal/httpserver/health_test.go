package httpserver

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/test/redistest"
)

// lookOnce makes a store check its Redis once.
func lookOnce(t *testing.T, s *store.Store) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { // ends with ctx
		defer close(done)
		s.WatchRedis(ctx)
	}()
	tick, end := time.NewTicker(2*time.Millisecond), time.After(20*time.Second)
	defer tick.Stop()
	for s.Health().At.IsZero() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatal("the store does not look at its Redis")
		}
	}
	cancel()
	<-done
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
	s, err := store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{},
		store.WithClock(redistest.NewClock().Now))
	if err != nil {
		t.Fatal(err)
	}
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
