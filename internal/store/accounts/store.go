// Package accounts keeps accounts and the names that they claim.
package accounts

import (
	"context"
	"embed"

	"agora/internal/store/acts"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/groups"
	"agora/internal/store/homes"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/script"
	"agora/internal/store/sessions"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes accounts.
type Store struct {
	engine  *engine.Engine
	notes   *notify.Store
	acts    *acts.Store
	homes   *homes.Store
	follows *follows.Store
	groups  *groups.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, notes *notify.Store, acts *acts.Store, homes *homes.Store, follows *follows.Store,
	groups *groups.Store, sessions *sessions.Store) *Store {
	s := &Store{engine: e, notes: notes, acts: acts, homes: homes, follows: follows, groups: groups}
	e.OnTask(record.TaskAccountCleanup, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.RunAccountCleanup(ctx, is.User, t.Cursor)
	})
	e.OnMark("u", s.sweepUsers)
	sessions.OnArrival(s.Arrive)
	return s
}

// Read reads accounts in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
