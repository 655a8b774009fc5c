package httpserver

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"agora/internal/store"
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
