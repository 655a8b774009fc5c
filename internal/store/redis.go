package store

import (
	"context"
	"log/slog"

	"agora/internal/store/internal/connection"

	"github.com/redis/go-redis/v9"
)

// Connection is a Redis client with what is known of the server behind it.
type Connection = connection.Connection

// Over returns a connection over a client of which nothing else is known.
func Over(client redis.UniversalClient) *Connection { return connection.Over(client) }

// ConnectOptions say how to connect, and what to put up with.
type ConnectOptions = connection.Options

// Connect opens the Redis at address, a URL (redis://, rediss:// or unix://); "" starts one
// inside the process, which keeps nothing. A Redis that takes no writes, may evict keys,
// holds the keys of others or has another time is refused, unless o says otherwise.
func Connect(ctx context.Context, address string, o ConnectOptions) (*Connection, error) {
	return connection.Open(ctx, address, o)
}

// ConnectData starts a private redis-server on the data in dir, as the package privateredis
// tells, and connects to it. Close ends it. ctx bounds the start only; of o the timeout and
// the log count.
func ConnectData(ctx context.Context, dir string, o ConnectOptions) (*Connection, error) {
	return connection.OpenPrivate(ctx, dir, o)
}

// LogRedis has the Redis client write its own messages to log, a few a second, in place of
// standard error. It holds for the whole process.
func LogRedis(log *slog.Logger) { connection.LogRedis(log) }

// Listener hears what is published on channels that it was given, over one connection.
type Listener = connection.Listener

// Announcement is a message on a channel, or the confirmation that its messages come from
// now on.
type Announcement = connection.Announcement

// Listen makes a listener without channels. Close ends it, and before that ctx must be done.
func (s *Store) Listen(ctx context.Context) *Listener { return connection.Listen(ctx, s.rdb.Redis) }

// Health is what was last seen of the Redis behind a store, Problem something that is wrong
// with it and Trouble the kind of that.
type (
	Health  = connection.Health
	Problem = connection.Problem
	Trouble = connection.Trouble
)

// Troubles are all kinds of trouble.
var Troubles = connection.Troubles

// Health is what WatchRedis saw last. It costs no round trip.
func (s *Store) Health() Health { return s.monitor.Health() }

// WatchRedis looks every few seconds at how Redis is, for Health, and logs what changes, and
// at first what should be better. It returns when ctx ends. Only one may run.
func (s *Store) WatchRedis(ctx context.Context) { s.monitor.Watch(ctx) }

// Await waits until Redis answers, at least 100 ms, and returns nil, or ctx's error. It is
// for what is tried again after a failure: all who wait share one PING.
func (s *Store) Await(ctx context.Context) error { return s.outage.Await(ctx) }

// LogFailure logs what failed because of Redis, a few lines a second in all: an outage
// fails whatever is under way. log is where to.
func (s *Store) LogFailure(ctx context.Context, log *slog.Logger, message string, args ...any) {
	if hidden, ok := s.failures.Take(s.now()); ok {
		if hidden > 0 {
			args = append(args, "like_it_before", hidden)
		}
		log.WarnContext(ctx, message, args...)
	}
}
