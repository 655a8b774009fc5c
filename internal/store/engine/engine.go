// Package engine is what the subjects of the store are built on: reads, tasks, dirty marks, the feed of changes and the
// pipeline of the indexes. Subjects register their tasks, marks and consumers with it, and append parts to a mutation.
package engine

import (
	"context"
	"embed"
	"log/slog"
	"sync"
	"time"

	"agora/internal/forum"
	"agora/internal/store/internal/connection"
	"agora/internal/store/internal/objects"
	"agora/internal/store/internal/paging"
	"agora/internal/store/internal/pipeline"
	"agora/internal/store/internal/record"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Engine is what all subjects share. It is safe for concurrent use once its fields are set.
type Engine struct {
	Client   *pipeline.Client
	Clock    func() time.Time
	Log      *slog.Logger
	Secret   record.Secret  // for Pseudonym
	Location *time.Location // in which days begin
	Objects  *objects.Cache // nil if nothing is kept in memory
	Unkept   *paging.Unkept
	Cleaner  *Cleaner

	Bulk         bool // indexes are left to Flush
	WaitForClean bool // Later waits until the cleanup can be queued
	Silent       bool // no user is notified: an import
	Limits       forum.Limits
	// PendingLife is how long a registration may take, LoginRest how long the login of a deleted account
	// stays reserved.
	PendingLife, LoginRest time.Duration
	// TasksAtOnce is how many partitions' tasks run concurrently.
	TasksAtOnce int
	// Ticks times the renewals of leases.
	Ticks func(every time.Duration) (<-chan time.Time, func())
	// Step is called with the name of each step of a mutation that spans slots, before the step; tests
	// interrupt there.
	Step func(name string)
	// ObservePass, if not nil, is called when a pass of a task begins; see store.WithPasses.
	ObservePass func(work string) (roundTrip func(string, int) func(error), end func(error))

	passes    map[record.TaskKind]pass
	sweeps    sweeps
	consumers []*consumer
	consuming *sync.WaitGroup // the turns of consumers
	failures  *connection.LogLimit
}

// New returns an engine with the default settings. Start its Cleaner before use.
func New(client *pipeline.Client) *Engine {
	e := &Engine{
		Client: client, Clock: time.Now, Log: slog.New(slog.DiscardHandler), Step: func(string) {}, Ticks: ticks,
		Unkept: &paging.Unkept{}, Limits: forum.DefaultLimits, PendingLife: forum.PendingLife,
		LoginRest: forum.LoginRest, failures: &connection.LogLimit{},
	}
	return e.Copy()
}

// Copy returns an engine with the same settings, without what was registered.
func (e *Engine) Copy() *Engine {
	c := *e
	c.passes, c.sweeps = map[record.TaskKind]pass{}, sweeps{kinds: map[string]SweepMarks{}}
	c.consumers, c.consuming = nil, &sync.WaitGroup{}
	return &c
}

// LogFailure logs a failure because of Redis, at most a few lines per second in total, because an outage
// fails every operation in progress. log is the destination.
func (s *Engine) LogFailure(ctx context.Context, log *slog.Logger, message string, args ...any) {
	if hidden, ok := s.failures.Take(s.Clock()); ok {
		if hidden > 0 {
			args = append(args, "like_it_before", hidden)
		}
		log.WarnContext(ctx, message, args...)
	}
}

// Pseudonym returns the replacement of an address, a name or the like in keys and logs: see record.Secret.
func (s *Engine) Pseudonym(kind, of string) string { return s.Secret.Pseudonym(kind, of) }

// Now returns the time by the store's clock.
func (s *Engine) Now() forum.Time { return forum.Time(s.Clock().UnixMilli()) }

// Today returns the current day of the site.
func (s *Engine) Today() forum.Day { return forum.DayOf(s.Now(), s.Location) }
