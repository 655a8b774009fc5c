package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/bench/subject"
	"agora/internal/privateredis"
)

// database is a redis-server of our own.
type database struct {
	server *privateredis.Server
	dir    string
	admin  *redis.Client
}

// startRedis starts a redis-server on a unix socket. Unless durable, it writes nothing to disk; otherwise every write
// is on disk before it is acknowledged.
func startRedis(ctx context.Context, durable bool) (*database, error) {
	dir, err := os.MkdirTemp("", "agora-bench")
	if err != nil {
		return nil, err
	}
	d := &database{dir: dir}
	if d.server, err = privateredis.Start(ctx, dir, slog.New(slog.DiscardHandler)); err != nil {
		d.stop()
		return nil, err
	}
	if d.admin, err = subject.Connect(ctx, d.url(0)); err == nil && !durable {
		err = d.admin.ConfigSet(ctx, "appendonly", "no").Err()
	}
	if err != nil {
		d.stop()
		return nil, err
	}
	return d, nil
}

// url returns the URL of one of the server's databases.
func (d *database) url(n int) string { return fmt.Sprintf("unix://%s?db=%d", d.server.Socket(), n) }

func (d *database) stop() {
	if d.admin != nil {
		d.admin.Close()
	}
	if d.server != nil {
		d.server.Stop()
	}
	os.RemoveAll(d.dir)
}

// cpu returns the CPU time that the server has used.
func (d *database) cpu(ctx context.Context) (time.Duration, error) {
	f, err := d.info(ctx, "cpu")
	if err != nil {
		return 0, err
	}
	total := 0.0
	for _, name := range []string{"used_cpu_user", "used_cpu_sys"} {
		seconds, err := strconv.ParseFloat(f[name], 64)
		if err != nil {
			return 0, fmt.Errorf("INFO cpu: %w", err)
		}
		total += seconds
	}
	return time.Duration(total * float64(time.Second)), nil
}

func (d *database) version(ctx context.Context) (string, error) {
	f, err := d.info(ctx, "server")
	return f["redis_version"], err
}

func (d *database) info(ctx context.Context, section string) (map[string]string, error) {
	text, err := d.admin.Info(ctx, section).Result()
	if err != nil {
		return nil, err
	}
	f := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			f[name] = value
		}
	}
	return f, nil
}
