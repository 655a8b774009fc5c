// Package store holds every Redis command, key and script of Agora. Reads are queued on a Read, which is
// one pipeline. A write is one script in one slot, followed by writes to indexes in other slots, which are
// idempotent and repaired by the sweeper. docs/architecture/writing.md explains how, docs/keys.md lists
// every key.
//
// The packages below it are the subjects: fields of a Store, and of a Read. Package engine is what they share.
package store

import (
	"context"
	"embed"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store/accounts"
	"agora/internal/store/acts"
	"agora/internal/store/bulk"
	"agora/internal/store/categories"
	"agora/internal/store/change"
	"agora/internal/store/check"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/groups"
	"agora/internal/store/homes"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/objects"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/listing"
	"agora/internal/store/moderation"
	"agora/internal/store/notify"
	"agora/internal/store/posts"
	"agora/internal/store/rules"
	"agora/internal/store/script"
	"agora/internal/store/sessions"
	"agora/internal/store/votes"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store reads and writes the data of one installation. It is safe for
// concurrent use.
type Store struct {
	Engine *engine.Engine // which the subjects share

	// The subjects, each named as its package.
	Accounts   *accounts.Store
	Acts       *acts.Store
	Categories *categories.Store
	Change     *change.Store
	Follows    *follows.Store
	Groups     *groups.Store
	Homes      *homes.Store
	Listing    *listing.Store
	Moderation *moderation.Store
	Notify     *notify.Store
	Posts      *posts.Store
	Rules      *rules.Store
	Sessions   *sessions.Store
	Votes      *votes.Store

	checks  []func() check.Subject
	layout  Layout
	shared  *shared
	monitor *connection.Monitor
	outage  *connection.Outage
}

// shared is what copies of a store share.
type shared struct {
	snapshots *listing.Builds
	rules     *rules.Cache
	stats     statsCache
}

// addSubjects gives the store its subjects, which register their tasks and marks with its engine.
func (s *Store) addSubjects() {
	e := s.Engine
	s.checks = nil
	s.Listing = listing.New(e, s.shared.snapshots)
	s.Notify = checked(s, notify.New(e))
	s.Acts = checked(s, acts.New(e, s.Notify))
	s.Rules = checked(s, rules.New(e, s.shared.rules, s.Acts))
	s.Homes = checked(s, homes.New(e, s.Listing, s.Rules))
	s.Change = checked(s, change.New(e, s.Acts, s.Homes, s.Rules))
	s.Follows = checked(s, follows.New(e, s.Notify, s.Homes))
	s.Posts = checked(s, posts.New(e, s.Notify, s.Acts, s.Homes, s.Change, s.Follows, s.Rules))
	s.Votes = checked(s, votes.New(e, s.Change, s.Posts, s.Rules))
	s.Sessions = checked(s, sessions.New(e, s.Acts))
	s.Groups = checked(s, groups.New(e))
	s.Accounts = checked(s, accounts.New(e, s.Notify, s.Acts, s.Homes, s.Follows, s.Groups, s.Sessions))
	s.Categories = checked(s, categories.New(e, s.Acts, s.Follows, s.Rules))
	s.Moderation = checked(s, moderation.New(e, s.Rules, s.Notify, s.Acts, s.Change, s.Posts, s.Categories))
}

// checked adds the checks of a subject to those of the store.
func checked[S interface{ Checks() check.Subject }](s *Store, subject S) S {
	s.checks = append(s.checks, subject.Checks)
	return subject
}

// Checks returns the checks of the subjects, for package fsck.
func (s *Store) Checks() []check.Subject {
	all := make([]check.Subject, len(s.checks))
	for i, checks := range s.checks {
		all[i] = checks()
	}
	return all
}

// Option changes how a Store works.
type Option func(*engine.Engine)

// WithClock sets the clock; time.Now is the default.
func WithClock(now func() time.Time) Option { return func(e *engine.Engine) { e.Clock = now } }

// WithLog sets the log for repairs and for work that is left to workers.
func WithLog(log *slog.Logger) Option { return func(e *engine.Engine) { e.Log = log } }

// WithTasksAtOnce runs the tasks of up to n partitions concurrently; the default is 1.
func WithTasksAtOnce(n int) Option { return func(e *engine.Engine) { e.TasksAtOnce = n } }

// WithLives sets how long a registration may take before it is abandoned, and how long the login of a
// deleted account stays reserved; the defaults are forum.PendingLife and forum.LoginRest.
func WithLives(pending, rest time.Duration) Option {
	return func(e *engine.Engine) { e.PendingLife, e.LoginRest = pending, rest }
}

// WithOneSlot makes each script have its keys in one slot, as in a cluster.
func WithOneSlot() Option { return func(e *engine.Engine) { e.Client.OneSlot = true } }

// WithLimits sets the limits of homes and of what only its user can see; forum.DefaultLimits is the default.
func WithLimits(l forum.Limits) Option { return func(e *engine.Engine) { e.Limits = l } }

// WithSteps calls f before each step of a mutation that spans slots.
func WithSteps(f func(name string)) Option { return func(e *engine.Engine) { e.Step = f } }

// WithPasses calls f when a pass of a task begins, with what it does. roundTrip becomes Usage.Observe of the pass, and
// end is called at its end; both may be nil.
func WithPasses(f func(work string) (roundTrip func(string, int) func(error), end func(error))) Option {
	return func(e *engine.Engine) { e.ObservePass = f }
}

// WithObjectCache keeps up to about so many bytes of objects in memory, while KeepObjects runs. It has no effect on a
// Redis with masters that a replica may replace, a cluster or one with Sentinels: there, connections to an old and a
// new master can exist at the same time, so that no order of messages is proven.
func WithObjectCache(bytes int) Option {
	return func(e *engine.Engine) {
		if bytes > 0 {
			e.Objects = objects.New(bytes, time.Now)
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
	if err := s.Engine.Client.Load(ctx, script.All); err != nil {
		return nil, fmt.Errorf("load scripts: %w", err)
	}
	if err := s.openLayout(ctx, want); err != nil {
		return nil, err
	}
	var err error
	if s.Engine.Secret, err = connection.OpenSecret(ctx, conn.Redis); err != nil {
		return nil, err
	}
	if err := conn.NoteRun(ctx); err != nil {
		return nil, err
	}
	if err := s.Rules.Refresh(ctx); err != nil {
		return nil, err
	}
	s.Engine.Cleaner = engine.NewCleaner(s.Engine)
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
	if s.Engine.Secret, err = connection.ReadSecret(ctx, conn.Redis); err != nil {
		return nil, err
	}
	if err := s.Rules.Refresh(ctx); err != nil {
		return nil, err
	}
	s.Engine.Cleaner = engine.NewCleaner(s.Engine)
	return s, nil
}

func newStore(conn *Connection, opts []Option) *Store {
	e := engine.New(pipeline.NewClient(conn.Redis, pipeline.Options{
		ReadOnly: script.ReadOnly(), Volatile: script.Volatile(), Derived: script.Derived(),
		Cluster: conn.Cluster(), Replication: conn.Replication(), Replicas: conn.Replicas(),
	}))
	for _, opt := range opts {
		opt(e)
	}
	if conn.Replicated || conn.Cluster() {
		e.Objects = nil // see WithObjectCache
	}
	s := &Store{Engine: e}
	s.shared = &shared{snapshots: listing.NewBuilds(), rules: rules.NewCache(conn.Redis, s.rulesCopies(conn))}
	s.addSubjects()
	s.monitor = &connection.Monitor{Connection: conn, Now: e.Clock, Log: e.Log, Replaced: make(chan struct{}, 1)}
	s.outage = &connection.Outage{Ping: s.Ping}
	conn.AddLastHook()
	return s
}

// Close removes the dirty marks that are still queued for it and stops the store's goroutines. The Redis
// client stays open.
func (s *Store) Close() {
	s.shared.snapshots.End()
	s.Engine.Cleaner.Close()
}

// with returns a copy with a changed engine, which shares everything else.
func (s *Store) with(change func(*engine.Engine)) *Store {
	c := *s
	c.Engine = s.Engine.Copy()
	change(c.Engine)
	c.addSubjects()
	return &c
}

// Bulk returns a store for bulk writes: it leaves the indexes to Flush, so that lists show new entries only
// then.
func (s *Store) Bulk() *Store {
	return s.with(func(e *engine.Engine) { e.Bulk = true })
}

// Import begins an import, for use by one goroutine. Its time does not go back.
func (s *Store) Import() *bulk.Import {
	w := s.with(func(e *engine.Engine) { e.WaitForClean, e.Silent, e.Clock = true, true, forward(e.Clock) })
	return bulk.New(w.Engine, w.Homes, w.Change, w.Follows, w.Accounts, w.Categories).Begin()
}

// forward returns a clock that stands still while another one goes back.
func forward(clock func() time.Time) func() time.Time {
	var mu sync.Mutex
	var latest time.Time
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		if now := clock().Round(0); now.After(latest) { // without its monotonic reading, which does not go back
			latest = now
		}
		return latest
	}
}

// Ping returns an error if Redis does not answer.
func (s *Store) Ping(ctx context.Context) error { return s.monitor.Connection.Ping(ctx) }
