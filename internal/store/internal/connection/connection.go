// Package connection opens the Redis of a store, whether external, private to this process or embedded in
// it, monitors its health, and listens to its channels.
package connection

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"agora/internal/embedded"
	"agora/internal/privateredis"
	"agora/internal/store/internal/pipeline"
)

// Connection is a Redis client together with what is known of its server.
type Connection struct {
	// Redis is the client, a redis.UniversalClient: see pipeline.Client.
	Redis redis.Cmdable
	// Where describes the server for people; it holds no password.
	Where string
	// Durable reports whether the data outlive the process.
	Durable bool
	// Replicated reports whether a replica may take the place of a master: in a cluster, and with Sentinels.
	Replicated bool
	// Reach is the flag, beyond the environment, with which commands reach the same data while this process
	// runs, such as " --redis-url unix:///srv/site/redis.sock"; "" if none is needed.
	Reach string
	stop  func()
	// last limits how long commands may take; AddLastHook adds it. It is nil if there is no timeout.
	last redis.Hook
	// replicas sends reads to replicas, too; nil without such reads. lastOfReplicas is its last hook: it gives them half
	// of a master's time, because what fails is repeated on masters.
	replicas       redis.Cmdable
	lastOfReplicas redis.Hook
	// facts are what each server of Redis reported about itself at the start; nil if it was not asked.
	facts []facts
	// replication makes writes wait for a replica; nil if they do not.
	replication *pipeline.Replication
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
	// Replicated makes each write wait until a replica has acknowledged it.
	Replicated bool
	// FromReplicas lets replicas serve reads whose context allows it: see pipeline.FromReplicas.
	FromReplicas bool
	// ReadOnly is for readers: it accepts a replica or a full Redis, and requires existing data.
	ReadOnly bool
	// AllowAway accepts a cluster of which some masters do not answer, if it has a site.
	AllowAway bool
	// Log receives warnings about settings that should be improved; nil for none.
	Log *slog.Logger
}

// Close closes the client, and stops the server if it is embedded or private.
func (c *Connection) Close() error {
	err := pipeline.Universal(c.Redis).Close()
	if c.replicas != nil {
		err = errors.Join(err, pipeline.Universal(c.replicas).Close())
	}
	c.stop()
	return err
}

// Open opens the Redis at address: a URL as parseAddress describes it; "" starts one inside the process,
// which stores nothing durably. Open refuses a Redis that accepts no writes, may evict keys, holds keys of
// other programs or whose clock differs, unless o allows it.
func Open(ctx context.Context, text string, o Options) (*Connection, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if text == "" {
		return startEmbedded()
	}
	c, err := Reach(ctx, text, o)
	if err != nil {
		return nil, err
	}
	if c.facts, err = guard(ctx, c.Redis, o); err != nil {
		return nil, errors.Join(fmt.Errorf("the %s cannot be used: %w", c.Where, err), c.Close())
	}
	c.Durable = !slices.ContainsFunc(c.facts, func(f facts) bool { return !f.persists() })
	return c, nil
}

// Reach connects to the Redis at address, whatever its state, if it answers. It is for what only looks at it.
func Reach(ctx context.Context, text string, o Options) (*Connection, error) {
	a, err := parseAddress(text)
	if err != nil {
		return nil, fmt.Errorf("REDIS_URL: %w", err)
	}
	if o.FromReplicas && !a.cluster && a.master == "" {
		return nil, errors.New("to read from replicas, name them by redis+cluster:// or redis+sentinel://")
	}
	setTimeouts(a.options, o.Timeout)
	c := dial(a, o)
	if o.FromReplicas {
		client := newReplicaClient(a)
		c.replicas, c.lastOfReplicas = client, &clusterHook{client, a.options.ReadTimeout / 2}
	}
	if err := c.Ping(ctx); err != nil {
		if !pipeline.Answered(err) {
			err = errors.Join(err, ErrAway) // also if it is Sentinels that do not answer
		}
		return nil, errors.Join(fmt.Errorf("the %s does not answer: %w", a, err), c.Close())
	}
	return c, nil
}

// Ping returns an error if Redis does not answer; in a cluster, if no master does.
func (c *Connection) Ping(ctx context.Context) error {
	nodes, err := masters(ctx, c.Redis)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	answers := make(chan error, len(nodes))
	for _, n := range nodes {
		go func() { answers <- n.redis.Ping(ctx).Err() }() // ends with ctx at the latest
	}
	for range nodes {
		if err = <-answers; err == nil {
			return nil
		}
	}
	return err
}

// Partial returns the masters of a cluster that did not answer at the start.
func (c *Connection) Partial() (away []string) {
	for _, f := range c.facts {
		if f.silent {
			away = append(away, f.node)
		}
	}
	return away
}

// LayoutAway reports whether the master that has the layout did not answer at the start.
func (c *Connection) LayoutAway() bool { return len(c.facts) > 0 && c.facts[0].layoutAway }

// dial returns a connection that has not been used yet.
func dial(a address, o Options) *Connection {
	c := &Connection{Where: a.String(), Replicated: a.cluster || a.master != "", stop: func() {}}
	var onConnect func(context.Context, *redis.Conn) error
	if !o.ReadOnly {
		c.sequences = &sequenceGuard{replicated: c.Replicated}
		onConnect = func(ctx context.Context, cn *redis.Conn) error { return c.sequences.onConnect(ctx, cn) }
	}
	var onNode []redis.Hook
	if o.Replicated {
		c.replication = &pipeline.Replication{Timeout: a.options.ReadTimeout * 5 / 8}
		onNode = append(onNode, c.replication)
	}
	if !a.cluster {
		a.options.OnConnect = onConnect
		dial := func() *redis.Client { return redis.NewClient(a.options) }
		if a.master != "" {
			dial = func() *redis.Client { return newSentinelClient(a) }
		}
		client := dial()
		c.Redis, c.last = client, newBulkHook(client)
		pauseTurns(client, false)
		return c
	}
	if c.sequences != nil {
		bare := newClusterClient(a, nil, nil)
		c.sequences.layout, c.sequences.patience = bare, a.options.ReadTimeout/4
		c.stop = func() { bare.Close() }
	}
	client := newClusterClient(a, onNode, onConnect)
	c.Redis, c.last = client, &clusterHook{client, a.options.ReadTimeout}
	return c
}

// Over returns a connection over an existing client, without knowledge of its server.
func Over(client redis.UniversalClient) *Connection {
	return &Connection{Redis: client, stop: func() {}}
}

// AddLastHook adds the hooks that limit how long commands may take, after that which waits for replicas. They
// must be the clients' last hooks.
func (c *Connection) AddLastHook() {
	if c.replication != nil && !c.Cluster() {
		pipeline.Universal(c.Redis).AddHook(c.replication)
	}
	if c.last != nil {
		pipeline.Universal(c.Redis).AddHook(c.last)
	}
	if c.replicas != nil {
		pipeline.Universal(c.replicas).AddHook(c.lastOfReplicas)
	}
}

// Replicas returns a client that sends reads to replicas, too, or nil.
func (c *Connection) Replicas() redis.Cmdable { return c.replicas }

// Cluster reports whether Redis is a cluster: then commands, scripts and messages go to the master of their
// slot.
func (c *Connection) Cluster() bool {
	_, is := c.Redis.(*redis.ClusterClient)
	return is
}

// Replication is the hook that makes writes wait for a replica, or nil.
func (c *Connection) Replication() *pipeline.Replication { return c.replication }

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
	last := newBulkHook(client)
	pauseTurns(client, false)
	stop := func() {
		close(done)
		<-ended
		server.Close()
	}
	return &Connection{Redis: client, Where: "embedded in this process", stop: stop, last: last,
		embedded: true}, nil
}
