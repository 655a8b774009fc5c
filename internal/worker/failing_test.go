package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/must"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/worker"
)

// A failure that lasts is not logged in every round.
func TestLastingFailureIsLoggedOnce(t *testing.T) {
	testlevel.Usual(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var on atomic.Bool
	var left atomic.Int64
	client := redistest.New(t)
	client.AddHook(redistest.Hook(func(ctx context.Context, cmds []redis.Cmder, next redis.ProcessPipelineHook) error {
		if !on.Load() {
			return next(ctx, cmds)
		}
		if left.Add(-1) == 0 {
			cancel()
		}
		return redistest.Fail(cmds, errors.New("the disk is full"))
	}))
	s := must.Do(store.Open(ctx, store.Over(client), store.Layout{}))(t)
	defer s.Close()
	left.Store(8) // of sweeps, and half as many of tasks
	on.Store(true)
	var log bytes.Buffer
	worker.Run(ctx, s, slog.New(slog.NewTextHandler(&log, nil)))
	for _, line := range []string{"sweep failed", "tasks failed"} {
		if n := strings.Count(log.String(), line); n != 1 {
			t.Errorf("the log says %d times %q; want once: %s", n, line, log.String())
		}
	}
}
