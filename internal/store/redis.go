package store

import (
	"context"
	"log/slog"

	"github.com/redis/go-redis/v9"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/objects"
	"agora/internal/store/internal/pipeline"
)

// Connection is a Redis client together with what is known of its server.
type Connection = connection.Connection

// Over returns a connection over an existing client, without knowledge of its server.
func Over(client redis.UniversalClient) *Connection { return connection.Over(client) }

// ConnectOptions say how to connect, and which faults of the server to accept.
type ConnectOptions = connection.Options

// Connect opens the Redis at address, a URL (redis://, rediss://, unix://, redis+cluster://,
// redis+sentinel://); "" starts one inside the process, which stores nothing durably. Connect refuses a Redis
// that accepts no writes, may evict keys, holds keys of other programs or whose clock differs, unless o
// allows it.
func Connect(ctx context.Context, address string, o ConnectOptions) (*Connection, error) {
	return connection.Open(ctx, address, o)
}

// ConnectData starts a private redis-server on the data in dir, as described in package privateredis, and
// connects to it. Close stops it. ctx bounds the start only; of o, only the timeout and the log are used.
func ConnectData(ctx context.Context, dir string, o ConnectOptions) (*Connection, error) {
	return connection.OpenPrivate(ctx, dir, o)
}

// LogRedis makes the Redis client write its own messages to log, at most a few per second, instead of
// standard error. It applies to the whole process.
func LogRedis(log *slog.Logger) { connection.LogRedis(log) }

// Listener receives the messages of the channels that it subscribes to.
type Listener = connection.Listener

// Announcement is a message on a channel, or the confirmation that the channel is subscribed.
type Announcement = connection.Announcement

// Listen creates a listener without channels. It ends with ctx; its Close waits for that.
func (s *Store) Listen(ctx context.Context) *Listener { return s.monitor.Connection.Listen(ctx) }

// Health is the last known state of the Redis behind a store, Problem is a fault in it, and Trouble is the
// kind of a fault.
type (
	Health  = connection.Health
	Problem = connection.Problem
	Trouble = connection.Trouble
)

// TroubleAway is the trouble of a Redis that does not answer.
const TroubleAway = connection.TroubleAway

// Troubles are all kinds of trouble.
var Troubles = connection.Troubles

// Health returns the last observation of WatchRedis. It costs no round trip.
func (s *Store) Health() Health { return s.monitor.Health() }

// WatchRedis checks Redis every few seconds, for Health. It logs changes, and at the start everything that
// should be improved. It returns when ctx ends. Only one may run.
func (s *Store) WatchRedis(ctx context.Context) { s.monitor.Watch(ctx) }

// KeepObjects listens for changes of what is kept in memory until ctx is done. Only one may run.
func (s *Store) KeepObjects(ctx context.Context) {
	if s.Engine.Objects != nil {
		objects.Run(ctx, s.Engine.Objects, pipeline.Universal(s.monitor.Connection.Redis))
	}
}

// Replaced receives a signal when a master was replaced, or restarted, that has replicas: WatchRedis sends it.
func (s *Store) Replaced() <-chan struct{} { return s.monitor.Replaced }

// Recheck calls check, unless another process does so for the same fail-over; then it waits until that has
// finished. since is when this process noticed the fail-over.
func (s *Store) Recheck(ctx context.Context, since forum.Time, check func(context.Context) error) error {
	return connection.Recheck{Redis: s.monitor.Connection.Redis, Now: s.Engine.Clock}.Do(ctx, since, check)
}

// Await waits until Redis answers, at least 100 ms, and returns nil, or ctx's error. It is for retries
// after a failure: all waiters share one PING.
func (s *Store) Await(ctx context.Context) error { return s.outage.Await(ctx) }
