package main

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/redistest"
)

// rounds is how often each side of a benchmark is measured; the medians count.
const rounds = 3

// requireServer sees to it that redistest starts a redis-server.
func requireServer(b *testing.B) {
	b.Helper()
	if os.Getenv("TEST_REDIS_SERVER") != "" {
		return
	}
	program, err := exec.LookPath("redis-server")
	if err != nil {
		b.Fatalf("this benchmark needs a real redis-server: %v; install one (Debian: apt-get install redis-server) or name it in TEST_REDIS_SERVER", err)
	}
	b.Setenv("TEST_REDIS_SERVER", program)
}

// client opens a client as the server does, without redistest's slot check.
func client(b *testing.B, server *redistest.Server) *redis.Client {
	o := server.Options
	c := redis.NewClient(&o)
	b.Cleanup(func() { c.Close() })
	return c
}

var background = context.Background()
