package main

import (
	"context"
	"testing"

	"github.com/redis/go-redis/v9"

	"agora/internal/test/redistest"
	"agora/internal/test/testlevel"
)

// rounds is how often each side of a benchmark is measured; the medians count.
const rounds = 3

// requireServer makes redistest start a redis-server.
func requireServer(b *testing.B) {
	b.Helper()
	testlevel.RealRedis(b)
}

// client opens a client as the server does, without redistest's slot check.
func client(b *testing.B, server *redistest.Server) *redis.Client {
	o := server.Options
	c := redis.NewClient(&o)
	b.Cleanup(func() { c.Close() })
	return c
}

var background = context.Background()
