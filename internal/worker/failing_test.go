package worker_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/store"
	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
	"agora/internal/worker"
)

// refusing fails all pipelines while it is on. After some of them it calls enough.
type refusing struct {
	on     atomic.Bool
	left   atomic.Int64
	enough func()
}

// DialHook implements redis.Hook.
func (*refusing) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook implements redis.Hook.
func (*refusing) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// ProcessPipelineHook implements redis.Hook.
func (r *refusing) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if !r.on.Load() {
			return next(ctx, cmds)
		}
		if r.left.Add(-1) == 0 {
			r.enough()
		}
		err := errors.New("the disk is full")
		for _, cmd := range cmds {
			cmd.SetErr(err)
		}
		return err
	}
}

// A failure that lasts is not logged in every round.
func TestLastingFailureIsLoggedOnce(t *testing.T) {
	testlevel.Usual(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := &refusing{enough: cancel}
	client := redistest.New(t)
	client.AddHook(r)
	s, err := store.Open(ctx, store.Over(client), store.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r.left.Store(8) // of sweeps, and half as many of tasks
	r.on.Store(true)
	var log bytes.Buffer
	worker.Run(ctx, s, slog.New(slog.NewTextHandler(&log, nil)))
	for _, line := range []string{"sweep failed", "tasks failed"} {
		if n := strings.Count(log.String(), line); n != 1 {
			t.Errorf("the log says %d times %q; want once: %s", n, line, log.String())
		}
	}
}
