// Package connection opens the Redis of a store, whether external, private to this process or embedded in
// it, monitors its health, and listens to its channels.
package connection

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/embedded"
	"agora/internal/privateredis"
)

// Connection is a Redis client together with what is known of its server.
type Connection struct {
	// Redis is the client. It is not embedded, because the compiler would generate a method of Connection
	// for each of its hundreds of methods.
	Redis redis.UniversalClient
	// Where describes the server for people; it holds no password.
	Where string
	// Durable reports whether the data outlive the process.
	Durable bool
	// Reach is the flag, beyond the environment, with which commands reach the same data while this process
	// runs, such as " --redis-url unix:///srv/site/redis.sock"; "" if none is needed.
	Reach string
	stop  func()
	// bulk gives long pipelines more time; AddLastHook adds it. It is nil if there is no timeout.
	bulk redis.Hook
	// facts are what Redis reported about itself at the start.
	facts facts
	// sequences raises the sequences after Redis was restarted; nil if no acknowledged write can be lost,
	// or for readers.
	sequences *sequenceGuard
	// embedded is whether the server is miniredis inside this process.
	embedded bool
	// server is the private redis-server of this process, or nil.
	server *privateredis.Server
}

// Options say how to connect, and which faults of the server to accept.
type Options struct {
	// Timeout is how long a command or a short pipeline may take; a long pipeline may take a multiple of
	// it. 0 means DefaultTimeout. Parameters of the URL take precedence.
	Timeout time.Duration
	// AllowEviction accepts a Redis that deletes data when memory is short.
	AllowEviction bool
	// AllowOtherKeys writes a layout into a database that holds keys of other programs.
	AllowOtherKeys bool
	// ReadOnly is for readers: it accepts a replica or a full Redis, and requires existing data.
	ReadOnly bool
	// Log receives warnings about settings that should be improved; nil for none.
	Log *slog.Logger
}

// Close closes the client, and stops the server if it is embedded or private.
func (c *Connection) Close() error {
	err := c.Redis.Close()
	c.stop()
	return err
}

// Open opens the Redis at address, a URL (redis://, rediss:// or unix://); "" starts one inside the
// process, which stores nothing durably. Open refuses a Redis that accepts no writes, may evict keys, holds
// keys of other programs or whose clock differs, unless o allows it.
func Open(ctx context.Context, address string, o Options) (*Connection, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if address == "" {
		return startEmbedded()
	}
	opts, err := redis.ParseURL(address)
	var unread *url.Error
	if errors.As(err, &unread) { // its text contains the password
		err = errors.New("invalid URL; use the form redis://user:password@localhost:6379/0, with %XX for special " +
			"characters")
	}
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	setTimeouts(opts, o.Timeout)
	var sequences *sequenceGuard
	if !o.ReadOnly {
		sequences = &sequenceGuard{}
		opts.OnConnect = sequences.onConnect
	}
	client := redis.NewClient(opts)
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		return nil, fmt.Errorf("the Redis at %s does not answer: %w", opts.Addr, err)
	}
	f, err := guard(ctx, client, o)
	if err != nil {
		client.Close()
		return nil, fmt.Errorf("the Redis at %s cannot be used: %w", opts.Addr, err)
	}
	where := fmt.Sprintf("Redis at %s, database %d", opts.Addr, opts.DB)
	return &Connection{Redis: client, Where: where, Durable: f.persists(), stop: func() {},
		bulk: newBulkHook(client), facts: f, sequences: sequences}, nil
}

// Over returns a connection over an existing client, without knowledge of its server.
func Over(client redis.UniversalClient) *Connection {
	return &Connection{Redis: client, stop: func() {}}
}

// AddLastHook adds the hook that gives long pipelines more time. It must be the client's last hook.
func (c *Connection) AddLastHook() {
	if c.bulk != nil {
		c.Redis.AddHook(c.bulk)
	}
}

// startEmbedded starts miniredis in this process. Its keys do not expire by themselves: a goroutine, which
// Close stops, advances its clock.
func startEmbedded() (*Connection, error) {
	// It listens on a port of this machine: the password keeps other programs out.
	password := rand.Text()
	server, err := embedded.Start(password)
	if err != nil {
		return nil, err
	}
	const tick = time.Second
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t := time.NewTicker(tick)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				server.FastForward(tick)
			case <-done:
				return
			}
		}
	}()
	opts := &redis.Options{Addr: server.Addr(), Password: password}
	setTimeouts(opts, embeddedTimeout)
	client := redis.NewClient(opts)
	stop := func() {
		close(done)
		<-ended
		server.Close()
	}
	return &Connection{Redis: client, Where: "embedded in this process", stop: stop, bulk: newBulkHook(client),
		embedded: true}, nil
}
