package httpserver

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/store/engine"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
)

// What is kept in memory is shown, if anything is: a process that has not listened yet serves nothing from it.
func TestObjectCacheIsShown(t *testing.T) {
	for _, tt := range []struct {
		bytes int
		want  []string
	}{
		{0, nil},
		{1 << 20, []string{`lookups_total{found="0"} 0`, `lookups_total{found="1"} 0`, "changes_total 0", "losses_total 0",
			"bytes 0", "objects 0", "current 0"}},
	} {
		s := must.Do(store.Open(t.Context(), store.Over(redistest.Start(t).Client(t)), store.Layout{},
			store.WithObjectCache(tt.bytes)))(t)
		t.Cleanup(s.Close)
		m := &metered{t: t, Metrics: NewMetrics(s, slog.New(slog.DiscardHandler), time.Now)}
		text := m.scrape()
		for _, series := range tt.want {
			if !strings.Contains(text, "\nagora_object_cache_"+series+"\n") {
				t.Errorf("with %d bytes, /metrics lacks agora_object_cache_%s", tt.bytes, series)
			}
		}
		if got := strings.Count(text, "\nagora_object_cache_"); got != len(tt.want) {
			t.Errorf("with %d bytes, /metrics has %d series of the object cache; want %d", tt.bytes, got, len(tt.want))
		}
	}
}

// How far consumers of changes are is shown, if there are any.
func TestConsumersAreShown(t *testing.T) {
	rdb := redistest.Start(t).Client(t)
	follow := func(e *engine.Engine) {
		e.OnChange("copy", []engine.ChangeKind{engine.TopicChanges}, func(context.Context, []engine.Change) error {
			return errors.New("it is away")
		})
	}
	s := must.Do(store.Open(t.Context(), store.Over(rdb), store.Layout{}, follow))(t)
	t.Cleanup(s.Close)
	m := &metered{t: t, Metrics: NewMetrics(s, slog.New(slog.DiscardHandler), time.Now)}
	shows := func(series ...string) {
		t.Helper()
		text := m.scrape()
		for i, name := range []string{"lag", "oldest_seconds", "set_aside", "failures_total"} {
			if want := "\nagora_consumer_" + name + `{consumer="copy"} ` + series[i] + "\n"; !strings.Contains(text, want) {
				t.Errorf("/metrics lacks %q", want)
			}
		}
	}
	tick := func() {
		t.Helper()
		must.OK(t, s.Engine.Consume(t.Context()))
		s.Engine.WaitForConsumers()
	}
	tick() // joins
	tick() // walks
	shows("0", "0", "0", "0")
	must.OK(t, rdb.HSet(t.Context(), "{p07}:consumers", "seq", 3).Err())
	must.OK(t, rdb.ZAdd(t.Context(), "{p07}:feed", redis.Z{Score: 3, Member: "t:263"}).Err())
	tick()
	shows("3", "0", "0", "1")
	tick()
	shows("0", "0", "1", "1")
}
