package connection

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

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
	c, err := openSocket(ctx, server.Socket(), o)
	if err != nil {
		server.Stop()
		return nil, fmt.Errorf("the %s does not answer: %w", server, err)
	}
	c.server, c.Where, c.stop = server, server.String(), server.Stop
	return c, nil
}

// OpenRunning connects to the private redis-server of another process that uses the data in dir, or starts one as
// OpenPrivate does if there is none.
func OpenRunning(ctx context.Context, dir string, o Options) (*Connection, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	socket, release, err := privateredis.Running(ctx, dir)
	if err != nil {
		return nil, err
	}
	if socket == "" {
		return OpenPrivate(ctx, dir, o)
	}
	c, err := openSocket(ctx, socket, o)
	if err != nil {
		release()
		return nil, fmt.Errorf("the redis-server at %s does not answer: %w", socket, err)
	}
	c.Where, c.stop = "the redis-server in "+dir, release
	return c, nil
}

// openSocket connects to a private redis-server.
func openSocket(ctx context.Context, socket string, o Options) (*Connection, error) {
	opts := &redis.Options{Network: "unix", Addr: socket}
	setTimeouts(opts, o.Timeout)
	client := redis.NewClient(opts)
	last := newBulkHook(client)
	pauseTurns(client, false)
	if err := client.Ping(ctx).Err(); err != nil {
		return nil, errors.Join(err, client.Close())
	}
	return &Connection{Redis: client, Durable: true, last: last, Reach: " --redis-url unix://" + socket}, nil
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
