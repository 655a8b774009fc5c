// Package connection opens the Redis that a store works on, whether it is given, private to
// this process or inside it, looks at how it is, and listens to it.
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

// Connection is a Redis client with what is known of the server behind it.
type Connection struct {
	// Redis is the client. It is no embedded field: the compiler would write a method of Connection
	// for each of its hundreds.
	Redis redis.UniversalClient
	// Where tells people which server it is; it holds no password.
	Where string
	// Durable reports whether the data outlive the process.
	Durable bool
	// Reach is what commands need besides the environment to reach the same data while
	// this process runs, such as " --redis-url unix:///srv/site/redis.sock"; "" is nothing.
	Reach string
	stop  func()
	// bulk gives long pipelines more time; Open adds it. It is nil when there is no bound.
	bulk redis.Hook
	// facts are what Redis said about itself at the start.
	facts facts
	// sequences raises the sequences when Redis was started again; nil where nothing that
	// was acknowledged can be lost, and for who only reads.
	sequences *sequenceGuard
	// embedded says that the store is inside this process, and no Redis.
	embedded bool
	// server is the redis-server that only this process uses, or nil.
	server *privateredis.Server
}

// Options say how to connect, and what to put up with.
type Options struct {
	// Timeout is how long a command or a short pipeline may take; a long pipeline may take
	// a multiple of it. 0 is DefaultTimeout. Parameters of the URL come first.
	Timeout time.Duration
	// AllowEviction uses a Redis that deletes data when memory is short.
	AllowEviction bool
	// AllowOtherKeys lays out data in a database that holds keys of others.
	AllowOtherKeys bool
	// ReadOnly is for who only reads: a replica or a full Redis will do, and data must be
	// there.
	ReadOnly bool
	// Log is told what should be better; nil is none.
	Log *slog.Logger
}

// Close ends the client, and the server if it is embedded.
func (c *Connection) Close() error {
	err := c.Redis.Close()
	c.stop()
	return err
}

// Open opens the Redis at address, a URL (redis://, rediss:// or unix://); "" starts one
// inside the process, which keeps nothing. A Redis that takes no writes, may evict keys,
// holds the keys of others or has another time is refused, unless o says otherwise.
func Open(ctx context.Context, address string, o Options) (*Connection, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if address == "" {
		return startEmbedded()
	}
	opts, err := redis.ParseURL(address)
	var unread *url.Error
	if errors.As(err, &unread) { // its text repeats the password
		err = errors.New("it cannot be read; write it like redis://user:password@localhost:6379/0, with %XX for special " +
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

// Over returns a connection over a client of which nothing else is known.
func Over(client redis.UniversalClient) *Connection {
	return &Connection{Redis: client, stop: func() {}}
}

// AddLastHook adds what gives long pipelines more time. It must be the client's last hook.
func (c *Connection) AddLastHook() {
	if c.bulk != nil {
		c.Redis.AddHook(c.bulk)
	}
}

// startEmbedded starts miniredis in this process. Its keys do not expire by themselves:
// a goroutine, which Close ends, moves its clock on.
func startEmbedded() (*Connection, error) {
	// It listens on a port of this machine: other programs shall not get in.
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
	setTimeouts(opts, 0)
	client := redis.NewClient(opts)
	stop := func() {
		close(done)
		<-ended
		server.Close()
	}
	return &Connection{Redis: client, Where: "embedded in this process", stop: stop, bulk: newBulkHook(client),
		embedded: true}, nil
}
