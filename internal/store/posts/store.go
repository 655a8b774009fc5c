// Package posts writes topics and comments, their revisions, and what of them users have read.
package posts

import (
	"context"
	"embed"

	"agora/internal/forum"
	"agora/internal/store/acts"
	"agora/internal/store/change"
	"agora/internal/store/engine"
	"agora/internal/store/follows"
	"agora/internal/store/homes"
	"agora/internal/store/internal/record"
	"agora/internal/store/notify"
	"agora/internal/store/rules"
	"agora/internal/store/script"
)

//go:embed *.lua
var scripts embed.FS

var _ = script.Add(scripts)

// Store writes topics and comments.
type Store struct {
	engine  *engine.Engine
	notes   *notify.Store
	acts    *acts.Store
	homes   *homes.Store
	changes *change.Store
	follows *follows.Store
	rules   *rules.Store
}

// New returns the store of an engine and registers its tasks and marks.
func New(e *engine.Engine, notes *notify.Store, acts *acts.Store, homes *homes.Store, changes *change.Store,
	follows *follows.Store, rules *rules.Store) *Store {
	s := &Store{engine: e, notes: notes, acts: acts, homes: homes, changes: changes, follows: follows, rules: rules}
	e.OnTask(record.TaskRetract, func(ctx context.Context, t engine.Task, is record.Task) (string, bool, error) {
		return s.retract(ctx, is.Topic, t.Cursor)
	})
	e.OnTaskInTurns(record.TaskErase, func(ctx context.Context, t engine.Task, is record.Task) (string, forum.Time,
		error) {
		return s.erase(ctx, is.User, t.Cursor)
	})
	return s
}

// Read reads revisions and read marks in the pipeline of an engine.Read.
type Read struct{ read *engine.Read }

// On returns the reads of this package that are queued on r.
func On(r *engine.Read) Read { return Read{r} }
