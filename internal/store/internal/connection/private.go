package connection

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"agora/internal/privateredis"
)

// OpenPrivate starts a private redis-server on the data in dir, as described in package privateredis, and
// connects to it. Close stops it. ctx bounds the start only; of o, only the timeout and the log are used.
func OpenPrivate(ctx context.Context, dir string, o Options) (*Connection, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	server, err := privateredis.Start(ctx, dir, o.Log)
	if err != nil {
		return nil, err
	}
	opts := &redis.Options{Network: "unix", Addr: server.Socket()}
	setTimeouts(opts, o.Timeout)
	client := redis.NewClient(opts)
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		server.Stop()
		return nil, fmt.Errorf("the %s does not answer: %w", server, err)
	}
	return &Connection{Redis: client, server: server, Where: server.String(), Durable: true,
		stop: server.Stop, last: newBulkHook(client),
		Reach: " --redis-url unix://" + server.Socket()}, nil
}

// private reports whether the server belongs to this process.
func (c *Connection) private() bool { return c.server != nil }

// Failed receives an error if a private server has died and cannot be restarted: the process should exit.
// For other connections it is nil.
func (c *Connection) Failed() <-chan error {
	if c.server == nil {
		return nil
	}
	return c.server.Failed()
}
