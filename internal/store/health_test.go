package store_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agora/internal/store"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/storetest"
	"agora/internal/test/logbook"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/test/wait"
)

// realServer starts a redis-server with a connected store: miniredis reports nothing about itself.
func realServer(t *testing.T) (*redistest.Server, *connection.Connection, *store.Store, *logbook.Log) {
	testlevel.RealRedis(t)
	server := redistest.Start(t)
	l := &logbook.Log{}
	conn := must.Do(connection.Open(t.Context(), server.URL(), connection.Options{Log: l.Logger()}))(t)
	t.Cleanup(func() { conn.Close() })
	s := must.Do(store.Open(t.Context(), conn, store.Layout{}, store.WithLog(l.Logger())))(t)
	t.Cleanup(s.Close)
	return server, conn, s, l
}

// troubles returns the current kinds of trouble; severe ones end in "!".
func troubles(t *testing.T, s *store.Store) []string {
	t.Helper()
	s.Look(t.Context())
	h := s.Health()
	if h.At.IsZero() {
		t.Fatal("Health was not checked")
	}
	kinds := []string{}
	for _, p := range h.Problems {
		if p.Severe {
			p.Trouble += "!"
		}
		kinds = append(kinds, string(p.Trouble))
	}
	if h.Ready() == strings.Contains(strings.Join(kinds, " "), "!") {
		t.Errorf("Ready() = %t with %s", h.Ready(), kinds)
	}
	return kinds
}

func wantTroubles(t *testing.T, s *store.Store, when string, want ...string) {
	t.Helper()
	if got := troubles(t, s); !slices.Equal(got, want) {
		t.Errorf("%s: troubles = %q; want %q (%+v)", when, got, want, s.Health().Problems)
	}
}

func TestHealthFollowsRedis(t *testing.T) {
	_, conn, s, l := realServer(t)
	if s == nil {
		return
	}
	do := func(args ...any) {
		t.Helper()
		storetest.WantOK(t, "command", pipeline.Universal(conn.Redis).Do(t.Context(), args...).Err())
	}
	wantTroubles(t, s, "at first")
	do("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
	wantTroubles(t, s, "with an evicting policy", "eviction")
	do("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "1mb")
	wantTroubles(t, s, "full", "full!")
	do("CONFIG", "SET", "maxmemory", "0")
	wantTroubles(t, s, "with memory again")
	do("REPLICAOF", "127.0.0.1", "1")
	wantTroubles(t, s, "demoted", "replica!")
	do("REPLICAOF", "NO", "ONE")
	wantTroubles(t, s, "promoted again")
	do("FLUSHALL")
	wantTroubles(t, s, "after FLUSHALL", "layout!")
	must.Do(store.Open(t.Context(), conn, store.Layout{TimeZone: "Asia/Tokyo"}))(t)
	wantTroubles(t, s, "with another layout", "layout!")
	for _, words := range []string{"trouble=replica", "trouble=full", "trouble=layout", "is resolved"} {
		if l.Count(words) == 0 {
			t.Errorf("the log does not say %q", words)
		}
	}
	if n := l.Count("trouble=layout"); n != 1 {
		t.Errorf("the log says %d times that the layout has changed; want 1", n)
	}
}

// Redis cannot save, because a directory is in the place of its file.
func TestHealthKnowsThatSavingFails(t *testing.T) {
	_, conn, s, _ := realServer(t)
	if s == nil {
		return
	}
	ctx := t.Context()
	storetest.WantOK(t, "CONFIG SET", pipeline.Universal(conn.Redis).Do(ctx, "CONFIG", "SET", "save", "3600 1",
		"stop-writes-on-bgsave-error",
		"yes").Err())
	wantTroubles(t, s, "at first")
	dir := must.Do(conn.Redis.ConfigGet(ctx, "dir").Result())(t)
	storetest.WantOK(t, "Mkdir", os.Mkdir(filepath.Join(dir["dir"], "dump.rdb"), 0o700)) // in the file's place
	conn.Redis.BgSave(ctx)
	wait.Until(t, "the snapshot has failed", func() bool {
		return strings.Contains(conn.Redis.Info(ctx, "persistence").Val(), "rdb_last_bgsave_status:err")
	})
	if err := conn.Redis.Set(ctx, "x", "1", 0).Err(); err == nil || !strings.HasPrefix(err.Error(), "MISCONF") {
		t.Fatalf("SET = %v; want MISCONF", err)
	}
	wantTroubles(t, s, "after a snapshot that failed", "disk!")
	wantTroubles(t, s, "and later", "disk!")
}

func TestHealthComparesClocks(t *testing.T) {
	server := redistest.Start(t)
	tests := []struct {
		ahead time.Duration
		want  []string
	}{
		{0, nil}, {-time.Second, nil}, {10 * time.Second, []string{"clock"}}, {-10 * time.Second, []string{"clock"}},
		{26 * time.Hour, []string{"clock!"}}, {-8 * 24 * time.Hour, []string{"clock!"}},
	}
	for _, tt := range tests {
		now := func() time.Time { return time.Now().Add(tt.ahead) }
		s := must.Do(store.Open(t.Context(), store.Over(server.Client(t)), store.Layout{}, store.WithClock(now)))(t)
		defer s.Close()
		wantTroubles(t, s, "with a clock ahead by "+tt.ahead.String(), tt.want...)
	}
}

func TestHealthKnowsThatRedisIsAway(t *testing.T) {
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}))(t)
	defer s.Close()
	if h := s.Health(); !h.At.IsZero() || !h.Ready() {
		t.Errorf("Health before the first check = %+v; want nothing, and ready", h)
	}
	wantTroubles(t, s, "at first")
	pipeline.Universal(s.Engine.Client.Redis).Close()
	wantTroubles(t, s, "away", "away!")
}

func TestWatchRedisEndsWithItsContext(t *testing.T) {
	s := must.Do(store.Open(t.Context(), store.Over(redistest.New(t)), store.Layout{}))(t)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { // ends with ctx
		defer close(done)
		s.WatchRedis(ctx)
	}()
	wait.Until(t, "the first check", func() bool { return !s.Health().At.IsZero() })
	cancel()
	<-done
}
