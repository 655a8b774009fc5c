// Package store holds every Redis command, key and script of Agora. Reads are
// queued on a Read, which is one pipeline; writes are one script per mutation
// in one slot, followed by the indexes in other slots, which are repeatable and
// healed by the sweeper. docs/architecture/writing.md says how, docs/keys.md names
// every key.
package store

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"golang.org/x/sync/singleflight"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
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
	secret  record.Secret  // of Pseudonym
	zone    *time.Location // in which days begin
	cleaner *cleaner
	stats   *statsCache
	// snapshots lets those who ask for one snapshot wait for one reading of it.
	snapshots     *singleflight.Group
	unkept        *paging.Unkept
	snapshotSlots chan struct{} // bounds how many are taken at once
	bulk          bool          // indexes are left to Flush
	waitForClean  bool          // waits until a clean mark can be queued
	silent        bool          // nobody is told of what is written: an import
	sizes         Sizes
	caps          Caps
	// pendingLife is how long a registration may take, loginRest how long the login of a
	// deleted account rests.
	pendingLife, loginRest time.Duration
	// tasksAtOnce is how many partitions' tasks are worked on side by side.
	tasksAtOnce int
	// step is told the name of each step of a mutation that spans slots, before
	// it is taken; tests interrupt there.
	step     func(name string)
	monitor  *connection.Monitor
	outage   *connection.Outage
	failures *connection.LogLimit
}

// Sizes are those of homes, and of one pass over them.
type Sizes struct{ Home, Low, Pass int }

// Caps are how much is kept of what only its user sees.
type Caps struct{ Bookmarks, Marks, Notes int }

var usualCaps = Caps{forum.MaxBookmarks, forum.MaxReadMarks, forum.MaxNotifications}

var usualSizes = Sizes{forum.HomeSize, forum.HomeLow, forum.FanOutPass}

// Option changes how a Store works.
type Option func(*Store)

// WithClock sets the clock; time.Now is the default.
func WithClock(now func() time.Time) Option { return func(s *Store) { s.now = now } }

// WithLog sets where the store reports what it heals.
func WithLog(log *slog.Logger) Option { return func(s *Store) { s.log = log } }

// WithTasksAtOnce has the tasks of up to n partitions worked on side by side; 1 is the default.
func WithTasksAtOnce(n int) Option { return func(s *Store) { s.tasksAtOnce = n } }

// WithLives sets how long a registration may take before it is given up, and how long the
// login of a deleted account rests; forum.PendingLife and forum.LoginRest are the default.
func WithLives(pending, rest time.Duration) Option {
	return func(s *Store) { s.pendingLife, s.loginRest = pending, rest }
}

// WithSizes and WithCaps are for tests, which make both small.
func WithSizes(z Sizes) Option { return func(s *Store) { s.sizes = z } }

// WithCaps is described at WithSizes.
func WithCaps(c Caps) Option { return func(s *Store) { s.caps = c } }

// WithSteps has f called before each step of a mutation that spans slots.
func WithSteps(f func(name string)) Option { return func(s *Store) { s.step = f } }

// Open loads the scripts and lays out the data if the database is new. It fails
// if the data were laid out otherwise. Close the store when done.
func Open(ctx context.Context, conn *Connection, want Layout, opts ...Option) (*Store, error) {
	s := newStore(conn, opts)
	if err := s.rdb.Load(ctx, script.All); err != nil {
		return nil, fmt.Errorf("load scripts: %w", err)
	}
	if err := s.openLayout(ctx, want); err != nil {
		return nil, err
	}
	if err := s.openSecret(ctx); err != nil {
		return nil, err
	}
	if err := conn.NoteRun(ctx); err != nil {
		return nil, err
	}
	s.cleaner = newCleaner(s)
	return s, nil
}

// OpenReadOnly opens data that are laid out, for Check without repair: it writes nothing,
// neither scripts nor a layout. Close the store when done.
func OpenReadOnly(ctx context.Context, conn *Connection, want Layout, opts ...Option) (*Store, error) {
	s := newStore(conn, opts)
	if err := s.readLayout(ctx, want); err != nil {
		return nil, err
	}
	if err := s.readSecret(ctx); err != nil {
		return nil, err
	}
	s.cleaner = newCleaner(s)
	return s, nil
}

func newStore(conn *Connection, opts []Option) *Store {
	s := &Store{
		rdb: pipeline.NewClient(conn.Redis, script.ReadOnly(), script.Volatile()), now: time.Now,
		log: slog.New(slog.DiscardHandler), step: func(string) {}, stats: &statsCache{},
		failures: &connection.LogLimit{}, unkept: &paging.Unkept{},
		snapshots: &singleflight.Group{}, snapshotSlots: make(chan struct{}, snapshotsAtOnce),
		sizes: usualSizes, caps: usualCaps, pendingLife: forum.PendingLife, loginRest: forum.LoginRest,
	}
	for _, opt := range opts {
		opt(s)
	}
	s.monitor = &connection.Monitor{Connection: conn, Now: s.now, Log: s.log}
	s.outage = &connection.Outage{Ping: s.Ping}
	conn.AddLastHook()
	return s
}

// Close writes the clean marks that are still held back and stops the store's
// goroutine. The Redis client stays open.
func (s *Store) Close() { s.cleaner.close() }

// Bulk returns a store for writing many things at once: it leaves the indexes to
// Flush, so that lists show what was written only then.
func (s *Store) Bulk() *Store {
	b := *s
	b.bulk = true
	return &b
}

// Now is the time by the store's clock.
func (s *Store) Now() forum.Time { return forum.Time(s.now().UnixMilli()) }

// Created is when the data were laid out.
func (s *Store) Created() forum.Time { return s.layout.Created }

// TimeZone is the IANA name of the zone in which the site's days begin.
func (s *Store) TimeZone() string { return s.layout.TimeZone }

// Zone is the zone in which the site's days begin.
func (s *Store) Zone() *time.Location { return s.zone }

// Today is the present day in that zone.
func (s *Store) Today() forum.Day { return forum.DayOf(s.Now(), s.zone) }

// Ping returns an error when Redis does not answer.
func (s *Store) Ping(ctx context.Context) error { return s.rdb.Redis.Ping(ctx).Err() }
