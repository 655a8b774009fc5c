// Package store holds every Redis command, key and script of Agora. Reads are queued on a Read, which is
// one pipeline. A write is one script in one slot, followed by writes to indexes in other slots, which are
// idempotent and repaired by the sweeper. docs/architecture/writing.md explains how, docs/keys.md lists
// every key.
package store

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/index"
	"agora/internal/store/internal/objects"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

// Store reads and writes the data of one installation. It is safe for
// concurrent use.
type Store struct {
	rdb     *pipeline.Client
	now     func() time.Time
	log     *slog.Logger
	layout  Layout
	secret  record.Secret  // for Pseudonym
	zone    *time.Location // in which days begin
	cleaner *cleaner
	passes  map[record.TaskKind]pass
	sweeps  sweeps
	stats   *statsCache
	listed  *index.Listed
	rules   *rulesCache
	// snapshots lets concurrent callers share the taking of one snapshot.
	snapshots     *builds
	unkept        *paging.Unkept
	snapshotSlots chan struct{} // bounds how many are taken concurrently
	bulk          bool          // indexes are left to Flush
	waitForClean  bool          // clean waits until the mark can be queued
	silent        bool          // no user is notified: an import
	sizes         Sizes
	caps          Caps
	// pendingLife is how long a registration may take, loginRest how long the login of a deleted account
	// stays reserved.
	pendingLife, loginRest time.Duration
	// tasksAtOnce is how many partitions' tasks run concurrently.
	tasksAtOnce int
	// ticks times the renewals of leases.
	ticks func(every time.Duration) (<-chan time.Time, func())
	// step is called with the name of each step of a mutation that spans slots, before the step; tests
	// interrupt there.
	step     func(name string)
	objects  *objects.Cache // nil if nothing is kept in memory
	monitor  *connection.Monitor
	outage   *connection.Outage
	failures *connection.LogLimit
}

// Option changes how a Store works.
type Option func(*Store)

// WithClock sets the clock; time.Now is the default.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// WithLog sets the log for repairs and for work that is left to workers.
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

// WithTasksAtOnce runs the tasks of up to n partitions concurrently; the default is 1.
func WithTasksAtOnce(n int) Option { return func(s *Store) { s.tasksAtOnce = n } }

// WithLives sets how long a registration may take before it is abandoned, and how long the login of a
// deleted account stays reserved; the defaults are forum.PendingLife and forum.LoginRest.
func WithLives(pending, rest time.Duration) Option {
	return func(s *Store) { s.pendingLife, s.loginRest = pending, rest }
}

// WithOneSlot makes each script have its keys in one slot, as in a cluster.
func WithOneSlot() Option { return func(s *Store) { s.rdb.OneSlot = true } }

// WithSizes and WithCaps are for tests, which make both small.
func WithSizes(z Sizes) Option { return func(s *Store) { s.sizes = z } }

// WithCaps is described at WithSizes.
func WithCaps(c Caps) Option { return func(s *Store) { s.caps = c } }

// WithSteps calls f before each step of a mutation that spans slots.
func WithSteps(f func(name string)) Option { return func(s *Store) { s.step = f } }

// WithObjectCache keeps up to about so many bytes of objects in memory, while KeepObjects runs. It has no effect on a
// Redis with masters that a replica may replace, a cluster or one with Sentinels: there, connections to an old and a
// new master can exist at the same time, so that no order of messages is proven.
func WithObjectCache(bytes int) Option {
	return func(s *Store) {
		if bytes > 0 {
			s.objects = objects.New(bytes, time.Now)
		}
	}
}

// Open loads the scripts, and writes the layout if the database is new. It fails if existing data have
// another layout. If masters of a cluster are away, it serves what the others have. Close the store when done.
func Open(ctx context.Context, conn *Connection, want Layout, opts ...Option) (*Store, error) {
	s := newStore(conn, opts)
	if len(conn.Partial()) > 0 || conn.LayoutAway() {
		if err := s.openPartly(ctx, want); err != nil {
			return nil, err
		}
		return s, nil
	}
	if err := s.rdb.Load(ctx, script.All); err != nil {
		return nil, fmt.Errorf("load scripts: %w", err)
	}
	if err := s.openLayout(ctx, want); err != nil {
		return nil, err
	}
	var err error
	if s.secret, err = connection.OpenSecret(ctx, conn.Redis); err != nil {
		return nil, err
	}
	if err := conn.NoteRun(ctx); err != nil {
		return nil, err
	}
	if err := s.RefreshRules(ctx); err != nil {
		return nil, err
	}
	s.cleaner = newCleaner(s)
	return s, nil
}

// OpenReadOnly opens existing data for a check without repair: it writes neither scripts nor a layout.
// Close the store when done.
func OpenReadOnly(ctx context.Context, conn *Connection, want Layout, opts ...Option) (*Store, error) {
	s := newStore(conn, opts)
	if err := s.readLayout(ctx, want); err != nil {
		return nil, err
	}
	var err error
	if s.secret, err = connection.ReadSecret(ctx, conn.Redis); err != nil {
		return nil, err
	}
	if err := s.RefreshRules(ctx); err != nil {
		return nil, err
	}
	s.cleaner = newCleaner(s)
	return s, nil
}

func newStore(conn *Connection, opts []Option) *Store {
	s := &Store{
		rdb: pipeline.NewClient(conn.Redis, pipeline.Options{
			ReadOnly: script.ReadOnly(), Volatile: script.Volatile(), Derived: script.Derived(),
			Cluster: conn.Cluster(), Replication: conn.Replication(), Replicas: conn.Replicas(),
		}),
		now: time.Now,
		log: slog.New(slog.DiscardHandler), step: func(string) {}, ticks: ticks, stats: &statsCache{},
		failures: &connection.LogLimit{}, unkept: &paging.Unkept{},
		snapshots: newBuilds(), snapshotSlots: make(chan struct{}, snapshotsAtOnce),
		sizes: defaultSizes, caps: defaultCaps, pendingLife: forum.PendingLife, loginRest: forum.LoginRest,
		listed: &index.Listed{}, rules: &rulesCache{rdb: conn.Redis},
	}
	for _, opt := range opts {
		opt(s)
	}
	if conn.Replicated || conn.Cluster() {
		s.objects = nil // see WithObjectCache
	}
	s.register()
	s.monitor = &connection.Monitor{Connection: conn, Now: s.now, Log: s.log, Replaced: make(chan struct{}, 1)}
	s.outage = &connection.Outage{Ping: s.Ping}
	conn.AddLastHook()
	return s
}

// Close removes the dirty marks that are still queued for it and stops the store's goroutines. The Redis
// client stays open.
func (s *Store) Close() {
	s.snapshots.end()
	s.cleaner.close()
}

// Bulk returns a store for bulk writes: it leaves the indexes to Flush, so that lists show new entries only
// then.
func (s *Store) Bulk() *Store {
	return s.with(func(b *Store) { b.bulk = true })
}

// Import begins an import, for use by one goroutine.
func (s *Store) Import() *Import {
	return s.with(func(c *Store) { c.waitForClean, c.silent = true, true }).begin()
}

// with returns a changed copy, which shares everything else.
func (s *Store) with(change func(*Store)) *Store {
	c := *s
	change(&c)
	c.register()
	return &c
}

// Ping returns an error if Redis does not answer.
func (s *Store) Ping(ctx context.Context) error { return s.monitor.Connection.Ping(ctx) }
