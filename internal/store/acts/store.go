// Package acts records what moderators do, and keeps the reports that they decide on.
package acts

import (
	"context"
	"embed"

	"agora/internal/store/engine"
	"agora/internal/store/internal/key"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store records acts, reports and evidence.
type Store struct {
	engine *engine.Engine
	notes  *notify.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, notes *notify.Store) *Store {
	s := &Store{engine: e, notes: notes}
	e.OnTask(record.TaskReports, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.runReports(ctx, is.Act, t.Cursor)
	})
	engine.OnMarkOf(e, "m", s.SweepActs)
	e.OnMark("r", s.sweepCases)
	for _, set := range key.SharedActMarks {
		e.OnMarkSet(set, func(ctx context.Context, marks []string) (int, error) { return s.sweepSharedActs(ctx, set, marks) })
	}
	return s
}

// Read reads acts and reports in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
