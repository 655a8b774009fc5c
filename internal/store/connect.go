package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// Connection is a Redis client with what is known of the server behind it.
type Connection struct {
	redis.UniversalClient
	// Where tells people which server it is; it holds no password.
	Where string
	// Durable tells whether the data outlive the process.
	Durable bool
	// Reach is what commands need besides the environment to reach the same data while
	// this process runs, such as " --redis-url unix:///srv/site/redis.sock"; "" is nothing.
	Reach string
	stop  func()
}

// Close ends the client, and the server if it is embedded.
func (c *Connection) Close() error {
	err := c.UniversalClient.Close()
	c.stop()
	return err
}

// Connect opens the Redis at address, a URL (redis:// or rediss://); "" starts one inside
// the process, which keeps nothing.
func Connect(ctx context.Context, address string) (*Connection, error) {
	if address == "" {
		return startEmbedded()
	}
	opts, err := redis.ParseURL(address)
	var unread *url.Error
	if errors.As(err, &unread) { // its text repeats the password
		err = errors.New("it cannot be read; write it like redis://user:password@localhost:6379/0, with %XX for special characters")
	}
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	setTimeouts(opts)
	client := redis.NewClient(opts)
	if err := client.Ping(ctx).Err(); err != nil {
		client.Close()
		return nil, fmt.Errorf("the Redis at %s does not answer: %w", opts.Addr, err)
	}
	where := fmt.Sprintf("Redis at %s, database %d", opts.Addr, opts.DB)
	return &Connection{UniversalClient: client, Where: where, Durable: persists(ctx, client), stop: func() {}}, nil
}

// setTimeouts makes a Redis that does not answer an error within a second. A
// command whose answer was lost is not sent again: it may have been done, and
// would be done twice.
func setTimeouts(o *redis.Options) {
	o.MaxRetries = -1
	o.ContextTimeoutEnabled = true
	o.DialTimeout = 300 * time.Millisecond
	o.ReadTimeout = 800 * time.Millisecond
	o.WriteTimeout = 800 * time.Millisecond
}

// persists tells whether the server writes its data to disk. One that does not
// say (CONFIG is often forbidden) is believed to.
func persists(ctx context.Context, client redis.UniversalClient) bool {
	conf, err := client.ConfigGet(ctx, "appendonly").Result()
	if err != nil || conf["appendonly"] == "yes" {
		return true
	}
	save, err := client.ConfigGet(ctx, "save").Result()
	return err != nil || strings.TrimSpace(save["save"]) != ""
}

// startEmbedded starts miniredis in this process. Its keys do not expire by themselves:
// a goroutine, which Close ends, moves its clock on.
func startEmbedded() (*Connection, error) {
	server := miniredis.NewMiniRedis()
	// It listens on a port of this machine: other programs shall not get in.
	password := rand.Text()
	server.RequireAuth(password)
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("start the embedded store: %w", err)
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
	setTimeouts(opts)
	stop := func() {
		close(done)
		<-ended
		server.Close()
	}
	return &Connection{UniversalClient: redis.NewClient(opts), Where: "embedded in this process", stop: stop}, nil
}
