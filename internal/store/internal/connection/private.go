package connection

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"agora/internal/privateredis"
)

// privateClient is a client of a server that only this process uses.
type privateClient struct {
	*redis.Client
	server *privateredis.Server
}

// OpenPrivate starts a private redis-server on the data in dir, as the package
// privateredis tells, and connects to it. Close ends it. ctx bounds the start only; of o the timeout and the log count.
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
	return &Connection{UniversalClient: &privateClient{client, server}, Where: server.String(), Durable: true,
		stop: server.Stop, bulk: newBulkHook(client),
		Reach: " --redis-url unix://" + server.Socket()}, nil
}

// private reports whether the server belongs to this process.
func (c *Connection) private() bool {
	_, ok := c.UniversalClient.(*privateClient)
	return ok
}

// Failed receives an error when a private server has died and cannot be started
// again: the process had better end. For other connections it is nil.
func (c *Connection) Failed() <-chan error {
	if p, ok := c.UniversalClient.(*privateClient); ok {
		return p.server.Failed()
	}
	return nil
}
