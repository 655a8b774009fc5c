package store

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

// ConnectData starts a private redis-server on the data in dir, as the package
// privateredis tells, and connects to it. Close ends it. ctx bounds the start only.
func ConnectData(ctx context.Context, dir string, log *slog.Logger) (*Connection, error) {
	server, err := privateredis.Start(ctx, dir, log)
	if err != nil {
		return nil, err
	}
	opts := &redis.Options{Network: "unix", Addr: server.Socket()}
	setTimeouts(opts)
	client := redis.NewClient(opts)
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		server.Stop()
		return nil, fmt.Errorf("the %s does not answer: %w", server, err)
	}
	return &Connection{UniversalClient: &privateClient{client, server}, Where: server.String(), Durable: true, Reach: " --redis-url unix://" + server.Socket(), stop: server.Stop}, nil
}

// Failed receives an error when a private server has died and cannot be started
// again: the process had better end. For other connections it is nil.
func (c *Connection) Failed() <-chan error {
	if p, ok := c.UniversalClient.(*privateClient); ok {
		return p.server.Failed()
	}
	return nil
}
